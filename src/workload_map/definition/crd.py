"""The schema of a definition for others: as a CustomResourceDefinition, and as JSON Schema."""

from __future__ import annotations

from typing import Any

from msgspec import inspect

from workload_map.definition import schema
from workload_map.definition.descriptions import DESCRIPTIONS
from workload_map.definition.limits import MAX_ITEMS, MAX_TEXT, max_length
from workload_map.definition.portability import EXTENSIONS
from workload_map.definition.rules.components import MAX_REPLICAS
from workload_map.definition.rules.gangs import PER
from workload_map.definition.rules.references import OPERATORS
from workload_map.definition.rules.selectors import OWNERSHIPS
from workload_map.definition.schema import API_VERSION, KIND
from workload_map.definition.structure import MAX_GROUP_DEPTH

GROUP, VERSION = API_VERSION.split("/")
PLURAL = "kartas"
SHORT_NAME = "krt"

_LIST_KEYS: dict[type, list[str]] = {
    schema.Component: ["name"],
    schema.GroupVersionKind: ["group", "version", "kind"],
    schema.Reference: ["name"],
    schema.PodGroup: ["name"],
    schema.PodGroupMember: ["componentName"],
    schema.SubGroup: ["componentName"],
    schema.Group: ["name"],
}
_ENUMS: dict[tuple[type, str], list[str]] = {
    (schema.Definition, "apiVersion"): [API_VERSION],
    (schema.Definition, "kind"): [KIND],
    (schema.PodSelector, "ownership"): list(OWNERSHIPS),
    (schema.MatchExpression, "operator"): list(OPERATORS),
    (schema.Group, "per"): list(PER),
}
_NOT_EMPTY = {(schema.Component, "name"), (schema.Metadata, "name"), (schema.Accelerator, "resource")}
_NEVER_EMPTY = {schema.StatusMatcher, schema.FragmentedPodSpec}
_AT_LEAST_ONE = {(schema.SuspendDefinition, "suspendActions"), (schema.SuspendDefinition, "resumeActions")}

_ROOT_RULES = [
    ("!has(self.ownerRef)", "the root component has no owner, so no ownerRef"),
    ("has(self.statusDefinition)", "the root component needs a statusDefinition"),
    (
        "has(self.kind) && has(self.kind.version) && size(self.kind.version) > 0 "
        "&& has(self.kind.kind) && size(self.kind.kind) > 0",
        "the root component needs a kind with version and kind",
    ),
    (
        "!has(self.objectPath) && !has(self.parentInstancePath)",
        "the root component is the object itself: it lies in no other one and has no parent, "
        "so neither objectPath nor parentInstancePath",
    ),
    (
        "!has(self.scaleDefinition) || !has(self.scaleDefinition.perParent) "
        "|| !self.scaleDefinition.perParent",
        "the root component has no parent to count for, so no perParent",
    ),
]
_RULES: dict[type, list[tuple[str, str]]] = {
    schema.StructureDefinition: [
        (
            "!has(self.childComponents) || self.childComponents.all(c, has(c.ownerRef) "
            "&& c.ownerRef != c.name && (c.ownerRef == self.rootComponent.name "
            "|| self.childComponents.exists(o, o.name == c.ownerRef)))",
            "each child component needs an owner that is another component, named by its ownerRef",
        ),
        (
            "!has(self.childComponents) || self.childComponents.all(c, c.name != self.rootComponent.name)",
            "no child component has the name of the root",
        ),
    ],
    schema.Component: [
        (
            "has(self.objectPath) || has(self.instanceIdPath) == "
            "(has(self.podSelector) && has(self.podSelector.componentInstanceSelector))",
            "instanceIdPath and podSelector.componentInstanceSelector stand together",
        ),
        (
            "!(has(self.objectPath) && has(self.specDefinition))",
            "a component of whole manifests has no pod spec of its own: objectPath excludes specDefinition",
        ),
        (
            "!has(self.specDefinition) || has(self.presentPath) || "
            "has(self.specDefinition.podTemplateSpecPath) || has(self.specDefinition.podSpecPath) || "
            "has(self.specDefinition.fragmentedPodSpecDefinition)",
            "exactly one of podTemplateSpecPath, podSpecPath and fragmentedPodSpecDefinition is needed, "
            "unless presentPath says where the component is there without a pod spec",
        ),
    ],
    schema.SpecDefinition: [
        (
            "(has(self.podTemplateSpecPath) ? 1 : 0) + (has(self.podSpecPath) ? 1 : 0) + "
            "(has(self.fragmentedPodSpecDefinition) ? 1 : 0) <= 1",
            "no more than one of podTemplateSpecPath, podSpecPath and fragmentedPodSpecDefinition is set",
        ),
    ],
    schema.ScaleDefaults: [
        (
            "!has(self.minReplicas) || !has(self.maxReplicas) || self.minReplicas <= self.maxReplicas",
            "the default minimum is not above the default maximum: minReplicas <= maxReplicas",
        ),
    ],
    schema.FragmentedPodSpec: [
        (
            "!(has(self.containerPath) && has(self.containersPath))",
            "containerPath and containersPath exclude each other",
        ),
    ],
    schema.ComponentTypeSelector: [
        (
            "has(self.keyPath) || (has(self.matchLabels) && size(self.matchLabels) > 0)",
            "keyPath or matchLabels is needed",
        ),
        ("!has(self.value) || has(self.keyPath)", "value needs keyPath"),
    ],
    schema.PodSelector: [
        ("has(self.ownership) == has(self.workloadPath)", "ownership and workloadPath stand together"),
    ],
    schema.Reference: [
        ("has(self.lookup) != has(self.list)", "exactly one of lookup and list is set"),
    ],
}

