"""What the simulated kubelets make of a pod: the stages that kwok plays, written as data for it.

A pod goes from Pending (containers are being created, init containers run) to Running, Ready and, if a Job
owns it, Succeeded. Annotations of the pod or of its template ask for something else, and may change while it
lives:

- `sim.workload-map/outcome`:
  `run` (stays Ready), `succeed`, `fail` and `oom-kill` (phase Failed where the restart policy is Never, else
  CrashLoopBackOff and restarts), `evict`, `unready`, `image-pull-back-off`
- `sim.workload-map/after`: how long it is Ready before that happens, such as `30s`; 4s to succeed, else 1s
- `sim.workload-map/start-after`: how long its containers are being created; 300ms
- `sim.workload-map/exit-code`: of a container that fails; 1

Nothing runs: exit codes, probes and times are what these stages say.
"""

from __future__ import annotations

import json
from typing import Any

PREFIX = "sim.workload-map"
OUTCOME = f"{PREFIX}/outcome"
AFTER = f"{PREFIX}/after"
START_AFTER = f"{PREFIX}/start-after"
EXIT_CODE = f"{PREFIX}/exit-code"

Stage = dict[str, Any]

# In jq. What is asked of the pod:
_OUTCOME = (
    f'(.metadata.annotations["{OUTCOME}"] // '
    'if any(.metadata.ownerReferences[]?; .kind == "Job") then "succeed" else "run" end)'
)
_FAILS = f'({_OUTCOME} == "fail" or {_OUTCOME} == "oom-kill")'
_CAN_PULL = f'{_OUTCOME} != "image-pull-back-off"'
_NEVER_RESTARTS = '.spec.restartPolicy == "Never"'
# Where it is; at most one of these holds:
_HAS = 'any(.status.conditions[]?; .type == "{}" and .status == "True")'.format
_WAITS_FOR = 'any(.status.containerStatuses[]?; .state.waiting.reason == "{}")'.format
_NEW = ".status.podIP == null"
_CREATED = f'.status.podIP != null and .status.phase == "Pending" and ({_HAS("Initialized")} | not)'
_INITIALIZED = f'.status.phase == "Pending" and {_HAS("Initialized")}'
_STARTED = (
    f'.status.phase == "Running" and ({_HAS("Ready")} | not) and ({_WAITS_FOR("CrashLoopBackOff")} | not)'
)
_READY = f'.status.phase == "Running" and {_HAS("Ready")}'
_BACKING_OFF = f'.status.phase == "Running" and {_WAITS_FOR("CrashLoopBackOff")}'
# Across those:
_INIT_STARTED = "any(.status.initContainerStatuses[]?; .state.running != null)"
_ENDED = '(.status.phase == "Succeeded" or .status.phase == "Failed")'
_DELETED = ".metadata.deletionTimestamp != null"

_PRELUDE = "{{ $now := Now }}{{ $pod := . }}\n"
# The status of a container before this change, for its restart count and its start.
_BEFORE = """
{{ $before := dict }}
{{ range (or $pod.status.FIELD list) }}{{ if eq .name $item.name }}{{ $before = . }}{{ end }}{{ end }}
{{ $started := dig "state" "running" "startedAt" $now $before }}
{{ $restarts := or $before.restartCount 0 }}
"""
_SAME_STATE = "{{ toJson $before.state }}"
_RUNS = "{running: {startedAt: {{ $now | Quote }}}}"
_EXIT_CODE_OF_POD = f'{{{{ or (index (or $pod.metadata.annotations dict) "{EXIT_CODE}") "1" }}}}'
_KILLED_FOR_MEMORY = f'eq (index (or $pod.metadata.annotations dict) "{OUTCOME}") "oom-kill"'


def pod_stages() -> str:
    """All stages of pods, as the documents of a kwok configuration."""
    stages = [*_stages_of_start(), *_stages_of_outcomes(), *_stages_of_deletion()]
    return "\n---\n".join(json.dumps(stage, indent=1) for stage in stages)


def _stages_of_start() -> list[Stage]:
    pull = _waiting("ImagePullBackOff", "Back-off pulling image {{ $item.image }}")
    done = _conditions(Initialized="True")
    done += _containers(_terminated("0", "Completed"), field="initContainers", ready=True)
    ready = _conditions(Ready="True", ContainersReady="True")
    ready += _containers(_SAME_STATE, started=True, ready=True)
    start_after = f'.metadata.annotations["{START_AFTER}"] // "300ms"'
    no_image = f"({_CAN_PULL} | not) and ({_WAITS_FOR('ImagePullBackOff')} | not)"
    start = _containers(_RUNS, started=True) + "phase: Running\n"
    return [
        _stage("create", [_NEW], _creation()),
        _stage(
            "init-start",
            [_CREATED, f"({_INIT_STARTED} | not)"],
            _containers(_RUNS, field="initContainers", started=True),
        ),
        _stage("init-end", [_CREATED, _INIT_STARTED], done),
        _stage("pull-fails", [_INITIALIZED, no_image], _containers(pull)),
        _stage("start", [_INITIALIZED, _CAN_PULL], start, start_after),
        _stage("ready", [_STARTED, f'{_OUTCOME} != "unready"'], ready),
        _stage("restart", [_BACKING_OFF], _containers(_RUNS, started=True), '"10s"'),
    ]


