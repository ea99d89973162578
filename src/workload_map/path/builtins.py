"""The table of builtins: what each name is, and what is refused and why.

Four ways to be a builtin, from the fastest to the shortest to write:

- `FORMS`: written out by the compiler, since arguments are expressions.
- shorthand: expanded to other nodes when names are resolved (`map`, `select`, …).
- `NATIVES`: functions of values in `library/`, loaded on first use.
- written in the language itself, in `PRELUDE`, parsed on first use.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from workload_map.path import core, syntax
from workload_map.path.errors import Span
from workload_map.path.parser import parse_builtin

_ENVIRONMENT = "it reads the environment of the process"
_INPUTS = "there is one input, the value"
_CLOCK = "its answer depends on the clock; dates from data are allowed"
_ZONE = "its answer depends on the time zone of the machine; UTC dates are allowed"
_MODULES = "modules are not part of the path language"
_OUTPUT = "it writes outside of the result"

REFUSED = {
    "env": _ENVIRONMENT,
    "$ENV": _ENVIRONMENT,
    "$__prog_args": "it reads the arguments of the process",
    "$__prog_name": "it reads the arguments of the process",
    "input": _INPUTS,
    "inputs": _INPUTS,
    "input_filename": _INPUTS,
    "input_line_number": _INPUTS,
    "debug": _OUTPUT,
    "stderr": _OUTPUT,
    "now": _CLOCK,
    "localtime": _ZONE,
    "strflocaltime": _ZONE,
    "import": _MODULES,
    "include": _MODULES,
    "modulemeta": _MODULES,
    "get_search_list": _MODULES,
    "get_jq_origin": "it tells where jq is installed",
    "get_prog_origin": "it tells where the program lies",
    "halt": "it would end the whole process",
    "halt_error": "it would end the whole process; `error` fails this expression",
}

FORMATS = frozenset(
    ["text", "json", "csv", "tsv", "html", "uri", "urid", "sh", "base64", "base64d", "base32", "base32d"]
)

FORMS = frozenset(
    [
        "empty/0",
        "not/0",
        "error/0",
        "error/1",
        "any/2",
        "all/2",
        "first/1",
        "last/1",
        "limit/2",
        "skip/2",
        "isempty/1",
        "range/1",
        "range/2",
        "range/3",
        "until/2",
        "recurse/0",
        "recurse/1",
        "walk/1",
        "path/1",
        "paths/0",
        "getpath/1",
        "sort_by/1",
        "group_by/1",
        "unique_by/1",
        "min_by/1",
        "max_by/1",
    ]
)

_LIBRARY = {
    "basics": """length/0 utf8bytelength/0 type/0 keys/0 keys_unsorted/0 has/1 contains/1 toarray/0 tostring/0
        tonumber/0 toboolean/0 tojson/0 fromjson/0 builtins/0 _tostream/0 have_decnum/0 have_literal_numbers/0
        setpath/2 delpaths/1 infinite/0 nan/0""",
    "arrays": """add/0 reverse/0 flatten/0 flatten/1 min/0 max/0 sort/0 unique/0 to_entries/0 from_entries/0
        transpose/0 bsearch/1""",
    "strings": """split/1 join/1 ascii_downcase/0 ascii_upcase/0 ltrimstr/1 rtrimstr/1 trimstr/1 startswith/1
        endswith/1 trim/0 ltrim/0 rtrim/0 explode/0 implode/0 indices/1 index/1 rindex/1 _strindices/1
        format/1""",
    "regex": "test/1 test/2 _matches/2 split/2",
    "maths": """abs/0 floor/0 ceil/0 round/0 trunc/0 rint/0 nearbyint/0 sqrt/0 cbrt/0 exp/0 exp2/0 exp10/0
        expm1/0 log/0 log2/0 log10/0 log1p/0 sin/0 cos/0 tan/0 asin/0 acos/0 atan/0 sinh/0 cosh/0 tanh/0
        asinh/0 acosh/0 atanh/0 fabs/0 significand/0 logb/0 gamma/0 lgamma/0 tgamma/0 lgamma_r/0 frexp/0
        modf/0 erf/0 erfc/0 j0/0 j1/0 y0/0 y1/0 jn/2 yn/2 pow/2 atan2/2 fmod/2 fmin/2 fmax/2 fdim/2 hypot/2
        copysign/2 drem/2 remainder/2 ldexp/2 scalb/2 scalbln/2 nextafter/2 nexttoward/2
        fma/3 isinfinite/0 isnan/0 isnormal/0""",
    "dates": "mktime/0 gmtime/0 strftime/1 strptime/1",
}


class Native:
    """Where a builtin's function is: the module of the library that has it."""

    __slots__ = ("module", "name")

    def __init__(self, name: str, module: str) -> None:
        self.name = name
        self.module = module


