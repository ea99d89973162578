"""Definitions of made-up kinds of all the shapes that the generated form knows, and some it does not."""

from __future__ import annotations

from functools import cache
from typing import Any

import yaml

from tests.engine.made_up import definition
from workload_map.definition.schema import Definition

_STRUCTURES = {
    "nested lists, ids in the inner one": """
        childComponents:
          - name: task
            instanceIdPath: .spec.groups[].tasks[].name
            specDefinition: {podTemplateSpecPath: '.spec.groups[].tasks[].template'}
            scaleDefinition:
              replicasPath: .spec.groups[].tasks[].replicas
              podsPerReplicaPath: .spec.size
              defaults: {replicas: 2}
    """,
    "a map of roles": """
        childComponents:
          - name: role
            instanceIdPath: .spec.roles[].name
            specDefinition: {podSpecPath: '.spec.roles[] | .template.spec'}
            scaleDefinition:
              replicasPath: .spec.roles[] | select(.enabled != false) | .replicas
              minReplicasPath: .spec.roles[] | .min // .spec.min
              maxReplicasPath: .spec.roles[].max
              suspendedPath: .spec.roles[].suspend
    """,
    "a path into one of the instances": """
        childComponents:
          - name: role
            instanceIdPath: .spec.roles[].name
            specDefinition: {podTemplateSpecPath: '.spec.roles[].template'}
            scaleDefinition: {replicasPath: .spec.roles.ps.replicas, defaults: {replicas: 7}}
    """,
    "instances without ids": """
        childComponents:
          - name: worker
            specDefinition: {podTemplateSpecPath: '.spec.workers[].template'}
            scaleDefinition: {replicasPath: '.spec.workers[].replicas', podsPerReplicaPath: .spec.hosts // 1}
    """,
    "computed ids": r"""
        childComponents:
          - name: worker
            instanceIdPath: .spec.workers[] | "\(.name)-\(.kind // "x")"
            specDefinition:
              podTemplateSpecPath: .spec.workers[] | if .own then .own else .template end
              injectedInitContainersPath: '.spec.workers[] | select(.own) | {name: "wait", kind: .kind}'
            scaleDefinition:
              replicasPath: .spec.workers[] | .replicas as $n | if $n == 0 then null else $n end
    """,
    "levels without pods": """
        childComponents:
          - name: group
            scaleDefinition: {replicasPath: .spec.replicas, defaults: {replicas: 1}}
          - name: leader
            ownerRef: group
            specDefinition: {podTemplateSpecPath: .spec.leader}
            scaleDefinition: {replicasPath: .spec.replicas * 1}
          - name: worker
            ownerRef: group
            specDefinition: {podTemplateSpecPath: .spec.worker | select(.spec != null)}
            scaleDefinition:
              replicasPath: (.spec.replicas // 1) * ((.spec.size // 1) - 1)
              maxReplicasPath: .spec.max
          - name: empty
            ownerRef: root
          - name: helper
            ownerRef: worker
            specDefinition: {podTemplateSpecPath: .spec.helper}
    """,
    "a root with pods, containers of the operator": """
        rootComponent:
          specDefinition:
            podTemplateSpecPath: .spec.template
            injectedContainersPath: .spec | select(.sidecars) | .sidecars
            injectedInitContainersPath: 'select(.status.ready != null) | {resources: {requests: {cpu: "2"}}}'
          scaleDefinition:
            replicasPath: .spec.replicas
            minReplicasPath: .spec.min
            maxReplicasPath: .spec.max
            suspendedPath: .spec.stopped == true
            defaults: {minReplicas: 1}
          suspendDefinition:
            suspendActions:
              - {path: .spec.suspend, value: "true"}
              - {path: .spec.mode, value: '"off"'}
              - {path: .spec.replicas, value: "0"}
            resumeActions: [{path: .spec.suspend, value: "false"}]
        childComponents:
          - name: worker
            specDefinition: {podTemplateSpecPath: '.spec | .worker?'}
            scaleDefinition:
              replicasPath: '[.spec.workers[]? | .replicas // 0] | add'
              maxReplicasPath: first(.spec.workers[]?.replicas)
    """,
}

