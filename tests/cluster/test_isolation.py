"""Where a cluster may run, and what is said where it may not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cluster import build, isolation
from tests.cluster.cluster import Cluster
from tests.cluster.processes import ClusterError


def test_without_the_programs_for_it_one_line_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SystemExit) as told:
        isolation.become(["true"])
    assert str(told.value).startswith("a cluster needs Linux with util-linux")


def test_where_no_namespace_can_be_made_the_reason_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusing = tmp_path / "unshare"
    refusing.write_text("#!/bin/sh\necho 'unshare: Operation not permitted' >&2; exit 1\n")
    refusing.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    with pytest.raises(SystemExit, match=r"none can be made here \(unshare: Operation not permitted\)$"):
        isolation.become(["true"])


def test_a_cluster_does_not_start_in_the_namespace_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "binary", lambda name: Path("/nowhere") / name)
    monkeypatch.setattr(isolation, "isolated", lambda: False)
    with pytest.raises(ClusterError, match=r"run `python -m tests\.cluster\.isolation COMMAND`"), Cluster():
        pass
