"""Programs made by the grammar, compared with gojq and jq: same outputs, and an error behind the same ones.

The programs are the same each time, so that a change is judged by itself; `make fuzz` searches new ones.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from tests.path.differential import difference
from tests.path.oracles import Oracle
from tests.path.programs import programs, values

PROGRAMS = 2_000


def test_programs_answer_like_other_engines(engines: list[Oracle]) -> None:
    @settings(
        max_examples=PROGRAMS,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(programs, values)
    def search(expression: str, value: Any) -> None:
        found = difference(engines, expression, value)
        if found:
            pytest.fail(found)

    search()
