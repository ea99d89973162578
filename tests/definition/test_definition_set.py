"""Which of several definitions covers a kind."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from workload_map.definition import (
    CollisionError,
    Definition,
    DefinitionSet,
    Entry,
    Layer,
    NoDefinitionError,
)
from workload_map.definition.schema import (
    Component,
    DefinitionSpec,
    GroupVersionKind,
    Metadata,
    StructureDefinition,
)


def definition(name: str, api_version: str, kind: str, versions: tuple[str, ...] = ()) -> Definition:
    group, _, version = api_version.rpartition("/")
    root = Component(
        name="root", kind=GroupVersionKind(group=group, version=version, kind=kind, versions=versions)
    )
    return Definition(
        api_version="run.ai/v1alpha1",
        kind="Karta",
        metadata=Metadata(name=name),
        spec=DefinitionSpec(structure_definition=StructureDefinition(root_component=root)),
    )


def names(entries: Sequence[Entry]) -> list[str]:
    return [entry.name for entry in entries]


POD = definition("pod", "v1", "Pod")
TRAIN = definition("train", "example.org/v1", "Train", ("v1beta1",))
BOAT = definition("boat", "example.org/v1", "Boat")


def test_a_kind_is_found_by_version_and_kind() -> None:
    found = DefinitionSet([Layer.of([POD, TRAIN, BOAT], "cluster")]).find("v1", "Pod")
    assert found.definition is POD
    assert (found.name, found.origin, found.source, found.key) == ("pod", "cluster", None, ("v1", "Pod"))


@pytest.mark.parametrize(
    ("api_version", "kind"),
    [("example.org/v1", "train"), ("example.org/v2", "Train"), ("v1", "Train"), ("", "")],
)
def test_a_kind_that_nothing_covers(api_version: str, kind: str) -> None:
    definitions = DefinitionSet([Layer.of([POD, TRAIN])])
    assert definitions.get(api_version, kind) is None
    assert not definitions.covers(api_version, kind)
    with pytest.raises(NoDefinitionError) as caught:
        definitions.find(api_version, kind)
    assert caught.value.exit_code == 4


@pytest.mark.parametrize(
    ("api_version", "kind", "hint"),
    [
        ("example.org/v2", "Train", "covered: Train of example.org/v1, example.org/v1beta1"),
        ("other.org/v1", "Pod", "covered: Pod of v1"),
        ("example.org/v1", "Trian", "did you mean Train?"),
        ("example.org/v1", "Zeppelin", None),
    ],
)
def test_the_hint_tells_what_is_covered_instead(api_version: str, kind: str, hint: str | None) -> None:
    with pytest.raises(NoDefinitionError) as caught:
        DefinitionSet([Layer.of([POD, TRAIN])]).find(api_version, kind)
    assert caught.value.hint == hint


def test_a_higher_layer_replaces_exactly_the_same_kind() -> None:
    own = definition("own", "example.org/v1", "Train")
    lower = DefinitionSet([Layer.of([POD, TRAIN, BOAT], "builtin")])
    definitions = lower.with_layer(Layer.of([own], "cluster"))
    assert definitions.find("example.org/v1", "Train").definition is own
    assert names(definitions.entries()) == ["pod", "boat", "own"]
    # What was replaced is gone, its further versions too.
    assert definitions.get("example.org/v1beta1", "Train") is None
    assert definitions.collisions == []
    assert lower.find("example.org/v1", "Train").definition is TRAIN


def test_further_versions_stand_behind_exact_ones() -> None:
    definitions = DefinitionSet([Layer.of([TRAIN])])
    assert definitions.find("example.org/v1beta1", "Train").definition is TRAIN
    exact = definition("exact", "example.org/v1beta1", "Train")
    for layers in ([Layer.of([exact]), Layer.of([TRAIN])], [Layer.of([TRAIN]), Layer.of([exact])]):
        definitions = DefinitionSet(layers)
        assert definitions.find("example.org/v1beta1", "Train").definition is exact
        assert definitions.find("example.org/v1", "Train").definition is TRAIN


def test_two_of_one_layer_collide_and_both_are_listed() -> None:
    other = definition("another", "example.org/v1", "Train")
    for order in ([TRAIN, other], [other, TRAIN]):
        definitions = DefinitionSet([Layer.of(order), Layer.of([BOAT])])
        for look in (definitions.find, definitions.get):
            with pytest.raises(CollisionError) as caught:
                look("example.org/v1", "Train")
            assert "another (file), train (file)" in caught.value.message
            assert caught.value.exit_code == 2
        assert definitions.covers("example.org/v1", "Train")
        assert names(definitions.entries()) == ["boat", "another", "train"]
        (warning,) = definitions.collisions
        assert (warning.code, warning.severity) == ("definition-collision", "warning")
        assert definitions.find("example.org/v1", "Boat").definition is BOAT


def test_a_collision_below_a_replacement_does_not_matter() -> None:
    other = definition("another", "example.org/v1", "Train")
    own = definition("own", "example.org/v1", "Train")
    definitions = DefinitionSet([Layer.of([TRAIN, other]), Layer.of([own])])
    assert definitions.find("example.org/v1", "Train").definition is own
    assert definitions.collisions == []
    assert names(definitions.entries()) == ["own"]


def test_further_versions_collide_only_where_no_exact_one_is() -> None:
    second = definition("second", "example.org/v2", "Train", ("v1beta1",))
    definitions = DefinitionSet([Layer.of([TRAIN, second])])
    with pytest.raises(CollisionError):
        definitions.find("example.org/v1beta1", "Train")
    exact = definition("exact", "example.org/v1beta1", "Train")
    definitions = definitions.with_layer(Layer.of([exact]))
    assert definitions.find("example.org/v1beta1", "Train").definition is exact
    assert definitions.collisions == []


def test_entries_are_sorted_by_kind_then_name() -> None:
    unsorted = [definition(name, "a.org/v1", kind) for name, kind in [("b", "Z"), ("c", "A"), ("a", "Z")]]
    assert names(DefinitionSet([Layer.of([*unsorted, POD])]).entries()) == ["pod", "c", "a", "b"]


def test_names_are_exact_and_the_higher_layer_wins() -> None:
    high = definition("train", "example.org/v9", "Train")
    definitions = DefinitionSet([Layer.of([TRAIN, BOAT]), Layer.of([high])])
    assert definitions.named("train").definition is high
    assert definitions.named("boat").definition is BOAT
    with pytest.raises(NoDefinitionError) as caught:
        definitions.named("Boat")
    assert caught.value.hint == "did you mean boat?"
    with pytest.raises(CollisionError):
        DefinitionSet([Layer.of([TRAIN, high])]).named("train")


def test_a_lazy_layer_reads_a_definition_once_on_its_first_use() -> None:
    read: list[str] = []

    def load(name: str) -> Definition:
        read.append(name)
        return {"train": TRAIN, "boat": BOAT}[name]

    index = [("train", "example.org", "v1", "Train", ["v1beta1"]), ("boat", "example.org", "v1", "Boat", [])]
    definitions = DefinitionSet([Layer.lazy(index, load)])
    assert definitions.covers("example.org/v1beta1", "Train")
    assert names(definitions.entries()) == ["boat", "train"]
    entry = definitions.find("example.org/v1beta1", "Train")
    assert (entry.origin, read) == ("builtin", [])
    assert entry.definition is TRAIN
    assert definitions.find("example.org/v1", "Train").definition is TRAIN
    assert read == ["train"]


def test_an_empty_set_covers_nothing() -> None:
    definitions = DefinitionSet()
    assert definitions.entries() == []
    with pytest.raises(NoDefinitionError):
        definitions.find("v1", "Pod")
