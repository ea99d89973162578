"""Containers that the operator adds, joined to the instances that have them by where they lie."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine.made_up import codes, template, thing, view
from workload_map.engine import Instance, Workload

INJECTED = """
childComponents:
- name: role
  instanceIdPath: IDS
  specDefinition: {podTemplateSpecPath: TEMPLATES, injectedContainersPath: ADDED}
"""


def resolved(spec: Any, ids: str, templates: str, added: str) -> Workload:
    structure = INJECTED
    for word, text in (("IDS", ids), ("TEMPLATES", templates), ("ADDED", added)):
        structure = structure.replace(word, f"'{text}'")
    return view(structure, thing(spec))


def instances(workload: Workload) -> list[Instance]:
    return [one for component in workload.components for one in component.instances]


def device(count: int) -> dict[str, Any]:
    return {"resources": {"limits": {"nvidia.com/gpu": count}}}


ROLES = [
    {"name": "a", "template": template(1), "extra": device(2)["resources"]},
    {"name": "b", "template": template(1), "extra": device(4)["resources"]},
]


@pytest.mark.parametrize(
    ("added", "gpus", "found"),
    [
        # Each lies in the entry that it was taken from.
        (".spec.roles[] | {resources: .extra}", [3, 5], []),
        (".spec.roles[].extra | {resources: .}", [3, 5], []),
        (".spec.roles | to_entries[] | {resources: .value.extra}", [3, 5], []),
        (".spec.roles | first(.[]) | {resources: .extra}", [3, 1], []),
        # What lies in no entry is that of all, however many there are.
        ("{resources: .spec.roles[0].extra}", [3, 3], []),
        (
            "{resources: .spec.roles[0].extra}, {resources: .spec.roles[0].extra}",
            [5, 5],
            [],
        ),
        ("{resources: .spec.proxy}, {resources: .spec.proxy}", [17, 17], []),
        ("{resources: .spec.proxies[]}", [10, 10], []),
        ('[.spec.roles[].extra.limits[]] | {resources: {limits: {"nvidia.com/gpu": add}}}', [7, 7], []),
        # Computed beside the entries, from each of them: their order is all that is left.
        ("{resources: .spec.roles[].extra}", [3, 5], ["joined-by-position"]),
        (".spec.roles[].extra as $extra | {resources: $extra}", [3, 5], ["joined-by-position"]),
        ("{a: .spec.roles[].extra, resources: .spec.roles[].extra}", [None, None], ["lengths-differ"]),
        (
            "{resources: (.spec.roles[].extra, .spec.proxy)}",
            [None, None],
            ["lengths-differ"],
        ),
    ],
)
def test_a_container_is_that_of_the_instance_it_was_made_for(
    added: str, gpus: list[int | None], found: list[str]
) -> None:
    spec = {
        "roles": ROLES,
        "proxy": device(8)["resources"],
        "proxies": [device(4)["resources"], device(5)["resources"]],
    }
    workload = resolved(spec, ".spec.roles[].name", ".spec.roles[].template", added)
    assert [one.gpus for one in instances(workload)] == gpus
    assert codes(workload) == found


def test_instances_at_one_place_all_have_what_lies_there() -> None:
    spec = {"template": template(1), "proxy": device(2)}
    workload = resolved(spec, '"a", "b"', ".spec.template, .spec.template", ".spec.proxy")
    assert [(one.id, one.gpus) for one in instances(workload)] == [("a", 3), ("b", 3)]


counts = st.integers(0, 3)
names = st.sampled_from(["a", "b", "roles", "sidecars", "shared"])


def entries(inner: st.SearchStrategy[Any], least: int = 0) -> st.SearchStrategy[Any]:
    """A list, or a map whose keys may look like the names of fields."""
    return st.lists(inner, min_size=least, max_size=3) | st.dictionaries(
        names, inner, min_size=least, max_size=3
    )


roles = st.builds(lambda gpus: {"template": template(gpus)}, counts)
groups = st.fixed_dictionaries(
    {"roles": entries(roles), "sidecars": st.lists(counts.map(device), max_size=2), "one": counts.map(device)}
)
specs = st.fixed_dictionaries(
    {"groups": entries(groups, least=1), "sidecars": st.lists(counts.map(device), max_size=2)}
)
EACH_ROLE = (
    ".spec.groups[].roles[]",
    ".spec.groups | to_entries[] | .value.roles[]",
    ".spec.groups[] | .roles | to_entries[] | .value",
    ".spec.groups | map(.roles[])[]",
)
OF_THE_GROUP = (
    ".spec.groups[].sidecars[]",
    ".spec.groups[].sidecars",
    ".spec.groups | to_entries[] | .value.sidecars[]",
    ".spec.groups[] | .sidecars[] | {resources}",
    ".spec.groups[] | {resources: .sidecars[].resources}",
)


def values(listed: Any) -> list[Any]:
    """The entries as `[]` gives them: those of a map in the order of its keys."""
    return [listed[key] for key in sorted(listed)] if isinstance(listed, dict) else listed


def asked(containers: list[Any]) -> int:
    return sum(one["resources"]["limits"]["nvidia.com/gpu"] for one in containers)


@settings(max_examples=150, deadline=None, database=None)
@given(specs, st.sampled_from(EACH_ROLE), st.sampled_from(EACH_ROLE), st.sampled_from(OF_THE_GROUP))
def test_each_instance_has_the_containers_of_its_own_group_and_those_of_all(
    spec: Any, each: str, other: str, added: str
) -> None:
    every_group = values(spec["groups"])
    own = [
        (asked(role["template"]["spec"]["containers"]), group)
        for group in every_group
        for role in values(group["roles"])
    ]
    ids = f"{each} | .template.spec.containers[0].image"
    workload = resolved(spec, ids, f"{other} | .template", f"({added}), .spec.sidecars[], .spec.groups[].one")
    expected = [
        gpus + asked(group["sidecars"]) + asked([group["one"]]) + asked(spec["sidecars"])
        for gpus, group in own
    ]
    assert [one.gpus for one in instances(workload)] == expected
    assert {*codes(workload)} <= {"id-duplicate"}
