"""Objects of the catalog's cases, and what becomes of them when something in them is changed at random."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import yaml

Object = dict[str, Any]

ODD: tuple[Any, ...] = (
    None, True, False, 0, 1, 2, -1, 7, 2**31 - 1, 2**31, 2**70, 0.0, 1.0, 2.5, float("nan"), "", "0", "3",
    "x", "True", "False", "Unknown", "Running", "Failed", [], {}, [None], [[]], [{}], {"a": 1}, "2147483647",
    "\ud800",
)  # fmt: skip


@cache
def objects() -> dict[str, list[Object]]:
    """The objects of all cases, by the name of their folder."""
    found: dict[str, list[Object]] = {}
    for folder in sorted(Path(str(resources.files("workload_map.catalog"))).glob("*/cases")):
        cases = [_read(file) for file in sorted(folder.glob("*.yaml"))]
        if cases:
            found[folder.parent.name] = [case["object"] for case in cases]
    return found


def _read(file: Path) -> Any:
    # Anchors are shared parts in PyYAML: mutations must not meet in them.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return copy.deepcopy(yaml.load(file.read_bytes(), Loader=loader))  # noqa: S506 - both are safe


def mutated(rng: random.Random, obj: Object) -> Object:
    """A copy with one to four changes, most of them where definitions look."""
    changed: Object = _unshared(obj)
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 4))):
        _change(rng, changed)
    return changed


def _unshared(value: Any) -> Any:
    """A copy in which no part stands twice."""
    if isinstance(value, dict):
        return {key: _unshared(item) for key, item in value.items()}
    return [_unshared(item) for item in value] if isinstance(value, list) else value


def _change(rng: random.Random, obj: Object) -> None:
    holders = list(_holders({key: obj[key] for key in ("spec", "status", "metadata") if key in obj}, 0))
    holders.append((obj, 0))
    # Each level below is half as likely: what decides lies near the top.
    holder = rng.choices([one for one, _ in holders], [2.0 ** (-depth / 2) for _, depth in holders])[0]
    keys: list[Any] = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
    keys = [key for key in keys if not (holder is obj and key in ("apiVersion", "kind"))]
    action = rng.randrange(8)
    if not keys or action == 0:
        _insert(rng, holder, rng.choice(ODD))
        return
    key = rng.choice(keys)
    if action <= 2:
        del holder[key]
    elif action <= 5:
        holder[key] = _unshared(rng.choice(ODD))
    elif action == 6:
        holder[key] = _unshared(holder[rng.choice(keys)])
    elif isinstance(holder, list):
        rng.shuffle(holder)
        holder.append(_unshared(rng.choice(holder)))
    else:
        other = rng.choice(keys)
        holder[key], holder[other] = holder[other], holder[key]


def _insert(rng: random.Random, holder: Any, value: Any) -> None:
    if isinstance(holder, list):
        holder.insert(rng.randrange(len(holder) + 1), _unshared(value))
    else:
        holder[rng.choice(("replicas", "suspend", "status", "type", "conditions", "template", "odd"))] = (
            _unshared(value)
        )


def _holders(value: Any, depth: int) -> Iterator[tuple[Any, int]]:
    if not isinstance(value, dict | list):
        return
    if depth:
        yield value, depth
    for item in value.values() if isinstance(value, dict) else value:
        yield from _holders(item, depth + 1)
