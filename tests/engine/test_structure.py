"""Which components and instances there are, and how their fields find them: by location."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.engine.made_up import codes, definition, definitions, pod, template, thing, view
from workload_map.definition import NoDefinitionError
from workload_map.engine import Component, Instance, Workload, resolve

LIST = """
childComponents:
- name: role
  instanceIdPath: .spec.roles[].name
  specDefinition: {podTemplateSpecPath: ".spec.roles[].template"}
  scaleDefinition: {replicasPath: ".spec.roles[].replicas", defaults: {replicas: 1}}
"""

MAP = """
childComponents:
- name: service
  instanceIdPath: .spec.services | keys[]
  specDefinition: {podTemplateSpecPath: ".spec.services[].template"}
  scaleDefinition:
    replicasPath: .spec.services | to_entries[] | .value.replicas
    podsPerReplicaPath: .spec.services[] | .hosts // 1
"""


def only(workload: Workload) -> Component:
    (component,) = workload.components
    return component


def by_id(component: Component) -> dict[str | None, Instance]:
    return {instance.id: instance for instance in component.instances}


def role(name: str, gpus: int = 1, **more: Any) -> dict[str, Any]:
    return {"name": name, "template": template(gpus), **more}


def test_each_entry_of_a_list_is_an_instance() -> None:
    workload = view(LIST, thing({"roles": [role("a", 2, replicas=3), role("b", 1, replicas=2)]}))
    instances = by_id(only(workload))
    assert {name: (one.replicas, one.pods, one.gpus) for name, one in instances.items()} == {
        "a": (3, 3, 6),
        "b": (2, 2, 2),
    }
    assert (workload.totals.pods, workload.totals.gpus) == (5, 8)
    assert workload.problems == ()


@pytest.mark.parametrize(
    ("given", "expected"),
    [([2, None], [2, 1]), ([2, None, 0], [2, 1, 0]), ([None, None], [1, 1]), ([None, 3], [1, 3])],
)
def test_an_entry_without_a_count_takes_the_default_and_the_others_keep_theirs(
    given: list[int | None], expected: list[int]
) -> None:
    roles = [role(f"r{n}") | ({} if count is None else {"replicas": count}) for n, count in enumerate(given)]
    workload = view(LIST, thing({"roles": roles}))
    assert [one.replicas for one in only(workload).instances] == expected
    assert workload.problems == ()


def test_a_count_that_is_null_is_absent() -> None:
    workload = view(LIST, thing({"roles": [role("a", replicas=None), role("b", replicas=0)]}))
    assert [one.replicas for one in only(workload).instances] == [1, 0]


@pytest.mark.parametrize("spec", [{}, {"roles": None}, {"roles": []}, None], ids=str)
def test_without_entries_the_component_is_not_there(spec: Any) -> None:
    workload = view(LIST, thing(spec))
    assert workload.components == ()
    assert (workload.totals.pods, workload.totals.gpus) == (0, 0)
    assert workload.problems == ()


def test_entries_of_a_map_join_by_key_whatever_their_order() -> None:
    services = {
        "worker": {"template": template(4), "replicas": 2, "hosts": 3},
        "frontend": {"template": template(0), "replicas": 1},
        "decode": {"template": template(1), "replicas": 5},
    }
    expected = {"decode": (5, 5, 5), "frontend": (1, 1, 0), "worker": (2, 6, 24)}
    for names in (["worker", "frontend", "decode"], ["decode", "worker", "frontend"]):
        workload = view(MAP, thing({"services": {name: services[name] for name in names}}))
        found = {one.id: (one.replicas, one.pods, one.gpus) for one in only(workload).instances}
        assert found == expected
        assert [one.id for one in only(workload).instances] == sorted(expected)
        assert workload.problems == ()


def test_a_role_that_is_absent_is_no_phantom() -> None:
    structure = """
    childComponents:
    - {name: master, specDefinition: {podTemplateSpecPath: .spec.master.template}}
    - {name: worker, specDefinition: {podTemplateSpecPath: .spec.worker.template}}
    """
    workload = view(structure, thing({"master": {"template": template(1)}}))
    assert [one.name for one in workload.components] == ["master"]
    assert only(workload).instances[0].id is None
    assert workload.problems == ()


def test_a_role_without_a_pod_spec_in_the_object_needs_the_unknown() -> None:
    structure = """
    childComponents:
    - name: store
      presentPath: .spec.store != null
      specDefinition: {podTemplateSpecPath: .spec.store.template}
      scaleDefinition: {replicasPath: .spec.store.replicas}
    """
    workload = view(structure, thing({"store": {"replicas": 2}}))
    store = only(workload)
    assert (store.pods, store.gpus, store.requests, store.per_pod.requests) == (2, None, None, None)
    assert (workload.totals.pods, workload.totals.gpus) == (2, None)
    assert view(structure, thing({})).components == ()


def test_an_entry_without_a_template_is_there_and_needs_the_unknown() -> None:
    workload = view(LIST, thing({"roles": [role("a"), {"name": "b", "replicas": 2}]}))
    assert by_id(only(workload))["b"].pods == 2
    assert by_id(only(workload))["b"].gpus is None
    assert workload.totals.gpus is None
    assert codes(workload) == ["spec-missing"]


def test_one_bad_entry_spoils_its_own_field_only() -> None:
    roles = [role("a", replicas=2), role("b") | {"replicas": {"odd": 1}}, role("c", replicas=4)]
    workload = view(LIST, thing({"roles": roles}))
    assert [one.replicas for one in only(workload).instances] == [2, None, 4]
    assert (workload.totals.pods, only(workload).replicas) == (None, None)
    assert [(one.code, one.location) for one in workload.problems] == [
        ("replicas-invalid", "spec.roles[1].replicas")
    ]


def test_an_entry_that_is_no_object_spoils_itself_only() -> None:
    workload = view(LIST, thing({"roles": [role("a", replicas=2), "text", role("c", replicas=4)]}))
    instances = by_id(only(workload))
    assert (instances["a"].pods, instances["c"].pods) == (2, 4)
    assert workload.totals.pods is None
    assert {one.location for one in workload.problems} == {"spec.roles[1]"}
    assert "path-failed" in codes(workload)


def test_a_list_that_is_no_list_is_a_problem_and_not_an_empty_one() -> None:
    workload = view(LIST, thing({"roles": "three"}))
    assert "path-failed" in codes(workload)
    assert workload.totals.pods is None


def test_missing_and_repeated_ids_keep_their_pods() -> None:
    roles = [role("a"), role("a"), {"template": template(1)}, role("")]
    workload = view(LIST, thing({"roles": roles}))
    assert [one.id for one in only(workload).instances] == ["a", "a", None, None]
    assert workload.totals.pods == 4
    assert sorted(codes(workload)) == ["id-duplicate", "id-missing", "id-missing"]


def test_values_without_locations_join_in_order_when_they_are_as_many_and_say_so() -> None:
    structure = """
    childComponents:
    - name: role
      instanceIdPath: .spec.roles[].name
      specDefinition: {podTemplateSpecPath: ".spec.roles[].template"}
      scaleDefinition: {replicasPath: ".spec.counts[]"}
    """
    roles = [role("a"), role("b")]
    workload = view(structure, thing({"roles": roles, "counts": [3, 4]}))
    assert [one.replicas for one in only(workload).instances] == [3, 4]
    assert codes(workload) == ["joined-by-position"]
    workload = view(structure, thing({"roles": roles, "counts": [3]}))
    assert [one.replicas for one in only(workload).instances] == [None, None]
    assert codes(workload) == ["lengths-differ"]
    role_of = "spec.structureDefinition.childComponents[0]"
    what = (
        f"{role_of}.scaleDefinition.replicasPath gives 1 value and {role_of}.instanceIdPath gives 2 instances"
    )
    assert workload.problems[0].message.startswith(what)


@pytest.mark.parametrize("counts", ['.spec.text | split(",")[] | tonumber', ".spec.first, .spec.second"])
def test_several_values_above_all_entries_belong_to_none_but_by_their_order(counts: str) -> None:
    structure = f"""
    childComponents:
    - name: role
      instanceIdPath: .spec.roles[].name
      specDefinition: {{podTemplateSpecPath: ".spec.roles[].template"}}
      scaleDefinition: {{replicasPath: '{counts}'}}
    """
    given = {"text": "3,1", "first": 3, "second": 1}
    workload = view(structure, thing({"roles": [role("a"), role("b")], **given}))
    assert [one.replicas for one in only(workload).instances] == [3, 1]
    assert codes(workload) == ["joined-by-position"]
    for roles in ([role("a")], [role("a"), role("b"), role("c")]):
        workload = view(structure, thing({"roles": roles, **given}))
        assert {one.replicas for one in only(workload).instances} == {None}
        assert codes(workload) == ["lengths-differ"]


def test_a_value_above_all_entries_belongs_to_each() -> None:
    structure = """
    childComponents:
    - name: role
      instanceIdPath: .spec.roles[].name
      specDefinition: {podTemplateSpecPath: ".spec.roles[].template"}
      scaleDefinition: {replicasPath: .spec.replicas}
    """
    workload = view(structure, thing({"roles": [role("a"), role("b")], "replicas": 3}))
    assert [one.replicas for one in only(workload).instances] == [3, 3]
    assert workload.problems == ()


def test_of_several_values_for_one_entry_none_is_guessed() -> None:
    structure = """
    childComponents:
    - name: role
      instanceIdPath: .spec.roles[].name
      specDefinition: {podTemplateSpecPath: ".spec.roles[].template"}
      scaleDefinition: {replicasPath: ".spec.roles[] | .replicas, .other // empty"}
    """
    roles = [role("a", replicas=2, other=5), role("b", replicas=3), role("c", replicas=None, other=4)]
    workload = view(structure, thing({"roles": roles}))
    assert [one.replicas for one in only(workload).instances] == [None, 3, 4]
    assert (workload.totals.pods, codes(workload)) == (None, ["several-values"])


UNCERTAIN = """
childComponents:
- name: role
  instanceIdPath: .spec.roles[].name
  specDefinition:
    podTemplateSpecPath: .spec.roles[].template
    incompleteWhen: .spec.roles[] | .template.from != null, .oops // empty
    injectedContainersPath: .spec.roles[] | .added | if . == "oops" then error else . end
  presentPath: .spec.roles[] | if .template == null then .on, .oops // empty else true end
  scaleDefinition:
    replicasPath: .spec.roles[].replicas
    suspendedPath: .spec.roles[] | .off == true, .oops // empty
    defaults: {replicas: 1}
