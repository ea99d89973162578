"""The whole catalog against all schemas at hand, as `wmap validate --crds FOLDER` holds it to them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.catalog.kinds import EXPLAINED, NEWER_FIELDS, NO_SCHEMA
from tests.catalog.test_catalog import CRDS, FOLDERS, OF_KUBERNETES, document_of, name_of
from workload_map.catalog import index
from workload_map.definition import Finding
from workload_map.definition.crd_schemas import CrdSchemas
from workload_map.definition.validation import validate

PAGE = Path(__file__).parents[2] / "docs" / "catalog.md"

needs_schemas = pytest.mark.skipif(
    not CRDS.is_dir(), reason="the frameworks' schemas are not beside the checkout"
)


@cache
def schemas() -> CrdSchemas:
    found, unread = CrdSchemas.load([CRDS])
    assert unread == []
    return found


def unexplained(folder: Path) -> Iterator[Finding]:
    """The findings without a reason: neither in the definition, nor that the schema is older."""
    name = name_of(folder)
    for one in validate(document_of(folder), schemas()):
        newer = one.code == "field-unknown" and one.message.split()[0] in NEWER_FIELDS.get(name, ())
        if not newer and f"{one.code}: {one.location}" not in EXPLAINED.get(name, ()):
            yield one


def has_schema(folder: Path) -> bool:
    (kind,) = [one for one in index.kinds() if one.definition == name_of(folder)]
    return not {kind.group, kind.definition} & NO_SCHEMA


@needs_schemas
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_all_schemas_together_leave_nothing_unexplained(folder: Path) -> None:
    found = list(unexplained(folder))
    if not has_schema(folder):
        # The schema of another version of its kind may be there, and is not its own.
        assert found.pop(0).code == "crd-missing"
        found = [one for one in found if one.code != "version-not-served"]
    assert [str(one) for one in found] == []


@pytest.mark.parametrize("name", EXPLAINED)
def test_what_cannot_be_changed_is_explained_in_the_definition(name: str) -> None:
    (folder,) = [one for one in FOLDERS if name_of(one) == name]
    lines = (folder / "definition.yaml").read_text().splitlines()
    comments = " ".join(line.partition("#")[2].strip() for line in lines if line.strip().startswith("#"))
    if any(one.startswith("not-writable: ") for one in EXPLAINED[name]):
        assert "not be changed" in comments


def test_the_kinds_without_a_schema_are_listed() -> None:
    listed = re.search(r"No schema is at hand for (.*?)\.\s", PAGE.read_text(), re.DOTALL)
    assert listed
    kinds = {
        one.kind
        for one in index.kinds()
        if {one.group, one.definition} & NO_SCHEMA and one.group not in OF_KUBERNETES
    }
    assert set(re.findall(r"\b[A-Z]\w+", listed[1])) == kinds