_STATUSES = {
    "phases and conditions": """
        phaseDefinition: {path: .status.phase}
        conditionsDefinition: {path: .status.conditions, reasonFieldName: why}
        messagePath: .status.message
        restartsPath: .status.restarts // 0
        statusMappings:
          running:
            - byPhase: Running
            - byConditions: [{type: Ready, status: "True"}]
            - byPhase: Running
              byExpression: {expression: .status.phase.deep, expectedResult: never asked}
          failed:
            - byPhase: Failed
              byConditions: [{type: Ready, status: "False"}]
              byExpression: {expression: '.status.counts[] | select(. > 0) | tostring', expectedResult: "2"}
            - byExpression: {expression: .status.failed > 0, expectedResult: "true"}
            - byPhase: Failed
          completed: [{byConditions: [{type: Done}, {type: Ready, status: "False", reason: Ended}]}]
    """,
    "one state": r"""
        conditionsDefinition: {path: '.status | .conditions'}
        messagePath: .status.conditions[0].message
        statusMappings:
          initializing:
            - byConditions: [{type: Created}]
              byExpression: &state
                expression: >-
                  [.status.conditions[]? | "\(.type)=\(.status)"] as $is
                  | (.status.ready // 0) as $ready
                  | if any($is[]; . == "Done=True" or . == "Failed=True") then "Ended"
                    elif all(.status.jobs[]?; (.ready // 0) + (.done // 0) >= 1) and $ready == 1
                    then "Running"
                    elif ($is | sort_by(.) | length) > 2 and isempty(.status.jobs[]? | .failed)
                    then "Degraded"
                    else "Initializing" end
                expectedResult: Initializing
            - byExpression: *state
          completed:
            - byExpression: {<<: *state, expectedResult: Ended}
            - byConditions: [{type: Ready, status: "False"}]
          running:
            - byExpression: {<<: *state, expectedResult: Running}
          degraded:
            - byConditions: [{type: Ready, status: Unknown}]
              byExpression: {<<: *state, expectedResult: Degraded}
            - byExpression: {<<: *state, expectedResult: Degraded}
    """,
    "values that are no text": """
        phaseDefinition: {path: '.status.jobs[]?.phase'}
        statusMappings:
          running: [{byExpression: {expression: .status.ready, expectedResult: "1"}}]
          degraded: [{byExpression: {expression: '.status.jobs[] | .ready', expectedResult: "1"}}]
          failed: [{byExpression: {expression: '[.status.failed, .spec.replicas]', expectedResult: "[1,2]"}}]
          completed:
            - byExpression: {expression: 'limit(2; .status.conditions[]?.type)', expectedResult: Done}
          suspended: [{byExpression: {expression: .status.ready == 1, expectedResult: "true"}}]
          initializing: [{byExpression: {expression: .status.ready == .spec.size, expectedResult: "true"}}]
          suspending:
            - byExpression: {expression: 'reduce .status.counts[]? as $n (0; . + $n)', expectedResult: "3"}
          resuming: [{byExpression: {expression: '.. | .deep? // empty', expectedResult: "true"}}]
    """,
}


PER_PATH_ONLY = frozenset(["a path into one of the instances"])
"""Those of which no structure function is written."""


@cache
def definitions() -> dict[str, Definition]:
    """The made-up definitions by what they show."""
    found = {name: definition(structure) for name, structure in _STRUCTURES.items()}
    for name, text in _STATUSES.items():
        root: dict[str, Any] = {"rootComponent": {"statusDefinition": yaml.safe_load(text)}}
        found[name] = definition(yaml.safe_dump(root))
    return found


_TEMPLATE = {"spec": {"containers": [{"image": "a:1", "resources": {"limits": {"nvidia.com/gpu": 2}}}]}}

THING: dict[str, Any] = {
    "apiVersion": "x.io/v1",
    "kind": "Thing",
    "metadata": {"name": "t", "namespace": "n", "uid": "u", "generation": 2},
    "spec": {
        "replicas": 2,
        "min": 1,
        "max": 3,
        "size": 2,
        "hosts": 2,
        "suspend": True,
        "mode": "off",
        "template": _TEMPLATE,
        "leader": _TEMPLATE,
        "worker": _TEMPLATE,
        "helper": _TEMPLATE,
        "sidecars": [{"image": "s:1", "resources": {"requests": {"cpu": "1"}}}],
        "groups": [
            {
                "name": "a",
                "tasks": [{"name": "x", "template": _TEMPLATE}, {"name": "y", "template": _TEMPLATE}],
            },
            {"name": "b", "tasks": [{"name": "z", "template": _TEMPLATE, "replicas": 5}]},
        ],
        "workers": [
            {"name": "w", "template": _TEMPLATE, "replicas": 1},
            {"name": "v", "template": _TEMPLATE, "own": _TEMPLATE},
        ],
        "roles": {
            "ps": {"name": "ps", "template": _TEMPLATE, "replicas": 1, "suspend": True},
            "chief": {
                "name": "chief",
                "template": _TEMPLATE,
                "replicas": 2,
                "min": 1,
                "max": 4,
                "enabled": True,
            },
        },
    },
    "status": {
        "phase": "Running",
        "ready": 1,
        "failed": 0,
        "restarts": 3,
        "message": "all is well",
        "counts": [0, 2, 1],
        "observedGeneration": 1,
        "conditions": [
            {"type": "Created", "status": "True", "observedGeneration": 2},
            {"type": "Ready", "status": "False", "why": "Ended", "reason": "Late", "message": "wait"},
            {"type": "Done", "status": "Unknown", "observedGeneration": 1},
        ],
        "jobs": [{"ready": 1, "phase": "Running", "deep": True}, {"done": 1, "failed": 1}],
    },
}
"""An object that all of them read."""
