"""Record the dump of the demo: `python -m tests.cluster.record.demo [FILE]`."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import yaml

from tests.cluster import isolation
from tests.cluster.build import BuildError
from tests.cluster.client import ApiError, Object, WaitError
from tests.cluster.cluster import Cluster
from tests.cluster.processes import ClusterError
from tests.cluster.record import steps
from tests.cluster.record.observing import Change
from tests.cluster.record.scenario import Scenario, ScenarioError
from tests.cluster.record.stable import TIME, Nodes, without_chance

_FILE = Path(__file__).parents[4] / "examples" / "dump.yaml"
_START = datetime(2026, 6, 1, 8, tzinfo=UTC)
_LETTERS = "bcdfghjklmnpqrstvwxz2456789"


def main(arguments: list[str]) -> int:
    """Record in a namespace of its own; gives the exit code."""
    if not isolation.isolated():
        isolation.become([sys.executable, "-m", "tests.cluster.record.demo", *arguments])
    file = Path(arguments[0]) if arguments else _FILE
    try:
        items = _recorded()
    except (ApiError, BuildError, ClusterError, ScenarioError, WaitError) as error:
        sys.stderr.write("\n".join([str(error), *getattr(error, "__notes__", [])]) + "\n")
        return 1
    file.write_text(yaml.safe_dump({"apiVersion": "v1", "items": items, "kind": "List"}))
    return 0


def _recorded() -> list[Object]:
    found = [Scenario.read(file) for file in sorted(Path(__file__).parent.glob("*.yaml"))]
    scenarios = [dataclasses.replace(one, name=one.name.removeprefix("demo/")) for one in found]
    with Cluster(operators=sorted({name for one in scenarios for name in one.operators})) as cluster:
        for scenario in scenarios:
            steps.prepare(cluster, scenario)
        with ThreadPoolExecutor() as pool:
            seen = list(pool.map(lambda one: steps.observe(cluster.client, one), scenarios))
    return _last_states([change for one in seen for change in one.changes])


def _last_states(changes: list[Change]) -> list[Object]:
    """Everything that is still there, by namespace, kind and name."""
    last: dict[str, Change] = {}
    for change in without_chance(sorted(changes, key=lambda one: one.version), _letters):
        last[change.object["metadata"]["uid"]] = change
    objects = sorted((change.object for change in last.values() if not change.gone), key=_place)
    text = Nodes().renumbered(json.dumps(objects))
    made: list[Object] = json.loads(_moved(text))
    return made


def _place(obj: Object) -> tuple[str, str, str]:
    return obj["metadata"]["namespace"], obj["kind"], obj["metadata"]["name"]


def _letters(stem: str, number: int) -> str:
    """Five letters as the API server draws them, the same for the same pod in each recording."""
    digest = hashlib.sha256(f"{stem} {number}".encode()).digest()
    return "".join(_LETTERS[byte % len(_LETTERS)] for byte in digest[:5])


def _moved(text: str) -> str:
    """The text with its times moved to a fixed day, to the minute: seconds are by chance."""
    first = min(TIME.findall(text))[:16]

    def moved(found: re.Match[str]) -> str:
        passed = datetime.fromisoformat(found[0][:16]) - datetime.fromisoformat(first)
        return (_START + timedelta(minutes=passed // timedelta(minutes=1))).strftime("%Y-%m-%dT%H:%M:%SZ")

    return TIME.sub(moved, text)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
