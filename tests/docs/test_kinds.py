"""The pages of the built-in kinds say what people look for there."""

from __future__ import annotations

import pytest
from docs.kinds import NOTES, PHASES, KindPage, pages

PAGES = list(pages())


def test_all_kinds_and_no_others_have_notes() -> None:
    assert NOTES.keys() == {page.name for page in PAGES}, "say in docs/kinds.yaml how a kind counts"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_names_operator_versions_roles_phases_and_an_example(page: KindPage) -> None:
    assert page.operators, "the comment that the definition begins with names the versions in brackets"
    text = page.text()
    for section in ("## Roles", "## Example", "## Phases", "## Fields read"):
        assert section in text
    for component in page.entry.definition.components:
        assert f"| `{component.name}` |" in text


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_phase_that_a_definition_can_give_has_a_state_behind_it(page: KindPage) -> None:
    status = page.entry.definition.root.status_definition
    assert status is not None
    mapped = {phase for phase in PHASES if getattr(status.status_mappings, phase.lower(), ())}
    shown = {case.expect["phase"] for case in page.cases if case.expect.get("phase")}
    assert mapped == shown - {"Undefined"}  # which a word is that no operator says
