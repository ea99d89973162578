"""The generated source: only shapes that the generator knows, whatever a definition and an object say."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.engine.generated.comparing import generated, per_path
from tests.engine.generated.definitions import THING, definitions
from tests.engine.generated.mutating import objects
from tests.engine.made_up import definition
from workload_map import Catalog
from workload_map.engine.generated import generation as engine
from workload_map.engine.plan import Plan
from workload_map.engine.reading import Reader
from workload_map.path.compiler.unit import Unit

_NUMBERED = re.compile(r"[KtixglPCRNab]\d+")
_WORDS = frozenset(
    """v reader left WORK found budget structure status suspended evidence type dict list int str len
    enumerate None True False isinstance NoneType error PathRuntimeError Scale PodSpec InstanceDraft
    ComponentDraft ONE containers_in effective pod_resources spec_in_template whole_spec Match encode Failure
    content text
    NOTHING EMPTY one Read SCALARS each_of mixed field item iterate iterate_lenient iterate_optional
    entries_lenient index cut add subtract multiply divide modulo negate same less at_most array_of
    formatted concatenated raised count_of object_key member element product""".split()  # noqa: SIM905
)
_FUNCTIONS = frozenset(["structure", "status", "suspended", "evidence", "content"])
_ATTRIBUTES = frozenset(
    """get append budget steps size work spec metadata injected image problems children id first value items
    __class__""".split()  # noqa: SIM905
)
_NODES = (
    ast.Module, ast.FunctionDef, ast.arguments, ast.arg, ast.Return, ast.Assign, ast.AugAssign, ast.For,
    ast.If, ast.Try, ast.ExceptHandler, ast.Expr, ast.Pass, ast.Break, ast.Yield, ast.YieldFrom, ast.Name,
    ast.Constant, ast.Attribute, ast.Subscript, ast.Slice, ast.Call, ast.IfExp, ast.Compare, ast.BoolOp,
    ast.BinOp, ast.UnaryOp, ast.Tuple, ast.List, ast.Dict, ast.SetComp, ast.comprehension, ast.Delete,
    ast.Starred, ast.expr_context, ast.operator, ast.boolop, ast.cmpop, ast.unaryop,
)  # fmt: skip


@pytest.fixture
def sources(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The source of each generated function that is compiled while a test runs."""
    found: list[str] = []
    finish = Unit.finish

    def kept(unit: Unit) -> dict[str, Any]:
        made = finish(unit)
        if not _FUNCTIONS.isdisjoint(made):  # programs on their own are the path language's matter
            found.append("\n".join(unit.lines))
        return made

    monkeypatch.setattr(Unit, "finish", kept)
    return found


