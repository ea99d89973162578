"""A field that is null is a field that is left out: controllers decode both into the same, and the API server
prunes nulls that the schema of a kind does not allow.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from workload_map import path
from workload_map.catalog import Catalog
from workload_map.catalog.building import FOLDER
from workload_map.catalog.cases import Case, files, read_case, view
from workload_map.definition import Definition
from workload_map.definition.slots import expressions
from workload_map.path import ReadPattern

CATALOG = Catalog.builtin()
FOLDERS = sorted(folder.parent for folder in FOLDER.glob("*/cases"))
Place = tuple[str | int, ...]


def patterns_of(definition: Definition) -> Iterator[ReadPattern]:
    """What the paths of a definition may read of the object."""
    references = tuple(one.name for one in definition.spec.structure_definition.references)
    for expression in expressions(definition):
        if expression.slot.on == "workload":
            variables = references if expression.sees_references else ()
            yield from path.compile(expression.text, variables=variables, null_is_empty=True).reads


def places(value: Any, steps: tuple[str | None, ...], below: bool, place: Place = ()) -> Iterator[Place]:
    """Where a pattern meets fields of a value: those that are there, and the last one that is not."""
    if not steps:
        if below:
            yield from everywhere(value, place)
        return
    step, *rest = steps
    if isinstance(value, list) and step is None:
        for index, entry in enumerate(value):
            yield from places(entry, tuple(rest), below, (*place, index))
    elif isinstance(value, dict):
        for name in list(value) if step is None else [step]:
            yield (*place, name)
            if name in value:
                yield from places(value[name], tuple(rest), below, (*place, name))


def everywhere(value: Any, place: Place) -> Iterator[Place]:
    """All fields below a place."""
    if isinstance(value, dict):
        for name, entry in value.items():
            yield (*place, name)
            yield from everywhere(entry, (*place, name))
    elif isinstance(value, list):
        for index, entry in enumerate(value):
            yield from everywhere(entry, (*place, index))


def is_quantity(place: Place) -> bool:
    """Whether it is one of a pod, or of a NIMCache: null is 0 to the API server, and a problem says so."""
    return place[-2] in ("requests", "limits") or place[:-1] == ("spec", "resources")


def with_null(value: Any, place: Place) -> Any:
    """A copy that has null at a place."""
    return _changed(value, place, lambda holder, name: holder | {name: None})


def without(value: Any, place: Place) -> Any:
    """A copy that has no field at a place."""
    return _changed(value, place, lambda holder, name: {key: holder[key] for key in holder if key != name})


def _changed(value: Any, place: Place, change: Any) -> Any:
    first, *rest = place
    if not rest:
        return change(value, first)
    copy: Any = value.copy()
    copy[first] = _changed(value[first], tuple(rest), change)
    return copy


def told(case: Case) -> dict[str, Any]:
    """The view, without what is null or empty among the fields that tell why."""
    found = view(case, CATALOG)
    for why in found["why"]:
        why["reads"] = [read for read in why["reads"] if read["value"] not in (None, {})]
    return found


def changes(case: Case) -> Iterator[tuple[str, Case, Case]]:
    """A field that counts, and the case without it and with null in its place."""
    obj = case.object
    definition = CATALOG.find(obj["apiVersion"], obj["kind"]).definition
    # A pod is its own pod: beside one that is changed, the other would be a second one of its UID.
    pods = case.pods and [pod for pod in case.pods if pod["kind"] != obj["kind"]]
    found = {
        place
        for pattern in patterns_of(definition)
        for place in places(obj, pattern.steps, pattern.below)
        if len(place) > 1 and not is_quantity(place)
    }
    for place in sorted(found, key=str):
        absent, null = (
            msgspec.structs.replace(case, object=change(obj, place), pods=pods)
            for change in (without, with_null)
        )
        yield path.location_text(place), absent, null
    for index, other in enumerate(case.related):
        for place in everywhere(other.get("spec"), ("spec",)):
            if is_quantity(place):
                continue
            absent, null = (
                msgspec.structs.replace(
                    case, related=[*case.related[:index], change(other, place), *case.related[index + 1 :]]
                )
                for change in (without, with_null)
            )
            yield f"{other['kind']} {other['metadata']['name']}: {path.location_text(place)}", absent, null


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_null_is_what_is_left_out(folder: Any) -> None:
    count = 0
    for case in map(read_case, files(folder / "cases")):
        for place, absent, null in changes(case):
            count += 1
            assert told(absent) == told(null), f"{case.name}: {place}"
    assert count
