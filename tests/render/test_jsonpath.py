"""Templates of the user: what kubectl prints for them, keys that are in no view, errors with their place."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.cluster.build import BuildError, binary
from workload_map.render.jsonpath import Columns, JsonPathError, Template
from workload_map.render.style import PLAIN

ANYTHING: dict[str, Any] = {}

OBJECT = {
    "apiVersion": "x.io/v1",
    "kind": "Thing",
    "metadata": {"name": "a", "labels": {"app.kubernetes.io/name": "web"}},
    "void": None,
    "zero": 0,
    "half": 1.5,
    "yes": True,
    "empty": {},
    "text": 'say "hi"\n',
    "list": ["a", "b", "c", "d"],
    "objects": [{"count": 1, "key": "x"}, {"count": 2, "key": "y"}, {"count": 3}],
    "map": {"a": {"count": 1}},
}

PRINTED = {
    "{.void}": "null",
    "{.zero} {.half} {.yes}": "0 1.5 true",
    "{.text}": 'say "hi"\n',
    "{.missing}": "",
    "{.missing.deeper[0]}": "",
    "{.zero.deeper}": "",
    "{.void.deeper}": "",
    "{.empty}": "{}",
    "{.list}": '["a","b","c","d"]',
    "{.list[*]}": "a b c d",
    "{.objects[0]}": '{"count":1,"key":"x"}',
    "{.objects[*].key}": "x y",
    "{.objects[-1].count}": "3",
    "{.objects[1:].count}": "2 3",
    "{.objects[:1].count}": "1",
    "{.list[0:4:2]}": "a c",
    "{.list[0,2]}": "a c",
    "{.list[-2:]}": "c d",
    "{.map['a'].count}": "1",
    "{.map.*.count}": "1",
    "{.map..count}": "1",
    "{.objects..count}": "1 2 3",
    "{$.zero}{@.zero}{ .zero }": "000",
    r"{.metadata.labels.app\.kubernetes\.io/name}": "web",
    r"{.metadata.labels['app\.kubernetes\.io/name']}": "web",
    r'{range .objects[*]}{.count}{"\t"}{.key}{"\n"}{end}': "1\tx\n2\ty\n3\t\n",
    "{range .objects[*]}{range .missing}x{end}{.count},{end}": "1,2,3,",
    "{range .missing}{.zero}{end}.": ".",
    "{.objects[?(@.count>1)].count}": "2 3",
    "{.objects[?(@.count<=2)].count}": "1 2",
    '{.objects[?(@.key=="x")].count}': "1",
    "{.objects[?(@.key!='x')].count}": "2",
    "{.objects[?(@.key)].count}": "1 2",
    '{.list[?(@=="a")]}': "a",
    "count: {.zero}, {'{}'}": "count: 0, {}",
}


@pytest.mark.parametrize("template", PRINTED)
def test_a_template_prints_what_kubectl_prints(template: str) -> None:
    assert "".join(Template(template, ANYTHING).pieces(OBJECT)) == PRINTED[template]


@pytest.mark.parametrize("template", PRINTED)
def test_kubectl_itself_prints_it(template: str, tmp_path: Path) -> None:
    try:
        kubectl = binary("kubectl")
    except BuildError as error:
        pytest.skip(str(error))
    (file := tmp_path / "object.json").write_text(json.dumps(OBJECT))
    # With --local no server is asked, and nothing is changed: the label is there already.
    call = [str(kubectl), "label", "--local", "-f", str(file), "app.kubernetes.io/name=web", "--overwrite"]
    done = subprocess.run([*call, "-o", f"jsonpath={template}"], capture_output=True, text=True, check=True)
    assert done.stdout == PRINTED[template]


@pytest.mark.parametrize(
    ("template", "column", "said"),
    [
        ("{.zero", 1, "the { is never closed"),
        ("{.list[}", 8, "belongs here"),
        ("{.list[0}", 7, "the [ is never closed"),
        ('{.map["a}', 7, "the quote is never closed"),
        ("{.list[0,'a']}", 7, "do not go together"),
        ("{.list[::0]}", 7, "leads nowhere"),
        ("{zero}", 2, "begins with a dot"),
        ("{.zero .yes}", 8, "'.' is not expected here"),
        ("{.a}{end}", 5, "no {range}"),
        ("{range .list[*]}{@}", 1, "has no {end}"),
        ("{.objects[?(@.count==1||@.count==2)]}", 23, "the filter does not end here"),
        ("{.objects[?(@.key=~'x')]}", 18, "the filter does not end here"),
        ("{.objects[?(==1)]}", 13, "belongs here"),
        ("{.objects[?@.key]}", 12, "a filter is written ?(…)"),
        ("{.}", 3, "a key is missing"),
        (".zero", 1, "would print itself"),
        ("{.list[" + "9" * 30 + "]}", 8, "too long"),
        ("{.a[?(" + "@[?(" * 30, 0, "too deep"),
        ("{range .a}" * 30, 0, "too deep"),
    ],
)
def test_what_is_no_template_is_told_with_its_place(template: str, column: int, said: str) -> None:
    with pytest.raises(JsonPathError) as raised:
        Template(template, ANYTHING)
    assert said in raised.value.message
    if column:
        assert raised.value.location == f"column {column} of {template}"
    assert raised.value.exit_code == 2


@pytest.mark.parametrize("form", [Template, Columns])
def test_there_is_no_place_in_an_empty_text(form: type[Template | Columns]) -> None:
    with pytest.raises(JsonPathError) as raised:
        form("", ANYTHING)
    assert (raised.value.location, raised.value.exit_code) == (None, 2)


@pytest.mark.parametrize(
    ("template", "column", "said"),
    [
        ("{.objects[7]}", 10, "there is no [7] in a list of 3"),
        ("{.objects[-4]}", 10, "there is no [-4] in a list of 3"),
        ("{.zero[0]}", 7, "a number is no list"),
        ("{.map[?(@.count==1)]}", 6, "a mapping is no list"),
        ("{.text[*]}", 7, "a text is no list"),
        ('{.objects[?(@.count=="1")]}', 10, "a number cannot be compared with a text"),
        ("{.objects[?(@.count==true)]}", 10, "a number cannot be compared with a truth value"),
        ("x{.map[?(@.a)]}", 7, "a mapping is no list"),
    ],
)
def test_a_step_that_does_not_fit_is_told_with_its_place(template: str, column: int, said: str) -> None:
    with pytest.raises(JsonPathError) as raised:
        list(Template(template, ANYTHING).pieces(OBJECT))
    assert (raised.value.message, raised.value.exit_code) == (said, 1)
    assert raised.value.location == f"column {column} of {template}"


def test_what_is_null_compares_with_nothing_and_is_not_there() -> None:
    value = {"list": [{"a": None, "b": 1}, {"a": 1, "b": 2}]}

    def printed(template: str) -> str:
        return "".join(Template(template, ANYTHING).pieces(value))

    assert printed("{.list[?(@.a)].b}") == "2"
    assert printed("{.list[?(@.a==1)].b}") == "2"
    assert printed("{.list[?(@.a!=1)].b}") == ""


SCHEMA: dict[str, Any] = {
    "$ref": "#/$defs/Thing",
    "$defs": {
        "Thing": {
            "properties": {
                "name": {"type": "string"},
                "free": {"anyOf": [{"additionalProperties": {"type": "string"}}, {"type": "null"}]},
                "parts": {"items": {"$ref": "#/$defs/Thing"}},
            }
        }
    },
}


@pytest.mark.parametrize(
    "template",
    [
        "{.name}",
        "{.parts[0].parts[*].name}",
        "{.free.anything}",
        "{..whatever}",
        "{.parts[?(@.name=='x')].free.y}",
    ],
)
def test_keys_that_the_schema_knows_or_leaves_open_are_taken(template: str) -> None:
    Template(template, SCHEMA)


@pytest.mark.parametrize(
    ("template", "column", "hint"),
    [
        ("{.nam}", 3, "did you mean name?"),
        ("{.parts[*].prts}", 12, "did you mean parts?"),
        ("{range .parts[*]}{.naem}{end}", 20, "did you mean name?"),
        ("{.parts[?(@.naem=='x')]}", 13, "did you mean name?"),
        ("{.parts[?('x'==@.naem)]}", 18, "did you mean name?"),
        ("{.metadata}", 3, "there are: free, name, parts"),
        ("{.name.first}", 8, "it is a value without keys"),
        ("{.parts[0]['naem']}", 11, "did you mean name?"),
        ("{.parts.name}", 9, "it is a list: [*] stands for all in it"),
    ],
)
def test_a_key_that_no_view_has_is_an_error_and_not_nothing(template: str, column: int, hint: str) -> None:
    with pytest.raises(JsonPathError) as raised:
        Template(template, SCHEMA)
    assert (raised.value.location, raised.value.hint) == (f"column {column} of {template}", hint)
    with pytest.raises(JsonPathError):
        Columns(f"A:.name,B:{template}", SCHEMA)


def _table(columns: str, *values: Any, headings: bool = True) -> list[list[str]]:
    lines = Columns(columns, ANYTHING).table(values, PLAIN, headings=headings)
    return [line.split() for line in lines]


def test_columns_are_headings_with_paths() -> None:
    rows = _table(
        "NAME:.metadata.name,KEYS:{.objects[*].key},VOID:.void,NO:missing,ZERO:zero,LIST:.list", OBJECT, {}
    )
    assert rows == [
        ["NAME", "KEYS", "VOID", "NO", "ZERO", "LIST"],
        ["a", "x,y", "<none>", "<none>", "0", '["a","b","c","d"]'],
        ["<none>"] * 6,
    ]


def test_a_comma_in_a_path_parts_no_columns() -> None:
    columns = "A:.list[0,2],B:.map['a','b'].count,C:.objects[?(@.key==\"x,]\")].key"
    assert _table(columns, OBJECT, headings=False) == [["a,c", "1", "<none>"]]


def test_names_of_strangers_are_escaped_in_columns() -> None:
    assert _table("A:.a", {"a": "x\x1b[31m"}, headings=False) == [["x\\x1b[31m"]]


@pytest.mark.parametrize(
    ("columns", "column"),
    [
        ("A", 1),
        ("A:", 1),
        (":.x", 1),
        ("A:.x,", 6),
        ("A:.x,B", 6),
        ("A:.x y", 6),
        ("A:{.x", 3),
        ("A:{}}", 5),
    ],
)
def test_what_is_no_column_is_told_with_its_place(columns: str, column: int) -> None:
    with pytest.raises(JsonPathError) as raised:
        Columns(columns, ANYTHING)
    assert raised.value.location == f"column {column} of {columns}"
