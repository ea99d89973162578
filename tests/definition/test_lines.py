"""Which line of its file a place in a definition stands on."""

from __future__ import annotations

from pathlib import Path

import pytest

from workload_map.definition.lines import Lines, steps

TEXT = """\
apiVersion: v1
kind: List
items:
  - apiVersion: run.ai/v1alpha1
    kind: Karta
    metadata:
      name: other
  - apiVersion: run.ai/v1alpha1
    kind: Karta
    metadata:
      name: mine
    spec:
      structureDefinition:
        rootComponent:
          name: root
        childComponents:
          - name: worker
            scaleDefinition:
              replicasPath: .spec.replicas
"""


@pytest.fixture
def lines(tmp_path: Path) -> Lines:
    file = tmp_path / "definitions.yaml"
    file.write_text(TEXT)
    return Lines(file, "mine")


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("spec.structureDefinition.childComponents[0].scaleDefinition.replicasPath", 19),
        ("spec.structureDefinition.rootComponent", 14),
        ("spec.structureDefinition.childComponents[0].podSelector.nothing", 17),
    ],
)
def test_a_place_has_the_line_of_itself_or_of_its_nearest_parent(lines: Lines, place: str, line: int) -> None:
    assert lines.of(place) == line


def test_without_the_file_or_the_name_there_is_no_line(tmp_path: Path) -> None:
    assert Lines(None, "mine").of("spec") is None
    assert Lines(tmp_path / "gone.yaml", "mine").of("spec") is None
    (tmp_path / "d.yaml").write_text(TEXT)
    assert Lines(tmp_path / "d.yaml", "nobody").of("spec") is None


def test_places_are_read_as_they_are_written() -> None:
    assert steps('spec.jobs[2].labels["a/b\\"c"].x') == ("spec", "jobs", 2, "labels", 'a/b"c', "x")
