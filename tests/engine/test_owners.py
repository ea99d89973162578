"""Chains of controllers, by UID, in any order, broken and whole."""

from __future__ import annotations

from typing import Any

import pytest

from workload_map.catalog import Catalog
from workload_map.engine.nodes import MAX_DEPTH
from workload_map.engine.owners import OwnerIndex


def obj(kind: str, uid: str, owner: str | None = None, **meta: Any) -> dict[str, Any]:
    references = (
        [{"kind": "Any", "apiVersion": "x/v1", "name": owner, "uid": owner, "controller": True}]
        if owner
        else []
    )
    version = "v1" if kind == "Pod" else "x/v1"
    return {
        "apiVersion": version,
        "kind": kind,
        "metadata": {"name": uid, "namespace": "n", "uid": uid, "ownerReferences": references, **meta},
    }


def names(objects: Any) -> list[str]:
    return [one["metadata"]["name"] for one in objects]


def test_pods_are_found_through_owners_that_come_later() -> None:
    pod, job, jobset = obj("Pod", "p", "job"), obj("Job", "job", "set"), obj("JobSet", "set")
    index = OwnerIndex([pod, job, jobset])
    assert names(index.pods_under(jobset)) == ["p"]
    assert names(index.chain(pod).owners) == ["job", "set"]


def test_a_chain_may_pass_through_pods() -> None:
    leader, workers, worker = (
        obj("Pod", "leader", "set"),
        obj("StatefulSet", "sts", "leader"),
        obj("Pod", "w", "sts"),
    )
    index = OwnerIndex([obj("LWS", "set"), worker, workers, leader])
    assert names(index.pods_under(index.objects[0])) == ["leader", "w"]


def test_a_pod_has_itself_as_its_pod_whatever_it_owns() -> None:
    leader, workers, worker = (
        obj("Pod", "leader", "set"),
        obj("StatefulSet", "sts", "leader"),
        obj("Pod", "w", "sts"),
    )
    everything = OwnerIndex([obj("LWS", "set"), worker, workers, leader])
    assert everything.pods_under(leader) == [leader]
    # As where the pod alone was asked for.
    assert OwnerIndex([leader]).pods_under(leader) == [leader]


def test_an_owner_that_is_no_controller_does_not_count() -> None:
    pod = obj("Pod", "p", "other")
    pod["metadata"]["ownerReferences"][0]["controller"] = False
    index = OwnerIndex([pod, obj("Job", "other")])
    assert index.chain(pod).owners == ()
    assert index.pods_under(index.objects[1]) == []


def test_the_same_name_with_another_uid_is_another_owner() -> None:
    pod = obj("Pod", "p", "old-uid")
    job = obj("Job", "new-uid")
    pod["metadata"]["ownerReferences"][0]["name"] = "new-uid"
    index = OwnerIndex([pod, job])
    assert index.pods_under(job) == []
    missing = index.chain(pod).missing
    assert missing is not None
    assert missing["uid"] == "old-uid"


def test_a_missing_owner_ends_the_chain_and_is_told() -> None:
    index = OwnerIndex([obj("Pod", "p1", "gone"), obj("Pod", "p2", "gone"), obj("JobSet", "set")])
    (orphans,) = index.orphans
    assert (orphans.kind, orphans.namespace, orphans.owner_names) == ("Any", "n", ("gone",))
    assert names(orphans.objects) == ["p1", "p2"]


def test_a_cycle_ends() -> None:
    a, b = obj("A", "a", "b"), obj("B", "b", "a")
    pod = obj("Pod", "p", "a")
    index = OwnerIndex([a, b, pod])
    assert index.chain(a).cycle
    assert names(index.pods_under(a)) == ["p"]
    assert names(index.pods_under(b)) == ["p"]


def test_a_chain_that_is_too_long_ends() -> None:
    links = [obj("A", f"u{number}", f"u{number + 1}") for number in range(MAX_DEPTH + 5)]
    chain = OwnerIndex([*links, obj("A", f"u{MAX_DEPTH + 5}")]).chain(links[0])
    assert chain.too_deep
    assert len(chain.owners) == MAX_DEPTH


