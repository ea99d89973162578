"""The parts of a workload that can be explained by name: components, and instances by their ids."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from workload_map.engine.explaining.facts import Scope
from workload_map.engine.structure import ComponentDraft, InstanceDraft
from workload_map.engine.view import Component, Instance
from workload_map.errors import WorkloadMapError
from workload_map.spelling import did_you_mean

FIELDS = ("phase", "pods", "gpus")
"""What can be explained of any workload; besides, each of its parts."""

_MOST_NAMES = 20


class UnknownFieldError(WorkloadMapError):
    """What should be explained is no answer of the view and no part, or not one part alone."""

    code = "usage"
    exit_code = 2


class Part(msgspec.Struct, frozen=True, eq=False):
    """A component, or one instance of it.

    Attributes:
        draft: The component as it is built.
        view: The same as the view has it.
        scope: The object that it is read from.
        definition: The definition that has its rules, where that is not the workload's.
        within: The ids of the instances that it lies in.
        instance: The instance in both forms; None for the whole component.
    """

    draft: ComponentDraft
    view: Component
    scope: Scope
    definition: str | None
    within: tuple[str, ...] = ()
    instance: tuple[InstanceDraft, Instance] | None = None

    @property
    def id(self) -> str | None:
        """The id of the instance; None for the whole component."""
        return None if self.instance is None else self.instance[1].id

    @property
    def title(self) -> str:
        """What it is called beside others of its name: `worker of prefill`, `replicatedjob leader`."""
        name = self.view.name if self.id is None else f"{self.view.name} {self.id}"
        return name if not self.within else f"{name} of {' '.join(self.within)}"


def parts(
    drafts: Sequence[ComponentDraft],
    views: Sequence[Component],
    scope: Scope,
    definition: str | None = None,
    within: tuple[str, ...] = (),
) -> Iterator[Part]:
    """Each component, followed by its instances that have an id, and what is below them.

    Args:
        drafts: The components as they are built.
        views: The same as the view has them, in the same order.
        scope: The object that they are read from.
        definition: The definition that has their rules, where that is not the workload's.
        within: The ids of the instances that they lie in.
    """
    for draft, view in zip(drafts, views, strict=True):
        yield Part(draft, view, scope, definition, within)
        for one, seen in zip(draft.instances, view.instances, strict=True):
            inner, name = scope.below(draft.plan, one)
            inside = within
            if seen.id is not None:
                yield Part(draft, view, scope, definition, within, (one, seen))
                inside = (*within, seen.id)
            for child, shown in zip(one.children, seen.components, strict=True):
                where = (scope, definition) if child in one.beside else (inner, name or definition)
                yield from parts([child], [shown], *where, inside)
        yield from parts(draft.children, view.components, scope, definition, within)


def named(field: str, found: Sequence[Part]) -> list[Part]:
    """The parts that a name means: a component, wherever it is, or else an instance.

    An instance is named by its id, or as COMPONENT/ID where several components have one of that id. What lies
    in an instance of the same id is explained with it.

    Raises:
        UnknownFieldError: There is no such part, or several components have an instance of this id.
    """
    if components := [part for part in found if part.id is None and part.view.name == field]:
        return components
    name, slash, rest = field.partition("/")
    instances = [part for part in found if part.id == field and field not in part.within]
    if not instances and slash:
        instances = [part for part in found if part.id == rest and part.view.name == name]
    if not instances:
        raise _unknown(field, names(found))
    forms = dict.fromkeys(f"{part.view.name}/{part.id}" for part in instances)
    if len(forms) > 1:
        raise UnknownFieldError(
            f"several components have an instance {field!r}", hint=f"say which: {_listed(list(forms))}"
        )
    return instances


def names(found: Sequence[Part]) -> list[str]:
    """The names that can be explained, those of components before those of instances."""
    components = [part.view.name for part in found if part.id is None]
    return list(dict.fromkeys([*FIELDS, *components, *(part.id for part in found if part.id is not None)]))


def _unknown(field: str, known: list[str]) -> UnknownFieldError:
    return UnknownFieldError(
        f"there is nothing to explain about {field!r}",
        hint=did_you_mean(field, known) or f"there are {_listed(known)}",
    )


def _listed(known: list[str]) -> str:
    more = len(known) - _MOST_NAMES
    return ", ".join(known[:_MOST_NAMES]) + (f" and {more} more" if more > 0 else "")
