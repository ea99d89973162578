"""What is wrong with a value that is not what a schema asks for, piece by piece."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from msgspec import inspect

from workload_map.definition.findings import Report, Steps, found, shown
from workload_map.definition.schema import Definition
from workload_map.spelling import did_you_mean

_MAX_DEPTH = 50  # of the schema's own nesting; only groups in groups go beyond 12
_NOUNS = {
    inspect.StrType: "a string",
    inspect.IntType: "a whole number",
    inspect.BoolType: "true or false",
    inspect.DictType: "a mapping",
    inspect.StructType: "a mapping",
    inspect.VarTupleType: "a list",
}


def readable(value: Any, report: Report, schema: type[msgspec.Struct] = Definition) -> Any:
    """Report all that a schema cannot take, and give the rest in a form that it can."""
    return _Reader(report, schema).read(value, inspect.type_info(schema), ())


class _Reader:
    """Makes of a value what the schema can take, and reports the rest."""

    def __init__(self, report: Report, schema: type[msgspec.Struct]) -> None:
        self._report = report
        self._schema = schema

    def read(self, value: Any, kind: inspect.Type, steps: Steps) -> Any:
        """The readable part of a value; `_empty(kind)` if there is none."""
        if isinstance(kind, inspect.UnionType):
            if value is None:
                return None
            kind = next(each for each in kind.types if not isinstance(each, inspect.NoneType))
        if len(steps) > _MAX_DEPTH:
            return self._unreadable("too-deep", kind, steps, f"nested more than {_MAX_DEPTH} levels deep")
        if isinstance(kind, inspect.AnyType):
            return value
        if isinstance(kind, inspect.StructType) and isinstance(value, dict):
            return self._struct(value, kind, steps)
        if isinstance(kind, inspect.VarTupleType) and isinstance(value, list):
            return [self.read(entry, kind.item_type, (*steps, index)) for index, entry in enumerate(value)]
        if isinstance(kind, inspect.DictType) and isinstance(value, dict):
            return {key: self.read(each, kind.value_type, (*steps, key)) for key, each in value.items()}
        if _is_scalar_of(value, kind):
            return value
        return self._wrong_type(value, kind, steps)

    def _struct(self, value: dict[str, Any], kind: inspect.StructType, steps: Steps) -> dict[str, Any]:
        fields = {field.encode_name: field for field in kind.fields}
        if kind.cls.__struct_config__.forbid_unknown_fields:
            for name in value:
                if name not in fields:
                    self._unknown(name, fields, value, steps)
        read = {}
        for name, field in fields.items():
            if name in value:
                read[name] = self.read(value[name], field.type, (*steps, name))
            elif field.required:
                self._report.add("missing-field", steps, f"{name} is missing")
                self._report.spoil((*steps, name))
                read[name] = _empty(field.type)
        return read

    def _unknown(
        self, name: str, fields: dict[str, inspect.Field], value: dict[str, Any], steps: Steps
    ) -> None:
        homes = _homes(self._schema).get(name, [])
        if 1 <= len(homes) <= 2:  # rightly spelt, wrongly indented
            hint: str | None = f"move it to {' or '.join(homes)}"
        else:
            hint = did_you_mean(name, [field for field in fields if field not in value])
        self._report.add("unknown-field", (*steps, name), "unknown field", hint)
        self._report.spoil((*steps, name))

    def _wrong_type(self, value: object, kind: inspect.Type, steps: Steps) -> Any:
        noun = _NOUNS[type(kind)]
        hint = None
        if isinstance(kind, inspect.StrType) and isinstance(value, bool | int | float):
            hint = f'quote it: "{shown(value)}"'
        return self._unreadable("wrong-type", kind, steps, f"expected {noun}, found {found(value)}", hint)

    def _unreadable(
        self, code: str, kind: inspect.Type, steps: Steps, message: str, hint: str | None = None
    ) -> Any:
        self._report.add(code, steps, message, hint)
        self._report.spoil(steps)
        return _empty(kind)


def _is_scalar_of(value: object, kind: inspect.Type) -> bool:
    if isinstance(kind, inspect.StrType):
        return isinstance(value, str)
    if isinstance(kind, inspect.BoolType):
        return isinstance(value, bool)
    return isinstance(kind, inspect.IntType) and isinstance(value, int) and not isinstance(value, bool)


def _empty(kind: inspect.Type) -> Any:
    """What stands for a part that cannot be read."""
    if isinstance(kind, inspect.UnionType):
        return None
    if isinstance(kind, inspect.StructType):
        return {field.encode_name: _empty(field.type) for field in kind.fields if field.required}
    if isinstance(kind, inspect.VarTupleType):
        return []
    if isinstance(kind, inspect.DictType):
        return {}
    return {inspect.StrType: "", inspect.IntType: 0, inspect.BoolType: False}[type(kind)]


@cache
def _homes(schema: type[msgspec.Struct]) -> dict[str, list[str]]:
    """For each field of a schema the fields whose objects have it, for one that was put elsewhere."""
    homes: dict[str, dict[str, None]] = {}
    seen: set[type] = set()

    def visit(home: str, kind: inspect.Type) -> None:
        if isinstance(kind, inspect.UnionType):
            for each in kind.types:
                visit(home, each)
        elif isinstance(kind, inspect.VarTupleType):
            visit(home, kind.item_type)
        elif isinstance(kind, inspect.StructType):
            for field in kind.fields:
                homes.setdefault(field.encode_name, {})[home] = None
            if kind.cls not in seen:
                seen.add(kind.cls)
                for field in kind.fields:
                    visit(field.encode_name, field.type)

    visit("the definition", inspect.type_info(schema))
    return {name: list(found) for name, found in homes.items()}