NATIVES = {name: Native(name, module) for module, names in _LIBRARY.items() for name in names.split()}

PRELUDE = """
def in(xs): . as $x | xs | has($x);
def inside(xs): . as $x | xs | contains($x);
def map_values(f): .[] |= f;
def recurse(f; cond): recurse(f | select(cond));
def repeat(f): def again: f, again; again;
def nth($n; f): if $n < 0 then error("nth does not take a negative index") else first(skip($n; f)) end;
def paths(f): path(.. | select(f)) | select(length > 0);
def del(f): delpaths([path(f)]);
def pick(f): . as $v | reduce path(f) as $p (null; setpath($p; $v | getpath($p)));
def with_entries(f): to_entries | map(f) | from_entries;
def todate: strftime("%Y-%m-%dT%H:%M:%SZ");
def fromdateiso8601: strptime("%Y-%m-%dT%H:%M:%S%z") | mktime;
def todateiso8601: strftime("%Y-%m-%dT%H:%M:%SZ");
def fromdate: fromdateiso8601;
def match($re): _matches($re; null) | .[];
def match($re; $flags): _matches($re; $flags) | .[];
def capture($re): match($re) | _captured;
def capture($re; $flags): match($re; $flags) | _captured;
def _captured: [.captures[] | select(.name != null) | {key: .name, value: .string}] | from_entries;
def scan($re): scan($re; null);
def scan($re; $flags): match($re; "g" + $flags)
  | if .captures == [] then .string else [.captures[].string] end;
def splits($re): splits($re; null);
def splits($re; $flags): split($re; $flags) | .[];
def sub($re; f): sub($re; f; "");
def sub($re; f; $flags): . as $in
  | (reduce _matches($re; $flags)[] as $m ({at: 0, out: [""]};
      .at as $at
      | $in[$at:$m.offset] as $between
      | ($m | _captured | [f]) as $new
      | {at: ($m.offset + $m.length), out: [.out[] + $between + $new[]]}))
  | .out[] + $in[.at:];
def gsub($re; f): sub($re; f; "g");
def gsub($re; f; $flags): sub($re; f; "g" + $flags);
def ascii: [.] | implode;
def combinations:
  if length == 0 then [] else .[0][] as $x | (.[1:] | combinations) as $w | [$x] + $w end;
def combinations(n): . as $dot | [range(n)] | map($dot) | combinations;
def IN(s): any(s == .; .);
def IN(src; s): any(src == s; .);
def INDEX(f): INDEX(.[]; f);
def INDEX(stream; f): reduce stream as $row ({}; .[$row | f | tostring] |= $row);
def JOIN($idx; f): [.[] | [., $idx[f]]];
def JOIN($idx; stream; f): stream | [., $idx[f]];
def JOIN($idx; stream; f; join): stream | [., $idx[f]] | join;
def truncate_stream(stream): . as $n | null | stream | . as $input
  | if (.[0] | length) > $n then setpath([0]; .[0][$n:]) else empty end;
def tostream: _tostream | .[];
def fromstream(f): {x: null, e: false} as $init
  | foreach f as $i ($init;
      if .e then $init else . end
      | if $i | length == 2
        then setpath(["e"]; $i[0] | length == 0) | setpath(["x"] + $i[0]; $i[1])
        else setpath(["e"]; $i[0] | length == 1) end;
      if .e then .x else empty end);
def finites: select(isinfinite or isnan | not);
def normals: select(isnormal);
def isfinite: type == "number" and (isinfinite | not);
"""


@cache
def prelude_sources() -> dict[str, str]:
    """The text of each definition in `PRELUDE`, by name with arity."""
    found = {}
    for text in PRELUDE.split("\ndef ")[1:]:
        name, _, params = text[: text.index(":")].partition("(")
        found[f"{name}/{params.count(';') + 1 if params else 0}"] = "def " + text
    return found


@cache
def builtin_definition(name: str) -> syntax.Function | None:
    """The definition of a builtin that is written in the language; `name` with its arity (`in/1`)."""
    text = prelude_sources().get(name)
    return None if text is None else parse_builtin(text)


