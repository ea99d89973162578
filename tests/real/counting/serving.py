"""Serving and what stands beside it: KServe, Knative, NIM, Grove, Dynamo, Milvus, sandboxes, wrappers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.real.counting.counts import (
    NONE,
    UNKNOWN,
    Around,
    Count,
    Object,
    at,
    gpus_of_pod,
    number,
    of_template,
    pod,
    times,
    total,
)

_MODE = "serving.kserve.io/deploymentMode"


def inference_service(obj: Object, _: Around) -> Count:
    """Each part is scaled on its own. A model runs in containers of a runtime, which is not in the object."""
    spec = obj.get("spec") or {}
    mode = at(obj, "status", "deploymentMode") or at(obj, "metadata", "annotations", _MODE)
    counts = []
    for part in ("predictor", "transformer", "explainer"):
        if part in spec:
            one = spec[part]
            if part == "predictor" and mode == "ModelMesh":
                continue  # loaded into pods that are there already
            own = one.get("containers") or ([one["art"]] if one.get("art") else None)
            gpus = gpus_of_pod({"containers": own}) if own and "model" not in one else None
            counts.append(times(_between(one), Count(1, gpus)))
    return total(counts)


def inference_graph(obj: Object, _: Around) -> Count:
    """Routers without GPUs, as many as a part of an InferenceService has pods."""
    return times(_between(obj.get("spec") or {}), Count(1, 0))


def _between(part: Object) -> int | None:
    """The least number (1), unless there is room above it for an autoscaler."""
    least = number(part.get("minReplicas"), 1)
    most = part.get("maxReplicas") or 0
    return least if least and most <= least else None


def llm_inference_service(obj: Object, _: Around) -> Count:
    """Servers, each a pod or a group of nodes, twice with prefill; beside them CPU pods that route.

    Bases that are not in the object may add anything, and KServe's own device claims are in none of its pods.
    """
    spec = obj.get("spec") or {}
    if spec.get("baseRefs"):
        return UNKNOWN
    router = at(spec, "router", "scheduler")
    parts = [_llm_servers(part) for part in (spec, spec.get("prefill")) if part is not None]
    if "serving.kserve.io/exp-dra-device-class" in (at(obj, "metadata", "annotations") or {}):
        parts = [Count(part.pods, None) for part in parts]
    if router is not None and not at(router, "pool", "ref"):
        parts.append(Count(number(router.get("replicas"), 1), 0))
        if "tokenizer" in router:
            parts.append(Count(1, 0))
    return total(parts)


def _llm_servers(part: Object) -> Count:
    """As many as is said (1) where no autoscaler decides; with workers each is a group of nodes."""
    one = pod(part.get("template"))
    if "worker" in part:
        one = total([one, times(_llm_nodes(part.get("parallelism") or {}) - 1, pod(part["worker"]))])
    return times(None if "scaling" in part else number(part.get("replicas"), 1), one)


def _llm_nodes(parallelism: Object) -> int:
    """Ranks of data over those that fit a node, or else the stages of a pipeline."""
    ranks, local = parallelism.get("data"), parallelism.get("dataLocal")
    if ranks or local:
        return max((ranks or 1) // (local or 1), 1)
    return parallelism.get("pipeline") or 1


def knative_service(obj: Object, _: Around) -> Count:
    """An autoscaler decides, but where both bounds are one number."""
    notes = at(obj, "spec", "template", "metadata", "annotations") or {}
    least = int(notes.get("autoscaling.knative.dev/min-scale", 0))
    most = int(notes.get("autoscaling.knative.dev/max-scale", 0))
    return times(least if least == most and most else None, of_template(at(obj, "spec", "template")))


def nim_service(obj: Object, _: Around) -> Count:
    """Without an autoscaler `replicas` (1), with one its minimum; on KServe `replicas` is the minimum."""
    spec = obj.get("spec") or {}
    scale = spec.get("scale") or {}
    asked = at(scale, "hpa", "minReplicas") if scale.get("enabled") else spec.get("replicas")
    # Devices are claimed by what they can do, and how many that are is known when they are allocated.
    gpus = None if spec.get("draResources") else gpus_of_pod({"containers": [spec]})
    return times(number(asked, 1), Count(1, gpus))


def nim_cache(_: Object, __: Around) -> Count:
    """One pod fetches the model; it has no GPU."""
    return Count(1, 0)


def nim_pipeline(obj: Object, around: Around) -> Count:
    """A NIMService each, for those that are turned on."""
    services = [one for one in at(obj, "spec", "services") or [] if one.get("enabled") is True]
    return total(nim_service(one, around) for one in services)


def pod_clique_set(obj: Object, _: Around) -> Count:
    """Each replica (0) has its cliques; those of a scaling group once for each replica (1) of the group."""
    template = at(obj, "spec", "template")
    cliques = {
        one["name"]: times(number(at(one, "spec", "replicas"), 1), _grove_pod(one))
        for one in at(template, "cliques") or []
    }
    scaled = dict.fromkeys(cliques, 1)
    for group in at(template, "podCliqueScalingGroups") or []:
        for name in group["cliqueNames"]:
            scaled[name] = number(group.get("replicas"), 1) or 0
    one = total(times(scaled[name], count) for name, count in cliques.items())
    return times(number(at(obj, "spec", "replicas"), 0), one)


def _grove_pod(clique: Object) -> Count:
    return Count(1, gpus_of_pod(at(clique, "spec", "podSpec")))


def dynamo_graph(obj: Object, _: Around) -> Count:
    """`replicas` (1) of each service, on `nodeCount` (1) nodes each; GPUs in a word of Dynamo's own."""
    counts = []
    for service in (at(obj, "spec", "services") or {}).values():
        nodes = number(at(service, "multinode", "nodeCount"), 1)
        gpus = at(service, "resources", "limits", "gpu") or at(service, "resources", "requests", "gpu") or 0
        own = gpus_of_pod({"containers": [at(service, "extraPodSpec", "mainContainer") or {}]})
        count = Count(1, None if own is None else int(gpus) + own)
        counts.append(times(number(service.get("replicas"), 1), times(nodes, count)))
    return total(counts)


