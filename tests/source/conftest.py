"""Files and objects for the tests of sources."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.files import write_file

Write = Callable[[str, Any], str]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes text, bytes, or one or more documents as YAML; gives the path."""

    return partial(write_file, tmp_path)