"""


@pytest.mark.parametrize(
    ("entry", "pods", "gpus", "found"),
    [
        ({"template": template(2)}, 1, 2, []),
        ({"template": template(2), "off": True}, 0, 0, []),
        # It may be suspended, so that there may be no pods; and its template may say less than all.
        ({"template": template(2), "oops": True}, None, None, ["several-values", "several-values"]),
        ({"on": True}, 1, None, []),
        ({"on": False}, 0, 0, []),
        # It may be there or not.
        ({"on": False, "oops": True}, None, None, ["several-values"] * 3),
        ({"template": template(2), "added": template(1)["spec"]["containers"]}, 1, 3, []),
        ({"template": template(2), "added": template(1)["spec"]["containers"][0]}, 1, 3, []),
        ({"template": template(2), "added": None}, 1, 2, []),
        ({"template": template(2), "added": ["x"]}, 1, None, ["spec-malformed"]),
        ({"template": template(2), "added": 5}, 1, None, ["spec-malformed"]),
        ({"template": template(2), "added": "oops"}, 1, None, ["path-failed"]),
    ],
)
def test_what_cannot_be_told_of_an_entry_is_in_no_sum(
    entry: dict[str, Any], pods: int | None, gpus: int | None, found: list[str]
) -> None:
    workload = view(UNCERTAIN, thing({"roles": [{"name": "a", **entry}]}))
    assert (workload.totals.pods, workload.totals.gpus) == (pods, gpus)
    assert codes(workload) == found


UNREADABLE = {
    "one": "specDefinition: {podTemplateSpecPath: .spec.roles.template}",
    "several": "specDefinition: {podTemplateSpecPath: '.spec.roles[].template'}",
    "with ids": """
  instanceIdPath: .spec.roles[].name
  specDefinition: {podTemplateSpecPath: ".spec.roles[].template"}
