"""The text of an explanation."""

from __future__ import annotations

from workload_map.engine.explaining import Explanation, Fact
from workload_map.engine.placement import WorkloadName
from workload_map.engine.view import Problem, Read
from workload_map.render.explanation import explanation
from workload_map.render.style import PLAIN

RULE = "spec.structureDefinition.childComponents[0]"
NAME = WorkloadName(
    kind="JobSet", api_version="jobset.x-k8s.io/v1alpha2", namespace="lab", name="train", definition="jobset"
)
REPLICAS = Fact(
    what="replicas",
    value=2,
    because="read from the object",
    rule=f"{RULE}.scaleDefinition.replicasPath",
    expression=".spec.jobs[]\n  .replicas",
    reads=(Read(path="spec.jobs[0].replicas", value=2), Read(path="spec.jobs[0].kind", value=None)),
)


def _text(*facts: Fact, problems: tuple[Problem, ...] = ()) -> list[str]:
    found = Explanation(workload=NAME, origin="file", facts=facts, problems=problems)
    return list(explanation(found, file="jobset.yaml", line={REPLICAS.rule: 12}.get, style=PLAIN))


def test_an_answer_stands_above_what_it_rests_on() -> None:
    total = Fact(what="pods", value=2, because="the sum of the components", facts=(REPLICAS,))
    assert _text(total) == [
        "JobSet/train   definition: jobset (file, jobset.yaml)",
        "",
        "pods = 2: the sum of the components",
        "`-- replicas = 2: read from the object",
        "        by childComponents[0].scaleDefinition.replicasPath, line 12",
        "           .spec.jobs[] .replicas",
        "        read spec.jobs[0].replicas = 2",
        "        read spec.jobs[0].kind, which is absent",
    ]


def test_a_rule_that_does_not_hold_takes_one_line() -> None:
    rule = Fact(
        what="Failed",
        value=False,
        because="the rule does not hold: the phase is absent",
        rule=f"{RULE}.x",
        reads=REPLICAS.reads,
    )
    assert _text(Fact(what="phase", value="Undefined", because="no rule holds", facts=(rule,)))[-1] == (
        "`-- Failed = no: the rule does not hold: the phase is absent (childComponents[0].x)"
    )


def test_what_is_not_known_is_told() -> None:
    assert _text(Fact(what="pods", value=None, because="nothing says"))[-1] == "pods = ?: nothing says"


def test_a_rule_of_another_definition_names_it() -> None:
    fact = Fact(what="replicas", value=1, because="b", rule=REPLICAS.rule, definition="inner")
    assert "    by childComponents[0].scaleDefinition.replicasPath of inner" in _text(fact)


def test_strange_text_is_only_shown() -> None:
    fact = Fact(
        what="a\x1b[31m",
        value="b\n",
        because="c\u202e",
        rule="d\x07",
        expression="e\x1b",
        reads=(Read(path="f\r", value="g\x1b"),),
    )
    problem = Problem(code="odd", location="h\x1b", message="i\n")
    for line in _text(fact, problems=(problem,)):
        assert line.isprintable()


def test_long_values_and_many_reads_are_cut() -> None:
    reads = tuple(Read(path=f"spec.f{number}", value="x" * 500) for number in range(12))
    lines = _text(Fact(what="w", value=1, because="b", rule="r", expression="y" * 500, reads=reads))
    assert lines[-1] == "         and 4 more"
    assert max(map(len, lines)) < 140
