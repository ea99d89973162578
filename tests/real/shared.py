"""The folder `shared` beside the checkout: manifests and recordings of other projects.

They are read and judged where they are at hand, and are no part of this project.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from workload_map.catalog import Catalog
from workload_map.documents import Document, read

SHARED = Path(__file__).parents[2].parent / "shared"
BUILTIN = Catalog.builtin()

needs_shared = pytest.mark.skipif(
    not SHARED.is_dir(), reason="the folder `shared` is not beside the checkout"
)

Object = dict[str, Any]


def manifests() -> Iterator[tuple[str, Object]]:
    """Every manifest of a built-in kind, with its file; those in lists too."""
    for file in sorted((SHARED / "samples").rglob("*")):
        if file.suffix not in (".yaml", ".yml", ".json"):
            continue
        for document in read(file.read_bytes(), file.name):
            if isinstance(document, Document):
                for obj in _objects(document.value):
                    yield f"{file.parent.name}/{file.name}", obj


def _objects(value: Any) -> Iterator[Object]:
    if not isinstance(value, dict):
        return
    if isinstance(value.get("items"), list):
        for item in value["items"]:
            yield from _objects(item)
    elif BUILTIN.covers(str(value.get("apiVersion")), str(value.get("kind"))):
        yield value


def recordings() -> dict[str, list[Object]]:
    """The frames of each recorded life cycle of a built-in kind, as whole objects, by folder and file."""
    flows = {}
    for file in sorted((SHARED / "recorded").rglob("*.json")):
        recording = json.loads(file.read_bytes())
        obj = recording["base"]
        if not BUILTIN.covers(obj["apiVersion"], obj["kind"]):
            continue
        frames = []
        for frame in recording["frames"]:
            obj = merged(obj, frame["merge"])
            frames.append(obj)
        flows[f"{file.parent.name}/{file.stem}"] = frames
    return flows


def merged(target: Any, patch: Any) -> Any:
    """The target with a JSON merge patch (RFC 7386) applied."""
    if not isinstance(patch, dict):
        return patch
    result = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = merged(result.get(key), value)
    return result