""",
    "in fragments": "specDefinition: {fragmentedPodSpecDefinition: {imagePath: .spec.roles.image}}",
    "in fragments with ids": """
  instanceIdPath: .spec.roles[].name
  specDefinition: {fragmentedPodSpecDefinition: {imagePath: ".spec.roles[].image"}}
""",
}


@pytest.mark.parametrize("fields", UNREADABLE.values(), ids=UNREADABLE)
@pytest.mark.parametrize("roles", ["text", "", 3, 0, True, False], ids=repr)
def test_how_many_there_are_is_unknown_where_nothing_can_be_read_of_them(fields: str, roles: Any) -> None:
    """A role may lie there or not: neither none nor one is a known number of pods."""
    structure = f"childComponents:\n- name: role\n  {fields}"
    workload = view(structure, thing({"roles": roles}))
    assert (workload.totals.pods, workload.totals.gpus) == (None, None)
    assert set(codes(workload)) == {"path-failed"}
    assert view(structure, thing({"roles": None})).totals.pods == 0


def test_an_entry_of_which_nothing_can_be_read_is_there_all_the_same() -> None:
    for fields in (UNREADABLE["several"], UNREADABLE["with ids"]):
        workload = view(f"childComponents:\n- name: role\n  {fields}", thing({"roles": [3]}))
        assert (workload.totals.pods, workload.totals.gpus) == (1, None)


def test_nothing_is_told_of_a_role_that_is_not_there() -> None:
    structure = """
    childComponents:
    - name: role
      specDefinition:
        podTemplateSpecPath: .spec.template
        injectedContainersPath: .status.ready
        incompleteWhen: .status.ready
        accelerators: [{path: .status.ready, resource: nvidia.com/gpu}]
      scaleDefinition: {replicasPath: .status.ready}
    """
    workload = view(structure, thing({}, status=0))
    assert (workload.components, workload.problems) == ((), ())


def test_what_says_that_a_role_is_there_counts_though_nothing_else_can_be_read() -> None:
    structure = """
    childComponents:
    - name: role
      presentPath: .spec.on
      specDefinition: {podTemplateSpecPath: .spec.role.template}
    """
    for is_on, pods in ((True, 1), (False, 0), (None, 0)):
        workload = view(structure, thing({"role": "text", "on": is_on}))
        assert (workload.totals.pods, codes(workload)) == (pods, ["path-failed"])


def test_the_values_of_an_entry_that_is_not_there_are_of_no_other() -> None:
    entries = [{"name": "a", "on": False, "replicas": 5}, {"name": "b", "on": True, "replicas": 2}]
    workload = view(UNCERTAIN, thing({"roles": [*entries, {"name": "c", "template": template(1)}]}))
    assert [(one.id, one.replicas) for one in only(workload).instances] == [("b", 2), ("c", 1)]
    assert codes(workload) == []


def test_the_root_is_a_component_where_it_bears_pods() -> None:
    structure = """
    rootComponent:
      name: job
      specDefinition: {podTemplateSpecPath: .spec.template}
      scaleDefinition: {replicasPath: .spec.parallelism, defaults: {replicas: 1}}
    childComponents:
    - {name: helper, specDefinition: {podSpecPath: .spec.helper}}
    """
    workload = view(
        structure, thing({"template": template(2), "parallelism": 3, "helper": template(1)["spec"]})
    )
    assert [(one.name, one.pods, one.gpus) for one in workload.components] == [
        ("job", 3, 6),
        ("helper", 1, 1),
    ]


def test_children_belong_to_the_instance_that_they_lie_in() -> None:
    structure = """
    childComponents:
    - name: group
      instanceIdPath: .spec.groups[].name
    - name: member
      ownerRef: group
      instanceIdPath: .spec.groups[].members[].name
      specDefinition: {podTemplateSpecPath: ".spec.groups[].members[].template"}
    """
    groups = [
        {"name": "g1", "members": [role("a", 1), role("b", 2)]},
        {"name": "g2", "members": [role("a", 4)]},
        {"name": "g3"},
    ]
    workload = view(structure, thing({"groups": groups}))
    group = only(workload)
    assert {one.id: (one.pods, one.gpus) for one in group.instances} == {
        "g1": (2, 3),
        "g2": (1, 4),
        "g3": (0, 0),
    }
    assert group.components == ()
    (members,) = by_id(group)["g1"].components
    assert [(one.id, one.gpus) for one in members.instances] == [("a", 1), ("b", 2)]
    assert (group.pods, workload.totals.gpus) == (3, 7)
    assert workload.problems == ()


def test_an_instance_may_name_its_parent() -> None:
    structure = """
    childComponents:
    - {name: pool, instanceIdPath: ".spec.pools[].name"}
    - name: role
      ownerRef: pool
      instanceIdPath: .spec.roles[].name
      parentInstancePath: .spec.roles[].pool
      specDefinition: {podTemplateSpecPath: ".spec.roles[].template"}
    """
    spec = {
        "pools": [{"name": "p"}, {"name": "q"}],
        "roles": [role("a", 1, pool="q"), role("b", 2, pool="none")],
    }
    workload = view(structure, thing(spec))
    pool = only(workload)
    assert {one.id: one.gpus for one in pool.instances} == {"p": 0, "q": 1}
    assert [one.instances[0].id for one in pool.components] == ["b"]
    assert codes(workload) == ["parent-unknown"]


def test_levels_without_pods_below_them_are_left_out() -> None:
    structure = """
    childComponents:
    - {name: level, kind: {group: apps, version: v1, kind: ReplicaSet}}
    - {name: below, ownerRef: level}
    """
    assert view(structure, thing({})).components == ()


def test_fragments_make_a_pod_spec() -> None:
    structure = """
    childComponents:
    - name: service
      instanceIdPath: .spec.services | keys[]
      specDefinition:
        fragmentedPodSpecDefinition:
          resourcesPath: .spec.services[].resources
          imagePath: .spec.services[].image
          labelsPath: .spec.services[].labels
    """
    services = {
        "a": {"resources": {"limits": {"nvidia.com/gpu": 2, "cpu": "500m"}}, "image": "a:1"},
        "b": {},
    }
    service = only(view(structure, thing({"services": services})))
    first, second = service.instances
    assert (first.per_pod.image, first.gpus) == ("a:1", 2)
    assert first.requests is not None
    assert first.requests.strings() == {"cpu": "500m", "nvidia.com/gpu": "2"}
    assert (second.per_pod.image, second.gpus, second.pods) == (None, None, 1)


def test_containers_that_the_operator_adds_count() -> None:
    structure = """
    childComponents:
    - name: head
      specDefinition:
        podTemplateSpecPath: .spec.head
        injectedContainersPath: 'select(.spec.autoscaling == true) | {resources: {limits: {cpu: "500m"}}}'
    """
    assert _cpu(view(structure, thing({"head": template(1, cpu="2"), "autoscaling": True}))) == "2500m"
    assert _cpu(view(structure, thing({"head": template(1, cpu="2")}))) == "2"


@pytest.mark.parametrize(
    ("added", "gpus"),
    [
        (".spec.added", {"a": 11, "b": 12}),
        (".spec.added[]", {"a": 11, "b": 12}),
        (".spec.added[0]", {"a": 11, "b": 12}),
        (".spec.text | fromjson", {"a": 21, "b": 22}),
        (".spec.groups[].added", {"a": 101, "b": 202}),
        (".spec.groups[].added[]", {"a": 101, "b": 202}),
        (".spec.groups[].roles[].added", {"a": 4, "b": 6}),
        (".spec.groups[0].roles[0].added", {"a": 4, "b": 2}),
    ],
)
def test_containers_that_the_operator_adds_count_where_they_lie(added: str, gpus: dict[str, int]) -> None:
    """What lies outside of all entries is added to each, what lies in an entry to no other."""
    structure = f"""
    childComponents:
    - name: role
      instanceIdPath: '.spec.groups[].roles[] | select(.name != "other") | .name'
      specDefinition:
        podTemplateSpecPath: '.spec.groups[].roles[] | select(.name != "other") | .template'
        injectedContainersPath: {added}
    """

    def containers(count: int) -> Any:
        return template(count)["spec"]["containers"]

    first = {"added": containers(100), "roles": [role("a", 1, added=containers(3))]}
    others = [role("b", 2, added=containers(4)), role("other", 5, added=containers(6))]
    second = {"added": containers(200), "roles": others}
    spec = {"groups": [first, second], "added": containers(10), "text": json.dumps(containers(20))}
    workload = view(structure, thing(spec))
    assert {name: one.gpus for name, one in by_id(only(workload)).items()} == gpus
    assert workload.problems == ()


def test_init_containers_that_the_operator_adds_count_where_the_others_ask_for_less() -> None:
    structure = """
    childComponents:
    - name: role
      instanceIdPath: .spec.roles[].name
      specDefinition:
        podTemplateSpecPath: .spec.roles[].template
        injectedInitContainersPath: '{name: "wait", resources: {limits: {cpu: "500m"}}}'
    """
    roles = [{"name": "a", "template": template(cpu="2")}, {"name": "b", "template": template(cpu="100m")}]
    component = only(view(structure, thing({"roles": roles})))
    assert [one.per_pod.requests.strings() for one in component.instances if one.per_pod.requests] == [
        {"cpu": "2"},
        {"cpu": "500m"},
    ]
    assert component.per_pod.injected == ("wait",)


@pytest.mark.parametrize("field", ["injectedContainersPath", "injectedInitContainersPath"])
def test_workloads_that_differ_in_the_names_of_what_is_added_alone_are_kept_apart(field: str) -> None:
    structure = f"""
    childComponents:
    - name: role
      specDefinition:
        podTemplateSpecPath: .spec.template
        {field}: ".spec | select(.helper) | {{name: .helper}}"
    """
    known = definitions(definition(structure))
    helpers = ["wait", "fetch", None, "wait"]
    found = [resolve(thing({"template": template(1), "helper": one}), known) for one in helpers]
    assert [only(one).per_pod.injected for one in found] == [("wait",), ("fetch",), (), ("wait",)]


def test_where_nothing_says_what_pods_need_what_the_operator_adds_does_not_either() -> None:
    structure = """
    childComponents:
    - name: role
      instanceIdPath: .spec.roles[].name
      specDefinition:
        podTemplateSpecPath: .spec.roles[].template
        injectedContainersPath: '.spec.roles[] | {name: "proxy"}'
        injectedInitContainersPath: '.spec.roles[] | {name: "wait"}'
    """
    workload = view(structure, thing({"roles": [{"name": "a", "template": template()}, {"name": "b"}]}))
    assert codes(workload) == ["spec-missing"]
    assert [one.per_pod.injected for one in only(workload).instances] == [("proxy", "wait"), ()]


@pytest.mark.parametrize("there", [True, False])
def test_what_the_operator_adds_to_a_component_is_read_only_where_the_component_is_there(there: bool) -> None:
    structure = """
    childComponents:
    - name: role
      specDefinition:
        podTemplateSpecPath: .spec.template
        injectedContainersPath: '.spec.proxy.name | {name: .}'
        injectedInitContainersPath: .spec.proxy
    """
    workload = view(structure, thing({"proxy": "oops", **({"template": template(1)} if there else {})}))
    assert codes(workload) == (["path-failed", "spec-malformed"] if there else [])
    assert [component.pods for component in workload.components] == ([1] if there else [])


def test_an_added_init_container_that_is_none_leaves_unknown_what_pods_need() -> None:
    structure = """
    childComponents:
    - name: role
      instanceIdPath: .spec.roles[].name
      specDefinition:
        podTemplateSpecPath: .spec.roles[].template
        injectedInitContainersPath: .spec.roles[].wait
    """
    roles = [
        {"name": "a", "template": template(1), "wait": "oops"},
        {"name": "b", "template": template(1), "wait": [{"name": "wait"}]},
        {"name": "c", "template": template(1), "wait": None},
    ]
    workload = view(structure, thing({"roles": roles}))
    assert codes(workload) == ["spec-malformed"]
    assert [one.gpus for one in only(workload).instances] == [None, 1, 1]


def test_containers_that_the_operator_adds_are_named_as_such() -> None:
    structure = """
    childComponents:
    - name: role
      instanceIdPath: .spec.roles[].name
      specDefinition:
        podTemplateSpecPath: .spec.roles[].template
        injectedContainersPath: '.spec.roles[] | select(.proxied) | {name: "proxy", image: .image}'
        accelerators: [{path: ".spec.roles[].gpu", resource: nvidia.com/gpu}]
    """
    component = only(view(structure, thing({"roles": [role("a", proxied=True, gpu=1), role("b", gpu=1)]})))
    assert [one.per_pod.injected for one in component.instances] == [("proxy",), ()]
    assert component.per_pod.injected is None


def test_what_is_decided_elsewhere_is_unknown() -> None:
    structure = """
    childComponents:
    - name: node
      specDefinition: {podTemplateSpecPath: .spec.template, incompleteWhen: .spec.runtime != null}
    """
    assert view(structure, thing({"template": template(1), "runtime": "r"})).totals.gpus is None
    assert view(structure, thing({"template": template(1)})).totals.gpus == 1


def test_a_notation_of_its_own_counts_as_accelerators() -> None:
    structure = """
    childComponents:
    - name: service
      instanceIdPath: .spec.services[].name
      specDefinition:
        podTemplateSpecPath: .spec.services[].template
        accelerators: [{path: ".spec.services[].gpu", resource: nvidia.com/gpu}]
    """
    services = [role("a", 0, gpu="2"), role("b", 0)]
    workload = view(structure, thing({"services": services}))
    assert [one.gpus for one in only(workload).instances] == [2, 0]


def _cpu(workload: Workload) -> str | None:
    requests = workload.totals.requests
    return None if requests is None else requests.strings()["cpu"]


def test_an_odd_amount_in_a_notation_of_its_own_is_unknown_and_told() -> None:
    structure = """
    childComponents:
    - name: service
      instanceIdPath: .spec.services[].name
      specDefinition:
        podTemplateSpecPath: .spec.services[].template
        accelerators: [{path: ".spec.services[].gpu", resource: nvidia.com/gpu}]
    """
    services = [role("a", 0, gpu="many"), role("b", 0, gpu=-1), role("c", 0, gpu=3)]
    workload = view(structure, thing({"services": services}))
    assert [one.gpus for one in only(workload).instances] == [None, None, 3]
    assert codes(workload) == ["bad-quantity", "negative-quantity"]


def test_what_is_decided_elsewhere_is_decided_for_each_entry() -> None:
    structure = """
    childComponents:
    - name: node
      instanceIdPath: .spec.nodes[].name
      specDefinition:
        podTemplateSpecPath: .spec.nodes[].template
        incompleteWhen: .spec.nodes[] | .runtime != null
    """
    nodes = [role("a", 2), role("b", 2, runtime="r")]
    first, second = only(view(structure, thing({"nodes": nodes}))).instances
    assert (first.gpus, first.pods, second.gpus, second.pods) == (2, 1, None, 1)
    assert (second.per_pod.requests, second.per_pod.image) == (None, "app:1")


def test_a_definition_fits_the_further_versions_that_it_names() -> None:
    root = "rootComponent: {kind: {group: x.io, version: v1, kind: Thing, versions: [v1beta1]}, SPEC}"
    structure = root.replace("SPEC", "specDefinition: {podTemplateSpecPath: .spec.template}")
    older = thing({"template": template(2)}) | {"apiVersion": "x.io/v1beta1"}
    assert view(structure, older).totals.gpus == 2
    with pytest.raises(NoDefinitionError):
        view(structure, older | {"apiVersion": "x.io/v2"})


def test_a_path_that_makes_values_without_end_makes_no_instances() -> None:
    structure = """
    childComponents:
    - name: role
      specDefinition: {podTemplateSpecPath: "limit(100000; repeat(.spec.template))"}
    """
    workload = view(structure, thing({"template": template(1)}))
    assert codes(workload) == ["path-budget"]
    assert (workload.totals.pods, workload.totals.gpus) == (None, None)


def test_a_long_list_of_the_object_is_no_such_path() -> None:
    workload = view(LIST, thing({"roles": [role(f"r{number}") for number in range(6_000)]}))
    assert workload.totals.pods == 6_000


NULL_AMOUNT = {"containers": [{"resources": {"requests": {"cpu": None}, "limits": {"cpu": "2"}}}]}


@pytest.mark.parametrize(
    ("api_version", "kind", "cpu", "found"),
    [
        ("apps/v1", "Deployment", "0", ["null-quantity"]),
        ("batch/v1", "Job", "0", ["null-quantity"]),
        ("v1", "Pod", "0", ["null-quantity"]),
        ("x.io/v1", "Thing", "2", []),
        ("batch.x.io/v1", "Job", "2", []),
    ],
)
def test_a_null_amount_is_zero_in_kinds_of_kubernetes_and_left_out_in_custom_resources(
    api_version: str, kind: str, cpu: str, found: list[str]
) -> None:
    group, _, version = api_version.rpartition("/")
    structure = f"""
    rootComponent:
      kind: {{group: "{group}", version: {version}, kind: {kind}}}
      specDefinition: {{podSpecPath: .spec.pod}}
    """
    obj = thing({"pod": NULL_AMOUNT}) | {"apiVersion": api_version, "kind": kind}
    workload = view(structure, obj)
    assert workload.totals.requests is not None
    assert (workload.totals.requests.strings(), codes(workload)) == ({"cpu": cpu}, found)


FRAGMENTED = """
childComponents:
- name: worker
  specDefinition:
    fragmentedPodSpecDefinition:
      containersPath: .spec.containers
      containerPath: .spec.container
      initContainersPath: .spec.inits
      resourcesPath: .spec.resources
      resourceClaimsPath: .spec.claims
      imagePath: .spec.image
