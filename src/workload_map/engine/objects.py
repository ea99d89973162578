"""What every Kubernetes object has, read so that nothing malformed raises: it is as if it were absent."""

from __future__ import annotations

from typing import Any

Object = dict[str, Any]
ObjectKey = tuple[str, str, str | None, str]
"""Group, kind, namespace and name."""


def metadata(obj: Object) -> Object:
    """The metadata of an object; empty where it is absent or no object."""
    meta = obj.get("metadata")
    return meta if isinstance(meta, dict) else {}


def controller(obj: Object) -> Object | None:
    """The owner reference of the controller; None without one.

    The machine that a static pod runs on is called its controller (kubelet, mirror pods), and is none: no
    workload is behind it.
    """
    references = metadata(obj).get("ownerReferences")
    if not isinstance(references, list):
        return None
    for reference in references:
        if isinstance(reference, dict) and reference.get("controller") is True:
            return None if is_machine(reference) else reference
    return None


def is_machine(reference: Object) -> bool:
    """Whether a reference names a node of the cluster."""
    return reference.get("kind") == "Node" and reference.get("apiVersion") == "v1"


def is_pod(obj: Object) -> bool:
    """Whether an object is a core Pod."""
    return obj.get("kind") == "Pod" and obj.get("apiVersion") == "v1"


def text_of(value: Any) -> str | None:
    """A text as it is; None for anything else."""
    return value if isinstance(value, str) else None


def kind_of(api_version: str, kind: str) -> tuple[str, str]:
    """Group and kind; the version of a kind says nothing about what it is."""
    group, slash, _ = api_version.partition("/")
    return (group if slash else "", kind)


def key_of(obj: Object) -> ObjectKey:
    """Group, kind, namespace and name: which object it is, whatever its version and UID."""
    meta = metadata(obj)
    kind = kind_of(*api_kind(obj))
    return (*kind, text_of(meta.get("namespace")), text_of(meta.get("name")) or "")


def api_kind(obj: Object) -> tuple[str, str]:
    """The `apiVersion` and `kind` of an object or a reference; empty where they are no texts."""
    version, kind = obj.get("apiVersion"), obj.get("kind")
    return version if isinstance(version, str) else "", kind if isinstance(kind, str) else ""


def uid_of(obj: Object) -> str | None:
    """The UID of an object; None without one."""
    return text_of(metadata(obj).get("uid")) or None


def owner_uid(reference: Object) -> str:
    """The UID that a reference names; empty where it names none."""
    return text_of(reference.get("uid")) or ""


def place_of_pod(pod: Object) -> str:
    """How problems name a pod."""
    return f"pod {text_of(metadata(pod).get('name')) or '?'}"
