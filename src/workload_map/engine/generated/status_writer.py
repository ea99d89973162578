"""The status function of a definition: each expression once, each matcher inlined.

    def status(v, reader): ...      # what `engine.status.read_status` gives, or None: ask the per-path form
    def suspended(v, reader): ...   # what `engine.suspension.is_suspended` gives

The rules of a definition often share one expression that names the state: it is evaluated once, and its text
decides which phases are looked at at all. Fields behind an answer are gathered only for rules that hold.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from workload_map.definition.schema import ConditionMatcher
from workload_map.engine.fields import Field
from workload_map.engine.generated.emitter import Unsupported, emitter
from workload_map.engine.generated.seen import Matching, remembering
from workload_map.engine.generated.shapes import at_most_one
from workload_map.engine.generated.verdict import Match, Verdict
from workload_map.engine.reading import Reader
from workload_map.engine.scale import MAX_COUNT
from workload_map.engine.status import Status, as_text
from workload_map.engine.status_plan import ConditionsPlan, Rule, StatusPlan

StatusFunction = Callable[[dict[str, Any], Reader], Status | None]
Suspended = Callable[[dict[str, Any], Reader], bool | None]

_NOTHING = object()


def status_function(plan: StatusPlan) -> StatusFunction:
    """Write and compile the status function.

    Raises:
        Unsupported: The definition has something that is not known here.
    """
    return remembering(_Writer(plan).function(), plan)


def suspended_function(actions: list[tuple[Field, str]]) -> Suspended:
    """Write and compile the function that tells whether every suspend action is in place.

    Raises:
        Unsupported: A value is no JSON, or no scalar.
    """
    to = emitter()
    to.begin("suspended")
    for field, text in actions:
        _check(field)
        try:
            wanted = msgspec.json.decode(text)
        except msgspec.DecodeError:
            raise Unsupported(f"no JSON: {text}") from None
        if isinstance(wanted, dict | list):
            raise Unsupported(f"no scalar: {text}")
        if field.program.many:
            raise Unsupported(f"several places: {field.text}")
        found, constant = to.first(field.program, lenient=field.structural), to.constant(wanted)
        same = f"{found} is {constant}"
        if wanted is not None and not isinstance(wanted, bool):  # True == 1 in Python, and not in JSON
            same = f"{found} is not True and {found} is not False and {found} == {constant}"
        to.line(f"if not ({same}): return False")
    return to.finish("suspended", "True")


def _check(field: Field) -> None:
    if field.variables:
        raise Unsupported(f"references: {field.text}")


def _text(value: Any) -> str | None:
    return None if value is _NOTHING else as_text(value)


class _Writer:
    def __init__(self, plan: StatusPlan) -> None:
        self.plan = plan
        self.to = emitter(Match=Match, text=_text, NOTHING=_NOTHING, EMPTY={})
        self.texts: dict[str, str] = {}
        """The names of the texts of expressions that are evaluated at the beginning."""
        self.phase = "None"
        self.conditions = "{}"
        if plan.message is not None:
            _check(plan.message)

    def function(self) -> Matching:
        to, plan = self.to, self.plan
        to.begin("status")
        if plan.phase is not None:
            self.phase = self.first(plan.phase)
        if plan.conditions is not None:
            self.conditions = self.index(plan.conditions)
        rules = [[rule for rule in rules if self.can_hold(rule)] for rules in plan.rules]
        self.evaluate_shared([rule for some in rules for rule in some])
        matched = to.temp("[]")
        for some in rules:
            if some:
                self.rules(some, matched)
        restarts = self.first(plan.restarts) if plan.restarts else "None"
        if plan.restarts:
            is_count = f"type({restarts}) is int and 0 <= {restarts} <= {to.constant(MAX_COUNT)}"
            to.line(f"if not ({restarts} is None or {is_count}): return None")
        answer = f"Match({matched}, {self.phase}, {self.conditions}, {restarts})"
        return to.finish("status", answer)

    def first(self, field: Field, nothing: str = "None") -> str:
        _check(field)
        return self.to.first(field.program, lenient=field.structural, nothing=nothing)

    def can_hold(self, rule: Rule) -> bool:
        """A rule on what the definition does not extract never holds."""
        matcher = rule.matcher
        no_phase = matcher.by_phase is not None and self.plan.phase is None
        return not no_phase and not (matcher.by_conditions and self.plan.conditions is None)

    def index(self, plan: ConditionsPlan) -> str:
        """The name of the conditions by type; two of one type are for the per-path form."""
        to = self.to
        _check(plan.field)
        body = plan.field.program.resolved.body
        if not at_most_one(body):
            raise Unsupported(f"several lists of conditions: {plan.field.text}")
        listed = to.only(plan.field.program, body, "v", lenient=plan.field.structural)
        found, one, name = to.temp("{}"), to.unit.fresh("t"), to.unit.fresh("t")
        to.open(f"if type({listed}) is list:")
        to.loop(f"for {one} in {listed}:", listed)
        to.line(f"{name} = {one}.get({to.constant(plan.type)}) if type({one}) is dict else None")
        to.line(f"if type({name}) is not str or {name} in {found}: return None")
        to.line(f"{found}[{name}] = {one}")
        to.close(loop=True)
        to.close()
        to.line(f"elif {listed} is not None: return None")
        return found

    # Rules

    def evaluate_shared(self, rules: list[Rule]) -> None:
        """Expressions that some rule asks for in any case."""
        for rule in rules:
            field = rule.expression
            gated = rule.matcher.by_phase is not None or rule.matcher.by_conditions
            if field is not None and not gated and field.text not in self.texts:
                self.texts[field.text] = self.text(field)

    def text(self, field: Field) -> str:
        found = self.first(field, "NOTHING")
        return self.to.temp(f"{found} if type({found}) is str else text({found})")

    def rules(self, rules: list[Rule], matched: str) -> None:
        """The rules of one phase: the first that holds is appended."""
        to = self.to
        shared = self.shared_test(rules)
        if shared:
            to.open(f"if {shared}:")
        word, depth = "if", 0
        for rule in rules:
            if self.is_gated(rule) and word == "elif":  # what it reads is read behind the rules before it
                to.open("else:")
                word, depth = "if", depth + 1
            test = self.test(rule, with_text=not shared)
            to.line(f"{word} {test}: {matched}.append({to.given('R', Verdict(self.plan, rule))})")
            word = "elif"
        for _ in range(depth + bool(shared)):
            to.close()

    def is_gated(self, rule: Rule) -> bool:
        """Whether the expression of a rule is evaluated only where all else of the rule holds."""
        return rule.expression is not None and rule.expression.text not in self.texts

    def shared_test(self, rules: list[Rule]) -> str:
        """The test of the text that all rules of a phase ask for; empty where there is no such text."""
        first = rules[0].expression
        if first is None or first.text not in self.texts:
            return ""
        for rule in rules[1:]:
            if rule.expression is None or (rule.expression.text, rule.expected) != (
                first.text,
                rules[0].expected,
            ):
                return ""
        return self.text_test(rules[0])

    def text_test(self, rule: Rule) -> str:
        name = self.texts[rule.expression.text] if rule.expression else ""
        return f"{name} == {self.to.constant(rule.expected)}"

    def test(self, rule: Rule, *, with_text: bool) -> str:
        """The test of a rule; `with_text` says whether a text that is known is still to be looked at."""
        to, matcher, field = self.to, rule.matcher, rule.expression
        is_gated = self.is_gated(rule)
        tests = [self.text_test(rule)] if with_text and field is not None and not is_gated else []
        if matcher.by_phase is not None:
            tests.append(f"{self.phase} == {to.constant(matcher.by_phase)}")
        if self.plan.conditions is not None:
            for wanted in matcher.by_conditions:
                tests += self.condition_tests(self.plan.conditions, wanted)
        test = " and ".join(tests) or "True"
        if field is None or not is_gated:
            return test
        text = to.temp("None")
        to.open(f"if {test}:")
        to.line(f"{text} = {self.text(field)}")
        to.close()
        return f"{text} == {to.constant(rule.expected)}"

    def condition_tests(self, plan: ConditionsPlan, wanted: ConditionMatcher) -> list[str]:
        to = self.to
        kind = to.constant(wanted.type)
        tests = [
            f"{self.conditions}.get({kind}, EMPTY).get({to.constant(name)}) == {to.constant(value)}"
            for name, value in ((plan.status, wanted.status), (plan.reason, wanted.reason))
            if value is not None
        ]
        return tests or [f"{kind} in {self.conditions}"]
