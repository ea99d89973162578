"""Where objects come from: manifests, dumps of a cluster, the cluster itself, all behind one interface.

Here live reading (files, folders, archives, standard input), taking lists and watch events apart, keeping
the newest version of each object, the names of kinds, selectors, and asking a source for workloads with
what belongs to them; a live cluster is in `cluster`. Not here: what a workload means (`engine`), what is
printed (`render`), and text into plain objects (`documents`).
"""

from workload_map.source.dump import Dump
from workload_map.source.errors import AmbiguousError, NotFoundError, SelectorError, SourceError, TargetError
from workload_map.source.following import Followed, Moment, follow
from workload_map.source.kinds import GroupKind, KindTable, Target
from workload_map.source.loading import load_values
from workload_map.source.manifests import Manifests
from workload_map.source.objects import (
    collector_paused,
    full_name_of,
    group_kind,
    in_namespace,
    labels_of,
    name_of,
    namespace_of,
)
from workload_map.source.protocol import (
    BROKEN_WATCH,
    DEFINITION,
    NO_DEFINITIONS,
    POD,
    Answer,
    Change,
    Question,
    Source,
)
from workload_map.source.selection import (
    Filters,
    Selection,
    events_about,
    find_pod,
    gather,
    index_of,
    refuse_ambiguous,
    related,
    select,
)
from workload_map.source.selectors import FieldSelector, LabelSelector
from workload_map.source.wanted import EVERYTHING, Wanted, parse

__all__ = [
    "BROKEN_WATCH",
    "DEFINITION",
    "EVERYTHING",
    "NO_DEFINITIONS",
    "POD",
    "AmbiguousError",
    "Answer",
    "Change",
    "Dump",
    "FieldSelector",
    "Filters",
    "Followed",
    "GroupKind",
    "KindTable",
    "LabelSelector",
    "Manifests",
    "Moment",
    "NotFoundError",
    "Question",
    "Selection",
    "SelectorError",
    "Source",
    "SourceError",
    "Target",
    "TargetError",
    "Wanted",
    "collector_paused",
    "events_about",
    "find_pod",
    "follow",
    "full_name_of",
    "gather",
    "group_kind",
    "in_namespace",
    "index_of",
    "labels_of",
    "load_values",
    "name_of",
    "namespace_of",
    "parse",
    "refuse_ambiguous",
    "related",
    "select",
]
