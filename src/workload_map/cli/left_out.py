"""What to tell of definitions in a cluster or a dump that cannot be used."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any

from workload_map.definition import CollisionError, DefinitionSet, Finding
from workload_map.engine.view import Problem


def left_out(
    findings: Sequence[Finding], objects: Sequence[Any], definitions: DefinitionSet
) -> Iterator[Problem]:
    """One warning for each definition that is left out: its first error, and what covers its kind instead.

    Args:
        findings: The errors, by definition.
        objects: The definitions as they were given.
        definitions: Those that count.
    """
    by_name = {_at(obj, "metadata", "name"): obj for obj in objects}
    for name, errors in groupby(findings, attrgetter("file")):
        first, *others = errors
        more = f" (and {len(others)} more)" if others else ""
        instead = _instead(by_name.get(name), definitions)
        message = f"definition {name} does not count{instead}: {first.message}{more}"
        yield Problem(code=first.code, location=first.location, message=message)


def _instead(obj: Any, definitions: DefinitionSet) -> str:
    """What covers the kind of a definition that is left out, as the end of a sentence."""
    path = ("spec", "structureDefinition", "rootComponent", "kind")
    group, version, kind = (_at(obj, *path, key) or "" for key in ("group", "version", "kind"))
    try:
        entry = definitions.get(f"{group}/{version}" if group else version, kind)
    except CollisionError:
        return ""
    return f", {entry.name} ({entry.origin}) does" if entry is not None else ""


def _at(value: Any, *keys: str) -> Any:
    """A text in nested objects; None where it is not there."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, str) else None
