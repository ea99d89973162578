"""What every source of objects can do; the commands know no more of it than this."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Protocol

from workload_map.definition import DefinitionSet
from workload_map.definition.kind_names import KindNames
from workload_map.definition.schema import API_VERSION, KIND
from workload_map.engine.view import Problem
from workload_map.source.kinds import GroupKind
from workload_map.source.objects import Object

POD = GroupKind("", "Pod")
DEFINITION = GroupKind(API_VERSION.partition("/")[0], KIND)


class Source(Protocol):
    """A place that holds objects: manifests, a dump, a cluster.

    A source never fails for one bad object: what it could not read is in `warnings`, the rest is there.
    """

    @property
    def live(self) -> bool:
        """Whether the objects exist, so that they have pods; manifests do not exist yet."""

    @property
    def warnings(self) -> Sequence[Problem]:
        """What could not be read so far, each with its place."""

    def kind_names(self) -> Sequence[KindNames]:
        """The kinds that the source itself can name, by its CustomResourceDefinitions or by discovery."""

    def kinds(self) -> Collection[GroupKind]:
        """The kinds that are known to be there: of objects, and those that the source itself can name."""

    def definitions(self) -> Sequence[Object]:
        """The workload definitions that lie in the source."""

    def objects(
        self, kinds: Collection[GroupKind], definitions: DefinitionSet, *, namespace: str | None = None
    ) -> Iterable[Object]:
        """The workloads of these kinds, and what may stand between them and their pods, but no pods.

        Args:
            kinds: What is asked for; empty: every covered kind.
            definitions: They say which kinds stand between. A source that has everything at hand gives it
                all, since any object may be an owner.
            namespace: The namespace; None: all. Cluster-scoped objects always come.
        """

    def pods(self, *, namespace: str | None = None) -> Iterable[Object] | None:
        """The pods of a namespace or of all; None where pods cannot be looked at, or were not."""
