"""What ties an object to others, read once: a large cluster is walked through several times."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from workload_map.engine.objects import Object, ObjectKey, kind_of

MAX_DEPTH: Final = 32
"""How many owners above one another are followed. Real chains have up to six."""


class Node(msgspec.Struct, frozen=True, eq=False, gc=False):
    """An object among others. Whatever is malformed is as if it were absent.

    Attributes:
        obj: The object.
        api: Its `apiVersion` and `kind`; empty where they are no texts.
        namespace: Its namespace, as it stands there.
        name: Its name; empty where it has none.
        uid: Its UID; empty without one.
        controller: The owner reference of its controller; None without one.
        controller_uid: The UID that this reference names; empty where it names none.
        is_pod: Whether it is a core Pod.
    """

    obj: Object
    api: tuple[str, str]
    namespace: Any
    name: str
    uid: str
    controller: Object | None
    controller_uid: str
    is_pod: bool

    @property
    def key(self) -> ObjectKey:
        """As `objects.key_of`."""
        namespace = self.namespace
        return (*kind_of(*self.api), namespace if isinstance(namespace, str) else None, self.name)


class OwnerChain(msgspec.Struct, frozen=True):
    """The controllers above an object, nearest first.

    Attributes:
        owners: Those at hand.
        missing: The owner reference at which the chain ends because its object is not at hand.
        cycle: The chain comes back to itself.
        too_deep: The chain is longer than `MAX_DEPTH`.
    """

    owners: tuple[Object, ...]
    missing: Object | None = None
    cycle: bool = False
    too_deep: bool = False


def read(obj: Object) -> Node:
    """What ties an object to others. One long function, since it is called for each pod of a cluster."""
    meta = obj.get("metadata")
    if not isinstance(meta, dict):
        meta = {}
    version, kind = obj.get("apiVersion"), obj.get("kind")
    name, uid, references = meta.get("name"), meta.get("uid"), meta.get("ownerReferences")
    controller, controller_uid = None, ""
    if isinstance(references, list):
        for reference in references:
            if isinstance(reference, dict) and reference.get("controller") is True:
                # As `is_machine`, which would be one more call for each pod.
                if reference.get("kind") != "Node" or reference.get("apiVersion") != "v1":
                    controller, named = reference, reference.get("uid")
                    controller_uid = named if isinstance(named, str) else ""
                break
    return Node(
        obj,
        (version if isinstance(version, str) else "", kind if isinstance(kind, str) else ""),
        meta.get("namespace"),
        name if isinstance(name, str) else "",
        uid if isinstance(uid, str) else "",
        controller,
        controller_uid,
        kind == "Pod" and version == "v1",
    )
