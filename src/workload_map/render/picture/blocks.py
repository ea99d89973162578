"""What is on a picture: nested blocks with their counts, and a mark for each pod."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum

import msgspec

from workload_map.engine.view import Component, Instance, Observed, Pod, Workload
from workload_map.render import amounts, pods, rows
from workload_map.render.text import natural, printable, shortened

MOST_NODES = 3


class State(StrEnum):
    """How a pod is, as its mark shows it; from those that want attention to those that want none."""

    BROKEN = "failing"
    WAITING = "waiting"
    STARTING = "not ready"
    LEAVING = "terminating"
    READY = "ready"
    DONE = "done"
    MISSING = "wanted, not there"
    UNKNOWN = "wanted, not known if there"


class Mark(msgspec.Struct, frozen=True):
    """A pod, or one that is wanted and not there, or not known to be.

    Attributes:
        state: How it is.
        text: Its name, status, node and accelerators; empty for one that is not at hand.
    """

    state: State
    text: str = ""


class Block(msgspec.Struct, frozen=True):
    """A box: a component, an instance, a replica group.

    Attributes:
        title: Its name.
        note: What it is: a kind, or `suspended`.
        counts: `2/3 pods, 8 GPU`.
        phase: Its phase, where there is one.
        phase_marks: What stands behind that where it is not all there is to say.
        doubts: Why it is not, in words.
        nodes: The names of its nodes, in the order of their numbers.
        marks: Its own pods.
        hidden: How many further pods there are of each state.
        blocks: What is in it.
        left_out: How many further blocks are in it that are not drawn.
    """

    title: str
    note: str
    counts: str
    phase: str | None = None
    phase_marks: str = ""
    doubts: tuple[str, ...] = ()
    nodes: tuple[str, ...] = ()
    marks: tuple[Mark, ...] = ()
    hidden: tuple[tuple[State, int], ...] = ()
    blocks: tuple[Block, ...] = ()
    left_out: int = 0

    def where(self, most: int = MOST_NODES) -> str:
        """Its nodes, the first ones and how many more there are."""
        return shortened(self.nodes, most).replace(",", ", ")

    def states(self) -> Iterator[State]:
        """The states of all marks and hidden pods, in here and below."""
        yield from (mark.state for mark in self.marks)
        yield from (state for state, _ in self.hidden)
        for block in self.blocks:
            yield from block.states()


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """How much of a big workload is drawn.

    Attributes:
        pods: How many marks in one block; 0: one for each pod, and for 1000 at most that are not at hand.
        blocks: How many blocks of one kind side by side; 0: all.
        depth: How many levels below the workload; 0: all.
    """

    pods: int = 60
    blocks: int = 24
    depth: int = 0


def blocks(view: Workload, limits: Limits) -> Block:
    """The picture of a workload as its outermost block."""
    maker = _Maker(limits, State.UNKNOWN if view.observed is None else State.MISSING)
    inner = [maker.component(component, 1) for component in view.components]
    if view.unattributed:
        marks, hidden = maker.marks(view.unattributed, None)
        count = _number(len(view.unattributed), "pod")
        inner.append(Block("(no component)", "", count, marks=marks, hidden=hidden))
    place = f"{view.kind} in {view.namespace}" if view.namespace else view.kind
    wanted, gpus = amounts.pods(view.totals), amounts.gpus(view.totals)
    return Block(
        title=printable(view.name),
        note=printable(place),
        counts=counts(view.observed, wanted, gpus),
        phase=_phase(view.phase),
        phase_marks=rows.phase_marks(view),
        doubts=tuple(_doubts(view)),
        blocks=tuple(inner) if maker.shows(1) else (),
        left_out=0 if maker.shows(1) else len(inner),
    )


class _Maker:
    """Makes the blocks of one picture.

    Args:
        limits: How much is drawn.
        lacking: How a pod is that is wanted and not at hand.
    """

    def __init__(self, limits: Limits, lacking: State) -> None:
        self._limits = limits
        self._lacking = lacking

    def shows(self, depth: int) -> bool:
        return not self._limits.depth or depth <= self._limits.depth

    def component(self, component: Component, depth: int, level: int | None = None) -> Block:
        """A component; `level` is how many replicas the nearest level above has, if there is any."""
        members = component.members or ()
        inner: list[Block] = []
        marks: tuple[Mark, ...] = ()
        hidden: tuple[tuple[State, int], ...] = ()
        for instance in component.instances:
            if instance.id is None:
                marks, hidden, below = self._inside(instance, members, depth + 1, level)
                inner += below
            else:
                inner.append(self._instance(instance, members, depth + 1, level))
        if strays := pods.strays(component):
            marks, hidden = self.marks(strays, None)
        kept, left_out = self._fit(inner, depth)
        is_level = any(map(_is_level, component.instances))
        level = component.replicas if is_level else level
        children = [self.component(child, depth + 1, level) for child in component.components]
        return Block(
            title=printable(component.name),
            note=printable(component.kind or ""),
            counts=counts(component.observed, amounts.count(component.pods), amounts.count(component.gpus)),
            phase=_phase(component.phase),
            nodes=_nodes(component.observed),
            marks=marks,
            hidden=hidden,
            blocks=(*kept, *children) if self.shows(depth + 1) else (),
            left_out=left_out + (0 if self.shows(depth + 1) else len(children)),
        )

    def _instance(self, instance: Instance, members: Sequence[Pod], depth: int, level: int | None) -> Block:
        marks, hidden, below = self._inside(instance, members, depth + 1, level)
        kept, left_out = self._fit(below, depth)
        return Block(
            title=printable(instance.id or ""),
            note="suspended" if instance.suspended else "",
            counts=counts(instance.observed, amounts.count(instance.pods), amounts.count(instance.gpus)),
            nodes=_nodes(instance.observed),
            marks=marks,
            hidden=hidden,
            blocks=kept,
            left_out=left_out,
        )

    def _inside(
        self, instance: Instance, members: Sequence[Pod], depth: int, level: int | None
    ) -> tuple[tuple[Mark, ...], tuple[tuple[State, int], ...], list[Block]]:
        own = pods.of(instance, members)
        inner_level = instance.replicas if _is_level(instance) else level
        below = [self.component(child, depth, inner_level) for child in instance.components]
        wanted = _own(instance)
        # Where a replica's pods are in the roles below, the roles show them.
        ours = {pod.replica_group for pod in own}
        groups = [group for group in instance.replica_groups or () if group.key in ours]
        if len(groups) < 2 or all(group.observed.pods == 1 for group in groups):
            marks, hidden = self.marks(own, wanted)
            return marks, hidden, below
        keys = {group.key for group in groups}
        per_group = _per_group(instance, level)
        for group in groups:
            its = [pod for pod in own if pod.replica_group == group.key]
            drawn, more = self.marks(its, per_group)
            below.append(
                Block(
                    title=printable(group.key),
                    note="replica",
                    counts=counts(group.observed, amounts.count(per_group), None),
                    nodes=_nodes(group.observed),
                    marks=drawn,
                    hidden=more,
                )
            )
        others = [pod for pod in own if pod.replica_group not in keys]
        grouped = len(own) - len(others) if per_group is None else per_group * len(groups)
        marks, hidden = self.marks(others, None if wanted is None else wanted - grouped)
        return marks, hidden, below

    def marks(
        self, members: Sequence[Pod], wanted: int | None
    ) -> tuple[tuple[Mark, ...], tuple[tuple[State, int], ...]]:
        """The marks of pods and of those that are not at hand, and the states of those that are not drawn."""
        most = self._limits.pods
        shown, others = pods.folded(members, most)
        drawn = [Mark(_state(pod), _text(pod)) for pod in shown]
        rest = Counter(_state(pod) for pod in others)
        lacking = max((wanted or 0) - len(members), 0)
        room = min(lacking, most - len(drawn) if most else _MOST_LACKING)
        drawn += [Mark(self._lacking)] * room
        rest[self._lacking] += lacking - room
        return tuple(drawn), tuple((state, rest[state]) for state in State if rest[state])

    def _fit(self, inner: list[Block], depth: int) -> tuple[tuple[Block, ...], int]:
        """As many blocks as may be drawn, those with trouble first if not all are; and how many are left."""
        if not self.shows(depth + 1):
            return (), len(inner)
        most = self._limits.blocks or len(inner)
        if len(inner) <= most:
            return tuple(inner), 0
        ranked = sorted(inner, key=lambda block: min(map(_URGENCY.__getitem__, block.states()), default=9))
        return tuple(ranked[:most]), len(inner) - most


# Real pods are at hand; of others an object may ask for billions.
_MOST_LACKING = 1_000
_URGENCY = {state: rank for rank, state in enumerate(State)}


def _phase(phase: str | None) -> str | None:
    return None if phase is None else printable(phase)


def _doubts(view: Workload) -> Iterator[str]:
    if view.stale:
        yield rows.FOOTNOTES[rows.STALE_MARK]
    yield from (printable(problem.message) for problem in view.disagreements)


def _own(instance: Instance) -> int | None:
    """How many pods of its own an instance wants, those of its children left aside; None: not known."""
    if instance.suspended or instance.pods_per_replica is None:
        return 0
    return None if instance.replicas is None else instance.replicas * instance.pods_per_replica


def _is_level(instance: Instance) -> bool:
    """Whether replicas of this have no pods but those of the components below."""
    return instance.pods_per_replica is None and bool(instance.replica_groups)


def _per_group(instance: Instance, level: int | None) -> int | None:
    """How many pods of an instance one replica group has when it is whole; None: not known.

    The groups may be the replicas of a level above, each with an equal share, as those of a LeaderWorkerSet.
    What has one pod a replica and several in a group is grouped by something else, such as its revision.
    """
    if level is not None:
        own = _own(instance)
        return own // level if own is not None and level and own % level == 0 else None
    per_replica = instance.pods_per_replica
    return per_replica if per_replica is not None and per_replica > 1 else None


def _state(pod: Pod) -> State:
    if pod.phase == "Succeeded":
        return State.DONE
    if pod.deleted_at is not None:
        return State.LEAVING
    if pod.ready:
        return State.READY
    if pods.failing(pod):
        return State.BROKEN
    return State.STARTING if pod.phase == "Running" else State.WAITING


def _text(pod: Pod) -> str:
    gpus = pod.requests.accelerators()
    parts = [printable(pod.name), pods.status(pod)]
    if pod.node:
        parts.append(f"on {printable(pod.node)}")
    if gpus != 0:
        parts.append(f"{amounts.count(gpus)} GPU")
    return ", ".join(parts)


def counts(observed: Observed | None, wanted: str, gpus: str | None) -> str:
    """How many pods are ready, or are wanted where pods were not looked at, and their accelerators."""
    if observed is None:
        count = f"{wanted} pod" if wanted == "1" else f"{wanted} pods"
    else:
        count = f"{observed.ready}/{wanted} ready"
        count += f", {observed.succeeded} done" if observed.succeeded else ""
    return count if gpus in (None, "0") else f"{count}, {gpus} GPU"


def _number(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _nodes(observed: Observed | None) -> tuple[str, ...]:
    return tuple(printable(node) for node in sorted(observed.nodes, key=natural)) if observed else ()
