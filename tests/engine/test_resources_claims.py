"""Devices that pods claim: what a pod spec says, and how many devices that makes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from workload_map.engine.claims import Claim, DeviceCount, count_devices
from workload_map.engine.resource_problems import Problems
from workload_map.engine.resources import pod_resources


def pod(claims: Any, *uses: Any) -> dict[str, Any]:
    containers = [{"name": "a", "resources": {"claims": use}} for use in uses] or [{"name": "a"}]
    return {"containers": containers, "resourceClaims": claims}


def of_template(name: str = "gpus") -> Claim:
    return Claim("c", name, None)


def shared(name: str = "shared") -> Claim:
    return Claim("c", None, name)


def claim_object(*requests: Any) -> dict[str, Any]:
    return {"kind": "ResourceClaim", "spec": {"devices": {"requests": list(requests)}}}


def template_object(*requests: Any) -> dict[str, Any]:
    return {"kind": "ResourceClaimTemplate", "spec": {"spec": {"devices": {"requests": list(requests)}}}}


def exactly(**fields: Any) -> dict[str, Any]:
    return {"name": "r", "exactly": {"deviceClassName": "gpu.example.com", **fields}}


def finder(**objects: Any) -> Callable[[Claim], Any]:
    return lambda claim: objects.get(claim.template or claim.claim or "")


def counted(uses: list[tuple[Claim, int | None]], **objects: Any) -> list[tuple[str, str | None, int | None]]:
    problems = Problems()
    counts = count_devices(uses, finder(**objects), problems)
    assert problems.found == []
    return [(one.name, one.device_class, one.count) for one in counts]


class TestPodClaims:
    def test_a_claim_of_a_template_and_a_shared_one(self) -> None:
        spec = pod(
            [{"name": "a", "resourceClaimTemplateName": "gpus"}, {"name": "b", "resourceClaimName": "big"}],
            [{"name": "a"}, {"name": "b", "request": "x"}],
        )
        needs = pod_resources(spec)
        assert needs.claims == (Claim("a", "gpus", None), Claim("b", None, "big"))
        assert needs.problems == ()

    def test_a_claim_that_no_container_uses_counts_too(self) -> None:
        needs = pod_resources(pod([{"name": "a", "resourceClaimName": "big"}]))
        assert needs.claims == (Claim("a", None, "big"),)
        assert needs.problems == ()

    @pytest.mark.parametrize("claims", [None, []])
    def test_none(self, claims: Any) -> None:
        assert pod_resources(pod(claims)).claims == ()
        assert pod_resources({"containers": [{"resources": {"claims": claims}}]}).problems == ()

    def test_claims_are_no_resources(self) -> None:
        needs = pod_resources(pod([{"name": "a", "resourceClaimName": "big"}], [{"name": "a"}]))
        assert needs.requests.strings() == {}
        assert needs.requests.accelerators() == 0

    @pytest.mark.parametrize(
        ("spec", "code", "path"),
        [
            (pod({}), "malformed", ("resourceClaims",)),
            (pod(["a"]), "malformed", ("resourceClaims", 0)),
            (pod([{"resourceClaimName": "b"}]), "malformed", ("resourceClaims", 0)),
            (pod([{"name": "a"}]), "malformed", ("resourceClaims", 0)),
            (pod([{"name": "a", "resourceClaimName": 1}]), "malformed", ("resourceClaims", 0)),
            (
                pod([{"name": "a", "resourceClaimName": "b", "resourceClaimTemplateName": "c"}]),
                "malformed",
                ("resourceClaims", 0),
            ),
            (pod([], [{"name": "x"}]), "unknown-claim", ("containers", 0, "resources", "claims", 0, "name")),
            (pod([], ["x"]), "malformed", ("containers", 0, "resources", "claims", 0)),
            (pod([], "x"), "malformed", ("containers", 0, "resources", "claims")),
        ],
    )
    def test_what_is_wrong_has_its_place(self, spec: Any, code: str, path: Any) -> None:
        needs = pod_resources(spec)
        assert [(one.code, one.path) for one in needs.problems] == [(code, path)]
        assert not needs.requests.partial


class TestCounts:
    def test_a_template_counts_once_a_pod(self) -> None:
        uses: list[tuple[Claim, int | None]] = [(of_template(), 3), (of_template(), 1)]
        assert counted(uses, gpus=template_object(exactly(count=2))) == [("gpus", "gpu.example.com", 8)]

    def test_a_shared_claim_counts_once_however_many_pods_name_it(self) -> None:
        uses: list[tuple[Claim, int | None]] = [(shared(), 2), (shared(), None), (shared(), 5)]
        assert counted(uses, shared=claim_object(exactly(count=1))) == [("shared", "gpu.example.com", 1)]

    def test_a_shared_claim_of_no_pod_counts_nothing(self) -> None:
        assert counted([(shared(), 0)], shared=claim_object(exactly())) == []

    def test_the_count_is_one_by_default(self) -> None:
        for fields in ({}, {"count": None}, {"allocationMode": "ExactCount"}, {"allocationMode": ""}):
            assert counted([(of_template(), 2)], gpus=template_object(exactly(**fields))) == [
                ("gpus", "gpu.example.com", 2)
            ]

    def test_the_flat_form_of_older_versions(self) -> None:
        flat = {"name": "r", "deviceClassName": "gpu.example.com", "count": 4}
        assert counted([(shared(), 1)], shared=claim_object(flat)) == [("shared", "gpu.example.com", 4)]

    def test_classes_are_kept_apart_and_requests_of_one_are_summed(self) -> None:
        claim = claim_object(exactly(count=2), exactly(), exactly(deviceClassName="nic.example.com"))
        assert counted([(shared(), 1)], shared=claim) == [
            ("shared", "gpu.example.com", 3),
            ("shared", "nic.example.com", 1),
        ]

    def test_all_devices_that_match_are_unknown_until_allocated(self) -> None:
        claim = claim_object(exactly(allocationMode="All"), exactly(count=2))
        assert counted([(shared(), 1)], shared=claim) == [("shared", "gpu.example.com", None)]

    def test_alternatives_are_unknown_until_allocated(self) -> None:
        request = {"name": "r", "firstAvailable": [{"name": "big", "deviceClassName": "gpu.example.com"}]}
        assert counted([(shared(), 1)], shared=claim_object(request)) == [("shared", None, None)]

    def test_access_for_administration_takes_no_device(self) -> None:
        claim = claim_object(
            exactly(adminAccess=True, allocationMode="All"), exactly(adminAccess=False, count=2)
        )
        assert counted([(shared(), 1)], shared=claim) == [("shared", "gpu.example.com", 2)]

    def test_an_unknown_number_of_pods_is_an_unknown_count(self) -> None:
        uses: list[tuple[Claim, int | None]] = [(of_template(), 3), (of_template(), None)]
        assert counted(uses, gpus=template_object(exactly())) == [("gpus", "gpu.example.com", None)]

    def test_a_template_and_a_claim_of_one_name_are_two(self) -> None:
        uses: list[tuple[Claim, int | None]] = [(of_template("x"), 2), (shared("x"), 2)]
        objects = {True: template_object(exactly(count=3)), False: claim_object(exactly(count=1))}
        problems = Problems()
        assert count_devices(uses, lambda claim: objects[claim.template is not None], problems) == (
            DeviceCount("x", "gpu.example.com", 6),
            DeviceCount("x", "gpu.example.com", 1),
        )

    def test_what_is_not_at_hand_is_unknown_and_said_once(self) -> None:
        problems = Problems()
        counts = count_devices([(of_template(), 2), (of_template(), 1)], lambda _: None, problems)
        assert counts == (DeviceCount("gpus", None, None),)
        assert [(one.code, one.path) for one in problems.found] == [
            ("not-at-hand", ("ResourceClaimTemplate", "gpus"))
        ]

    @pytest.mark.parametrize("spec", [{}, {"devices": None}, {"devices": {}}, {"devices": {"requests": []}}])
    def test_a_claim_without_requests_asks_for_nothing(self, spec: Any) -> None:
        problems = Problems()
        template = {"spec": {"spec": spec}}
        found = {"shared": {"spec": spec}, "gpus": template}
        uses: list[tuple[Claim, int | None]] = [(shared(), 1), (Claim("a", "gpus", None), 3)]
        assert count_devices(uses, lambda one: found[one.template or one.claim or ""], problems) == ()
        assert problems.found == []

    @pytest.mark.parametrize(
        ("obj", "path"),
        [
            ([], ()),
            ({}, ("spec",)),
            ({"spec": {"devices": 3}}, ("spec", "devices")),
            ({"spec": {"devices": {"requests": 3}}}, ("spec", "devices", "requests")),
            (claim_object(3), ("spec", "devices", "requests", 0)),
            (claim_object({"name": "r"}), ("spec", "devices", "requests", 0)),
            (claim_object({"exactly": []}), ("spec", "devices", "requests", 0, "exactly")),
            (claim_object(exactly(count=0)), ("spec", "devices", "requests", 0, "count")),
            (claim_object(exactly(count=True)), ("spec", "devices", "requests", 0, "count")),
            (claim_object(exactly(count="2")), ("spec", "devices", "requests", 0, "count")),
        ],
    )
    def test_a_malformed_object_is_unknown_with_its_place(self, obj: Any, path: Any) -> None:
        problems = Problems()
        counts = count_devices([(shared(), 1)], lambda _: obj, problems)
        assert [one.count for one in counts] == [None]
        assert [(one.code, one.path) for one in problems.found] == [
            ("malformed", ("ResourceClaim", "shared", *path))
        ]
