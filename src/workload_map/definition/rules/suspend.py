"""Rules on suspending and resuming."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from workload_map.definition.findings import Report, Steps, shown
from workload_map.definition.schema import Definition, SuspendAction, SuspendDefinition
from workload_map.definition.structure import steps_of


def check(definition: Definition, report: Report) -> None:
    """Check the actions of each component."""
    for component, steps in steps_of(definition):
        if component.suspend_definition is not None:
            _check_actions(component.suspend_definition, (*steps, "suspendDefinition"), report)


def _check_actions(suspend: SuspendDefinition, steps: Steps, report: Report) -> None:
    for actions, where in lists_of(suspend, steps):
        if not actions:
            report.add("actions-empty", where, f"{where[-1]} holds no action")
        for index, action in enumerate(actions):
            _check_value(action, (*where, index, "value"), report)


def lists_of(suspend: SuspendDefinition, steps: Steps) -> Iterator[tuple[tuple[SuspendAction, ...], Steps]]:
    """The lists of actions, each with where it stands."""
    yield suspend.suspend_actions, (*steps, "suspendActions")
    yield suspend.resume_actions, (*steps, "resumeActions")


def _check_value(action: SuspendAction, steps: Steps, report: Report) -> None:
    try:
        msgspec.json.decode(action.value)
    except (msgspec.DecodeError, RecursionError):
        text = msgspec.json.encode(action.value).decode()
        message = f"{shown(action.value)} is not JSON text"
        report.add("value-not-json", steps, message, f"write a string with its quotes: '{text}'")
