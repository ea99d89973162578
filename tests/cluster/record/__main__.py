"""Record lives: `python -m tests.cluster.record [SCENARIO...]`, each `kind/name` or a `kind`; all if none."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.cluster import build, isolation
from tests.cluster.build import BuildError
from tests.cluster.client import ApiError, WaitError
from tests.cluster.cluster import Cluster
from tests.cluster.processes import ClusterError
from tests.cluster.record import steps
from tests.cluster.record.scenario import Scenario, ScenarioError, read_all
from tests.lives.life import FOLDER, Life

_AT_ONCE = 6


def main(arguments: list[str]) -> int:
    """Record in a namespace of its own; gives the exit code, which is 1 if a scenario did not end well."""
    if not isolation.isolated():
        isolation.become([sys.executable, "-m", "tests.cluster.record", *arguments])
    parser = argparse.ArgumentParser(prog="python -m tests.cluster.record", description=__doc__)
    parser.add_argument("--into", type=Path, default=FOLDER, help="the folder of the lives")
    parser.add_argument("scenarios", nargs="*", metavar="SCENARIO")
    wanted = parser.parse_args(arguments)
    try:
        scenarios = read_all(wanted.scenarios)
        operators = sorted({name for one in scenarios for name in one.operators})
        with Cluster(operators=operators) as cluster:
            return 0 if _record_all(cluster, scenarios, wanted.into) else 1
    except (ApiError, BuildError, ClusterError, ScenarioError, WaitError) as error:
        sys.stderr.write("\n".join([str(error), *getattr(error, "__notes__", [])]) + "\n")
        return 1


def _record_all(cluster: Cluster, scenarios: Iterable[Scenario], folder: Path) -> bool:
    """Whether all went well: many at once, then one by one those that must be alone."""
    together = [one for one in scenarios if not one.alone]
    alone = [one for one in scenarios if one.alone]
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        done = list(pool.map(lambda one: _record(cluster, one, folder), together))
    return all([*done, *(_record(cluster, one, folder) for one in alone)])


def _record(cluster: Cluster, scenario: Scenario, folder: Path) -> bool:
    start = time.monotonic()
    try:
        file = folder / f"{scenario.name}.json"
        life = _life(cluster, scenario)
        life.write(file)
        cluster.check()
    except (ApiError, ClusterError, ScenarioError, WaitError, OSError, ValueError) as error:
        sys.stderr.write(f"{scenario.name}: {error}\n")
        return False
    size = file.stat().st_size / 1024
    took = time.monotonic() - start
    sys.stdout.write(f"{scenario.name}: {len(life.frames)} frames, {size:.0f} KB, {took:.0f} s\n")
    sys.stdout.flush()
    return True


def _life(cluster: Cluster, scenario: Scenario) -> Life:
    made = steps.prepare(cluster, scenario)
    try:
        changes = steps.observe(cluster.client, scenario)
    finally:
        for leftover in made:
            cluster.client.delete(leftover)
    frames = steps.frames(scenario, changes)
    return Life(scenario.about, _versions(scenario), scenario.stands_in, frames)


def _versions(scenario: Scenario) -> dict[str, str]:
    return {name: build.tool(name).version for name in ["kubernetes", *scenario.operators]}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
