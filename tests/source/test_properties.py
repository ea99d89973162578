"""Whatever a file or a selector holds, it is read or it is told; nothing else comes out."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from workload_map.definition import DefinitionSet
from workload_map.source import (
    Dump,
    FieldSelector,
    LabelSelector,
    Manifests,
    Question,
    SelectorError,
    SourceError,
)

WORDS = st.sampled_from(
    [
        "apiVersion",
        "kind",
        "metadata",
        "name",
        "namespace",
        "items",
        "object",
        "type",
        "uid",
        "resourceVersion",
    ]
)
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from(["v1", "Pod", "List", "PodList", "ADDED", "a", ""])
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=6),
    max_leaves=20,
)


@given(st.lists(VALUES, min_size=1, max_size=4))
def test_each_value_is_an_object_or_a_problem(values: list[Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "values.json")
        path.write_text("\n".join(map(json.dumps, values)))
        for kind in (Dump, Manifests):
            try:
                source = kind([str(path)])
            except SourceError as error:
                assert error.location is not None or error.problems
                continue
            answer = source.ask(Question(), DefinitionSet())
            objects = [*answer.objects, *(answer.pods or ())]
            assert all(value["kind"] and value["apiVersion"] and value["metadata"] for value in objects)


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_told(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "data.yaml")
        path.write_bytes(data)
        try:
            Dump([str(path)])
        except SourceError as error:
            assert error.location is not None or error.problems


@given(st.text(st.sampled_from("ab =!,()<>in notin1/.-_\x1b"), max_size=24))
def test_any_selector_selects_or_is_refused(text: str) -> None:
    value = {"metadata": {"name": "a", "labels": {"a": "b", "n": "1"}}}
    for kind in (LabelSelector, FieldSelector):
        try:
            selector = kind(text)
        except SelectorError:
            continue
        assert selector.matches(value) in (True, False)
