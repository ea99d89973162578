"""What the first result of an expression can be, as far as its form tells.

It is told from the expression alone, for any object. What is read from the object may be anything, and so may
what is computed in a way that is not looked into; what is told of the rest always holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Literal, NamedTuple

import msgspec

from workload_map import path
from workload_map.definition.findings import Report, Steps, shown
from workload_map.path import core, syntax
from workload_map.path.resolver import resolve
from workload_map.spelling import did_you_mean

_MAX_DEPTH = 60  # nodes in each other, those of called functions included
_MAX_NODES = 20_000
_EXACT = 2**53  # whole numbers up to here are written in one way


class Form(NamedTuple):
    """A form of results.

    Attributes:
        kind: `text`: this text alone, `value`: this value alone, given as JSON; or all booleans, numbers,
            arrays, objects; or all texts without capitals, or with nothing but capitals.
        only: The one result; empty for all of a kind.
    """

    kind: Literal["text", "value", "boolean", "number", "array", "object", "lower", "upper"]
    only: str = ""


Forms = frozenset[Form]
"""All that a result can be; None in its place stands for anything."""

BOOLEAN, NUMBER = frozenset([Form("boolean")]), frozenset([Form("number")])
ARRAY, OBJECT = frozenset([Form("array")]), frozenset([Form("object")])
NULL = Form("value", "null")
_ABSENT = frozenset([NULL, Form("value", "false")])
_TYPES = frozenset(Form("text", name) for name in ("null", "boolean", "number", "string", "array", "object"))
_NOTHING: Forms = frozenset()

_OF_KIND: tuple[tuple[Forms, str], ...] = (
    (BOOLEAN, "not/0 any/2 all/2 isempty/1 has/1 contains/1 test/1 test/2 startswith/1 endswith/1"),
    (BOOLEAN, "isnan/0 isinfinite/0 isnormal/0 toboolean/0"),
    (NUMBER, "length/0 utf8bytelength/0 tonumber/0 floor/0 ceil/0 round/0 range/1 range/2 range/3 mktime/0"),
    (NUMBER | {NULL}, "index/1 rindex/1"),
    (ARRAY, "keys/0 keys_unsorted/0 to_entries/0 sort/0 unique/0 explode/0 split/1 split/2"),
    (ARRAY, "sort_by/1 group_by/1 unique_by/1 path/1 paths/0"),
    (OBJECT, "from_entries/0"),
    (_TYPES, "type/0"),
    (frozenset([Form("lower")]), "ascii_downcase/0"),
    (frozenset([Form("upper")]), "ascii_upcase/0"),
    (_NOTHING, "empty/0 error/0 error/1"),
)
_BY_NAME = {name: forms for forms, names in _OF_KIND for name in names.split()}
_COMPARISONS = frozenset(["==", "!=", "<", "<=", ">", ">="])


def check_result(expected: str, forms: Forms | None, steps: Steps, report: Report) -> None:
    """Report what is expected of an expression that can never give it.

    Args:
        expected: The text that its result is compared with; one that is no text is written as JSON.
        forms: What it can give; None: anything.
        steps: Where the expected text stands.
        report: Takes the finding.
    """
    if forms is None or any(_is_text(form, expected) for form in forms):
        return
    known = _texts(forms)
    hint = did_you_mean(expected, known) or (f"it gives {', '.join(known)}" if known else None)
    message = f"the expression never gives {shown(expected)}, so that it never matches"
    report.add("result-unreachable", steps, message, hint)


@lru_cache(maxsize=64)  # many matchers of a definition share one expression
def forms_of(expression: str, variables: tuple[str, ...] = ()) -> Forms | None:
    """The forms of the first result of an expression; None where it may be anything, or does not compile."""
    try:
        return _Looking().at(resolve(expression, variables).body, None, {})
    except path.PathSyntaxError:
        return None  # told as such


def strings(forms: Forms | None) -> Forms | None:
    """The forms that are texts: what compares without writing other results as JSON takes no others."""
    return (
        None if forms is None else frozenset(one for one in forms if one.kind in ("text", "lower", "upper"))
    )


def _texts(forms: Forms) -> list[str]:
    """The results that can be named one by one, as texts."""
    booleans = ["false", "true"] if forms >= BOOLEAN else []
    return sorted({*booleans, *(form.only for form in forms if form.kind in ("text", "value"))})


def _is_text(form: Form, text: str) -> bool:
    match form.kind:
        case "text" | "value":
            return text == form.only
        case "boolean":
            return text in ("true", "false")
        case "lower":
            return not any("A" <= letter <= "Z" for letter in text)
        case "upper":
            return not any("a" <= letter <= "z" for letter in text)
    return _is_json(form.kind, text)


def _is_json(kind: str, text: str) -> bool:
    """Whether a text is how a number, an array or an object is written: nothing in it is needless."""
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return False
    types: dict[str, tuple[type, ...]] = {"number": (int, float), "array": (list,), "object": (dict,)}
    if value is None:
        return kind == "number"  # one that is none, or infinite
    return type(value) in types[kind] and _written(value) == text


def _written(value: Any) -> str:
    return msgspec.json.encode(value).decode()


class _Closure(NamedTuple):
    """An expression that is passed to a function, with what it sees."""

    node: syntax.Node
    around: Mapping[str, Any]


class _Looking:
    """One pass over an expression; what lies very deep, or is very much, may be anything."""

    def __init__(self) -> None:
        self._depth = 0
        self._left = _MAX_NODES

    def at(self, node: syntax.Node, given: Forms | None, around: Mapping[str, Any]) -> Forms | None:
        """What a node gives.

        Args:
            node: The node.
            given: What `.` can be.
            around: What variables can be, and the expressions that parameters stand for, by name.
        """
        self._left -= 1
        if self._depth == _MAX_DEPTH or self._left < 0:
            return None
        self._depth += 1
        found = self._node(node, given, around)
        self._depth -= 1
        return found

    def _node(self, node: syntax.Node, given: Forms | None, around: Mapping[str, Any]) -> Forms | None:
        match node:
            case syntax.Identity():
                return given
            case syntax.Literal(value=value):
                return _literal(value)
            case syntax.Variable(name=name):
                known: Forms | None = around.get(name)
                return known
            case syntax.Array():
                return ARRAY
            case syntax.Object():
                return OBJECT
            case syntax.Logic():
                return BOOLEAN
            case syntax.Negate():
                return NUMBER
            case syntax.Binary(operator=operator):
                return BOOLEAN if operator in _COMPARISONS else NUMBER if operator == "%" else None
            case core.Parameter(name=name):
                closure = around.get(name)
                return self.at(closure.node, given, closure.around) if closure is not None else None
            case core.Invoke(function=function, args=args):
                return self._call(function, args, given, around)
            case core.Form(name=name, args=args) | core.Native(name=name, args=args):
                return self._named(name, args, given, around)
        return self._compound(node, given, around)

    def _compound(self, node: syntax.Node, given: Forms | None, around: Mapping[str, Any]) -> Forms | None:
        match node:
            case syntax.Pipe(parts=parts):
                for part in parts:
                    given = self.at(part, given, around)
                return given
            case syntax.Comma(parts=parts):
                return _union(self.at(part, given, around) for part in parts)
            case syntax.Alternative(left=left, right=right):
                first = self.at(left, given, around)
                return _union([None if first is None else first - _ABSENT, self.at(right, given, around)])
            case syntax.If(branches=branches, otherwise=otherwise):
                last = given if otherwise is None else self.at(otherwise, given, around)
                return _union([*(self.at(then, given, around) for _, then in branches), last])
            case syntax.Try(body=body, handler=handler):
                caught = _NOTHING if handler is None else self.at(handler, None, around)
                return _union([self.at(body, given, around), caught])
            case syntax.Bind(source=source, patterns=(syntax.VariablePattern(name=name),), body=body):
                return self.at(body, given, {**around, name: self.at(source, given, around)})
            case syntax.Bind(body=body) | syntax.Label(body=body):
                return self.at(body, given, around)
            case syntax.Break():
                return _NOTHING
        return None

    def _named(
        self, name: str, args: tuple[syntax.Node, ...], given: Forms | None, around: Mapping[str, Any]
    ) -> Forms | None:
        if name in ("first/1", "last/1"):
            return self.at(args[0], given, around)
        if name in ("limit/2", "skip/2"):
            return self.at(args[1], given, around)
        if name == "tostring/0":
            return None if given is None else _union(map(_in_text, given))
        return _BY_NAME.get(name)

    def _call(
        self,
        function: core.Definition,
        args: tuple[syntax.Node, ...],
        given: Forms | None,
        around: Mapping[str, Any],
    ) -> Forms | None:
        if function.recursive:
            return None
        passed = {
            name: self.at(arg, given, around) if name[0] == "x" else _Closure(arg, around)
            for name, arg in zip(function.params, args, strict=True)
        }
        return self.at(function.body, given, {**around, **passed})


def _literal(value: Any) -> Forms:
    if isinstance(value, str):
        return frozenset([Form("text", value)])
    if value is None or (isinstance(value, int) and abs(value) <= _EXACT):
        return frozenset([Form("value", _written(value))])
    return OBJECT if isinstance(value, dict) else NUMBER  # `$__loc__` is an object


def _in_text(form: Form) -> Forms | None:
    """The texts that `tostring` makes of results; numbers may be written in another way than as JSON."""
    match form.kind:
        case "text" | "lower" | "upper":
            return frozenset([form])
        case "value":
            return frozenset([Form("text", form.only)])
        case "boolean":
            return frozenset([Form("text", "true"), Form("text", "false")])
    return None


def _union(several: Iterable[Forms | None]) -> Forms | None:
    found: Forms = _NOTHING
    for forms in several:
        if forms is None:
            return None
        found |= forms
    return found