def _stages_of_outcomes() -> list[Stage]:
    fails, oom = _terminated(_EXIT_CODE_OF_POD, "Error"), _terminated("137", "OOMKilled")
    failure = f"{{{{ if {_KILLED_FOR_MEMORY} }}}}{oom}{{{{ else }}}}{fails}{{{{ end }}}}"
    back_off = _waiting("CrashLoopBackOff", "back-off 10s restarting failed container")
    evicted = "phase: Failed\nreason: Evicted\nmessage: 'The node was low on resource: memory.'\n"
    return [
        _stage(
            "unready",
            [_READY, f'{_OUTCOME} == "unready"'],
            _not_ready("ContainersNotReady") + _containers(_SAME_STATE, started=True),
            _after("1s"),
        ),
        _stage(
            "succeed",
            [_READY, f'{_OUTCOME} == "succeed"', '.spec.restartPolicy != "Always"'],
            _not_ready("PodCompleted") + _containers(_terminated("0", "Completed")) + "phase: Succeeded\n",
            _after("4s"),
        ),
        _stage(
            "fail",
            [_READY, _FAILS, _NEVER_RESTARTS],
            _not_ready("PodFailed") + _containers(failure) + "phase: Failed\n",
            _after("1s"),
        ),
        _stage(
            "crash",
            [_READY, _FAILS, f"({_NEVER_RESTARTS} | not)"],
            _not_ready("ContainersNotReady")
            + _containers(back_off, last=failure, restarts="{{ add 1 $restarts }}"),
            _after("1s"),
        ),
        _stage(
            "evict",
            [_READY, f'{_OUTCOME} == "evict"'],
            _not_ready("PodFailed") + _containers(_terminated("137", "Error")) + evicted,
            _after("1s"),
        ),
    ]


def _stages_of_deletion() -> list[Stage]:
    killed = _not_ready("PodFailed") + _containers(_terminated("143", "Error")) + "phase: Failed\n"
    no_finalizers = "(.metadata.finalizers // [] | length == 0)"
    return [
        _stage("terminate", [f"({_ENDED} | not)"], killed, '"400ms"', deleted=True),
        _stage("delete", [_ENDED, no_finalizers], None, deleted=True),
    ]


def _stage(
    name: str, conditions: list[str], status: str | None, delay: str = '"300ms"', deleted: bool = False
) -> Stage:
    """A step from where all conditions hold; the delay is jq for a duration, no status deletes the pod."""
    key = f"select({' and '.join([_DELETED if deleted else f'({_DELETED} | not)', *conditions])})"
    return {
        "apiVersion": "kwok.x-k8s.io/v1alpha1",
        "kind": "Stage",
        "metadata": {"name": f"pod-{name}"},
        "spec": {
            "resourceRef": {"apiGroup": "v1", "kind": "Pod"},
            "selector": {"matchExpressions": [{"jq": {"key": key, "operator": "Exists"}}]},
            "delay": {"durationFrom": {"jq": {"expression": delay}}},
            "next": {"delete": True} if status is None else {"statusTemplate": _PRELUDE + status},
        },
    }


def _after(otherwise: str) -> str:
    return f'.metadata.annotations["{AFTER}"] // "{otherwise}"'


def _containers(
    state: str,
    field: str = "containers",
    ready: bool = False,
    started: bool = False,
    last: str = "{{ toJson (or $before.lastState dict) }}",
    restarts: str = "{{ $restarts }}",
) -> str:
    statuses = "containerStatuses" if field == "containers" else "initContainerStatuses"
    entry = (
        "{name: {{ $item.name | Quote }}, image: {{ $item.image | Quote }}, imageID: '', "
        f"ready: {json.dumps(ready)}, started: {json.dumps(started)}, restartCount: {restarts}, "
        f"state: {state}, lastState: {last}}}"
    )
    before = _BEFORE.replace("FIELD", statuses)
    return f"{statuses}:\n{{{{ range $item := .spec.{field} }}}}{before}- {entry}\n{{{{ end }}}}\n"


def _waiting(reason: str, message: str) -> str:
    return f"{{waiting: {{reason: {reason}, message: '{message}'}}}}"


def _terminated(code: str, reason: str) -> str:
    times = "startedAt: {{ $started | Quote }}, finishedAt: {{ $now | Quote }}"
    return f"{{terminated: {{exitCode: {code}, reason: {reason}, {times}}}}}"


def _conditions(reason: str = "", **statuses: str) -> str:
    why = f", reason: {reason}" if reason else ", reason: null"
    times = "lastProbeTime: null, lastTransitionTime: {{ $now | Quote }}"
    entries = [f"- {{type: {kind}, status: '{status}'{why}, {times}}}" for kind, status in statuses.items()]
    return "conditions:\n" + "\n".join(entries) + "\n"


def _not_ready(reason: str) -> str:
    return _conditions(reason, Ready="False", ContainersReady="False")


def _creation() -> str:
    first_wait = "{{ if $pod.spec.initContainers }}PodInitializing{{ else }}ContainerCreating{{ end }}"
    return (
        "startTime: {{ $now | Quote }}\n"
        "hostIP: {{ NodeIPWith .spec.nodeName | Quote }}\n"
        "podIP: {{ PodIPWith .spec.nodeName (or .spec.hostNetwork false) .metadata.uid .metadata.name"
        " .metadata.namespace | Quote }}\n"
        + _not_ready("ContainersNotReady")
        + "- {type: Initialized, lastTransitionTime: {{ $now | Quote }}, "
        "status: {{ if .spec.initContainers }}'False', reason: ContainersNotInitialized"
        "{{ else }}'True'{{ end }}}\n"
        "{{ if .spec.initContainers }}\n"
        + _containers("{waiting: {reason: PodInitializing}}", field="initContainers")
        + "{{ end }}\n"
        + _containers(f"{{waiting: {{reason: {first_wait}}}}}")
    )
