"""JSON, YAML, names, and the schemas that they follow."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
import yaml

from tests.render.views import component, instance, jobset, pod, workload
from workload_map.engine.resource_list import ResourceList
from workload_map.engine.view import Problem, Workload
from workload_map.render import machine, schemas

WARNING = Problem(code="empty-file", location="a.yaml", message="the file holds no document")
LOADERS: dict[str, Any] = {"json": json.loads, "yaml": yaml.safe_load}


def _document(view: Workload) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(json.dumps(view.to_dict()))
    return document


def _written(views: list[Workload], warnings: list[Problem], output: str) -> str:
    parts: list[str] = []
    machine.write_list(parts.append, views, warnings, output)
    return "".join(parts)


@pytest.mark.parametrize("output", ["json", "yaml"])
@pytest.mark.parametrize("count", [0, 1, 2])
def test_a_list_is_a_document_of_the_schema(output: str, count: int) -> None:
    views = [machine.without_pods(view) for view in (jobset(), workload(phase=None, observed=None))[:count]]
    document = LOADERS[output](_written(views, [WARNING] * count, output))
    assert document == {
        "schemaVersion": "1",
        "items": [_document(view) for view in views],
        "count": count,
        "warnings": [{"code": "empty-file", "location": "a.yaml", "message": "the file holds no document"}]
        * count,
    }
    jsonschema.validate(document, schemas.list_schema())


def test_json_is_indented_as_a_whole() -> None:
    text = _written([jobset(), workload()], [WARNING], "json")
    assert text == json.dumps(json.loads(text), indent=2, ensure_ascii=False) + "\n"
    assert (
        _written([], [], "json")
        == '{\n  "schemaVersion": "1",\n  "items": [],\n  "count": 0,\n  "warnings": []\n}\n'
    )


def test_the_warnings_are_those_at_the_end() -> None:
    warnings: list[Problem] = []

    def views() -> Any:
        yield workload()
        warnings.append(WARNING)

    parts: list[str] = []
    machine.write_list(parts.append, views(), warnings, "json")
    assert [one["code"] for one in json.loads("".join(parts))["warnings"]] == ["empty-file"]


@pytest.mark.parametrize("output", ["json", "yaml"])
def test_one_view_is_a_document_of_the_schema(output: str) -> None:
    parts: list[str] = []
    machine.write_view(parts.append, jobset(), output)
    document = LOADERS[output]("".join(parts))
    assert document == _document(jobset())
    jsonschema.validate(document, schemas.view_schema())


def test_the_schema_requires_every_key_and_knows_every_key() -> None:
    schema = schemas.view_schema()
    document = _document(jobset())
    assert set(document) == set(schema["$defs"]["Workload"]["properties"])
    validator = jsonschema.Draft202012Validator(schema)
    for key in document:
        assert not validator.is_valid({name: value for name, value in document.items() if name != key})


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("schemaVersion", "2"),
        ("phases", None),
        ("createdAt", 7),
        ("components", [{}]),
        ("stale", None),
        ("uid", 7),
    ],
)
def test_the_schema_refuses_other_types(key: str, value: object) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**_document(jobset()), key: value}, schemas.view_schema())


def test_the_schema_takes_unknown_amounts() -> None:
    role = component("r", requests=ResourceList({"cpu": None}), limits=None)
    document = _document(workload(components=(role,)))
    assert document["components"][0]["requests"] == {"cpu": None}
    jsonschema.validate(document, schemas.view_schema())


def test_schemas_are_valid_themselves() -> None:
    for schema in (schemas.view_schema(), schemas.list_schema(), schemas.error_schema()):
        jsonschema.Draft202012Validator.check_schema(schema)


def test_lists_leave_the_pods_out_at_every_level() -> None:
    leaf = component("leaf", members=(pod("a"),))
    middle = component("middle", members=(pod("b"),), instances=(instance(id="i", components=(leaf,)),))
    view = workload(components=(component("top", members=(), components=(middle,)),))
    text = json.dumps(machine.without_pods(view).to_dict())
    assert text.count('"members": null') == 3
    assert '"unattributed": null' in text


TEXTS = "on off y null ~ 1e3 1.5 012 0x1f 1_000 12:30:45 2025-01-01 .5 - +1 0o17 .inf true 500m 4Gi"


@pytest.mark.parametrize(
    "text",
    ["", "a: b", "line\nbreak", "\u202e", "trail ", "#x", "\x1b[31m", "=", "<<", "日本", *TEXTS.split()],
)
def test_yaml_texts_come_back_as_texts_also_from_other_readers(text: str) -> None:
    written = machine.to_yaml({"key": text})
    assert yaml.safe_load(written) == {"key": text}
    # What YAML 1.2 or go-yaml might read as something else is quoted, whatever PyYAML thinks of it.
    if text[:1] in tuple("0123456789+-.") or text.lower() in ("on", "off", "y", "null", "true", "~", ""):
        assert written.startswith('key: "')


def test_yaml_shows_an_expression_line_by_line() -> None:
    expression = 'if .spec.suspend == true\n  then "Suspended"\nelse "Running" end'
    assert machine.to_yaml({"list": [{"expression": expression, "then": 1}]}) == (
        "list:\n"
        "- expression: |-\n"
        "    if .spec.suspend == true\n"
        '      then "Suspended"\n'
        '    else "Running" end\n'
        "  then: 1\n"
    )


def test_names_are_those_of_kubectl() -> None:
    assert machine.resource_name(jobset()) == "jobset.jobset.x-k8s.io/train"
    assert machine.resource_name(workload("w", kind="Pod", api_version="v1")) == "pod/w"
