"""What holds for every definition and every object."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Iterator
from typing import Any

import jsonschema
import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.engine.generating import INNER, World, one_of_each, worlds
from tests.engine.made_up import definitions
from workload_map.definition.compiled import compiled
from workload_map.definition.schema import Definition
from workload_map.engine import Component, Instance, ResourceList, Workload, resolve
from workload_map.engine.quantity import parse
from workload_map.engine.view import Read
from workload_map.errors import WorkloadMapError
from workload_map.path import ReadPattern
from workload_map.render.schemas import view_schema

many = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
SCHEMA = jsonschema.Draft202012Validator(view_schema())


def see(world: World, **options: Any) -> Workload:
    return resolve(world.obj, world.definitions, pods=world.pods, **options)


def shuffled(value: Any, chance: random.Random) -> Any:
    """The same value with the keys of its objects in another order."""
    if isinstance(value, dict):
        keys = list(value)
        chance.shuffle(keys)
        return {key: shuffled(value[key], chance) for key in keys}
    if isinstance(value, list):
        return [shuffled(entry, chance) for entry in value]
    return value


@many
@given(worlds(), st.randoms(use_true_random=False))
def test_orders_that_mean_nothing_change_nothing(world: World, chance: random.Random) -> None:
    other = World(world.definitions, shuffled(world.obj, chance), shuffled(world.pods, chance))
    chance.shuffle(other.pods)
    conditions = (other.obj.get("status") or {}).get("conditions")
    if isinstance(conditions, list):
        chance.shuffle(conditions)
    assert without_indexes(see(other)) == without_indexes(see(world))


def without_indexes(workload: Workload) -> Workload:
    """A view whose reasons name entries of lists without their index, which alone follows an order."""
    why = []
    for one in workload.why:
        reads = [Read(re.sub(r"\[\d+\]", "[]", read.path), read.value) for read in one.reads]
        why.append(msgspec.structs.replace(one, reads=tuple(sorted(reads, key=repr))))
    return msgspec.structs.replace(workload, why=tuple(why))


def test_the_order_of_conditions_shows_in_the_names_of_what_was_read_alone() -> None:
    structure, obj, pods = one_of_each()
    conditions = [{"type": name, "status": "True"} for name in ("Ready", "Third")]
    obj["status"]["conditions"] = conditions
    first, second = (
        resolve(
            {**obj, "status": {**obj["status"], "conditions": order}},
            definitions(structure, INNER),
            pods=pods,
        )
        for order in (conditions, conditions[::-1])
    )
    assert first.phases == ("Degraded", "Running")
    read = {one.path: one.value for one in first.why[0].reads}
    assert (read["status.conditions[0].type"], read["status.conditions[1].type"]) == ("Ready", "Third")
    assert first != second
    assert without_indexes(first) == without_indexes(second)


# Lists that the Kubernetes API keys by a field, or takes for sets (`x-kubernetes-list-type`), in pods and in
# every object. Those of container statuses are neither: `kubectl` shows the first one in trouble.
SETS = {"conditions", "ownerReferences", "finalizers", "volumes", "env", "resourceClaims"}


def reordered(value: Any, chance: random.Random, key: str = "") -> Any:
    """The same value with the entries of its sets in another order."""
    if isinstance(value, dict):
        return {name: reordered(entry, chance, name) for name, entry in value.items()}
    if not isinstance(value, list):
        return value
    entries = [reordered(entry, chance) for entry in value]
    if key in SETS:
        chance.shuffle(entries)
    return entries


def with_sets(pod: dict[str, Any]) -> dict[str, Any]:
    """A pod with two entries or more in each of its sets."""
    helper = {"apiVersion": "v1", "kind": "Node", "name": "node-1", "uid": "uid-node"}
    conditions = [{"type": "PodScheduled", "status": "True"}, {"type": "Ready", "status": "False"}]
    claims = [{"name": name, "resourceClaimTemplateName": name} for name in ("big", "small")]
    meta = pod["metadata"]
    volumes = [{"name": "x", "emptyDir": {}}, {"name": "y", "emptyDir": {}}]
    spec = {**pod["spec"], "resourceClaims": claims, "volumes": volumes}
    status = {"phase": "Running", "conditions": conditions}
    return {
        **pod,
        "metadata": {**meta, "ownerReferences": [*meta["ownerReferences"], helper], "finalizers": ["a", "b"]},
        "spec": spec,
        "status": status,
    }


@many
@given(worlds(), st.randoms(use_true_random=False))
def test_the_order_of_sets_in_pods_and_objects_changes_nothing(world: World, chance: random.Random) -> None:
    pods = [with_sets(one) for one in world.pods]
    obj = copy.deepcopy(world.obj)
    obj["metadata"]["ownerReferences"] = [
        {"apiVersion": "v1", "kind": "A", "name": "a", "uid": "a"},
        {"apiVersion": "v1", "kind": "B", "name": "b", "uid": "b", "controller": True},
    ]
    first = resolve(obj, world.definitions, pods=pods)
    other = [reordered(one, chance) for one in pods]
    second = resolve(reordered(obj, chance), world.definitions, pods=other)
    assert without_indexes(second) == without_indexes(first)


def figures(workload: Workload) -> Any:
    """All that a view says of roles, without the order of the instances, and the totals."""

    def shown(component: Component) -> Any:
        instances = [
            (one.id, one.replicas, one.pods, one.gpus, [shown(below) for below in one.components])
            for one in component.instances
        ]
        below = [shown(one) for one in component.components]
        return component.name, component.pods, component.gpus, sorted(instances, key=repr), below

    return [shown(component) for component in workload.components], workload.totals


def test_the_order_of_roles_that_are_read_by_their_ids_changes_no_figure() -> None:
    structure, obj, pods = one_of_each()
    covered = definitions(structure, INNER)
    for name in ("r1", "r3"):
        first = obj["spec"][name][0]
        obj["spec"][name] += [{**first, "name": "b", "replicas": 4}, {**first, "name": "c", "replicas": 1}]
    whole = figures(resolve(obj, covered, pods=pods))
    for seed in range(20):
        chance = random.Random(seed)  # noqa: S311 - an order, no secret
        other = copy.deepcopy(obj)
        for name in ("r1", "r3"):
            chance.shuffle(other["spec"][name])
        assert figures(resolve(other, covered, pods=pods)) == whole


# What the engine reads of every object, whatever its definition says.
OF_EVERY_OBJECT = [
    ReadPattern(steps, below=True)
    for steps in (("apiVersion",), ("kind",), ("metadata",), ("status", "observedGeneration"))
]


def reads_of(definition: Definition) -> list[ReadPattern]:
    """All that the paths of a definition say that they read on the workload."""
    found = list(OF_EVERY_OBJECT)
    for one in compiled(definition, lambda *_: None):
        if one.expression.slot.on == "workload":
            found += one.facts.reads
    return found


def places_in(value: Any, location: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Where each part of a value lies."""
    yield location
    for key, entry in (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    ):
        yield from places_in(entry, (*location, key))


