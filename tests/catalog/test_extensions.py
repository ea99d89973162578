"""An extension is used only where the base schema gives a wrong answer: a case shows it."""

from __future__ import annotations

import pytest
from docs.extensions import NOT_IN_VIEWS
from docs.kinds import KindPage, pages

from workload_map.definition.portability import EXTENSIONS


@pytest.mark.parametrize("page", list(pages()), ids=lambda page: page.name)
def test_a_case_needs_each_extension(page: KindPage) -> None:
    idle = [one.loss.location for one in page.uses if one.case is None and one.extension not in NOT_IN_VIEWS]
    assert idle == []


def test_what_no_view_shows_is_an_extension() -> None:
    assert {name for _, name in EXTENSIONS} >= NOT_IN_VIEWS
