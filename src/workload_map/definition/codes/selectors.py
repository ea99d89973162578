"""Codes of how pods find their workload, component, instance and replica."""

from __future__ import annotations

from workload_map.definition.codes.code import Code

TABLE = (
    # Selectors
    Code(
        "selector-empty",
        "warning",
        "A `podSelector` is empty.",
        "It says nothing.",
        "remove it",
    ),
    Code(
        "type-selector-empty",
        "error",
        "A `componentTypeSelector` has neither `keyPath` nor `matchLabels`.",
        "It would take every pod, or none.",
        "set keyPath or matchLabels",
    ),
    Code(
        "value-without-key",
        "error",
        "A `componentTypeSelector` has a `value` without a `keyPath`.",
        "There is nothing to compare it with.",
        "set keyPath, or remove value",
    ),
    Code(
        "selector-constant",
        "error",
        "A path of a `podSelector`, or of a group, reads nothing of the pod.",
        "It gives the same for every pod, so that it tells none from another.",
        'name a field of the pod, such as .metadata.labels["app"]',
    ),
    Code(
        "type-selector-missing",
        "error",
        "Several components bear pods, and more than one of them has no type selector.",
        "Their pods cannot be told from each other.",
        "set podSelector.componentTypeSelector",
    ),
    Code(
        "selector-not-portable",
        "warning",
        "Of several components that bear pods, one has no type selector.",
        "Here it takes the pods that no other one selects; other readers give it none.",
        "set podSelector.componentTypeSelector",
    ),
    Code(
        "selectors-overlap",
        "warning",
        "A component's type selector takes pods that an earlier component takes too.",
        "The earlier component gets them, by nothing but the order of the two.",
        "select by another key or value, or declare the special one first",
    ),
    Code(
        "ids-without-selector",
        "error",
        "A component has an `instanceIdPath`, and pods are not told by instance.",
        "All its pods land in no instance.",
        "set podSelector.componentInstanceSelector",
    ),
    Code(
        "selector-without-ids",
        "error",
        "A component tells pods by instance and has no `instanceIdPath`.",
        "The ids of the pods have nothing to be compared with.",
        "set instanceIdPath",
    ),
    Code(
        "ownership-incomplete",
        "error",
        "`ownership: label` and `workloadPath` do not stand together.",
        "The pods of the operator are not found.",
        "set both, or neither",
    ),
    Code(
        "value-unknown",
        "error",
        "A field holds a word that it does not know.",
        "What it asks for is not done.",
        "use one of the words in the reference of the fields",
    ),
)
