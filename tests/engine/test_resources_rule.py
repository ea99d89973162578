"""The published rule of what a pod requests, told a second time and slowly: by resource, with fractions.

From the formula of the sidecar containers enhancement (KEP-753) and the defaults of pod-level resources
(KEP-2837). Amounts are `Fraction`s; what is not set is None. For valid specs only.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from workload_map.engine.quantity import NANO
from workload_map.engine.resources import pod_resources

Amount = Fraction | None


def pod_request(spec: dict[str, Any], name: str) -> Amount:
    """What the scheduler reserves of one resource."""
    request = _effective_request(spec, name)
    overhead = _of(spec.get("overhead"), name)
    return _sum([request, overhead])


def pod_limit(spec: dict[str, Any], name: str) -> Amount:
    """What one resource is limited to."""
    own = _of((spec.get("resources") or {}).get("limits"), name) if _pod_level(name) else None
    limit = own if own is not None else _over_containers(spec, name, _container_limit)
    overhead = _of(spec.get("overhead"), name)
    return limit + overhead if limit and overhead is not None else limit


def _effective_request(spec: dict[str, Any], name: str) -> Amount:
    resources = spec.get("resources") or {}
    from_containers = _over_containers(spec, name, _container_request)
    if not _pod_level(name):
        return from_containers
    own_request, own_limit = _of(resources.get("requests"), name), _of(resources.get("limits"), name)
    if own_request is not None:
        return own_request
    if name.startswith("hugepages-"):
        if resources.get("requests") or resources.get("limits"):
            limit = own_limit if own_limit is not None else _over_containers(spec, name, _container_limit)
            return limit if limit is not None else from_containers
        return from_containers
    return from_containers if from_containers is not None else own_limit


def _over_containers(spec: dict[str, Any], name: str, amount_of: Any) -> Amount:
    """The largest of what runs at once: while the n-th init container starts, and after all of them."""
    inits = spec.get("initContainers") or []
    moments = []
    for index, starting in enumerate(inits):
        beside = [amount_of(one, name) for one in inits[:index] if one.get("restartPolicy") == "Always"]
        moments.append(_sum([amount_of(starting, name), *beside]))
    sidecars = [amount_of(one, name) for one in inits if one.get("restartPolicy") == "Always"]
    moments.append(_sum([*sidecars, *(amount_of(one, name) for one in spec["containers"])]))
    return max((one for one in moments if one is not None), default=None)


def _container_request(container: dict[str, Any], name: str) -> Amount:
    request = _of((container.get("resources") or {}).get("requests"), name)
    return request if request is not None else _container_limit(container, name)


def _container_limit(container: dict[str, Any], name: str) -> Amount:
    return _of((container.get("resources") or {}).get("limits"), name)


def _pod_level(name: str) -> bool:
    return name in {"cpu", "memory"} or name.startswith("hugepages-")


def _sum(amounts: list[Amount]) -> Amount:
    known = [one for one in amounts if one is not None]
    return sum(known, Fraction(0)) if known else None


def _of(amounts: dict[str, Any] | None, name: str) -> Amount:
    text = (amounts or {}).get(name)
    if text is None:
        return None
    for suffix, factor in (("m", Fraction(1, 1000)), ("Ki", Fraction(2**10)), ("Gi", Fraction(2**30))):
        if text.endswith(suffix):
            return Fraction(text.removesuffix(suffix)) * factor
    return Fraction(text)


NAMES = ["cpu", "memory", "hugepages-2Mi", "nvidia.com/gpu"]
WHOLE = st.integers(0, 40).map(str)
AMOUNTS = {
    "cpu": st.integers(0, 9000).map(lambda milli: f"{milli}m") | WHOLE,
    "memory": st.integers(0, 9).map(lambda gi: f"{gi}Gi") | st.integers(0, 99).map(lambda ki: f"{ki}Ki"),
    "hugepages-2Mi": st.integers(0, 9).map(lambda gi: f"{gi}Gi"),
    "nvidia.com/gpu": WHOLE,
}


def resource_lists(names: list[str]) -> st.SearchStrategy[Any]:
    lists = st.fixed_dictionaries({}, optional={name: AMOUNTS[name] for name in names})
    return st.none() | lists


def resources_fields(names: list[str]) -> st.SearchStrategy[Any]:
    parts = {"requests": resource_lists(names), "limits": resource_lists(names)}
    return st.none() | st.fixed_dictionaries({}, optional=parts)


def starting(containers: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Init containers like these, some of them sidecars."""
    kinds = st.sampled_from([{}, {"restartPolicy": "Always"}])
    return st.tuples(containers, kinds).map(lambda two: {**two[0], **two[1]})


PLAIN = st.fixed_dictionaries({}, optional={"resources": resources_fields(NAMES)})
INITS = starting(PLAIN)
SPECS = st.fixed_dictionaries(
    {"containers": st.lists(PLAIN, min_size=1, max_size=4)},
    optional={
        "initContainers": st.none() | st.lists(INITS, max_size=5),
        "resources": resources_fields(NAMES[:3]),
        "overhead": resource_lists(NAMES[:2]),
    },
)


def as_made(spec: dict[str, Any], containers: list[Any], inits: list[Any]) -> dict[str, Any]:
    """The spec of the pod that an operator makes, which appends containers of its own."""
    return {
        **spec,
        "containers": spec["containers"] + containers,
        "initContainers": (spec.get("initContainers") or []) + inits,
    }


# All ask for the same resource, so that what starts beside what decides.
ASKING = AMOUNTS["nvidia.com/gpu"].map(lambda amount: {"resources": {"requests": {"nvidia.com/gpu": amount}}})
STARTING = starting(ASKING)
DENSE = st.fixed_dictionaries(
    {"containers": st.lists(ASKING, min_size=1, max_size=1), "initContainers": st.lists(STARTING, max_size=3)}
)


@settings(max_examples=1000, deadline=None)
@given(
    st.one_of(
        st.tuples(SPECS, st.lists(PLAIN, max_size=2), st.lists(INITS, max_size=3)),
        st.tuples(DENSE, st.lists(ASKING, max_size=1), st.lists(STARTING, max_size=3)),
    )
)
def test_every_resource_follows_the_published_rule(
    made_of: tuple[dict[str, Any], list[Any], list[Any]],
) -> None:
    needs, spec = pod_resources(*made_of), as_made(*made_of)
    for name in NAMES:
        for found, expected in (
            (needs.requests, pod_request(spec, name)),
            (needs.limits, pod_limit(spec, name)),
        ):
            amount = found.get(name)
            assert (None if amount is None else Fraction(amount.nano, NANO)) == expected, name
            assert (name in found) == (expected is not None)
    assert {one.code for one in needs.problems} <= {"request-above-limit"}
