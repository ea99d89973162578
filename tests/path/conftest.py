"""What tests of the path language share: the engines to compare with, started once for all of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.path.oracles import Oracle, available


@pytest.fixture(scope="session")
def engines() -> Iterator[list[Oracle]]:
    """The other engines that can be had here, gojq first."""
    with available() as found:
        yield found