def test_owners_can_be_looked_up() -> None:
    job = obj("Job", "job", "set")
    asked = []

    def lookup(reference: dict[str, Any]) -> dict[str, Any] | None:
        asked.append((reference["uid"], reference["namespace"]))
        return job if reference["uid"] == "job" else None

    jobset = obj("JobSet", "set")
    index = OwnerIndex(
        [jobset, obj("Pod", "p1", "job"), obj("Pod", "p2", "job"), obj("Pod", "p3", "nobody")], lookup
    )
    assert names(index.pods_under(jobset)) == ["p1", "p2"]
    assert asked == [("job", "n"), ("nobody", "n")]


def test_a_lookup_that_answers_with_another_object_is_not_believed() -> None:
    jobset = obj("JobSet", "set")
    index = OwnerIndex([jobset, obj("Pod", "p", "job")], lambda _: obj("Job", "other", "set"))
    assert index.pods_under(jobset) == []


def test_an_object_given_twice_counts_once() -> None:
    pod, jobset = obj("Pod", "p", "set"), obj("JobSet", "set")
    index = OwnerIndex([jobset, pod, obj("Pod", "p", "set")])
    assert names(index.pods_under(jobset)) == ["p"]
    assert index.shared_uids == []


def test_two_pods_with_one_uid_are_both_kept_and_told() -> None:
    first, second = obj("Pod", "p", "set"), obj("Pod", "p", "set", name="q")
    index = OwnerIndex([obj("JobSet", "set"), first, second])
    assert names(index.pods_under(index.objects[0])) == ["p", "q"]
    assert index.shared_uids == ["p"]


@pytest.mark.parametrize(
    "broken", [None, [], "text", [None], [{"controller": True}], [{"controller": True, "uid": 3}]]
)
def test_malformed_owner_references_never_raise(broken: Any) -> None:
    pod = obj("Pod", "p")
    pod["metadata"]["ownerReferences"] = broken
    index = OwnerIndex([pod, obj("JobSet", "set")])
    assert index.chain(pod).owners == ()
    assert index.pods_under(index.objects[1]) == []


def test_owners_lie_in_the_namespace_of_what_they_own_or_in_none() -> None:
    workload = obj("JobSet", "set")
    stranger = obj("Pod", "p", "set", namespace="other")
    index = OwnerIndex([workload, stranger, obj("Pod", "q", "set")])
    assert names(index.pods_under(workload)) == ["q"]
    assert index.chain(stranger).owners == ()
    assert index.chain(stranger).missing is not None
    assert [(one.namespace, names(one.objects)) for one in index.orphans] == [("other", ["p"])]
    wide = obj("ClusterSet", "wide")
    del wide["metadata"]["namespace"]
    assert names(OwnerIndex([wide, obj("Pod", "p", "wide")]).pods_under(wide)) == ["p"]


def test_a_pod_of_another_namespace_waits_on_when_the_uid_comes() -> None:
    index = OwnerIndex([obj("Pod", "p", "set", namespace="other")])
    assert len(index.orphans) == 1
    index.add(obj("JobSet", "set"))
    assert len(index.orphans) == 1


@pytest.mark.parametrize("is_at_hand", [True, False])
def test_a_static_pod_is_a_workload_of_its_own_whether_its_machine_is_at_hand_or_not(
    is_at_hand: bool,
) -> None:
    """Kubelets call the machine the controller of what stands for a static pod."""
    reference = {"apiVersion": "v1", "kind": "Node", "name": "m", "uid": "m", "controller": True}
    pod = obj("Pod", "etcd-m", ownerReferences=[reference])
    machine = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "m", "uid": "m"}}
    index = OwnerIndex([pod, machine] if is_at_hand else [pod])
    assert names(index.top_level(Catalog.builtin())) == ["etcd-m"]
    assert index.orphans == []
    assert index.chain(pod).owners == ()


def test_what_a_kind_of_another_group_controls_that_is_called_node_waits_for_it() -> None:
    pod = obj("Pod", "p", "gone")
    pod["metadata"]["ownerReferences"][0]["kind"] = "Node"
    assert len(OwnerIndex([pod]).orphans) == 1
