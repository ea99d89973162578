"""Definitions of made-up kinds, and objects and pods for them, made together."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any, NamedTuple

from hypothesis import strategies as st

from tests.engine.made_up import definition, definitions, pod, template, thing
from workload_map.definition import DefinitionSet
from workload_map.definition.schema import Definition

Object = dict[str, Any]

# Each shape is the definition of the role N, whose part of the object is `.spec.N`.
_SHAPES = {
    "plain": """
- name: N
  specDefinition: {podTemplateSpecPath: .spec.N.template}
  scaleDefinition: {replicasPath: .spec.N.replicas, defaults: {replicas: 1}}
  podSelector: {componentTypeSelector: {matchLabels: {role: N}}}
""",
    "listed": """
- name: N
  instanceIdPath: .spec.N[].name
  specDefinition: {podTemplateSpecPath: ".spec.N[].template"}
  scaleDefinition:
    replicasPath: .spec.N[].replicas
    minReplicasPath: .spec.N[].min
    maxReplicasPath: .spec.N[].max
    podsPerReplicaPath: .spec.N[] | .hosts // 1
    suspendedPath: .spec.N[].off
    keepsWithinBounds: true
    defaults: {replicas: 0}
  podSelector:
    componentTypeSelector: {keyPath: '.metadata.labels["role"]', value: N}
    componentInstanceSelector: {idPath: '.metadata.labels["id"]'}
    replicaSelector: {keyPath: '.metadata.labels["index"]'}
""",
    "mapped": """
- name: N
  instanceIdPath: .spec.N | keys[]
  specDefinition:
    fragmentedPodSpecDefinition: {resourcesPath: ".spec.N[].resources", imagePath: ".spec.N[].image"}
  scaleDefinition: {replicasPath: ".spec.N[].replicas"}
  podSelector:
    componentTypeSelector: {keyPath: '.metadata.labels["role"]', value: N}
    componentInstanceSelector: {idPath: '.metadata.labels["id"]'}
""",
    "levels": """
- name: N-group
  instanceIdPath: .spec.N[].name
  scaleDefinition: {replicasPath: ".spec.N[].replicas", minReplicasPath: ".spec.N[].min"}
  podSelector: {componentInstanceSelector: {idPath: '.metadata.labels["group"]'}}
- name: N
  ownerRef: N-group
  instanceIdPath: .spec.N[].parts[].name
  specDefinition: {podTemplateSpecPath: ".spec.N[].parts[].template"}
  scaleDefinition: {replicasPath: ".spec.N[].parts[].replicas", perParent: true}
  podSelector:
    componentTypeSelector: {keyPath: '.metadata.labels["role"]', value: N}
    componentInstanceSelector: {idPath: '.metadata.labels["id"]'}
""",
    "wrapped": """
- {name: N, objectPath: ".spec.N[].template"}
""",
}

_STATUS = """
rootComponent:
  suspendDefinition:
    suspendActions: [{path: .spec.suspend, value: "true"}]
    resumeActions: [{path: .spec.suspend, value: "false"}]
  statusDefinition:
    phaseDefinition: {path: .status.phase}
    conditionsDefinition: {path: .status.conditions}
    statusMappings:
      running: [{byConditions: [{type: Ready, status: "True"}]}]
      failed: [{byPhase: Broken}]
      completed: [{byExpression: {expression: '.status.done >= .spec.wanted', expectedResult: "true"}}]
      initializing: [{byConditions: [{type: Ready, status: Unknown}]}]
      degraded:
      - byExpression:
          expression: 'any(.status.conditions[]?; .type? == "Third" and .status == "True")'
          expectedResult: "true"
"""

_INNER = """
rootComponent:
  specDefinition: {podTemplateSpecPath: .spec.template}
  scaleDefinition: {replicasPath: .spec.replicas}
