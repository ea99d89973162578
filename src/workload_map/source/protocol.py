"""What every source of objects can do; the commands know no more of it than this."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

import msgspec

from workload_map.definition import DefinitionSet
from workload_map.definition.kind_names import KindNames
from workload_map.definition.schema import API_VERSION, KIND
from workload_map.engine.finding import Lookup
from workload_map.engine.view import Problem
from workload_map.engine.waiting import Orphans
from workload_map.source.errors import SourceError
from workload_map.source.kinds import GroupKind, Target
from workload_map.source.objects import Object

POD = GroupKind("", "Pod")
EVENTS = (GroupKind("", "Event"), GroupKind("events.k8s.io", "Event"))
CLAIMS = (
    GroupKind("resource.k8s.io", "ResourceClaim"),
    GroupKind("resource.k8s.io", "ResourceClaimTemplate"),
)
"""What pod templates name to claim devices."""
DEFINITION = GroupKind(API_VERSION.partition("/")[0], KIND)
NO_DEFINITIONS = "no-crd"
"""The code of the warning that a cluster does not know the kind of definitions, which most need not."""
BROKEN_WATCH = "watch-broken"
"""The code of the warning that changes are not heard of now, which goes when they are."""


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked of a source. It may give more than that: what was asked for is picked out afterwards.

    Attributes:
        targets: The kinds; none: every covered kind.
        names: The objects by name, each of one of the targets; none: all objects of the targets.
        namespace: The namespace; None: all. Objects that lie in none always come.
        labels: A label selector for the objects of the targets, in the API's notation.
        fields: The same by fields.
        whole: Whether also comes what no definition foresees: all fields of the objects, and controllers of
            kinds that no definition names.
    """

    targets: tuple[Target, ...] = ()
    names: tuple[tuple[Target, str], ...] = ()
    namespace: str | None = None
    labels: str = ""
    fields: str = ""
    whole: bool = False


class Unread(msgspec.Struct, frozen=True):
    """Why objects of a kind may be there that a source did not give.

    Attributes:
        error: What to tell whoever did not find what they asked for.
        problems: What to tell whoever did.
    """

    error: SourceError
    problems: tuple[Problem, ...] = ()


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What a source has for a question.

    Attributes:
        objects: The workloads, and what may stand between them and their pods, but no pods. A source that has
            everything at hand gives it all, since any object may be an owner.
        pods: The pods; None where they cannot be looked at, or were not.
        unread: Kinds that were asked for, by name or by a type that the source may or may not have, of which
            there may be objects that could not be read.
        without_pods: What to tell whoever sees workloads without their pods, if nothing has told it yet.
        find: Finds another object that a workload refers to; None where all there is has been given.
        owners: Given objects whose controllers are not at hand, finds those controllers; None as for `find`.
    """

    objects: Iterable[Object]
    pods: Iterable[Object] | None
    unread: Mapping[GroupKind, Unread] = {}
    without_pods: Problem | None = None
    find: Lookup | None = None
    owners: Callable[[Sequence[Orphans]], Iterable[Object]] | None = None


class Change(NamedTuple):
    """An object as it is now, or as it was when it went."""

    value: Object
    deleted: bool


class Following(msgspec.Struct, frozen=True, kw_only=True):
    """An answer that goes on.

    Attributes:
        batches: First everything there is, then what changes.
        pods_known: Whether pods are among it; not where they cannot be looked at.
        unread: As in an answer.
    """

    batches: Iterator[Sequence[Change]]
    pods_known: bool = True
    unread: Mapping[GroupKind, Unread] = {}


class Source(Protocol):
    """A place that holds objects: manifests, a dump, a cluster.

    A source never fails for one bad object: what it could not read is in `warnings`, the rest is there.
    """

    @property
    def live(self) -> bool:
        """Whether the objects exist, so that they have pods; manifests do not exist yet."""

    @property
    def default_namespace(self) -> str | None:
        """Where to look when the user names no namespace; None: everywhere."""

    @property
    def warnings(self) -> Sequence[Problem]:
        """What could not be read so far, each with its place, and what keeps changes from being told now."""

    @property
    def silent(self) -> Sequence[SourceError]:
        """Why there may be kinds that it cannot name; none where it knows all of its kinds."""

    def kind_names(self) -> Sequence[KindNames]:
        """The kinds that the source itself can name, by its CustomResourceDefinitions or by discovery."""

    def kinds(self) -> Collection[GroupKind]:
        """The kinds that are known to be there: of objects, and those that the source itself can name."""

    def definitions(self) -> Sequence[Object]:
        """The workload definitions that lie in the source."""

    def crds(self, kinds: Collection[GroupKind]) -> Sequence[Object]:
        """The CustomResourceDefinitions of these kinds, as far as there are any."""

    def ask(self, question: Question, definitions: DefinitionSet) -> Answer:
        """The objects that a question is about, with all that tells which pods are theirs.

        Args:
            question: What is asked.
            definitions: They say which kinds stand between workloads and pods.

        Raises:
            SourceError: Nothing of what was asked for can be read.
        """

    def follow(self, question: Question, definitions: DefinitionSet) -> Following:
        """Everything that `ask` would give, and then what changes.

        Raises:
            SourceError: As `ask`; also where nothing ever changes.
        """

    def ask_about_pod(self, name: str, definitions: DefinitionSet, *, namespace: str | None) -> Answer:
        """A pod, and what tells to which workload it belongs.

        Args:
            name: The pod's name.
            definitions: They say which kinds of workloads pods name themselves.
            namespace: The namespace; None: all.

        Raises:
            SourceError: The pod cannot be read.
        """

    def events(self, namespace: str | None) -> Iterable[Object]:
        """The events of a namespace or of all.

        Raises:
            SourceError: They cannot be read.
        """

    def namespaces(self) -> Iterable[str]:
        """The names of the namespaces, for completion."""

    def names(self, kind: GroupKind, namespace: str | None) -> Iterable[str]:
        """The names of the objects of a kind, for completion."""
