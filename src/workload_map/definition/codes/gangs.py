"""Codes of pods that are placed together."""

from __future__ import annotations

from workload_map.definition.codes.code import Code

TABLE = (
    # Gangs
    Code(
        "gang-forms",
        "warning",
        "`podGroups` and `podGroup` are both set.",
        "Which one a scheduler follows depends on its version.",
        "keep podGroup, or podGroups if it groups by keys of pods",
    ),
    Code(
        "gang-empty",
        "warning",
        "A group has nothing in it.",
        "It holds no pod.",
        "name what is in it, or remove it",
    ),
    Code(
        "group-unnamed",
        "error",
        "A group has no name.",
        "What is made from it is named after it.",
        "set its name",
    ),
    Code(
        "group-duplicate",
        "error",
        "Two groups have the same name, or one group lists a component twice.",
        "What is made from them collides, and an API server refuses the definition.",
        "give each group a name of its own, and list each component once",
    ),
    Code(
        "gang-component-unknown",
        "error",
        "A group names a component that is not there.",
        "Its pods are not grouped.",
        "name a component of this definition",
    ),
    Code(
        "minimum-invalid",
        "error",
        "A group's minimum is negative, or given twice.",
        "A scheduler would wait for a wrong number of pods.",
        "set a count from 0, or minimumPath, and not both",
    ),
    Code(
        "topology-incomplete",
        "warning",
        "A topology has no name, or asks for no level.",
        "Schedulers leave it out of account or refuse it.",
        "set topologyName and a level, or remove the topology",
    ),
    Code(
        "topology-not-portable",
        "warning",
        "A topology asks for one of the two levels only.",
        "The base schema requires a preferred and a required level, and an API server with it refuses this.",
        "set both levels, to the same if need be",
    ),
)
