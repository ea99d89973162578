"""The names of kinds out of CustomResourceDefinitions, wherever these were found."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from workload_map.definition.kind_names import KindNames
from workload_map.source.kinds import GroupKind
from workload_map.source.objects import Object

CRD = GroupKind("apiextensions.k8s.io", "CustomResourceDefinition")


def of_kinds(crds: Iterable[Object], kinds: Collection[GroupKind]) -> list[Object]:
    """Those CustomResourceDefinitions that define one of these kinds."""
    return [
        crd for crd in crds if any(GroupKind(names.group, names.kind) in kinds for names in names_of(crd))
    ]


def names_of(crd: Object) -> Iterator[KindNames]:
    """The names that a CustomResourceDefinition gives its kind, one record a version; none if malformed."""
    spec = _mapping(crd.get("spec"))
    names = _mapping(spec.get("names"))
    group, kind, plural = spec.get("group"), names.get("kind"), names.get("plural")
    if not (isinstance(group, str) and isinstance(kind, str) and isinstance(plural, str)):
        return
    singular = names.get("singular")
    for version in _list(spec.get("versions")):
        if isinstance(name := _mapping(version).get("name"), str):
            yield KindNames(
                group=group,
                version=name,
                kind=kind,
                plural=plural,
                singular=singular if isinstance(singular, str) and singular else kind.lower(),
                short_names=tuple(
                    short for short in _list(names.get("shortNames")) if isinstance(short, str)
                ),
                namespaced=spec.get("scope") != "Cluster",
            )


def _mapping(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
