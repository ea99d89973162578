"""Counts that may be unknown, and the GPUs of one pod."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

Object = dict[str, Any]

GPUS = (
    "nvidia.com/gpu",
    "amd.com/gpu",
    "gpu.intel.com/i915",
    "gpu.intel.com/xe",
    "habana.ai/gaudi",
    "google.com/tpu",
    "aws.amazon.com/neuron",
    "aws.amazon.com/neurondevice",
)
"""Resources that are whole accelerators."""


class Around(NamedTuple):
    """What else is known.

    Attributes:
        live: The object comes from a cluster, so that what is not in its status did not happen.
        others: The other objects in the same file.
    """

    live: bool
    others: list[Object]


class Count(NamedTuple):
    """How many pods, and how many GPUs they ask for together; None where that is unknown."""

    pods: int | None
    gpus: int | None


NONE = Count(0, 0)
UNKNOWN = Count(None, None)


def total(counts: Iterable[Count]) -> Count:
    """Several together: unknown where one of them is."""
    pods: int | None = 0
    gpus: int | None = 0
    for one in counts:
        pods = None if pods is None or one.pods is None else pods + one.pods
        gpus = None if gpus is None or one.gpus is None else gpus + one.gpus
    return Count(pods, gpus)


def times(number: int | None, one: Count) -> Count:
    """The same several times over."""
    return Count(_product(number, one.pods), _product(number, one.gpus))


def _product(number: int | None, each: int | None) -> int | None:
    """Nothing is nothing, however often, and however much of it is wanted never."""
    if number == 0 or each == 0:
        return 0
    return None if number is None or each is None else number * each


def number(value: Any, default: int | None = None) -> int | None:
    """A count in a spec; the default where it is left out, None where it is no count."""
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        return None
    return value


def at(value: Any, *keys: str) -> Any:
    """What lies below keys; None where one of them is not there."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def pod(spec: Any) -> Count:
    """One pod of a pod spec."""
    return Count(1, gpus_of_pod(spec))


def of_template(template: Any) -> Count:
    """One pod of a pod template."""
    return pod(at(template, "spec"))


def gpus_of_pod(spec: Any) -> int | None:
    """What the scheduler counts: what runs side by side, or the greediest of what runs before it."""
    if not at(spec, "containers"):
        return None
    try:
        return sum(_of_resource(spec, name) for name in GPUS)
    except ValueError:  # a placeholder that nobody has filled in
        return None


def _of_resource(spec: Any, name: str) -> int:
    beside = 0
    peak = 0
    for container in at(spec, "initContainers") or []:
        own = _asks(container, name)
        if container.get("restartPolicy") == "Always":
            beside += own
            peak = max(peak, beside)
        else:
            peak = max(peak, beside + own)
    running = sum(_asks(container, name) for container in at(spec, "containers") or [])
    return max(peak, running + beside)


def _asks(container: Any, name: str) -> int:
    """A limit stands for the request that is left out."""
    asked = at(container, "resources", "requests", name)
    asked = at(container, "resources", "limits", name) if asked is None else asked
    return 0 if asked is None else int(asked)
