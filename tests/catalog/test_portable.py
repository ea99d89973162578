"""Every built-in definition has a form that other readers of the base schema take."""

from __future__ import annotations

import msgspec
import pytest

from tests.path.oracles import gojq_oracle
from workload_map.catalog import Catalog
from workload_map.definition import Definition, Entry, portable
from workload_map.definition.slots import expressions
from workload_map.definition.validation import validate
from workload_map.documents import Document

ENTRIES = Catalog.builtin().entries()


def codes(definition: Definition) -> set[str]:
    return {one.code for one in validate(Document(msgspec.to_builtins(definition), definition.name, 1))}


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_the_portable_form_is_valid_and_says_what_it_loses(entry: Entry) -> None:
    plain, losses = portable(entry.definition)
    # What is told of the full form is told here too; besides, a scale may lose all that it says.
    assert codes(plain) <= codes(entry.definition) | {"scale-empty"}
    assert portable(plain) == (plain, [])
    assert bool(losses) == (plain != entry.definition)
    assert all(loss.consequence for loss in losses)


def test_other_readers_engine_compiles_every_expression_of_the_portable_forms() -> None:
    oracle = gojq_oracle()
    if oracle is None:
        pytest.skip("gojq cannot be built here")
    try:
        refused = [
            f"{entry.name}: {one.text}: {answer}"
            for entry in ENTRIES
            for one in expressions(portable(entry.definition)[0])
            if (answer := oracle.ask(one.text, None)) is None or "compile" in answer
        ]
    finally:
        oracle.close()
    assert refused == []