def _foreign(source: str) -> Iterator[str]:
    """Whatever in a source the generator has no business with."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Name(id=name) | ast.arg(arg=name) | ast.FunctionDef(name=name):
                if name not in _WORDS and not _NUMBERED.fullmatch(name):
                    yield name
            case ast.Attribute(attr=name):
                if name not in _ATTRIBUTES:
                    yield f".{name}"
            case ast.Constant(value=value):
                if value is not None and not isinstance(value, bool | int):
                    yield repr(value)
            case _ if not isinstance(node, _NODES):
                yield type(node).__name__


CODE = "\"]); __import__('os').abort(); {t1} = '''\n\\\"' #"


def _hostile() -> Plan:
    """A definition that has the text of a program wherever it may have a text."""
    code = json.dumps(CODE)
    own = {
        "name": CODE,
        "kind": {"group": CODE, "version": CODE, "kind": CODE},
        "suspendDefinition": {
            "suspendActions": [{"path": f".spec[{code}]", "value": code}],
            "resumeActions": [],
        },
        "statusDefinition": {
            "phaseDefinition": {"path": f".status[{code}].phase"},
            "conditionsDefinition": {
                "path": f".status[{code}].conditions",
                **dict.fromkeys(
                    ["typeFieldName", "statusFieldName", "messageFieldName", "reasonFieldName"], CODE
                ),
            },
            "messagePath": f"{code}, .status[{code}]",
            "statusMappings": {
                "running": [
                    {
                        "byPhase": CODE,
                        "byConditions": [{"type": CODE, "status": CODE, "reason": CODE}],
                        "byExpression": {
                            "expression": rf'[.status[{code}].list[]? | "\(.[{code}])"] | .[0] // {code}',
                            "expectedResult": CODE,
                        },
                    }
                ]
            },
        },
    }
    worker = {
        "name": f"worker {CODE}",
        "ownerRef": CODE,
        "instanceIdPath": f".spec.jobs[][{code}]",
        "specDefinition": {"podTemplateSpecPath": f'.spec.jobs[] | .[{code} + "x"]'},
        "scaleDefinition": {"replicasPath": f".spec.jobs[] | if .[{code}] == {code} then 3 else 4 end"},
    }
    return Plan(
        definition(json.dumps({"rootComponent": own, "childComponents": [worker]}), name=CODE, kind=CODE)
    )


def _hostile_object() -> dict[str, Any]:
    template = {"spec": {"containers": [{"image": CODE}]}}
    return {
        "spec": {CODE: CODE, "jobs": [{CODE: CODE, f"{CODE}x": template}]},
        "status": {CODE: {"phase": CODE, "conditions": [{CODE: CODE}], "list": [{CODE: CODE}]}},
    }


def test_texts_of_a_hostile_definition_stay_texts(sources: list[str]) -> None:
    plan, obj = _hostile(), _hostile_object()
    functions = engine.generate(plan)
    assert functions.structure is not None
    assert functions.status is not None
    assert functions.suspended is not None
    drafts = functions.structure(obj, Reader(obj))
    status = functions.status(obj, Reader(obj))
    assert drafts is not None
    assert status is not None
    assert [one.id for one in drafts[0].instances] == [CODE]
    assert drafts[0].instances[0].scale.replicas == 3
    assert status.phases == ("Running",)
    assert functions.suspended(obj, Reader(obj)) is True
    assert generated(plan, obj) == per_path(plan, obj)
    assert not [foreign for source in sources for foreign in _foreign(source)]
    assert "import" not in "".join(sources)


@pytest.mark.parametrize("name", sorted(definitions()))
def test_only_known_shapes_are_emitted_for_made_up_definitions(name: str, sources: list[str]) -> None:
    plan = Plan(definitions()[name])
    generated(plan, THING)
    assert not [foreign for source in sources for foreign in _foreign(source)]


@pytest.mark.parametrize(
    "kind", ["deployment", "job", "jobset", "leaderworkerset", "pytorchjob", "raycluster"]
)
def test_only_known_shapes_are_emitted_for_built_in_definitions(kind: str, sources: list[str]) -> None:
    obj = objects()[kind][0]
    plan = Plan(Catalog.builtin().find(obj["apiVersion"], obj["kind"]).definition)
    generated(plan, obj)
    assert sources
    assert not [foreign for source in sources for foreign in _foreign(source)]


def _status(expression: str) -> str:
    mapping = {"running": [{"byExpression": {"expression": expression, "expectedResult": "true"}}]}
    return json.dumps({"rootComponent": {"statusDefinition": {"statusMappings": mapping}}})


@pytest.mark.parametrize(
    "expression",
    [
        ".a" + ".b" * 600 + " == null",  # longer than anybody writes, and no deeper than a line
        ".a" + "[]?" * 30 + " == null",  # more loops than Python nests blocks
        "if .a == 1 then 1 " + "".join(f"elif .a == {n} then {n} " for n in range(40)) + "else true end",
        " and ".join(f".a{n} == null" for n in range(90)),
        "[" * 40 + ".a" + "]" * 40 + " != null",
        "[.spec[]?, .spec[]?] | length >= 0",
    ],
    ids=["steps", "loops", "choices", "terms", "arrays", "commas"],
)
def test_deep_expressions_mean_what_they_mean(expression: str) -> None:
    plan = Plan(definition(_status(expression)))
    assert generated(plan, THING) == per_path(plan, THING)


def test_a_definition_of_any_length_ends() -> None:
    """Past some length there is no generated form, and the per-path form answers."""
    children = [
        {
            "name": f"c{n}",
            "specDefinition": {"podTemplateSpecPath": f".spec.t{n}"},
            "scaleDefinition": {"replicasPath": f".spec.r{n}"},
        }
        for n in range(600)
    ]
    plan = Plan(definition(json.dumps({"childComponents": children})))
    assert engine.generate(plan).structure is None
    obj = {"spec": {"t599": {"spec": {"containers": [{}]}}, "r599": 2}}
    assert generated(plan, obj) == per_path(plan, obj)


def _plan_of_rules(**mappings: list[dict[str, Any]]) -> Plan:
    own = {"conditionsDefinition": {"path": ".status.conditions"}, "statusMappings": mappings}
    return Plan(definition(json.dumps({"rootComponent": {"statusDefinition": own}})))


def test_rules_of_any_length_end() -> None:
    """A test is one line, however much it asks for: what counts is how long the source is."""
    ready = {"type": "Ready", "status": "True"}
    many = [{"type": f"Type{n}", "status": "True"} for n in range(63)]
    plan = _plan_of_rules(running=[{"byConditions": [*many, ready]}] * 63 + [{"byConditions": [ready]}])
    assert engine.generate(plan).status is None
    obj: dict[str, Any] = {"status": {"conditions": [ready]}}
    assert "Running" in str(per_path(plan, obj))
    assert generated(plan, obj) == per_path(plan, obj)


@pytest.mark.parametrize("number", [3, 64])
def test_expressions_that_are_asked_one_after_the_other_mean_what_they_mean(number: int) -> None:
    plan = _plan_of_rules(
        running=[
            {
                "byConditions": [{"type": "Ready"}],
                "byExpression": {"expression": f".status.of[{n}].is", "expectedResult": "true"},
            }
            for n in range(number)
        ]
    )
    for holds in (0, 1, number - 1, number):
        ways: list[Any] = [{"is": n == holds} for n in range(number)]
        for rest in ([], ["no object"] * number):  # what stands behind the first that holds is not read
            obj = {"status": {"conditions": [{"type": "Ready"}], "of": ways[: holds + 1] + rest}}
            assert generated(plan, obj) == per_path(plan, obj)
    few = {"status": {"conditions": [{"type": "Ready"}], "of": [{"is": True}, "no object"]}}
    assert "running[0]" in str(per_path(plan, few))


def test_long_lists_are_left_to_the_budget_of_the_per_path_form() -> None:
    plan = Plan(definition(_status("any(.spec.items[]; . == 1)")))
    functions = engine.generate(plan)
    assert functions.status is not None
    few, many = {"spec": {"items": [0] * 1_000}}, {"spec": {"items": [0] * 150_000}}
    assert functions.status(few, Reader(few)) is not None
    reader = Reader(many)
    before = reader.budget.steps, reader.budget.size
    assert functions.status(many, reader) is None
    assert (reader.budget.steps, reader.budget.size) == before
    assert generated(plan, many) == per_path(plan, many)


def test_what_loops_without_end_is_run_as_its_own_program_within_the_budget() -> None:
    plan = Plan(definition(_status("[limit(1000000; repeat(1))] | length > 0")))
    obj: dict[str, Any] = {"spec": {}}
    assert generated(plan, obj) == per_path(plan, obj)
    assert "path-budget" in str(generated(plan, obj)[-1])
