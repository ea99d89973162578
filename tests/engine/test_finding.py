"""A function of the caller's that finds objects, and fails: the view is there all the same, and says so."""

from __future__ import annotations

from typing import Any, NoReturn

import pytest

from tests.engine.made_up import codes, definition, definitions, pod, template, thing, view
from workload_map.engine import OwnerIndex, Workload, place

ROLES = """
additionalChildKinds: [{group: batch, version: v1, kind: Job}]
references:
- {name: runtime, gvk: {group: x.io, version: v1, kind: Runtime}, lookup: {nameExpression: .spec.runtime}}
childComponents:
- name: worker
  specDefinition: {podTemplateSpecPath: .spec.template}
  scaleDefinition: {replicasPath: $runtime.spec.nodes // .spec.replicas}
"""


class OddError(Exception):
    """It cannot even be written."""

    def __str__(self) -> str:
        raise ValueError("no text")


def raising(error: BaseException) -> Any:
    def find(reference: dict[str, Any]) -> NoReturn:
        raise error

    return find


def under_job(name: str, job: str = "j") -> dict[str, Any]:
    found = pod(name)
    reference = {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "name": job,
        "uid": f"uid-{job}",
        "controller": True,
    }
    found["metadata"]["ownerReferences"] = [reference]
    return found


def told(workload: Workload) -> list[tuple[str, str | None]]:
    return [(each.code, each.location) for each in workload.problems]


def failure(workload: Workload) -> str:
    (message,) = {each.message for each in workload.problems if each.code == "lookup-failed"}
    return message


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ConnectionError("connection\n  refused"), "ConnectionError: connection refused"),
        (KeyError("x"), "KeyError: 'x'"),
        (RecursionError(), "RecursionError"),
        (OddError(), "OddError"),
        (ValueError("x" * 1000), f"ValueError: {'x' * 197}..."),
    ],
)
def test_the_owner_of_a_pod_cannot_be_looked_up(error: Exception, text: str) -> None:
    obj = thing({"template": template(1), "replicas": 2})
    workload = view(ROLES, obj, [pod("a"), under_job("b")], related=raising(error))
    (worker,) = workload.components
    assert [one.name for one in worker.members or ()] == ["a"]
    assert (workload.totals.pods, workload.totals.gpus) == (2, 2)
    assert ("lookup-failed", "Job j") in told(workload)
    assert text in failure(workload)


def test_what_fails_alike_is_told_once() -> None:
    pods = [pod("a"), *(under_job(f"b{number}", f"j{number}") for number in range(50))]
    workload = view(
        ROLES, thing({"template": template(1), "replicas": 1}), pods, related=raising(OSError("no"))
    )
    assert [place for code, place in told(workload) if code == "lookup-failed"] == ["Job j0"]
    assert "and 49 others" in failure(workload)


def test_a_reference_cannot_be_looked_up() -> None:
    obj = thing({"template": template(1), "replicas": 2, "runtime": "r"})
    workload = view(ROLES, obj, related=raising(TimeoutError("too slow")))
    # What the runtime says would count before what the object says.
    assert workload.totals.pods is None
    assert told(workload) == [("lookup-failed", "Runtime r"), ("reference-missing", "Runtime r")]
    assert "TimeoutError: too slow" in failure(workload)


def test_a_claim_template_cannot_be_looked_up() -> None:
    spec = template(1)
    spec["spec"]["resourceClaims"] = [{"name": "gpu", "resourceClaimTemplateName": "big"}]
    workload = view(ROLES, thing({"template": spec, "replicas": 2}), related=raising(OSError("no")))
    assert [claim.count for claim in workload.totals.claims] == [None]
    assert ("lookup-failed", "ResourceClaimTemplate big") in told(workload)


def test_a_later_answer_is_believed_after_a_failure() -> None:
    """One that fails for the first object that it is asked for alone."""
    runtime = {
        "apiVersion": "x.io/v1",
        "kind": "Runtime",
        "metadata": {"name": "r", "namespace": "n"},
        "spec": {"nodes": 5},
    }

    def find(reference: dict[str, Any]) -> dict[str, Any] | None:
        if reference["kind"] == "Job":
            raise OSError("no")
        return runtime if reference["namespace"] else None

    obj = thing({"template": template(1), "runtime": "r"})
    workload = view(ROLES, obj, [pod("a"), under_job("b")], related=find)
    assert workload.totals.pods == 5
    assert "reference-missing" not in codes(workload)


def test_the_place_of_a_pod_says_why_its_owner_is_not_at_hand() -> None:
    index = OwnerIndex([under_job("b")], raising(PermissionError("forbidden")))
    found = place(under_job("b"), definitions(definition(ROLES)), index)
    assert found.because == (
        "its controller Job j is not at hand: looking for it failed: PermissionError: forbidden"
    )


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_what_ends_a_program_ends_it(error: type[BaseException]) -> None:
    with pytest.raises(error):
        view(ROLES, thing({"template": template(1)}), [under_job("b")], related=raising(error()))