def replaced(value: Any, location: tuple[Any, ...], part: Any) -> Any:
    if not location:
        return part
    changed = copy.copy(value)
    changed[location[0]] = replaced(value[location[0]], location[1:], part)
    return changed


@many
@given(worlds(), st.randoms(use_true_random=False))
def test_what_the_paths_do_not_say_they_read_changes_nothing(world: World, chance: random.Random) -> None:
    (entry,) = (one for one in world.definitions.entries() if one.kind.kind == "Thing")
    patterns = reads_of(entry.definition)
    free = [place for place in places_in(world.obj) if not any(pattern.covers(place) for pattern in patterns)]
    for place in free:
        part = chance.choice([None, 7, "x", {"replicas": 7}, [], [{"name": "a"}]])
        assert resolve(replaced(world.obj, place, part), world.definitions, pods=world.pods) == see(world), (
            place
        )


def test_there_are_fields_that_no_path_reads() -> None:
    """Or the property above would say nothing."""
    structure, obj, _ = one_of_each()
    obj["spec"]["r1"][0]["zone"] = 3
    obj["status"]["note"] = {"text": "x"}
    patterns = reads_of(structure)
    free = {place for place in places_in(obj) if not any(pattern.covers(place) for pattern in patterns)}
    assert free == {("spec", "r1", 0, "zone"), ("status", "note"), ("status", "note", "text")}


