"""The folder `shared` beside the checkout: manifests and recordings of other projects.

They are read and judged where they are at hand, and are no part of this project.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from workload_map.catalog import Catalog
from workload_map.documents import Document, DocumentError, read

SHARED = Path(__file__).parents[2].parent / "shared"
BUILTIN = Catalog.builtin()

needs_shared = pytest.mark.skipif(
    not SHARED.is_dir(), reason="the folder `shared` is not beside the checkout"
)

Object = dict[str, Any]


class Manifest(NamedTuple):
    """A workload in a sample.

    Attributes:
        file: The sample, as `folder/name`.
        object: The workload.
        beside: The other objects in the file.
    """

    file: str
    object: Object
    beside: list[Object]


@cache
def samples() -> dict[str, list[Document | DocumentError]]:
    """What each sample holds, document by document, by `folder/name`; each is YAML or JSON."""
    files = sorted(file for file in (SHARED / "samples").rglob("*") if file.is_file())
    return {f"{file.parent.name}/{file.name}": list(read(file.read_bytes(), file.name)) for file in files}


@cache
def manifests() -> list[Manifest]:
    """Every workload of a built-in kind in the samples; those in lists too."""
    found = []
    for file, documents in samples().items():
        there = [obj for one in documents if isinstance(one, Document) for obj in _objects(one.value)]
        found += [
            Manifest(file, obj, [other for other in there if other is not obj])
            for obj in there
            if BUILTIN.covers(str(obj.get("apiVersion")), str(obj.get("kind")))
        ]
    return found


def _objects(value: Any) -> Iterator[Object]:
    if not isinstance(value, dict):
        return
    if isinstance(value.get("items"), list):
        for item in value["items"]:
            yield from _objects(item)
    else:
        yield value


@cache
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
