"""Codes of what shows only beside something else: schemas of kinds, real objects, other definitions.

What a definition tells on its own is in the other modules.
"""

from __future__ import annotations

from workload_map.definition.codes.code import Code

TABLE = (
    # Against CustomResourceDefinitions
    Code(
        "no-crds",
        "warning",
        "A path that was given holds no CustomResourceDefinition.",
        "It is probably the wrong path.",
        "name a file or folder with CustomResourceDefinitions",
    ),
    Code(
        "crd-missing",
        "warning",
        "The root's kind is in none of the CustomResourceDefinitions.",
        "Its paths were not checked against anything.",
        "add its CustomResourceDefinition: `kubectl get crd -o yaml`",
    ),
    Code(
        "version-not-served",
        "error",
        "The CustomResourceDefinition of a kind does not serve the version.",
        "No object of this version can be read.",
        "name a version that is served",
    ),
    Code(
        "field-unknown",
        "error",
        "A path reads a field that no version of the kind has.",
        "It never gives anything: what the schema does not know, the API server drops.",
        "look the field up in the CustomResourceDefinition, or add the version that has it",
    ),
    Code(
        "field-type",
        "error",
        "A path reads a field of a type that it can do nothing with.",
        "It fails on every object, or what it gives is of no use.",
        "read a field of the type that is needed",
    ),
    # Against real objects
    Code(
        "component-silent",
        "warning",
        "A component is in none of the objects.",
        "It is wrong, or nobody has made use of it yet; nothing shows that it is right.",
        "look at its paths, or add an object that has it",
    ),
    Code(
        "path-silent",
        "warning",
        "A path gives nothing on any object, or pod, that could have it; one that asks is never true.",
        "It may be misspelt: what it stands for is then absent in every view.",
        "look at its spelling, or add an object that has the field",
    ),
    Code(
        "matcher-silent",
        "warning",
        "A matcher of a phase matches none of the objects.",
        "It may ask for what the framework never says; nothing shows that the phase is recognized.",
        "look at what the framework says, or add an object in this phase",
    ),
    Code(
        "selector-silent",
        "warning",
        "A `componentTypeSelector` takes no pod of the objects that have the component.",
        "Its pods are in no component, or in the wrong one.",
        "look at the labels of the pods",
    ),
    # Between definitions
    Code(
        "definition-collision",
        "warning",
        "Several definitions of one layer cover the same kind.",
        "None of them is taken, since which one would depend on their order.",
        "remove all but one; until then the kind is not covered",
    ),
)