_STATUS = {
    "type": "object",
    "description": "Written by a controller, where one runs.",
    "properties": {
        "observedGeneration": {
            "type": "integer",
            "format": "int64",
            "description": "The generation that the conditions speak of.",
        },
        "conditions": {
            "type": "array",
            "description": "Validated, CRDExists and Ready.",
            "items": {
                "type": "object",
                "properties": {
                    "type": {"type": "string", "description": "The condition's type."},
                    "status": {
                        "type": "string",
                        "enum": ["True", "False", "Unknown"],
                        "description": "Whether it holds.",
                    },
                    "reason": {"type": "string", "description": "Why, as one word."},
                    "message": {"type": "string", "description": "Why, for people."},
                    "lastTransitionTime": {
                        "type": "string",
                        "format": "date-time",
                        "description": "Since when the status is what it is.",
                    },
                    "observedGeneration": {
                        "type": "integer",
                        "format": "int64",
                        "description": "The generation that it speaks of.",
                    },
                },
                "required": ["type", "status"],
            },
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["type"],
        },
    },
}


def crd() -> dict[str, Any]:
    """The CustomResourceDefinition of definitions.

    Its rules are those of validation that an API server can check: the shape of each field, and CEL rules
    whose cost is bounded. What it lets pass may still have findings.

    Returns:
        The manifest as plain objects.
    """
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{PLURAL}.{GROUP}"},
        "spec": {
            "group": GROUP,
            "scope": "Cluster",
            "names": {
                "kind": KIND,
                "listKind": f"{KIND}List",
                "plural": PLURAL,
                "singular": KIND.lower(),
                "shortNames": [SHORT_NAME],
            },
            "versions": [
                {
                    "name": VERSION,
                    "served": True,
                    "storage": True,
                    "subresources": {"status": {}},
                    "additionalPrinterColumns": [
                        {
                            "name": "Kind",
                            "type": "string",
                            "description": "The kind of workload that it describes.",
                            "jsonPath": ".spec.structureDefinition.rootComponent.kind.kind",
                        },
                        {
                            "name": "Ready",
                            "type": "string",
                            "description": "Whether it is valid and its kind is served.",
                            "jsonPath": '.status.conditions[?(@.type=="Ready")].status',
                        },
                        {"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"},
                    ],
                    "schema": {"openAPIV3Schema": _openapi()},
                }
            ],
        },
    }


