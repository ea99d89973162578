"""One cluster for all tests that ask for it; those are marked `cluster`, which `make test` leaves out."""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from tests.cluster import build, isolation
from tests.cluster.cluster import Cluster
from tests.cluster.pods import has
from tests.cluster.processes import wait_until
from workload_map.cli.entry import run

StartOperators = Callable[..., None]
Wmap = Callable[..., tuple[int, str, str]]
_LOGS = pytest.StashKey[Path]()
_REASONS = pytest.StashKey[dict[str, None]]()  # of skips, each once and in order
_counter = itertools.count(1)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "cluster" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.cluster)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    for why in config.stash.get(_REASONS, {}):
        terminalreporter.write_line(f"skipped: {why}")
    if _LOGS in config.stash:
        terminalreporter.write_line(f"the cluster's logs are in {config.stash[_LOGS]}")


@pytest.fixture(scope="session")
def cluster(request: pytest.FixtureRequest) -> Iterator[Cluster]:
    """A cluster with JobSet and LeaderWorkerSet; if a test fails, its logs stay and it says where."""
    _need_builds(request.config, *build.CONTROL_PLANE, "jobset", "lws")
    if not isolation.isolated():
        why = isolation.refusal() or "these tests need a network namespace: run `make test-cluster`"
        _cannot_run(request.config, why)
    with Cluster() as running:
        yield running
        running.keep_logs = request.session.testsfailed > 0
    if running.keep_logs:
        request.config.stash[_LOGS] = running.folder


@pytest.fixture
def namespace(cluster: Cluster, request: pytest.FixtureRequest) -> Iterator[str]:
    """A namespace of the test's own, deleted after it; the test fails if a process of the cluster ended."""
    words = re.sub(r"[^a-z0-9]+", "-", request.node.name.lower()).removeprefix("test-")
    name = f"{words[:40].strip('-')}-{next(_counter)}"
    cluster.create_namespace(name)
    yield name
    cluster.client.delete({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
    cluster.check()


@pytest.fixture(scope="session")
def operators(cluster: Cluster, request: pytest.FixtureRequest) -> StartOperators:
    """Starts the named operators, those that run already excepted."""

    def start(*names: str) -> None:
        _need_builds(request.config, *names)
        for name in names:
            cluster.start_operator(name)

    return start


@pytest.fixture
def wmap(cluster: Cluster, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Wmap:
    """Runs `wmap` on the cluster, as its administrator; gives exit code, standard output and error."""
    monkeypatch.setenv("KUBECONFIG", str(cluster.kubeconfig))

    def call(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = run(list(arguments))
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return code, captured.out, captured.err

    return call


@pytest.fixture
def definitions_kind(cluster: Cluster, wmap: Wmap) -> Iterator[None]:
    """The cluster has the kind of definitions, as `wmap crd` prints it; none are in it."""
    (made,) = cluster.apply(wmap("crd")[1])
    cluster.wait_for(made, lambda found: has(found, "Established"))

    def is_listed() -> bool:
        groups = cluster.client.get("/apis")["groups"]
        return any(group["name"] == made["spec"]["group"] for group in groups)

    # Its group may be listed a moment later, where a kind of it was deleted just before.
    wait_until("the group of definitions is listed", is_listed, cluster.processes.values())
    yield
    cluster.client.delete(made)
    cluster.client.wait_until_gone(made)


def _need_builds(config: pytest.Config, *tools: str) -> None:
    missing = build.missing(tools)
    if missing:
        _cannot_run(config, f"not built: {', '.join(missing)}; run `make cluster-build` (it needs Go)")


def _cannot_run(config: pytest.Config, why: str) -> NoReturn:
    """Skip, but not where everything must be there."""
    if os.environ.get("CI"):
        pytest.fail(why, pytrace=False)
    config.stash.setdefault(_REASONS, {})[why] = None
    pytest.skip(why)