"""

COUNTS: st.SearchStrategy[Any] = st.one_of(
    st.none(), st.integers(0, 4), st.sampled_from(["3", "x", -1, 2.0, 2.5, True, [], 2**40])
)
_NAMES = st.sampled_from(["a", "b", "c", 1, "", None])
_TEMPLATES: st.SearchStrategy[Any] = st.one_of(
    st.builds(template, st.integers(0, 3), cpu=st.sampled_from([None, "1", "500m", "odd"])),
    st.sampled_from([None, {}, {"spec": {}}, {"spec": {"containers": None}}, "text", {"spec": []}]),
)


class World(NamedTuple):
    """A definition, an object of its kind, and pods that may be of it."""

    definitions: DefinitionSet
    obj: Object
    pods: list[Object]


def _fields(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Object]:
    """An object of which any field may be absent."""
    return st.fixed_dictionaries({}, optional=fields)


_SOUND_OR_ODD: st.SearchStrategy[Any] = st.sampled_from([None, "text", 3, {}])


def _part(shape: str) -> st.SearchStrategy[Any]:
    entry = _fields(
        name=_NAMES,
        template=_TEMPLATES,
        replicas=COUNTS,
        min=COUNTS,
        max=COUNTS,
        hosts=st.sampled_from([None, 1, 3]),
        off=st.sampled_from([None, True, False, "yes"]),
        zone=st.integers(),
    )
    match shape:
        case "plain":
            return st.one_of(entry, _SOUND_OR_ODD)
        case "mapped":
            resources = st.sampled_from(
                [None, {"limits": {"nvidia.com/gpu": 2}}, {"requests": {"cpu": "1"}}, "x"]
            )
            service = _fields(replicas=COUNTS, image=st.sampled_from(["i:1", 3]), resources=resources)
            return st.one_of(st.dictionaries(st.sampled_from("abc"), service, max_size=3), _SOUND_OR_ODD)
        case "levels":
            group = _fields(
                name=_NAMES,
                replicas=COUNTS,
                min=COUNTS,
                parts=st.one_of(st.lists(entry, max_size=3), st.none()),
            )
            return st.one_of(st.lists(group, max_size=3), _SOUND_OR_ODD)
        case "wrapped":
            return st.lists(_fields(template=_MANIFESTS), max_size=2)
    return st.one_of(st.lists(st.one_of(entry, st.just("text")), max_size=3), _SOUND_OR_ODD)


_MANIFESTS = st.one_of(
    st.builds(
        lambda name, spec: {
            "apiVersion": "x.io/v1",
            "kind": "Inner",
            "metadata": {"name": name},
            "spec": spec,
        },
        st.sampled_from(["in-1", "in-2"]),
        _fields(template=_TEMPLATES, replicas=COUNTS),
    ),
    st.sampled_from([None, 3, {"apiVersion": "v1", "kind": "Service"}, {"apiVersion": "q/v1", "kind": "Q"}]),
)

_CONDITIONS = st.lists(
    st.builds(
        lambda type_, status, reason: {"type": type_, "status": status, "reason": reason},
        st.sampled_from(["Ready", "Other", "Third"]),
        st.sampled_from(["True", "False", "Unknown"]),
        st.sampled_from(["Ok", "Bad"]),
    ),
    max_size=3,
    unique_by=lambda one: str(one["type"]),
)
_STATUSES = _fields(
    phase=st.sampled_from(["Broken", "Fine", None, 3]),
    conditions=st.one_of(_CONDITIONS, st.sampled_from([None, {}, ["x"]])),
    done=st.sampled_from([0, 2, "2", None]),
    observedGeneration=st.sampled_from([1, 2]),
)


@st.composite
def _pods(draw: st.DrawFn, roles: list[str]) -> list[Object]:
    made = []
    for number in range(draw(st.integers(0, 5))):
        labels = {
            "role": draw(st.sampled_from([*roles, "odd"])),
            "id": draw(st.sampled_from("abz")),
            "group": draw(st.sampled_from("abz")),
            "index": draw(st.sampled_from("01")),
        }
        phase = draw(st.sampled_from(["Running", "Pending", "Succeeded", "Failed"]))
        one = pod(f"pod-{number}", ready=draw(st.booleans()), phase=phase)
        one["metadata"]["labels"] = labels
        if draw(st.integers(0, 5)) == 0:
            one["metadata"]["ownerReferences"][0]["uid"] = "uid-of-another"
        if draw(st.integers(0, 5)) == 0:
            one["status"] = draw(st.sampled_from([None, "x", {}, {"phase": "Odd"}]))
        made.append(one)
    return made


INNER = definition(_INNER, name="inner", kind="Inner")
"""The definition of the kind that is wrapped."""


@cache
def _covered(shapes: tuple[str, ...]) -> DefinitionSet:
    """A definition whose roles have these shapes, and the one of the kind that is wrapped."""
    return definitions(definition(_roles(shapes)), INNER)


def _roles(shapes: Iterable[str]) -> str:
    """The components `r0`, `r1`, … of these shapes."""
    children = "".join(_SHAPES[shape].replace("N", f"r{number}") for number, shape in enumerate(shapes))
    return f"{_STATUS}childComponents:{children}"


_REFERENCES = """
references:
- {name: preset, gvk: {version: v1, kind: ConfigMap}, lookup: {nameExpression: .spec.preset}}
- name: all
  gvk: {version: v1, kind: ConfigMap}
  list: {matchLabels: {app: .metadata.name}, matchExpressions: [{key: b, operator: In, values: [x]}]}
additionalChildKinds: [{group: batch, version: v1, kind: Job}]
"""


def one_of_each() -> tuple[Definition, Object, list[Object]]:
    """A definition with a role of each shape, a sound object of eleven pods, and some pods of it."""
    shapes = ("plain", "listed", "mapped", "levels", "wrapped")
    inner = {"apiVersion": "x.io/v1", "kind": "Inner", "metadata": {"name": "i"}}
    spec: Object = {
        "r0": {"template": template(1), "replicas": 2},
        "r1": [{"name": "a", "template": template(1), "replicas": 2, "min": 1, "max": 3}],
        "r2": {"a": {"replicas": 1, "resources": {"limits": {"nvidia.com/gpu": 1}}}},
        "r3": [
            {"name": "g", "replicas": 2, "parts": [{"name": "a", "replicas": 2, "template": template(1)}]}
        ],
        "r4": [{"template": inner | {"spec": {"template": template(1), "replicas": 2}}}],
    }
    spec["wanted"] = 2
    status = {"phase": "Fine", "done": 1, "conditions": [{"type": "Ready", "status": "True"}]}
    pods = [pod(f"p{role}", role=role, id="a", index="0", group="g") for role in ("r0", "r1", "r2", "r3")]
    return definition(_roles(shapes) + _REFERENCES), thing(spec, status=status), pods


@st.composite
def worlds(draw: st.DrawFn) -> World:
    """One to three roles of any shape, with an object that may lack anything."""
    shapes = draw(st.lists(st.sampled_from(sorted(_SHAPES)), min_size=1, max_size=3))
    roles = [f"r{number}" for number in range(len(shapes))]
    spec: Object = {role: draw(_part(shape)) for role, shape in zip(roles, shapes, strict=True)}
    spec |= draw(_fields(suspend=st.booleans(), wanted=st.sampled_from([1, 2, None])))
    status = draw(st.one_of(st.none(), _STATUSES))
    obj = thing(spec, status=status, generation=2, annotations={"note": "x"})
    return World(_covered(tuple(shapes)), obj, draw(_pods(roles)))