def objects_in(value: Any, depth: int = 0) -> Iterator[dict[str, Any]]:
    """All objects in a value, but maps of the user's own keys (right below a role)."""
    if isinstance(value, dict):
        yield value
        for entry in value.values():
            yield from objects_in(entry, depth + 1)
    elif isinstance(value, list):
        for entry in value:
            yield from objects_in(entry, depth + 1)


@many
@given(worlds(), st.randoms(use_true_random=False))
def test_a_field_that_no_path_reads_changes_nothing(world: World, chance: random.Random) -> None:
    changed = copy.deepcopy(world.obj)
    # The keys below a role may be ids; everywhere else a key means something only to who asks for it.
    roles = [part for part in changed["spec"].values() if isinstance(part, dict)]
    places = [
        one for one in objects_in(changed) if not any(one is role for role in roles) and "limits" not in one
    ]
    places = [one for one in places if "cpu" not in one and "nvidia.com/gpu" not in one]
    chance.choice(places)["zzz"] = chance.choice([None, 1, "x", {"replicas": 7}, []])
    assert resolve(changed, world.definitions, pods=world.pods) == see(world)


def added(values: list[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None


def check_sums(component: Component) -> None:
    """The figures of a component are those of its instances and of what belongs to all of them."""
    apart = list(component.components) if len(component.instances) > 1 else []
    parts: list[Component | Instance] = [*component.instances, *apart]
    assert component.pods == added([part.pods for part in parts])
    assert component.gpus == added([part.gpus for part in parts])
    assert component.replicas == added([one.replicas for one in component.instances])
    observed = [part.observed.pods for part in parts if part.observed]
    strays = [pod for pod in component.members or () if pod.instance is None]
    if component.observed and component.instances[0].id is not None:
        assert component.observed.pods == sum(observed) + len(strays)
    below = [*component.components, *(one for part in component.instances for one in part.components)]
    for one in below:
        check_sums(one)


@many
@given(worlds())
def test_components_add_up_to_the_workload(world: World) -> None:
    workload = see(world)
    totals = workload.totals
    assert totals.pods == added([one.pods for one in workload.components])
    assert totals.gpus == added([one.gpus for one in workload.components])
    for component in workload.components:
        check_sums(component)
    if totals.pods is not None and totals.at_min.pods is not None and totals.at_max.pods is not None:
        # A number below its own minimum is what is desired, where the controller keeps to no bounds.
        is_below = any((one.min or 0) > (one.replicas or 0) for one in instances_in(workload.components))
        assert totals.at_min.pods <= totals.pods or is_below
    resources = [one.requests for one in workload.components]
    if totals.requests is not None and all(one is not None for one in resources):
        names = {name for one in resources if one for name in one.strings()}
        assert names == set(totals.requests.strings())


def all_members(components: tuple[Component, ...]) -> Iterator[str]:
    for component in components:
        yield from (pod.name for pod in component.members or ())
        yield from all_members(component.components)
        for instance in component.instances:
            yield from all_members(instance.components)


@many
@given(worlds())
def test_every_pod_of_the_workload_is_in_it_once(world: World) -> None:
    workload = see(world)
    mine = [
        one["metadata"]["name"]
        for one in world.pods
        if one["metadata"]["ownerReferences"][0]["uid"] == world.obj["metadata"]["uid"]
    ]
    found = [*all_members(workload.components), *(pod.name for pod in workload.unattributed or ())]
    assert sorted(found) == sorted(mine)
    assert workload.observed is not None
    assert workload.observed.pods == len(mine)


@many
@given(worlds())
def test_resolving_changes_nothing_and_gives_the_same_again(world: World) -> None:
    before = copy.deepcopy((world.obj, world.pods))
    first = see(world)
    assert see(world) == first
    assert resolve(world.obj, world.definitions, pods=world.pods, related=[]) == first
    assert (world.obj, world.pods) == before


@many
@given(worlds(), st.booleans(), st.booleans())
def test_the_document_of_a_view_is_valid_and_survives_json(world: World, with_pods: bool, live: bool) -> None:
    workload = resolve(world.obj, world.definitions, pods=world.pods if with_pods else None, live=live)
    document = workload.to_dict()
    SCHEMA.validate(document)
    assert json.loads(json.dumps(document)) == document
    # Read back, it is the same view: nothing is in it that its documents do not say.
    read = msgspec.convert(document, Workload, dec_hook=_from_document)
    assert read.to_dict() == document


def _from_document(kind: type, value: Any) -> Any:
    assert kind is ResourceList
    return ResourceList({name: None if text is None else parse(text) for name, text in value.items()})


@many
@given(worlds())
def test_problems_name_no_python_and_what_is_unknown_has_one(world: World) -> None:
    workload = see(world)
    for problem in workload.problems:
        assert problem.message
        assert not any(word in problem.message for word in ("Traceback", "NoneType", "<class", "UNKNOWN"))
    absent = not workload.problems
    if absent and workload.totals.pods is None:
        # Without a problem only a count that is absent and has no default can be unknown.
        assert any(one.replicas is None for one in instances_in(workload.components))


def instances_in(components: tuple[Component, ...]) -> Iterator[Instance]:
    for component in components:
        yield from component.instances
        yield from instances_in(component.components)
        for instance in component.instances:
            yield from instances_in(instance.components)


def without_one(value: Any) -> Iterator[Any]:
    """The value as often as it has keys, each time without one of them."""
    if isinstance(value, dict):
        for key in value:
            yield {name: entry for name, entry in value.items() if name != key}
            for less in without_one(value[key]):
                yield {**value, key: less}
    elif isinstance(value, list):
        for index, entry in enumerate(value):
            for less in without_one(entry):
                yield [*value[:index], less, *value[index + 1 :]]


def test_no_field_of_an_object_or_a_pod_is_needed_but_the_kind() -> None:
    structure, obj, pods = one_of_each()
    covered = definitions(structure, INNER)
    whole = resolve(obj, covered, pods=pods, related=[])
    assert (whole.totals.pods, whole.totals.gpus, whole.phase, whole.problems) == (11, 11, "Running", ())
    for less in without_one(obj):
        if "kind" in less and "apiVersion" in less:
            SCHEMA.validate(resolve(less, covered, pods=pods, related=[]).to_dict())
    for some in without_one(pods):
        SCHEMA.validate(resolve(obj, covered, pods=some, related=[]).to_dict())


def test_no_optional_field_of_a_definition_is_needed() -> None:
    structure, obj, pods = one_of_each()
    tried = 0
    for less in without_one(msgspec.json.decode(msgspec.json.encode(structure))):
        try:
            changed = msgspec.convert(less, Definition)
        except msgspec.ValidationError:
            continue
        if changed.root.kind == structure.root.kind:
            tried += 1
            resolve(obj, definitions(changed, INNER), pods=pods, related=[])
    assert tried > 90


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@st.composite
def broken(draw: st.DrawFn, value: Any) -> Any:
    """A value in which one part is anything at all."""
    if not isinstance(value, dict | list) or not value or draw(st.integers(0, 4)) == 0:
        return draw(JSON)
    if isinstance(value, dict):
        key = draw(st.sampled_from(list(value)))
        return {**value, key: draw(broken(value[key]))}
    index = draw(st.integers(0, len(value) - 1))
    return [*value[:index], draw(broken(value[index])), *value[index + 1 :]]


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(worlds(), st.data())
def test_nothing_raises_but_for_what_is_no_covered_object(world: World, data: st.DataObject) -> None:
    obj = data.draw(broken(world.obj))
    pods = data.draw(broken(world.pods))
    related = data.draw(st.one_of(st.none(), st.lists(JSON, max_size=2)))
    try:
        workload = resolve(
            obj, world.definitions, pods=pods if isinstance(pods, list) else None, related=related
        )
    except WorkloadMapError:
        kind = (obj.get("apiVersion"), obj.get("kind")) if isinstance(obj, dict) else None
        assert kind != ("x.io/v1", "Thing")
        return
    SCHEMA.validate(workload.to_dict())
    assert msgspec.json.encode(workload.to_dict())
