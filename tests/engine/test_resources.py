"""What one pod needs, by the scheduler's rule and the API server's defaults."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workload_map.engine.resources import EMPTY, PodResources, pod_resources


def container(requests: Any = None, limits: Any = None, **fields: Any) -> dict[str, Any]:
    given = {"requests": requests, "limits": limits}
    resources = {key: value for key, value in given.items() if value is not None}
    return {"name": "a", "image": "x", **({"resources": resources} if resources else {}), **fields}


def sidecar(requests: Any = None, limits: Any = None) -> dict[str, Any]:
    return container(requests, limits, restartPolicy="Always")


def assert_clean(spec: Any, injected: Any = (), inits: Any = ()) -> PodResources:
    needs = pod_resources(spec, injected, inits)
    assert needs.problems == ()
    return needs


def requests(spec: Any, injected: Any = (), inits: Any = ()) -> dict[str, str | None]:
    return assert_clean(spec, injected, inits).requests.strings()


def limits(spec: Any) -> dict[str, str | None]:
    return assert_clean(spec).limits.strings()


def problems(spec: Any, injected: Any = (), inits: Any = ()) -> list[tuple[str, tuple[str | int, ...]]]:
    return [(one.code, one.path) for one in pod_resources(spec, injected, inits).problems]


class TestContainers:
    def test_requests_are_summed_by_name(self) -> None:
        spec = {
            "containers": [container({"cpu": "1", "memory": "1Gi"}), container({"cpu": "500m", "x.io/a": 2})]
        }
        assert requests(spec) == {"cpu": "1500m", "memory": "1Gi", "x.io/a": "2"}
        assert limits(spec) == {}

    def test_a_limit_counts_where_the_request_is_absent(self) -> None:
        spec = {"containers": [container({"cpu": "1"}, {"cpu": "2", "nvidia.com/gpu": "2"})]}
        assert requests(spec) == {"cpu": "1", "nvidia.com/gpu": "2"}
        assert limits(spec) == {"cpu": "2", "nvidia.com/gpu": "2"}

    def test_limits_alone_give_the_accelerators_of_a_group(self) -> None:
        spec = {"containers": [container(None, {"nvidia.com/gpu": 2})]}
        assert assert_clean(spec).requests.times(3).accelerators() == 6

    def test_a_request_of_zero_is_a_request(self) -> None:
        spec = {"containers": [container({"cpu": 0}, {"cpu": "2"})]}
        assert requests(spec) == {"cpu": "0"}

    def test_only_limits_that_are_set_are_summed(self) -> None:
        spec = {"containers": [container({"cpu": "1"}, {"cpu": "2"}), container({"cpu": "4"})]}
        assert limits(spec) == {"cpu": "2"}

    def test_amounts_are_rounded_up_to_milli_units_each(self) -> None:
        spec = {"containers": [container({"cpu": "1100u"}), container({"cpu": "1n"})]}
        assert requests(spec) == {"cpu": "3m"}

    def test_exact_sums(self) -> None:
        spec = {
            "containers": [container({"memory": "4.5Gi", "cpu": 0.1}), container({"memory": 1, "cpu": 0.2})]
        }
        assert requests(spec) == {"cpu": "300m", "memory": "4831838209"}


class TestInitContainers:
    def test_plain_ones_count_by_their_peak(self) -> None:
        spec = {
            "containers": [container({"cpu": "2"})],
            "initContainers": [container({"cpu": "3", "memory": "1Gi"}), container({"cpu": "1"})],
        }
        assert requests(spec) == {"cpu": "3", "memory": "1Gi"}

    def test_accelerators_of_an_init_container_before_its_sidecar(self) -> None:
        gpu = "nvidia.com/gpu"
        plain, side = container(limits={gpu: "4"}), sidecar(limits={gpu: "1"})
        containers = [container(limits={gpu: "2"}), container(limits={gpu: "1"})]
        needs = assert_clean({"containers": containers, "initContainers": [plain, side]})
        assert needs.requests.accelerators() == 4
        assert needs.limits.accelerators() == 4

    def test_accelerators_of_an_init_container_beside_an_earlier_sidecar(self) -> None:
        gpu = "nvidia.com/gpu"
        plain, side = container(limits={gpu: "4"}), sidecar(limits={gpu: "1"})
        containers = [container(limits={gpu: "2"}), container(limits={gpu: "1"})]
        needs = assert_clean({"containers": containers, "initContainers": [side, plain]})
        assert needs.requests.accelerators() == 5

    def test_a_small_init_container_changes_nothing(self) -> None:
        gpu = "nvidia.com/gpu"
        spec = {
            "containers": [container(limits={gpu: "2"})],
            "initContainers": [container(limits={gpu: "1"})],
        }
        assert assert_clean(spec).requests.accelerators() == 2

    def test_sidecars_add_to_the_running_sum(self) -> None:
        spec = {
            "containers": [container({"cpu": "1"})],
            "initContainers": [sidecar({"cpu": "2"}), sidecar(None, {"cpu": "4"})],
        }
        assert requests(spec) == {"cpu": "7"}
        assert limits(spec) == {"cpu": "4"}

    def test_only_always_makes_a_sidecar(self) -> None:
        spec = {
            "containers": [container({"cpu": "2"})],
            "initContainers": [container({"cpu": "1"}, restartPolicy="OnFailure"), container({"cpu": "1"})],
        }
        assert requests(spec) == {"cpu": "2"}


class TestPodLevel:
    def test_requests_replace_the_sums_by_resource(self) -> None:
        spec = {
            "containers": [container({"cpu": "1", "memory": "1Gi", "nvidia.com/gpu": "1"})],
            "resources": {"requests": {"cpu": "4"}},
        }
        assert requests(spec) == {"cpu": "4", "memory": "1Gi", "nvidia.com/gpu": "1"}

    def test_a_limit_is_no_request_where_a_container_has_one(self) -> None:
        spec = {
            "containers": [container({"cpu": "1"})],
            "resources": {"limits": {"cpu": "4", "memory": "8Gi"}},
        }
        assert requests(spec) == {"cpu": "1", "memory": "8Gi"}
        assert limits(spec) == {"cpu": "4", "memory": "8Gi"}

    def test_a_containers_limit_is_its_request_before_the_pods_limit_counts(self) -> None:
        spec = {"containers": [container(None, {"cpu": "1"})], "resources": {"limits": {"cpu": "4"}}}
        assert requests(spec) == {"cpu": "1"}
        assert limits(spec) == {"cpu": "4"}

    def test_huge_pages_of_containers_become_the_pods_limit_and_request(self) -> None:
        huge = {"hugepages-2Mi": "8Mi"}
        spec = {"containers": [container(huge, huge)], "resources": {"requests": {"cpu": "1"}}}
        assert requests(spec) == {"cpu": "1", "hugepages-2Mi": "8Mi"}
        assert limits(spec) == {"hugepages-2Mi": "8Mi"}

    def test_the_pods_limit_of_huge_pages_is_its_request_whatever_containers_ask_for(self) -> None:
        huge = {"hugepages-2Mi": "8Mi"}
        spec = {"containers": [container(huge, huge)], "resources": {"limits": {"hugepages-2Mi": "16Mi"}}}
        assert requests(spec) == {"hugepages-2Mi": "16Mi"}

    def test_huge_pages_are_requested_up_to_the_limit_of_the_containers(self) -> None:
        page = container({"hugepages-2Mi": "4Mi"}, {"hugepages-2Mi": "8Mi"})
        assert requests({"containers": [page]}) == {"hugepages-2Mi": "4Mi"}
        spec = {"containers": [page], "resources": {"limits": {"cpu": "1"}}}
        assert requests(spec) == {"cpu": "1", "hugepages-2Mi": "8Mi"}

    def test_they_replace_the_peak_of_init_containers_too(self) -> None:
        spec = {
            "containers": [container({"cpu": "1"})],
            "initContainers": [container({"cpu": "3"})],
            "resources": {"requests": {"cpu": "3500m"}},
        }
        assert requests(spec) == {"cpu": "3500m"}

    def test_null_and_empty_ones_replace_nothing(self) -> None:
        empty: list[Any] = [None, {}, {"requests": None}, {"requests": {}, "limits": {}}]
        for resources in empty:
            assert requests({"containers": [container({"cpu": "1"})], "resources": resources}) == {"cpu": "1"}

    def test_devices_are_not_for_a_whole_pod(self) -> None:
        spec = {
            "containers": [container({"nvidia.com/gpu": "1"}, {"nvidia.com/gpu": "1"})],
            "resources": {"limits": {"nvidia.com/gpu": "8", "cpu": "1"}},
        }
        assert pod_resources(spec).requests.strings() == {"cpu": "1", "nvidia.com/gpu": "1"}
        assert problems(spec) == [("not-pod-level", ("resources", "limits", "nvidia.com/gpu"))]

    def test_an_explicit_request_is_known_beside_a_container_that_is_not(self) -> None:
        spec = {"containers": [container({"cpu": "x"})], "resources": {"requests": {"cpu": "4"}}}
        assert pod_resources(spec).requests.strings() == {"cpu": "4"}
        assert problems(spec) == [("bad-quantity", ("containers", 0, "resources", "requests", "cpu"))]


class TestOverhead:
    def test_it_adds_to_requests_and_to_limits_that_are_set(self) -> None:
        spec = {
            "containers": [container({"cpu": "1"}, {"cpu": "2"})],
            "overhead": {"cpu": "250m", "memory": "120Mi"},
        }
        assert requests(spec) == {"cpu": "1250m", "memory": "120Mi"}
        assert limits(spec) == {"cpu": "2250m"}

    def test_not_to_a_limit_of_zero(self) -> None:
        spec = {"containers": [container(None, {"cpu": "0"})], "overhead": {"cpu": "250m"}}
        assert requests(spec) == {"cpu": "250m"}
        assert limits(spec) == {"cpu": "0"}

    def test_it_adds_to_pod_level_resources(self) -> None:
        spec = {
            "containers": [container()],
            "resources": {"limits": {"cpu": "2"}},
            "overhead": {"cpu": "100m"},
        }
        assert requests(spec) == limits(spec) == {"cpu": "2100m"}


class TestInjectedContainers:
    def test_the_autoscaler_beside_a_ray_head(self) -> None:
        head = {"containers": [container({"cpu": "2", "memory": "4Gi"}, {"cpu": "2", "memory": "4Gi"})]}
        autoscaler = container({"cpu": "500m", "memory": "512Mi"}, {"cpu": "500m", "memory": "512Mi"})
        needs = assert_clean(head, [autoscaler])
        assert needs.requests.strings() == {"cpu": "2500m", "memory": "4608Mi"}
        assert needs.limits.strings() == {"cpu": "2500m", "memory": "4608Mi"}
        assert needs.requests.accelerators() == 0
        assert requests(head) == {"cpu": "2", "memory": "4Gi"}

    def test_they_count_where_the_spec_has_no_container(self) -> None:
        assert requests({"containers": []}, [container({"cpu": "1"})]) == {"cpu": "1"}

    def test_their_problems_have_a_place_of_their_own(self) -> None:
        spec = {"containers": [container()]}
        assert problems(spec, [container({"cpu": True})]) == [
            ("bad-quantity", ("injectedContainers", 0, "resources", "requests", "cpu"))
        ]
        assert problems(spec, [None]) == [("malformed", ("injectedContainers", 0))]


class TestInjectedInitContainers:
    def test_they_count_where_the_containers_ask_for_less(self) -> None:
        amounts = {"cpu": "200m", "memory": "256Mi"}
        waiting = container(amounts, amounts)
        needs = assert_clean({"containers": [container({"cpu": "50m", "memory": "1Gi"})]}, (), [waiting])
        assert needs.requests.strings() == {"cpu": "200m", "memory": "1Gi"}
        assert needs.limits.strings() == {"cpu": "200m", "memory": "256Mi"}

    def test_they_start_beside_all_sidecars_of_the_spec(self) -> None:
        spec = {
            "containers": [container({"cpu": "1"})],
            "initContainers": [container({"cpu": "4"}), sidecar({"cpu": "2"})],
        }
        assert requests(spec) == {"cpu": "4"}
        assert requests(spec, (), [container({"cpu": "3"})]) == {"cpu": "5"}

    def test_a_sidecar_among_them_runs_on(self) -> None:
        spec = {"containers": [container({"cpu": "1"})], "initContainers": [container({"cpu": "3"})]}
        assert requests(spec, (), [sidecar({"cpu": "1"})]) == {"cpu": "3"}
        assert requests(spec, (), [sidecar({"cpu": "1"}), container({"cpu": "3"})]) == {"cpu": "4"}

    def test_they_are_not_beside_injected_containers(self) -> None:
        one = container({"cpu": "1"})
        assert requests({"containers": [one]}, [one], [one]) == {"cpu": "2"}

    @pytest.mark.parametrize("inits", [{}, {"initContainers": None}, {"initContainers": []}])
    def test_the_spec_needs_no_init_container_of_its_own(self, inits: dict[str, Any]) -> None:
        assert requests({"containers": [container()], **inits}, (), [container({"cpu": "1"})]) == {"cpu": "1"}

    def test_one_that_asks_for_nothing_changes_nothing(self) -> None:
        assert requests({"containers": [container({"cpu": "1"})]}, (), [{"name": "wait"}]) == {"cpu": "1"}

    def test_a_pod_of_them_alone_needs_nobody_knows_what(self) -> None:
        assert problems({"containers": []}, (), [container()]) == [("no-containers", ("containers",))]

    def test_their_problems_have_a_place_of_their_own(self) -> None:
        spec = {"containers": [container()], "initContainers": [container()]}
        assert problems(spec, (), [container({"cpu": True})]) == [
            ("bad-quantity", ("injectedInitContainers", 0, "resources", "requests", "cpu"))
        ]
        assert problems(spec, (), [None]) == [("malformed", ("injectedInitContainers", 0))]


class TestAbsence:
    @pytest.mark.parametrize("field", [{}, {"containers": None}, {"containers": []}])
    def test_a_pod_without_containers_needs_nobody_knows_what(self, field: dict[str, Any]) -> None:
        needs = pod_resources({**field, "nodeSelector": {}})
        assert [(one.code, one.path) for one in needs.problems] == [("no-containers", ("containers",))]
        assert needs.requests.partial
        assert needs.requests.accelerators() is None
        assert needs.requests.strings() == {}

    @pytest.mark.parametrize(
        "resources", [None, {}, {"requests": None}, {"requests": {}}, {"limits": None, "requests": {}}]
    )
    def test_a_container_that_asks_for_nothing(self, resources: Any) -> None:
        needs = assert_clean({"containers": [{"name": "a", "resources": resources}]})
        assert needs.requests is EMPTY
        assert needs.limits is EMPTY
        assert needs.requests.accelerators() == 0

    def test_no_resources_at_all(self) -> None:
        assert assert_clean({"containers": [{}]}).requests is EMPTY

    @pytest.mark.parametrize("inits", [None, []])
    def test_no_init_containers(self, inits: Any) -> None:
        assert requests({"containers": [container({"cpu": "1"})], "initContainers": inits}) == {"cpu": "1"}

    def test_empty_requests_leave_the_limits_to_count(self) -> None:
        assert requests({"containers": [container({}, {"cpu": "1"})]}) == {"cpu": "1"}

    def test_null_is_read_as_zero_and_said(self) -> None:
        spec = {"containers": [container({"cpu": None}, {"cpu": "1"})]}
        assert pod_resources(spec).requests.strings() == {"cpu": "0"}
        assert problems(spec) == [("null-quantity", ("containers", 0, "resources", "requests", "cpu"))]

    def test_null_is_none_where_it_is_pruned(self) -> None:
        spec = {
            "containers": [container({"cpu": None, "memory": "1Gi"}, {"cpu": "1", "example.com/gpu": None})],
            "initContainers": [container({"cpu": None})],
            "resources": {"limits": {"memory": None}},
            "overhead": {"cpu": None},
        }
        needs = pod_resources(spec, [container({"cpu": None})], drops_nulls=True)
        assert (needs.requests.strings(), needs.limits.strings()) == (
            {"cpu": "1", "memory": "1Gi"},
            {"cpu": "1"},
        )
        assert needs.problems == ()

    def test_an_empty_text_is_no_quantity(self) -> None:
        spec = {"containers": [container({"cpu": ""})]}
        assert pod_resources(spec).requests.strings() == {"cpu": None}


class TestProblems:
    @pytest.mark.parametrize(
        ("value", "code"),
        [
            *[("x", "bad-quantity"), (True, "bad-quantity"), ([], "bad-quantity"), ({}, "bad-quantity")],
            *[("-1", "negative-quantity"), (-0.5, "negative-quantity")],
        ],
    )
    def test_a_resource_with_a_wrong_amount_is_unknown_and_the_others_count(
        self, value: Any, code: str
    ) -> None:
        spec = {
            "containers": [
                container({"cpu": "1", "memory": "1Gi"}),
                container({"cpu": value, "memory": "1Gi"}),
            ],
            "overhead": {"cpu": "1"},
        }
        needs = pod_resources(spec)
        assert needs.requests.strings() == {"cpu": None, "memory": "2Gi"}
        assert "cpu" in needs.requests
        assert needs.requests.accelerators() == 0
        assert problems(spec) == [(code, ("containers", 1, "resources", "requests", "cpu"))]

    def test_an_unknown_limit_is_an_unknown_request(self) -> None:
        spec = {"containers": [container(None, {"nvidia.com/gpu": "two"})]}
        needs = pod_resources(spec)
        assert needs.requests.strings() == needs.limits.strings() == {"nvidia.com/gpu": None}
        assert needs.requests.accelerators() is None
        assert problems(spec) == [
            ("bad-quantity", ("containers", 0, "resources", "limits", "nvidia.com/gpu"))
        ]

    @pytest.mark.parametrize("order", [("x", "1"), ("1", "x")])
    def test_an_unknown_init_container_makes_the_peak_unknown(self, order: tuple[str, str]) -> None:
        inits = [container({"cpu": order[0]}), container({"cpu": order[1]})]
        spec = {"containers": [container({"cpu": "9"})], "initContainers": inits}
        assert pod_resources(spec).requests.strings() == {"cpu": None}

    @pytest.mark.parametrize("amount", ["500m", 0.5, "1.0001"])
    def test_half_a_device_is_a_problem_and_unknown(self, amount: Any) -> None:
        spec = {"containers": [container(None, {"nvidia.com/gpu": amount})]}
        assert pod_resources(spec).requests.accelerators() is None
        assert problems(spec) == [
            ("fractional-quantity", ("containers", 0, "resources", "limits", "nvidia.com/gpu"))
        ]

    def test_half_a_cpu_is_none(self) -> None:
        amounts = {"cpu": "0.5", "ephemeral-storage": "0.5", "attachable.kubernetes.io/x": "0.5"}
        assert_clean({"containers": [container(amounts)]})

    def test_a_request_above_its_limit(self) -> None:
        spec = {
            "containers": [container()],
            "initContainers": [container({"cpu": "2", "memory": "1"}, {"cpu": "1500m", "memory": "1"})],
        }
        assert pod_resources(spec).requests.strings() == {"cpu": "2", "memory": "1"}
        assert problems(spec) == [
            ("request-above-limit", ("initContainers", 0, "resources", "requests", "cpu"))
        ]

    def test_containers_above_the_limit_of_the_pod(self) -> None:
        spec = {"containers": [container({"cpu": "2"})], "resources": {"limits": {"cpu": "1"}}}
        assert problems(spec) == [("request-above-limit", ("resources", "requests", "cpu"))]

    @pytest.mark.parametrize(
        ("spec", "path"),
        [
            (None, ()),
            ([], ()),
            ("spec", ()),
            ({"containers": {}}, ("containers",)),
            ({"containers": 3}, ("containers",)),
            ({"containers": False}, ("containers",)),
            ({"containers": ["a"]}, ("containers", 0)),
            ({"containers": [{}, None]}, ("containers", 1)),
            ({"containers": [{"resources": []}]}, ("containers", 0, "resources")),
            ({"containers": [{"resources": {"requests": []}}]}, ("containers", 0, "resources", "requests")),
            ({"containers": [{"resources": {"limits": "1"}}]}, ("containers", 0, "resources", "limits")),
            ({"containers": [{"resources": {"limits": {1: "1"}}}]}, ("containers", 0, "resources", "limits")),
            ({"containers": [{}], "initContainers": {}}, ("initContainers",)),
            ({"containers": [{}], "initContainers": 0}, ("initContainers",)),
            ({"containers": [{}], "initContainers": "ab"}, ("initContainers",)),
            ({"containers": [{}], "initContainers": [[]]}, ("initContainers", 0)),
            ({"containers": [{}], "resources": 1}, ("resources",)),
            ({"containers": [{}], "overhead": [1]}, ("overhead",)),
        ],
    )
    def test_a_malformed_part_has_its_place_and_leaves_the_total_partial(self, spec: Any, path: Any) -> None:
        needs = pod_resources(spec)
        assert [(one.code, one.path) for one in needs.problems] == [("malformed", path)]
        assert needs.requests.partial
        assert needs.requests.accelerators() is None

    def test_the_rest_is_counted_beside_a_malformed_part(self) -> None:
        needs = pod_resources({"containers": ["a", container({"cpu": "1"})], "overhead": 3})
        assert needs.requests.strings() == {"cpu": "1"}
        assert [one.path for one in needs.problems] == [("containers", 0), ("overhead",)]

    def test_messages_say_what_was_found(self) -> None:
        needs = pod_resources({"containers": [container({"cpu": "1x"}, {"cpu": "-1"}), None]})
        assert [one.message for one in needs.problems] == [
            "'1x' is not a quantity",
            "-1 is negative",
            "expected an object, found null",
        ]


class TestSharing:
    def test_pods_of_one_shape_share_one_value(self) -> None:
        def spec(name: str) -> dict[str, Any]:
            return {"containers": [container({"cpu": "123m"}, name=name)], "nodeName": name}

        assert pod_resources(spec("a")) is pod_resources(spec("b"))

    def test_what_python_calls_equal_is_kept_apart(self) -> None:
        def codes(value: Any) -> list[str]:
            return [one.code for one in pod_resources({"containers": [container({"cpu": value})]}).problems]

        for _ in range(2):
            assert codes(1) == codes(1.0) == codes(0) == codes("1") == []
            assert codes(True) == codes(False) == codes(float("nan")) == codes("true") == ["bad-quantity"]
            assert codes(None) == ["null-quantity"]

    def test_empty_lists_and_empty_objects_are_kept_apart(self) -> None:
        base = {"containers": [container({"cpu": "7"})]}
        assert problems({**base, "initContainers": []}) == []
        assert problems({**base, "initContainers": {}}) == [("malformed", ("initContainers",))]
        assert problems({**base, "resources": {}}) == []
        assert problems({**base, "resources": []}) == [("malformed", ("resources",))]

    def test_nothing_that_was_read_is_changed(self) -> None:
        spec = {
            "containers": [container({"cpu": "1"}, {"memory": "1Gi"})],
            "initContainers": [sidecar({"cpu": "1"}), container({"cpu": "5"})],
            "resources": {"limits": {"memory": "2Gi"}},
        }
        before = repr(spec)
        pod_resources(spec)
        assert repr(spec) == before

    def test_more_shapes_than_are_remembered(self) -> None:
        for cpu in range(1, 5000, 2):
            for memory in ("1Gi", "2Gi"):
                spec = {"containers": [container({"cpu": f"{cpu}", "memory": memory})]}
                assert requests(spec) == {"cpu": f"{cpu}", "memory": memory}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
WORDS = [
    "containers",
    "initContainers",
    "resources",
    "requests",
    "limits",
    "overhead",
    "resourceClaims",
    "claims",
]
NEARLY = st.recursive(
    JSON | st.sampled_from(["1", "500m", "Always"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from([*WORDS, "cpu", "name", "restartPolicy"]), inner, max_size=4)
    ),
    max_leaves=25,
)


@settings(max_examples=400, deadline=None)
@given(st.dictionaries(st.sampled_from(WORDS), NEARLY, max_size=5) | NEARLY, st.lists(NEARLY, max_size=2))
def test_nothing_raises_and_the_same_spec_gives_the_same_answer(spec: Any, injected: list[Any]) -> None:
    first, second = pod_resources(spec, injected), pod_resources(spec, injected)
    assert (first.requests, first.limits, first.problems) == (second.requests, second.limits, second.problems)
    for total in (first.requests, first.limits):
        unknown = total.partial or None in total.strings().values()
        assert first.problems or not unknown
        assert list(total) == sorted(total)


def test_deep_and_long_values_are_problems() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    for value in (deep, "9" * 1_000_000, 10**5000, "\ud800", 2**64):
        needs = pod_resources({"containers": [container({"cpu": value})]})
        assert needs.problems or value == 2**64


def test_problems_come_in_one_order_whatever_the_order_of_the_keys() -> None:
    wrong = {"requests": {"nvidia.com/gpu": "y", "cpu": "x"}, "limits": {"memory": "z"}}
    turned = {"limits": {"memory": "z"}, "requests": {"cpu": "x", "nvidia.com/gpu": "y"}}
    first, second = (pod_resources({"containers": [{"resources": one}]}) for one in (wrong, turned))
    assert [problem.path for problem in first.problems] == [problem.path for problem in second.problems]
    assert len(first.problems) == 3