"""


SCALARS: list[Any] = ["x", 3, True]
ODD_FRAGMENTS: dict[str, list[Any]] = {
    "containers": [*SCALARS, {"a": {}}, [3], [None], ["x"], [{}, 3]],
    "inits": [*SCALARS, {"a": {}}],
    "claims": [*SCALARS, {"a": {}}],
    "container": [*SCALARS, [{}]],
    "resources": [*SCALARS, [{}]],
}


@pytest.mark.parametrize(
    ("field", "odd"), [(field, odd) for field, some in ODD_FRAGMENTS.items() for odd in some], ids=str
)
def test_a_fragment_that_the_api_does_not_have_there_leaves_what_pods_need_unknown(
    field: str, odd: Any
) -> None:
    beside: dict[str, Any] = {"resources": {"limits": {"cpu": "1"}}, "image": "i"}
    for more in ({}, beside):
        workload = view(FRAGMENTED, thing({**more, field: odd}))
        (instance,) = only(workload).instances
        assert (instance.pods, instance.gpus, instance.requests) == (1, None, None)
        assert codes(workload) == ["spec-malformed"]


def test_the_resources_beside_containers_are_those_of_the_first() -> None:
    containers = [{"image": "a"}, *template(2)["spec"]["containers"]]
    spec = {"containers": containers, "resources": {"limits": {"nvidia.com/gpu": 1}}}
    workload = view(FRAGMENTED, thing(spec))
    assert (workload.totals.gpus, workload.problems) == (3, ())
    assert view(FRAGMENTED, thing({**spec, "resources": None})).totals.gpus == 2


def test_accelerators_beside_a_template_do_not_stand_for_it() -> None:
    structure = """
    childComponents:
    - name: worker
      instanceIdPath: .spec.roles[].name
      specDefinition:
        podTemplateSpecPath: .spec.roles[].template
        accelerators: [{path: ".spec.roles[].gpus", resource: nvidia.com/gpu}]
    """
    roles = [{"name": "a", "gpus": 2, "template": template(1)}, {"name": "b", "gpus": 2}]
    workload = view(structure, thing({"roles": roles}))
    assert [one.gpus for one in only(workload).instances] == [3, None]
    assert codes(workload) == ["spec-missing"]


@pytest.mark.parametrize(
    ("metadata", "queue"),
    [
        ({"labels": {"kueue.x-k8s.io/queue-name": "team"}}, "team"),
        ({"labels": {}}, None),
        ({"labels": None}, None),
        (None, None),
        ("odd", None),
    ],
)
def test_metadata_beside_a_pod_spec_is_that_of_its_pods(metadata: Any, queue: str | None) -> None:
    structure = (
        "childComponents: [{name: w, specDefinition: {podSpecPath: .spec.pod, metadataPath: .spec.meta}}]"
    )
    workload = view(structure, thing({"pod": template(1)["spec"], "meta": metadata}))
    assert (workload.queue.name if workload.queue else None, workload.totals.gpus) == (queue, 1)


@pytest.mark.parametrize(
    ("containers", "told"),
    [
        (["none"], None),
        ([{"name": "main", "resources": {"requests": {"cpu": "1"}}}, "none"], {"cpu": None}),
        ([{"name": "main", "resources": {}}], {}),
    ],
)
def test_amounts_that_may_lack_a_part_are_told_as_unknown(containers: Any, told: Any) -> None:
    structure = """
childComponents:
- name: role
  specDefinition: {podTemplateSpecPath: .spec.template}
"""
    spec = {"template": {"spec": {"containers": containers}}}
    document = view(structure, thing(spec)).to_dict()
    assert document["totals"]["requests"] == told
    assert document["components"][0]["perPod"]["requests"] == told
    pods = [{**pod("p"), "spec": {"containers": containers}}]
    (member,) = view(structure, thing(spec), pods).to_dict()["components"][0]["members"]
    assert member["requests"] == told