_BEFORE_2_6 = ["dataNode", "queryNode", "indexNode", "proxy"]
_SINCE_2_6 = ["mixCoord", "dataNode", "streamingNode", "queryNode", "proxy"]
_COORDS = ["rootCoord", "dataCoord", "queryCoord", "indexCoord"]


def milvus(obj: Object, _: Around) -> Count:
    """One of each part. Which parts a cluster has, its version decides, which is the image's if any."""
    spec = obj.get("spec") or {}
    parts = spec.get("components") or {}
    always = ["cdc"] if parts.get("cdc") else []
    if spec.get("mode") != "cluster":
        return total(_milvus_part(parts, name) for name in ["standalone", *always])
    if at(parts, "standalone", "replicas"):
        always.append("standalone")
    older = [*(["mixCoord"] if "mixCoord" in parts else _COORDS), *_BEFORE_2_6]
    is_new = _is_2_6(parts.get("image") or "")
    if is_new is not None:
        return total(_milvus_part(parts, name) for name in [*(_SINCE_2_6 if is_new else older), *always])
    # Either the ones or the others: unknown, unless none of them asks for anything.
    any_of = total(_milvus_part(parts, name) for name in {*older, *_SINCE_2_6, *always})
    return Count(None, 0 if any_of.gpus == 0 else None)


def _is_2_6(image: str) -> bool | None:
    version = image.rpartition(":")[2].removeprefix("v")
    if not version[:1].isdigit():
        return None
    major, minor = (int(each) for each in version.split(".")[:2])
    return (major, minor) >= (2, 6)


def _milvus_part(parts: Object, name: str) -> Count:
    part = parts.get(name) or {}
    resources = part.get("resources") or parts.get("resources")
    one = Count(1, gpus_of_pod({"containers": [{"resources": resources}, *(part.get("sidecars") or [])]}))
    # Below zero says that an autoscaler decides.
    return total(times(number(group.get("replicas"), 1), one) for group in part.get("groups") or [part])


def sandbox(obj: Object, _: Around) -> Count:
    """One pod; v1alpha1 has a field that turns it off."""
    replicas = number(at(obj, "spec", "replicas"), 1) if obj["apiVersion"].endswith("/v1alpha1") else 1
    return times(replicas, of_template(at(obj, "spec", "podTemplate")))


_WITHOUT_PODS = {"Service", "ConfigMap", "Secret", "ServiceAccount", "PersistentVolumeClaim", "Ingress"}


def app_wrapper(obj: Object, around: Around, count: Callable[[Object, Around], Count | None]) -> Count:
    """The objects in it, each for itself."""
    counts = []
    for component in at(obj, "spec", "components") or []:
        inside: Any = component.get("template") or {}
        if inside.get("kind") in _WITHOUT_PODS:
            counts.append(NONE)
        else:
            counts.append(count(inside, around) or UNKNOWN)
    return total(counts)