# Shorthand: each gives the nodes that it stands for. `Form` and `Native` nodes are resolved already, so a
# definition of the same name in the expression does not change what shorthand means.

_Expansion = Callable[[Span, tuple[syntax.Node, ...]], syntax.Node]


def _elements(span: Span) -> syntax.Node:
    return syntax.Access(
        head=syntax.Identity(span=span), steps=(syntax.Iterate(span=span, optional=False),), span=span
    )


def _select(span: Span, test: syntax.Node) -> syntax.Node:
    empty = core.Form(name="empty/0", span=span)
    return syntax.If(branches=((test, syntax.Identity(span=span)),), otherwise=empty, span=span)


def _of_type(*names: str) -> _Expansion:
    def expansion(span: Span, _: tuple[syntax.Node, ...]) -> syntax.Node:
        kind = core.Native(name="type/0", args=(), span=span)
        tests = [
            syntax.Binary(operator="==", left=kind, right=syntax.Literal(value=name, span=span), span=span)
            for name in names
        ]
        test: syntax.Node = tests[0]
        for other in tests[1:]:
            test = syntax.Logic(operator="or", left=test, right=other, span=span)
        return _select(span, test)

    return expansion


def _not_null(span: Span, _: tuple[syntax.Node, ...]) -> syntax.Node:
    null = syntax.Literal(value=None, span=span)
    test = syntax.Binary(operator="!=", left=syntax.Identity(span=span), right=null, span=span)
    return _select(span, test)


def _map(span: Span, args: tuple[syntax.Node, ...]) -> syntax.Node:
    return syntax.Array(body=syntax.Pipe(parts=(_elements(span), *args), span=span), span=span)


def _quantified(name: str) -> _Expansion:
    def expansion(span: Span, args: tuple[syntax.Node, ...]) -> syntax.Node:
        test = args[0] if args else syntax.Identity(span=span)
        return core.Form(name=name, args=(_elements(span), test), span=span)

    return expansion


def _piped(*names: str) -> _Expansion:
    """`[argument] | native | …`."""

    def expansion(span: Span, args: tuple[syntax.Node, ...]) -> syntax.Node:
        natives = (core.Native(name=name, args=(), span=span) for name in names)
        return syntax.Pipe(parts=(syntax.Array(body=args[0], span=span), *natives), span=span)

    return expansion


def _element(key: int) -> _Expansion:
    def expansion(span: Span, _: tuple[syntax.Node, ...]) -> syntax.Node:
        step = syntax.Field(key=key, span=span, optional=False)
        return syntax.Access(head=syntax.Identity(span=span), steps=(step,), span=span)

    return expansion


def _indexed(span: Span, args: tuple[syntax.Node, ...]) -> syntax.Node:
    step = syntax.Index(key=args[0], span=span, optional=False)
    return syntax.Access(head=syntax.Identity(span=span), steps=(step,), span=span)


def _while(span: Span, args: tuple[syntax.Node, ...]) -> syntax.Node:
    """`while(test; f)` goes on as long as the test holds: `select(test) | recurse(f | select(test))`."""
    test, update = args
    again = syntax.Pipe(parts=(update, _select(span, test)), span=span)
    return syntax.Pipe(
        parts=(_select(span, test), core.Form(name="recurse/1", args=(again,), span=span)), span=span
    )


SHORTHAND: dict[str, _Expansion] = {
    "while/2": _while,
    "select/1": lambda span, args: _select(span, args[0]),
    "map/1": _map,
    "any/0": _quantified("any/2"),
    "any/1": _quantified("any/2"),
    "all/0": _quantified("all/2"),
    "all/1": _quantified("all/2"),
    "add/1": _piped("add/0"),
    "first/0": _element(0),
    "last/0": _element(-1),
    "nth/1": _indexed,
    "values/0": _not_null,
    "nulls/0": _of_type("null"),
    "booleans/0": _of_type("boolean"),
    "numbers/0": _of_type("number"),
    "strings/0": _of_type("string"),
    "arrays/0": _of_type("array"),
    "objects/0": _of_type("object"),
    "iterables/0": _of_type("array", "object"),
    "scalars/0": _of_type("null", "boolean", "number", "string"),
}


def known_names() -> set[str]:
    """All builtins, with their arity."""
    return {*FORMS, *SHORTHAND, *NATIVES, *prelude_sources()}
