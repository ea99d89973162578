"""The role that `wmap rbac` prints: it is enough for every command, and no part of it is too much."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.cluster.cluster import Cluster
from tests.cluster.conftest import StartOperators, Wmap
from tests.cluster.pods import has, pod
from tests.cluster.processes import ClusterError, wait_until
from tests.cluster.test_live_watch import Following, following
from tests.cluster.test_workloads import deployment, jobset

USER = "reader"
NAMESPACE, WAITING = "rights", "rights-waiting"
RBAC = "rbac.authorization.k8s.io"
OPERATORS = ("kuberay", "training-operator", "mpi-operator", "trainer", "appwrapper")
# What needs each resource that no list of its own kind asks for.
SPECIAL = {
    "events": ("describe", "deployment/serve", "-n", NAMESPACE, "--events"),
    "kartas.run.ai": ("definitions",),
    "customresourcedefinitions.apiextensions.k8s.io": ("dump", "jobsets", "-n", NAMESPACE),
    "trainingruntimes.trainer.kubeflow.org": ("describe", "trainjob/own", "-n", WAITING),
    "clustertrainingruntimes.trainer.kubeflow.org": ("describe", "trainjob/shared", "-n", WAITING),
    "resourceclaims.resource.k8s.io": ("describe", "pod/claims", "-n", NAMESPACE),
    "resourceclaimtemplates.resource.k8s.io": ("describe", "pod/claims", "-n", NAMESPACE),
}
# No JobSet can be made of these TrainJobs, so what they need is read from their runtimes.
TRAIN_JOBS = """
apiVersion: v1
kind: ResourceQuota
metadata: {name: no-jobsets}
spec: {hard: {count/jobsets.jobset.x-k8s.io: "0"}}
---
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainingRuntime
metadata: {name: own, labels: {trainer.kubeflow.org/framework: torch}}
spec:
  mlPolicy: {numNodes: 1, torch: {}}
  template:
    spec:
      replicatedJobs:
      - name: node
        template:
          metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}
          spec:
            template: {spec: {restartPolicy: Never, containers: [{name: node, image: example.org/train:1}]}}
---
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: own}
spec: {runtimeRef: {kind: TrainingRuntime, name: own}}
---
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: shared}
spec: {runtimeRef: {name: torch-distributed}}
"""
CLAIMS = """
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: card}
spec: {devices: {requests: [{name: card, exactly: {deviceClassName: gpu.example.com}}]}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: cards}
spec: {spec: {devices: {requests: [{name: card, exactly: {deviceClassName: gpu.example.com}}]}}}
---
apiVersion: v1
kind: Pod
metadata: {name: claims}
spec:
  containers: [{name: main, image: "example.org/main:1", resources: {claims: [{name: one}, {name: other}]}}]
  resourceClaims: [{name: one, resourceClaimName: card}, {name: other, resourceClaimTemplateName: cards}]
