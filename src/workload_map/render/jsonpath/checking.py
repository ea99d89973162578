"""Keys that no view has, told before anything is read: a template that prints nothing tells nobody why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from workload_map.render.jsonpath import steps
from workload_map.render.jsonpath.errors import JsonPathError
from workload_map.spelling import did_you_mean

Schema = dict[str, Any]


def check(path: steps.Path, text: str, root: Schema, at: Iterable[Schema] | None = None) -> list[Schema]:
    """Refuse a path that reads a key which none of the values there can have.

    Args:
        path: The path.
        text: The template, for errors.
        root: The JSON Schema of what it is applied to, with its `$defs`.
        at: The schemas of what it is applied to, if that is not the root.

    Returns:
        The schemas of what it gives; none where that is anything.

    Raises:
        JsonPathError: At the first such key.
    """
    found = [root] if at is None else list(at)
    for step in path:
        if isinstance(step, steps.Deep | steps.Constant):
            return []
        shapes = [shape for schema in found for shape in _shapes(schema, root)]
        if not shapes:
            return []
        if isinstance(step, steps.Keys):
            found = [schema for name in step.names for schema in _of_key(name, step.offset, shapes, text)]
            continue
        found = [schema for shape in shapes for schema in _contents(shape)]
        if isinstance(step, steps.Filter):
            check(step.left, text, root, found)
            check(step.right, text, root, found)
    return found


def _shapes(schema: Schema, root: Schema) -> Iterator[Schema]:
    """What a schema may stand for, one at a time; nothing where that is anything."""
    if "$ref" in schema:
        yield from _shapes(root["$defs"][schema["$ref"].rpartition("/")[2]], root)
    elif "anyOf" in schema:
        for each in schema["anyOf"]:
            yield from _shapes(each, root)
    elif schema:
        yield schema


def _of_key(name: str, offset: int, shapes: list[Schema], text: str) -> Iterator[Schema]:
    known: set[str] = set()
    anywhere = False
    for shape in shapes:
        properties = shape.get("properties", {})
        known.update(properties)
        if name in properties:
            anywhere = True
            yield properties[name]
        elif "additionalProperties" in shape:
            anywhere = True
            yield shape["additionalProperties"]
    if anywhere:
        return
    hint = _hint(name, known, shapes)
    raise JsonPathError(f"the view has no key {name!r} there", text, offset, hint=hint)


def _hint(name: str, known: set[str], shapes: list[Schema]) -> str:
    if hint := did_you_mean(name, known):
        return hint
    if known:
        return f"there are: {', '.join(sorted(known))}"
    in_list = any("items" in shape for shape in shapes)
    return "it is a list: [*] stands for all in it" if in_list else "it is a value without keys"


def _contents(shape: Schema) -> Iterator[Schema]:
    if "items" in shape:
        yield shape["items"]
    yield from shape.get("properties", {}).values()
    if "additionalProperties" in shape:
        yield shape["additionalProperties"]
