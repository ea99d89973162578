# ruff: noqa: E501 - tables read better in long lines
"""Programs and values for property tests: hypothesis strategies over the grammar.

Half of the programs are "at home" in the values: they use the same field names and the shapes that occur.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

NAMES = ["a", "b", "c"]
names = st.sampled_from(NAMES)

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 12),
    st.sampled_from([0.5, -1.5, 2.25, 1000000, 123456789]),
    st.sampled_from(["", "a", "b", "ab", "a,b", "1", "2.5", "x y", "é☆", "true", "2015-03-05T23:51:47Z"]),
)
values: st.SearchStrategy[Any] = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(names, inner, max_size=3).map(lambda d: dict(sorted(d.items()))),
    ),
    max_leaves=10,
)

_LITERALS = st.sampled_from(
    ["0", "1", "-1", "2", "3", "10", "0.5", "null", "true", "false", '"a"', '"b"', '""', '"a,b"', "[]", "{}", "[1,2]",
     '{"a":1}', '["a","b"]', '[[1],[2,3]]', "1.5", '"1"']
)  # fmt: skip
_PATHS = st.sampled_from(
    [".", ".a", ".b", ".c", ".[]", ".[]?", ".a[]?", ".[0]", ".[-1]", ".[1:]", ".[:1]", ".a?", ".a.b", ".a?.b?", ".[0]?",
     "..", ".[].a?", '.["a"]', ".[-2:]", ".[1:2]?", "first", "last", ".a[0]?", ".[1.5]?"]
)  # fmt: skip
_PLAIN = st.sampled_from(
    """length keys add type not empty tostring tojson sort unique reverse flatten min max to_entries values nulls
    arrays objects strings numbers booleans scalars iterables any all floor sqrt ascii_downcase ascii_upcase explode
    tonumber abs error paths transpose from_entries trim ltrim rtrim toboolean tostream isvalid_not leaf implode
    fromjson utf8bytelength ceil round fabs combinations tojson|fromjson @text @json @csv @html @uri @base64 @sh
    @tsv recurse fromdate gmtime""".replace("isvalid_not", "isempty(.[]?)")
    .replace("leaf", "leaf_of")
    .replace("leaf_of", "length")
    .split()
)
_ONE = st.sampled_from(
    """map({}) map_values({}) select({}) first({}) last({}) [{}] isempty({}) add({}) sort_by({}) group_by({})
    unique_by({}) min_by({}) max_by({}) any({}) all({}) with_entries({}) has({}) contains({}) inside({}) join({})
    split({}) startswith({}) endswith({}) ltrimstr({}) rtrimstr({}) trimstr({}) index({}) rindex({}) indices({})
    path({}) del({}) range({}) flatten({}) getpath({}) error({}) ({})? -({}) try({}) {}|not in({}) paths({})
    walk({}) bsearch({}) tostream|{} pick({}) to_entries|{} IN({}) INDEX({}) delpaths({}) recurse({})
    splits({}) test({}) scan({}) [match({})] capture({}) limit(3;recurse({})) limit(4;repeat({})) combinations({})
    [paths({})] (label$f|{},break$f) (def$f:{};f) reverse|{} .[{}] .[{}]? .[{}:] {{{}:1}} pow({};2)
    "x\\({})y" @base64"\\({})" @json"v\\({})" ltrimstr({}) @sh"e\\({})" [limit(2;{})] [skip(1;{})]""".replace(
        "(def$f:{};f)", "(def\tf:{};\tf)"
    )
    .replace("{{{}:1}}", "{{a:1}}")
    .split(" ")
)
_TWO = st.sampled_from(
    ["{0} | {1}", "{0}, {1}", "{0} + {1}", "{0} - {1}", "{0} * {1}", "{0} / {1}", "{0} % {1}", "{0} == {1}", "{0} < {1}",
     "{0} != {1}", "{0} >= {1}", "{0} and {1}", "{0} or {1}", "{0} // {1}", "{0} as $x | {1}", "{0} as $x | {1}, $x",
     "{0} as [$x, $y] | {1}, $x, $y", "{0} as {{a: $x, $b}} | {1}, $x, $b", "if {0} then {1} else . end",
     "if {0} then {1} end", "try ({0}) catch (null | {1})", "reduce {0} as $x (0; {1})", "reduce {0} as $x ({1}; . + $x)",
     "foreach {0} as $x ({1}; . + 1)", "foreach {0} as $x (0; {1}; [$x, .])", "[{0}] | {1}", "{{a: {0}, b: {1}}}",
     "def f: {0}; {1} | f", "def f(g): {0} | g; f({1})", "def f($x): {0}, $x; f({1})", "({0}) = ({1})", "({0}) |= ({1})",
     "({0}) += ({1})", "({0}) //= ({1})", "[limit(3; {0})] | {1}", "any({0}; {1})", "all({0}; {1})",
     "first({0} | {1})", "range({0}; {1})", "setpath({0}; {1})", "label $out | ({0} | if {1} then ., break $out else . end)",
     "{0} | select({1})", "[{0} | {1}]", "until({0}; {1})", "[while({0}; {1}) | 1] | length", "sub({0}; {1})",
     "gsub({0}; {1})", "[splits({0}; {1})]", "test({0}; {1})", "{0} as [$x] ?// $x | {1}, $x", "IN({0}; {1})",
     "def f: if {0} then {1} else empty end; f", "sort_by({0}, {1})", "group_by({0}) | {1}", ".[{0}:{1}]",
     '"\\({0})-\\({1})"', "path({0} | {1})", "[path({0}, {1})]", "[.[]? | {0}] | {1}", "{0} | tojson, ({1})",
     "foreach ({0}) as [$x, $y] (0; {1}; ., $x)", "{{({0} | tostring): ({1})}}", "({0}) -= ({1})", "({0}) *= ({1})", "INDEX({0}; {1})",
     "reduce ({0}) as {{$a}} (null; {1}, $a)", "ltrimstr({0}) | {1}", "getpath({0}) | {1}", "to_entries | map({0}) | {1}"]
)  # fmt: skip


def _one(pair: tuple[str, str]) -> str:
    template, inner = pair
    return template.replace("{}", inner) if "{{" not in template else template.format(inner)


def _two(triple: tuple[str, str, str]) -> str:
    template, left, right = triple
    return template.format(_closed(left), _closed(right))


def _closed(program: str) -> str:
    """A program that can stand anywhere an operand can."""
    return f"({program})"


def _composed(*leaves: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.recursive(
        st.one_of(*leaves),
        lambda inner: st.one_of(
            st.tuples(_TWO, inner, inner).map(_two),
            st.tuples(_TWO, inner, inner).map(_two),
            st.tuples(_ONE, inner).map(_one),
        ),
        max_leaves=5,
    )


programs = _composed(_PATHS, _PATHS, _LITERALS, _PLAIN)
programs_with_given = _composed(_PATHS, _PATHS, _LITERALS, _PLAIN, st.sampled_from(["$given", "$given.a?"]))
"""Programs that may read a variable of the caller."""

# Programs that select: most of them are graded `path`.
_STEPS = st.sampled_from(
    [".", ".a", ".b", ".a?", ".[]", ".[]?", ".[0]", ".[-1]", ".[0]?", ".a[]?", ".b.c", '.["c"]', ".[]?.a?", "..", "first", "last",
     "select(.a?)", "select(. != null)", "numbers", "arrays", "objects", "strings", "empty", "first(.[]?)", "limit(2; .[]?)",
     "last(.a?, .)", 'getpath(["a", 0])?', ".a?, .b?", "(.a?, .)", "if .a? then .b? else . end", "try .a catch .", "recurse(.[]?)",
     "(. as $x | .a?)", "(label $l | .[]? | (., break $l))", "skip(1; .[]?)", '.["a", "b"]?', ".[0, 1]?", "def f: .a?; f",
     ".a?[0]?", ".[length]?", "error", "values", "scalars", ".a? // .b?", "(.a?, .[0]?) // .", ".[1:]?[]", ".[:2]? | .[]?",
     '(.. | select(type == "array")) | .[1:][-1:][]', "getpath(paths)", "(paths(numbers) as $p | getpath($p))",
     "(keys?[] as $k | .[$k])",
     "def f: ., (.a? | f); f", "def f(g; $k): g | .[$k]?; f(.a?, .; \"b\")", "until(type != \"array\"; first)", "nth(0; .[]?)",
     ".[(length? | tostring) + \"a\"]?", "getpath(\"a,b\" | split(\",\"))?", "try error(.) catch empty",
     "recurse(.[]?; . != 1)", "while(type == \"array\"; .[0])"]
)  # fmt: skip
path_programs: st.SearchStrategy[str] = st.lists(_STEPS, min_size=1, max_size=4).map(" | ".join)
