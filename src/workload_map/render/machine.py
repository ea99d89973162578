"""Output for programs: JSON and YAML of views, written object by object so that long lists need no room."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from workload_map.engine.view import SCHEMA_VERSION, Component, Instance, Problem, Workload
from workload_map.render.text import printable

Write = Callable[[str], object]

# What a terminal might obey, or would not show, and JSON lets pass; as an escape it is the same value.
INVISIBLE = re.compile("[\x7f-\x9f\xad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
# How YAML shows half a character: no reader takes it back.
_HALF = re.compile(r"\\uD[89A-F]")


def _escape(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"


def to_json(value: Any) -> str:
    """A value of plain objects as indented JSON, with a line end."""
    return INVISIBLE.sub(_escape, msgspec.json.format(_encode(value), indent=2).decode()) + "\n"


def to_json_line(value: Any) -> str:
    """A value of plain objects as one line of JSON, with its end."""
    return INVISIBLE.sub(_escape, _encode(value).decode()) + "\n"


def to_yaml(value: Any) -> str:
    """A value of plain objects as YAML, keys in their order."""
    from workload_map.render import yaml_text  # noqa: PLC0415 - PyYAML loads slowly, and most output is none

    text = yaml_text.dumped(value)
    if _HALF.search(text):
        text = yaml_text.dumped(_mended(value))
    return INVISIBLE.sub(_escape, text)


def _encode(value: Any) -> bytes:
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:
        return msgspec.json.encode(_mended(msgspec.to_builtins(value)))


def _mended(value: Any) -> Any:
    """The value without half characters: Python's way to keep the bytes of a file's name that are no text."""
    if isinstance(value, str):
        return value.encode(errors="backslashreplace").decode()
    if isinstance(value, dict):
        return {_mended(key): _mended(item) for key, item in value.items()}
    return [_mended(item) for item in value] if isinstance(value, list | tuple) else value


FORMATS: dict[str, Callable[[Any], str]] = {"json": to_json, "yaml": to_yaml}


def write_view(write: Write, view: Workload, output: str) -> None:
    """Write one view.

    Args:
        write: Takes text.
        view: The workload.
        output: `json` or `yaml`.
    """
    write(FORMATS[output](view.to_dict()))


def write_list(write: Write, views: Iterable[Workload], warnings: Iterable[Problem], output: str) -> None:
    """Write many views: `{schemaVersion, items, count, warnings}`.

    Args:
        write: Takes text, piece by piece.
        views: The workloads; each is written before the next one is asked for.
        warnings: What could not be read; looked at after the last view.
        output: `json` or `yaml`.
    """
    writer = _write_json_list if output == "json" else _write_yaml_list
    writer(write, views, warnings)


def as_list(views: Iterable[Workload], warnings: Iterable[Problem]) -> dict[str, Any]:
    """What `write_list` writes, as plain objects."""
    items = [view.to_dict() for view in views]
    return {
        "schemaVersion": SCHEMA_VERSION,
        "items": items,
        "count": len(items),
        "warnings": plain(list(warnings)),
    }


def _write_json_list(write: Write, views: Iterable[Workload], warnings: Iterable[Problem]) -> None:
    write(f'{{\n  "schemaVersion": "{SCHEMA_VERSION}",\n  "items": [')
    count = 0
    for count, view in enumerate(views, 1):
        write(",\n    " if count > 1 else "\n    ")
        write(to_json(view.to_dict()).rstrip().replace("\n", "\n    "))
    write("\n  ],\n" if count else "],\n")
    write(f'  "count": {count},\n  "warnings": ')
    write(to_json(plain(list(warnings))).rstrip().replace("\n", "\n  "))
    write("\n}\n")


def _write_yaml_list(write: Write, views: Iterable[Workload], warnings: Iterable[Problem]) -> None:
    write(f'schemaVersion: "{SCHEMA_VERSION}"\n')
    count = 0
    for count, view in enumerate(views, 1):
        if count == 1:
            write("items:\n")
        write(to_yaml([view.to_dict()]))
    if not count:
        write("items: []\n")
    write(to_yaml({"count": count, "warnings": plain(list(warnings))}))


def plain(value: Any) -> Any:
    """Structs as plain objects, keys as documented."""
    return msgspec.to_builtins(value)


def without_pods(view: Workload) -> Workload:
    """The view as lists show it: what the pods sum up to is there, the pods themselves are not looked at."""
    components = tuple(_without_members(component) for component in view.components)
    return msgspec.structs.replace(view, components=components, unattributed=None)


def _without_members(component: Component) -> Component:
    return msgspec.structs.replace(
        component,
        members=None,
        components=tuple(_without_members(child) for child in component.components),
        instances=tuple(_instance_without_members(instance) for instance in component.instances),
    )


def _instance_without_members(instance: Instance) -> Instance:
    if not instance.components:
        return instance
    children = tuple(_without_members(child) for child in instance.components)
    return msgspec.structs.replace(instance, components=children)


def resource_name(view: Workload) -> str:
    """What `-o name` prints, as kubectl does: `jobset.jobset.x-k8s.io/train`, `pod/web`."""
    group, slash, _ = view.api_version.partition("/")
    return printable(f"{view.kind.lower()}{f'.{group}' if slash else ''}/{view.name}")
