"""Small Kubernetes objects."""

from __future__ import annotations

from typing import Any


def pod(
    name: str, *, namespace: str | None = "lab", version: str | None = None, **metadata: Any
) -> dict[str, Any]:
    return _object("v1", "Pod", name, namespace, version, metadata)


def job(
    name: str, *, namespace: str | None = "lab", version: str | None = None, **metadata: Any
) -> dict[str, Any]:
    return _object("batch/v1", "Job", name, namespace, version, metadata)


def owned(
    uid: str, kind: str = "Job", api_version: str = "batch/v1", name: str = "j"
) -> list[dict[str, Any]]:
    return [{"apiVersion": api_version, "kind": kind, "name": name, "uid": uid, "controller": True}]


def names(objects: Any) -> list[str]:
    return [value["metadata"]["name"] for value in objects]


def _object(
    api_version: str,
    kind: str,
    name: str,
    namespace: str | None,
    version: str | None,
    metadata: dict[str, Any],
) -> dict[str, Any]:
    known = {"name": name, "namespace": namespace, "resourceVersion": version, **metadata}
    return {
        "apiVersion": api_version,
        "kind": kind,
        "metadata": {key: value for key, value in known.items() if value is not None},
    }
