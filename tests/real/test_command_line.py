"""The command line on all manifests of other projects at once."""

from __future__ import annotations

import re

import pytest

from tests.real.shared import SHARED, manifests, needs_shared
from workload_map.cli.entry import run


@needs_shared
def test_every_workload_in_the_samples_is_described(capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["describe", "-f", str(SHARED / "samples")])
    captured = capsys.readouterr()
    assert code == 0
    assert "Traceback" not in captured.err
    assert len(re.findall(r"^\S+   namespace: \S+   definition: ", captured.out, re.MULTILINE)) == len(
        manifests()
    )