"""


@pytest.fixture(scope="module")
def workloads(cluster: Cluster, operators: StartOperators) -> Iterator[None]:
    operators(*OPERATORS)
    cluster.create_namespace(NAMESPACE)
    made = cluster.apply([jobset("train", 2, after="0s"), deployment("serve", 2)], NAMESPACE)
    cluster.apply(CLAIMS, NAMESPACE)
    machine = cluster.client.get("/api/v1/nodes/node-1")["metadata"]
    reference = {"apiVersion": "v1", "kind": "Node", "name": machine["name"], "uid": machine["uid"]}
    static = pod("static-node-1", "Always")
    static["metadata"]["ownerReferences"] = [{**reference, "controller": True}]
    cluster.apply([static], NAMESPACE)
    cluster.create_namespace(WAITING)
    cluster.apply(TRAIN_JOBS, WAITING)
    cluster.wait_for(made[0], lambda found: has(found, "Completed"))
    cluster.wait_for(made[1], lambda found: found.get("status", {}).get("readyReplicas") == 2)
    yield
    for name in (NAMESPACE, WAITING):
        cluster.client.delete({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})


@pytest.fixture
def role(wmap: Wmap, cluster: Cluster) -> Iterator[Any]:
    """The printed role, bound to a user who has no other rights."""
    made = json.loads(wmap("rbac", "-o", "json")[1])
    name = made["metadata"]["name"]
    binding = {
        "apiVersion": f"{RBAC}/v1",
        "kind": "ClusterRoleBinding",
        "metadata": {"name": name},
        "roleRef": {"apiGroup": RBAC, "kind": "ClusterRole", "name": name},
        "subjects": [{"kind": "User", "apiGroup": RBAC, "name": USER}],
    }
    cluster.apply([made, binding])
    _wait_until_it_holds(cluster, "pods", "list", allowed=True)
    yield made
    cluster.client.delete(binding)
    cluster.client.delete(made)


def _wait_until_it_holds(cluster: Cluster, resource: str, verb: str, *, allowed: bool) -> None:
    """The server hears of changed roles a moment after they are stored."""
    plural, _, group = resource.partition(".")
    asked = {"user": USER, "resourceAttributes": {"resource": plural, "group": group, "verb": verb}}
    review = {"apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview", "spec": asked}

    def holds() -> bool:
        answer = cluster.client.request("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", review)
        return bool(answer["status"]["allowed"]) is allowed

    wait_until(f"{verb} {resource} is {'' if allowed else 'not '}allowed", holds, cluster.processes.values())


def _resources(role: Any) -> dict[str, str]:
    """All resources of a role, as `kubectl api-resources` calls them, each with a verb that it has."""
    return {
        f"{plural}.{rule['apiGroups'][0]}" if rule["apiGroups"][0] else plural: rule["verbs"][-1]
        for rule in role["rules"]
        for plural in rule["resources"]
    }


def _without(role: Any, resource: str) -> Any:
    plural, _, group = resource.partition(".")
    rules = [
        {**rule, "resources": [one for one in rule["resources"] if one != plural]}
        if rule["apiGroups"] == [group]
        else rule
        for rule in role["rules"]
    ]
    return {**role, "rules": [rule for rule in rules if rule["resources"]]}


@pytest.mark.usefixtures("workloads")
def test_with_the_role_alone_every_command_works(wmap: Wmap, cluster: Cluster, role: Any) -> None:
    del role
    pods = cluster.client.get(f"/api/v1/namespaces/{NAMESPACE}/pods")["items"]
    name = next(one["metadata"]["name"] for one in pods if one["metadata"]["name"].startswith("train"))
    inside = ("-n", NAMESPACE)
    for call in (
        ("get", "all", *inside),
        ("get", "all", "-A"),
        ("get", "pod/static-node-1", *inside),
        ("owner", "static-node-1", *inside),
        ("get", "jobset/train", *inside),
        ("get", "jobset,trainjob", "-A", "-l", "a!=b"),
        ("describe", "jobset/train", *inside, "--events"),
        ("describe", "trainjob/shared", "-n", WAITING),
        ("explain", "jobset/train", *inside),
        ("explain", f"pod/{name}", *inside),
        ("check", "deployment/serve", *inside),
        ("draw", "jobset/train", *inside),
        ("owner", name, *inside),
        ("definitions",),
        ("dump", *inside),
        ("rbac",),
        ("version",),
    ):
        code, out, error = wmap(*call, "--as", USER)
        assert code == 0, (call, error)
        assert out, call
        assert "forbidden" not in error, (call, error)
    rows = [line.split()[:3] for line in wmap("get", "all", *inside, "--as", USER)[1].splitlines()]
    assert ["static-node-1", "Pod", "Running"] in rows


@pytest.mark.usefixtures("workloads")
def test_without_any_resource_of_it_something_is_left_out(wmap: Wmap, cluster: Cluster, role: Any) -> None:
    served = {*cluster.kubectl("api-resources", "--no-headers", "-o", "name").split(), "kartas.run.ai"}
    resources = {one: verb for one, verb in _resources(role).items() if one in served}
    assert {"pods", "events", "kartas.run.ai", "replicasets.apps", "jobsets.jobset.x-k8s.io"} < {*resources}
    assert {one for one in SPECIAL if one.endswith((".trainer.kubeflow.org", ".resource.k8s.io"))} < {
        *resources
    }
    for resource, verb in resources.items():
        call = SPECIAL.get(resource, ("get", resource, "-A"))
        assert "forbidden" not in wmap(*call, "--as", USER)[2], resource
        cluster.apply(_without(role, resource))
        _wait_until_it_holds(cluster, resource, verb, allowed=False)
        code, out, error = wmap(*call, "--as", USER)
        told = [line for line in error.splitlines() if "forbidden" in line]
        assert told, (resource, error)
        assert any(resource in line for line in told), (resource, error)
        if call[0] == "get":
            assert (code, out) == (1, ""), resource
        cluster.apply(role)
        _wait_until_it_holds(cluster, resource, verb, allowed=True)


@pytest.mark.usefixtures("workloads")
@pytest.mark.parametrize(
    ("verb", "call"),
    [
        ("get", ("get", "jobset/train", "-n", NAMESPACE)),
        ("list", ("get", "jobsets", "-n", NAMESPACE)),
    ],
)
def test_without_a_verb_of_it_something_is_refused(
    wmap: Wmap, cluster: Cluster, role: Any, verb: str, call: tuple[str, ...]
) -> None:
    assert wmap(*call, "--as", USER)[0] == 0
    rules = [{**rule, "verbs": [one for one in rule["verbs"] if one != verb]} for rule in role["rules"]]
    cluster.apply({**role, "rules": [rule for rule in rules if rule["verbs"]]})
    _wait_until_it_holds(cluster, "jobsets.jobset.x-k8s.io", verb, allowed=False)
    code, out, error = wmap(*call, "--as", USER)
    assert (code, out) == (1, "")
    assert "forbidden" in error


@pytest.mark.usefixtures("workloads")
def test_what_changes_may_be_followed_with_the_role_and_not_without_its_verb(
    cluster: Cluster, role: Any
) -> None:
    call = ("get", "deployments", "-n", NAMESPACE, "-w", "--as", USER)
    made = {**deployment("serve", 2), "metadata": {"name": "serve", "namespace": NAMESPACE}}

    def scaled(shown: Following, replicas: int) -> None:
        shown.until(lambda line: line.startswith("serve"))
        cluster.client.patch(made, {"spec": {"replicas": replicas}})
        shown.until(lambda line: f"{replicas}/{replicas}" in line.split())

    with following(cluster, *call) as shown:
        scaled(shown, 3)
    rules = [{**rule, "verbs": [one for one in rule["verbs"] if one != "watch"]} for rule in role["rules"]]
    cluster.apply({**role, "rules": rules})
    _wait_until_it_holds(cluster, "deployments.apps", "watch", allowed=False)
    with following(cluster, *call, with_errors=True) as shown:
        shown.until(lambda line: line.startswith("error: ") and "deployments.apps is forbidden" in line)
        assert shown.end() == 1


@pytest.mark.usefixtures("workloads")
def test_with_the_role_for_changes_workloads_can_be_patched_and_nothing_else(
    wmap: Wmap, cluster: Cluster, role: Any
) -> None:
    patch = ("patch", "jobset", "train", "-n", NAMESPACE, "--as", USER, "--type=merge")
    labels = json.dumps({"metadata": {"labels": {"team": "ml"}}})
    with pytest.raises(ClusterError, match="forbidden"):
        cluster.kubectl(*patch, "-p", labels)
    name = role["metadata"]["name"]
    edit = json.loads(wmap("rbac", "--edit", "--name", name, "-o", "json")[1])
    cluster.apply(edit)
    for resource in ("jobsets.jobset.x-k8s.io", "deployments.apps", "pods"):
        _wait_until_it_holds(cluster, resource, "patch", allowed=True)
        _wait_until_it_holds(cluster, resource, "delete", allowed=False)
    for resource in ("events", "kartas.run.ai", "resourceclaims.resource.k8s.io", "secrets"):
        _wait_until_it_holds(cluster, resource, "patch", allowed=False)
    cluster.kubectl(*patch, "-p", labels)
    assert "team=ml" in wmap("get", "jobset/train", "-n", NAMESPACE, "--show-labels", "--as", USER)[1]


@pytest.mark.usefixtures("workloads", "role")
def test_a_kind_that_may_not_be_read_hides_no_other(wmap: Wmap, cluster: Cluster, role: Any) -> None:
    cluster.apply(_without(role, "jobsets.jobset.x-k8s.io"))
    _wait_until_it_holds(cluster, "jobsets.jobset.x-k8s.io", "list", allowed=False)
    code, out, error = wmap("get", "all", "-n", NAMESPACE, "--as", USER)
    assert code == 0
    assert "serve" in out
    told = [line for line in error.splitlines() if "forbidden" in line]
    assert len(told) == 1
    assert "jobsets.jobset.x-k8s.io" in told[0]


@pytest.mark.usefixtures("workloads")
def test_who_may_read_one_namespace_sees_it_and_one_line_about_all_others(
    wmap: Wmap, cluster: Cluster
) -> None:
    """The API server tells the rights of the user in each namespace; no kind is tried in vain there."""
    made = json.loads(wmap("rbac", "--name", "of-one-namespace", "-o", "json")[1])
    names = {**made, "metadata": {"name": "names-of-namespaces"}}
    names["rules"] = [{"apiGroups": [""], "resources": ["namespaces"], "verbs": ["list"]}]

    def binding(kind: str, role: str) -> Any:
        return {
            "apiVersion": f"{RBAC}/v1",
            "kind": kind,
            "metadata": {"name": role},
            "roleRef": {"apiGroup": RBAC, "kind": "ClusterRole", "name": role},
            "subjects": [{"kind": "User", "apiGroup": RBAC, "name": "alice"}],
        }

    cluster.apply([made, names, binding("ClusterRoleBinding", "names-of-namespaces")])
    cluster.apply([binding("RoleBinding", "of-one-namespace")], NAMESPACE)

    def sees_it() -> bool:
        return wmap("get", "all", "-A", "--as", "alice")[0] == 0

    def namespaces() -> int:
        return len(cluster.client.get("/api/v1/namespaces")["items"])

    wait_until("alice may read", sees_it, cluster.processes.values())
    before = namespaces()
    code, out, error = wmap("get", "all", "-A", "--as", "alice", "-v")
    assert code == 0 and {line.split()[0] for line in out.splitlines()[1:]} == {NAMESPACE}
    told = [line for line in error.splitlines() if line.startswith("warning: ")]
    assert len([line for line in told if "kartas.run.ai" not in line]) == 1
    assert any("nothing may be read in the namespaces" in line for line in told)
    asked = [line.split()[1] for line in error.splitlines() if line.startswith(("GET ", "POST "))]
    inside = [path for path in asked if "/namespaces/" in path]
    assert inside and all(f"/namespaces/{NAMESPACE}/" in path for path in inside)
    # One a namespace; those that other tests have asked to go may be gone meanwhile.
    assert namespaces() <= len([path for path in asked if "selfsubjectrulesreviews" in path]) <= before
    # What lies where nothing may be read is not said to be absent.
    code, out, error = wmap("get", "trainjob/own", "-A", "--as", "alice")
    assert (code, out) == (1, "") and "there is no" not in error


def test_nobody_may_read_anything(wmap: Wmap) -> None:
    code, out, error = wmap("get", "all", "-A", "--as", "nobody")
    assert (code, out) == (1, "")
    assert "forbidden" in error