def definition_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of a definition as it stands in a file."""
    metadata = _Writer().struct(inspect.type_info(schema.Metadata), at_root=False)
    found = _openapi()
    found["properties"] |= {
        "apiVersion": {"const": API_VERSION},
        "kind": {"const": KIND},
        "metadata": metadata | {"required": ["name"]},
    }
    strict = _without_kubernetes(found)
    strict["properties"]["metadata"].pop("additionalProperties")  # what the API server adds is passed over
    strict["required"] = ["apiVersion", "kind", "metadata", "spec"]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"{KIND} ({API_VERSION})",
        **strict,
    }


def _openapi() -> dict[str, Any]:
    """The schema of the whole object, as a CRD holds it: structural, that is without references."""
    spec = _Writer().struct(inspect.type_info(schema.DefinitionSpec), at_root=False)
    what, fields = DESCRIPTIONS[schema.Definition]
    return {
        "type": "object",
        "description": what,
        "required": ["spec"],
        "properties": {
            "apiVersion": {"type": "string", "description": fields["apiVersion"]},
            "kind": {"type": "string", "description": fields["kind"]},
            "metadata": {"type": "object"},
            "spec": spec,
            "status": _STATUS,
        },
    }


class _Writer:
    """Writes structs as schemas, inline; groups in groups as deep as they may be."""

    def __init__(self) -> None:
        self._group_depth = 0

    def struct(self, kind: inspect.Type, *, at_root: bool) -> dict[str, Any]:
        """The schema of a struct; `at_root` for the root component and its kind."""
        assert isinstance(kind, inspect.StructType)  # noqa: S101 - for the type checker
        what, descriptions = DESCRIPTIONS[kind.cls]
        properties = {
            field.encode_name: {"description": _described(kind.cls, field.encode_name, descriptions)}
            | self._field(kind.cls, field, at_root=at_root)
            for field in kind.fields
            if self._is_shown(kind.cls, field.encode_name, at_root=at_root)
        }
        written: dict[str, Any] = {"type": "object", "description": what, "properties": properties}
        if required := [field.encode_name for field in kind.fields if field.required]:
            written["required"] = required
        if kind.cls in _NEVER_EMPTY:
            written["minProperties"] = 1
        if kind.cls is schema.Group:  # not as a rule: these multiply with each level of groups
            written["not"] = {"required": ["minimum", "minimumPath"]}
        rules = [
            *_RULES.get(kind.cls, []),
            *(_ROOT_RULES if at_root and kind.cls is schema.Component else []),
        ]
        if rules:
            written["x-kubernetes-validations"] = [
                {"rule": rule, "message": message} for rule, message in rules
            ]
        return written

    def _is_shown(self, owner: type, name: str, *, at_root: bool) -> bool:
        if (owner, name) == (schema.GroupVersionKind, "versions"):
            return at_root
        if (owner, name) == (schema.Group, "subGroups"):
            return self._group_depth < MAX_GROUP_DEPTH
        return True

    def _field(self, owner: type, field: inspect.Field, *, at_root: bool) -> dict[str, Any]:
        is_root = (owner, field.encode_name) == (schema.StructureDefinition, "rootComponent")
        is_kind_of_root = at_root and (owner, field.encode_name) == (schema.Component, "kind")
        written = self._type(field.type, field.encode_name, at_root=is_root or is_kind_of_root)
        where = (owner, field.encode_name)
        if where in _ENUMS:
            written["enum"] = _ENUMS[where]
        if where in _NOT_EMPTY:
            written["minLength"] = 1
        if where in _AT_LEAST_ONE:
            written["minItems"] = 1
        if isinstance(field.default, str | bool) and field.default:
            written["default"] = field.default
        return written

    def _type(self, kind: inspect.Type, name: str, *, at_root: bool) -> dict[str, Any]:
        if isinstance(kind, inspect.UnionType):
            kind = next(each for each in kind.types if not isinstance(each, inspect.NoneType))
        if isinstance(kind, inspect.StructType):
            # The field says what it is; what the struct is in general would only hide that.
            return {
                key: value
                for key, value in self.struct(kind, at_root=at_root).items()
                if key != "description"
            }
        if isinstance(kind, inspect.VarTupleType):
            return self._list(kind, name)
        if isinstance(kind, inspect.DictType):
            values = {"type": "string", "maxLength": MAX_TEXT}
            return {"type": "object", "additionalProperties": values, "maxProperties": MAX_ITEMS}
        if isinstance(kind, inspect.BoolType):
            return {"type": "boolean"}
        if isinstance(kind, inspect.IntType):
            return {"type": "integer", "format": "int32", "minimum": 0, "maximum": MAX_REPLICAS}
        return {"type": "string", "maxLength": max_length(name)}

    def _list(self, kind: inspect.VarTupleType, name: str) -> dict[str, Any]:
        entry = kind.item_type
        self._group_depth += name in ("groups", "subGroups")
        if isinstance(entry, inspect.StructType):
            items = self.struct(entry, at_root=False)
        else:
            items = self._type(entry, name, at_root=False)
        self._group_depth -= name in ("groups", "subGroups")
        written: dict[str, Any] = {"type": "array", "items": items, "maxItems": MAX_ITEMS}
        keys = _LIST_KEYS.get(entry.cls) if isinstance(entry, inspect.StructType) else None
        if keys is None:
            return written | {"x-kubernetes-list-type": "atomic"}
        for key in keys:  # an absent key needs a default
            if key not in items.get("required", ()):
                items["properties"][key]["default"] = ""
        return written | {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys}


def _described(owner: type, name: str, descriptions: dict[str, str]) -> str:
    extension = " This is an extension." if (owner, name) in EXTENSIONS else ""
    return descriptions[name] + extension


def _without_kubernetes(value: Any) -> Any:
    """A schema without what only API servers know, and with no fields but its own."""
    if isinstance(value, list):
        return [_without_kubernetes(each) for each in value]
    if not isinstance(value, dict):
        return value
    kept = {
        key: _without_kubernetes(each) for key, each in value.items() if not key.startswith("x-kubernetes")
    }
    if kept.get("type") == "object" and "properties" in kept:
        kept["additionalProperties"] = False
    return kept
