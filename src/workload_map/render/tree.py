"""The tree of one workload: components, instances, pods; a row each, folded where it gets long."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from workload_map.engine.view import Component, Instance, Observed, Pod, Workload
from workload_map.render import amounts, pods
from workload_map.render.rows import NONE
from workload_map.render.style import Style
from workload_map.render.table import Cell, lines
from workload_map.render.text import natural, printable, shortened

_MOST_NODES = 4


class Fold(msgspec.Struct, frozen=True, kw_only=True):
    """How much of a big tree is drawn.

    Attributes:
        pods: How many pods of one component or instance; 0: all.
        depth: How many levels below the workload; 0: all.
    """

    pods: int = 0
    depth: int = 0


class _Node(NamedTuple):
    """A row and those below it."""

    cells: tuple[Cell, ...]
    children: list[_Node]


def tree(view: Workload, fold: Fold, style: Style) -> Iterator[str]:
    """The lines of the tree, headings first. Pods are there where they were looked at."""
    drawing = _Drawing(view, fold, style)
    rows = [tuple(Cell(text, style.heading(text)) for text in drawing.headings)]
    rows += _flat(drawing.root(), style, "", "")
    # Pods of one role have long names that differ at the end.
    yield from lines(rows, style, names="last")


def _flat(node: _Node, style: Style, before: str, below: str) -> Iterator[tuple[Cell, ...]]:
    first, *others = node.cells
    yield (Cell(before + first.text, before + first.painted), *others)
    for child in node.children:
        last = child is node.children[-1]
        branch, line = (style.last_branch, "    ") if last else (style.branch, style.line)
        yield from _flat(child, style, below + branch, below + line)


class _Drawing:
    """What all rows of one tree share: whether there are pods, and whether replica groups need a column."""

    def __init__(self, view: Workload, fold: Fold, style: Style) -> None:
        self._view = view
        self._fold = fold
        self._style = style
        self._looked = view.observed is not None
        self._grouped = any(_tells_groups(component) for component in _all_components(view.components))

    @property
    def headings(self) -> tuple[str, ...]:
        if not self._looked:
            return ("NAME", "PODS", "GPU")
        return ("NAME", "READY", "STATUS", "GPU", *(["GROUP"] if self._grouped else []), "NODE")

    def root(self) -> _Node:
        view = self._view
        children = [self._component(component, 1) for component in view.components]
        children += [self._stray(view)] if view.unattributed else []
        name = printable(view.name)
        phase = printable(view.phase or "")
        return _Node(
            self._cells(
                Cell.plain(name),
                view.observed,
                amounts.pods(view.totals),
                amounts.gpus(view.totals),
                Cell(phase, self._style.phase(phase, view.phase)),
                nodes=False,
            ),
            children if self._shows(1) else [],
        )

    def _shows(self, depth: int) -> bool:
        return not self._fold.depth or depth <= self._fold.depth

    def _component(self, component: Component, depth: int) -> _Node:
        phase = printable(component.phase or "")
        cells = self._cells(
            Cell.plain(printable(component.name)),
            component.observed,
            amounts.count(component.pods, *_bounds(component)),
            amounts.count(component.gpus),
            Cell(phase, self._style.phase(phase, component.phase)),
        )
        if not self._shows(depth + 1):
            return _Node(cells, [])
        members = component.members or ()
        children: list[_Node] = []
        for instance in component.instances:
            children += self._instance(instance, members, depth + 1)
        children += self._pods(pods.strays(component))
        children += [self._component(child, depth + 1) for child in component.components]
        return _Node(cells, children)

    def _instance(self, instance: Instance, members: Sequence[Pod], depth: int) -> list[_Node]:
        """The row of an instance and what is below; one without id has no row, it is the component itself."""
        own = pods.of(instance, members)
        if instance.id is None:
            return [*self._pods(own), *(self._component(child, depth) for child in instance.components)]
        status = Cell.plain("suspended" if instance.suspended else "")
        cells = self._cells(
            Cell.plain(printable(instance.id)),
            instance.observed,
            amounts.count(instance.pods, *_bounds(instance)),
            amounts.count(instance.gpus),
            status,
        )
        if not self._shows(depth + 1):
            return [_Node(cells, [])]
        below = [*self._pods(own), *(self._component(child, depth + 1) for child in instance.components)]
        return [_Node(cells, below)]

    def _stray(self, view: Workload) -> _Node:
        strays = view.unattributed or ()
        label = Cell("(no component)", self._style.trouble("(no component)"))
        blank = Cell.plain("")
        cells = (label, Cell.plain(str(len(strays))), *[blank] * (len(self.headings) - 2))
        return _Node(cells, self._pods(strays))

    def _pods(self, members: Sequence[Pod]) -> list[_Node]:
        shown, hidden = pods.folded(members, self._fold.pods)
        return [*map(self._pod, shown), *([self._rest(hidden)] if hidden else [])]

    def _rest(self, hidden: Sequence[Pod]) -> _Node:
        troubled = sum(map(pods.troubled, hidden))
        note = f"... {len(hidden)} more" + (f", {troubled} of them not ready" if troubled else "")
        blank = Cell.plain("")
        return _Node((Cell.plain(note), *[blank] * (len(self.headings) - 1)), [])

    def _pod(self, pod: Pod) -> _Node:
        status = pods.status(pod)
        painted = self._style.trouble(status) if pods.troubled(pod) else status
        gpus = pod.requests.accelerators()
        group = [Cell.plain(printable(pod.replica_group or ""))] if self._grouped else []
        return _Node(
            (
                Cell.plain(printable(pod.name)),
                Cell.plain("1/1" if pod.ready else "0/1"),
                Cell(status, painted, whole=True),
                Cell.plain(amounts.count(gpus)),
                *group,
                Cell.plain(printable(pod.node or NONE)),
            ),
            [],
        )

    def _cells(
        self,
        name: Cell,
        observed: Observed | None,
        desired: str,
        gpus: str,
        status: Cell,
        *,
        nodes: bool = True,
    ) -> tuple[Cell, ...]:
        if not self._looked:
            return (name, Cell.plain(desired), Cell.plain(gpus))
        ready = amounts.UNKNOWN if observed is None else str(observed.ready)
        done = f", {observed.succeeded} done" if observed is not None and observed.succeeded else ""
        where = (
            shortened(sorted(observed.nodes, key=natural), _MOST_NODES)
            if nodes and observed is not None
            else ""
        )
        group = [Cell.plain("")] if self._grouped else []
        counts = Cell.plain(f"{ready}/{desired}{done}")
        return (name, counts, status, Cell.plain(gpus), *group, Cell.plain(where))


def _bounds(part: Component | Instance) -> tuple[int | None, int | None]:
    """The bounds of the pods where the bounds of the replicas and the pods of each are known."""
    per = part.pods_per_replica
    if per is None:
        return None, None
    return (None if part.min is None else part.min * per), (None if part.max is None else part.max * per)


def _all_components(components: Iterable[Component]) -> Iterator[Component]:
    for component in components:
        yield component
        yield from _all_components(component.components)
        for instance in component.instances:
            yield from _all_components(instance.components)


def _tells_groups(component: Component) -> bool:
    """Whether some replica is made of several pods; with one pod each the key says no more than the name."""
    groups = [group for instance in component.instances for group in instance.replica_groups or ()]
    return any(group.observed.pods > 1 for group in groups)
