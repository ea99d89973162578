"""The pages of the docs that the code itself tells: the codes of findings, and the fields of a definition."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import inspect

from workload_map.definition.codes import CODES
from workload_map.definition.descriptions import DESCRIPTIONS
from workload_map.definition.portability import EXTENSIONS
from workload_map.definition.schema import Definition
from workload_map.definition.slots import SLOTS


def codes_page() -> str:
    """The page of the docs that lists all codes, in Markdown."""
    rows = [
        f"| `{code.code}` | {code.severity} | {code.meaning} | {code.why} | {_in_cell(code.hint)} |"
        for code in CODES.values()
    ]
    return "\n".join(
        [
            "# Finding codes",
            "",
            "What `wmap validate` can find. An *error* keeps a definition, or a part of it, from working;",
            "a *warning* marks what works, but probably not as meant, or not everywhere.",
            "",
            "| code | severity | found when | why it matters | what to do |",
            "| --- | --- | --- | --- | --- |",
            *rows,
            "",
        ]
    )


def _in_cell(text: str) -> str:
    return text.replace("|", "\\|")


def fields_page() -> str:
    """The page of the docs that lists all fields of a definition, in Markdown."""
    lines = [
        "# Fields of a definition",
        "",
        "Every object of the schema with its fields, from the document down. A path is a jq expression that",
        "runs on the workload, or on a pod where it says so. Fields marked as extension are not part of the",
        "base schema; `wmap definitions NAME -o yaml --portable` leaves them out.",
        "",
    ]
    for owner in _structs():
        what, fields = DESCRIPTIONS[owner.cls]
        lines += [
            f"## {owner.cls.__name__}",
            "",
            what,
            "",
            "| field | type | meaning |",
            "| --- | --- | --- |",
        ]
        lines += [_row(owner.cls, field, fields[field.encode_name]) for field in owner.fields]
        lines.append("")
    return "\n".join(lines)


def _row(owner: Any, field: inspect.Field, meaning: str) -> str:
    required = ", required" if field.required else ""
    kind = "path" if (owner, field.name) in SLOTS else _type(field.type)
    if (owner, field.encode_name) in EXTENSIONS:
        meaning += f" *Extension; without it {EXTENSIONS[owner, field.encode_name]}.*"
    if isinstance(field.default, str) and field.default:
        meaning += f" Default: `{field.default}`."
    return f"| `{field.encode_name}` | {kind}{required} | {meaning} |"


def _type(kind: inspect.Type) -> str:
    if isinstance(kind, inspect.UnionType):
        kind = next(each for each in kind.types if not isinstance(each, inspect.NoneType))
    if isinstance(kind, inspect.StructType):
        name = kind.cls.__name__
        return f"[{name}](#{name.lower()})"
    if isinstance(kind, inspect.VarTupleType):
        return f"list of {_type(kind.item_type)}"
    if isinstance(kind, inspect.DictType):
        return "mapping"
    return {inspect.BoolType: "true or false", inspect.IntType: "whole number"}.get(type(kind), "string")


def _structs() -> Iterator[inspect.StructType]:
    """All objects of the schema, each once, in the order in which they are met."""
    seen: set[type] = set()
    waiting: list[inspect.Type] = [inspect.type_info(Definition)]
    while waiting:
        kind = waiting.pop(0)
        if isinstance(kind, inspect.UnionType):
            waiting = [*kind.types, *waiting]
        elif isinstance(kind, inspect.VarTupleType):
            waiting.insert(0, kind.item_type)
        elif isinstance(kind, inspect.StructType) and kind.cls not in seen:
            seen.add(kind.cls)
            yield kind
            waiting = [*(field.type for field in kind.fields), *waiting]
