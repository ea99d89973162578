"""The kubectl call that fetches what `dump` does, for those who may not run anything else on a cluster."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence

from workload_map.definition import DefinitionSet
from workload_map.definition.kind_names import KindNames
from workload_map.source.cluster.planning import Kinds, needs_of
from workload_map.source.kinds import GroupKind, Target
from workload_map.source.protocol import DEFINITION, POD


def get_call(
    targets: Sequence[Target], definitions: DefinitionSet, names: Iterable[KindNames], options: Sequence[str]
) -> str:
    """A call of `kubectl get` for workloads, pods, the kinds between, what they refer to and definitions.

    CustomResourceDefinitions are not in it: `get` names either kinds or objects.

    Args:
        targets: The kinds of the workloads; none: all that are covered.
        definitions: They say which kinds belong to them.
        names: The kinds that the cluster has; kubectl refuses a call for others.
        options: Further words of the call.
    """
    served: Kinds = {}
    for each in names:
        served.setdefault(GroupKind(each.group, each.kind), []).append(each)
    needs = needs_of(targets, definitions, served)
    kinds = {*needs.workloads, *needs.whole, *needs.bare, *needs.referenced, POD, DEFINITION}
    words = sorted(_word(served[kind][0]) for kind in kinds if kind in served)
    return shlex.join(["kubectl", "get", ",".join(words), *options, "-o", "yaml"])


def _word(names: KindNames) -> str:
    return f"{names.plural}.{names.group}" if names.group else names.plural
