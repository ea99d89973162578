"""Which case needs which extension: each is left out by itself, and the cases are run again."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from workload_map.catalog import Catalog
from workload_map.catalog.cases import Case, check
from workload_map.definition import Definition, DefinitionSet, Entry, Layer, portable
from workload_map.definition.portability import EXTENSIONS, Loss
from workload_map.errors import WorkloadMapError

# What no view shows: it is there for changes to an object, and for groups of its pods.
NOT_IN_VIEWS = {"nodeSelectorPath", "tolerationsPath", "envPath", "groups"}

_NAMES = {name for _, name in EXTENSIONS}


class Use(NamedTuple):
    """An extension in a definition.

    Attributes:
        extension: The name of the field.
        loss: Where it stands, and what is lost without it.
        case: The first case that then no longer holds; None if all of them still do.
    """

    extension: str
    loss: Loss
    case: str | None


def losses(definition: Definition) -> Iterator[tuple[str, Loss]]:
    """The extensions of a definition, each with where it stands and what is lost without it."""
    for loss in portable(definition)[1]:
        name = loss.location.rpartition(".")[2]
        if name in _NAMES:  # another field goes with an extension
            yield name, loss


def uses(definition: Definition, cases: Sequence[Case]) -> Iterator[Use]:
    """The extensions of a built-in definition, each with the case that needs it."""
    for name, loss in losses(definition):
        if name in NOT_IN_VIEWS:
            yield Use(name, loss, None)
            continue
        entry = Entry.of(_without(definition, loss.location), "builtin")
        known = Catalog.builtin().with_layer(Layer([entry]))
        yield Use(name, loss, next((case.name for case in cases if not _holds(case, known)), None))


def _holds(case: Case, known: DefinitionSet) -> bool:
    try:
        return not check(case, known)
    except WorkloadMapError:
        return False


def _without(definition: Definition, location: str) -> Definition:
    """A definition without the field of a location."""
    document = msgspec.to_builtins(definition)
    value = document
    *above, last = re.findall(r"[^.\[\]]+", location)
    for step in above:
        value = value[int(step) if isinstance(value, list | tuple) else step]
    del value[last]
    return msgspec.convert(document, Definition)


def page(used: dict[str, list[Use]]) -> str:
    """The page of the extensions in use, by the folders of the definitions that use them."""
    lines = [
        "# Extensions in use",
        "",
        "A built-in definition uses an extension only where the base schema alone gives a wrong answer: a",
        "case no longer holds without it. `wmap definitions NAME -o yaml --portable` leaves extensions out,",
        "and says what is lost.",
        "",
        "| extension | without it | used by, and the case that needs it |",
        "| --- | --- | --- |",
    ]
    names = sorted({one.extension for each in used.values() for one in each})
    lines += [f"| `{name}` | {_consequence(name)} | {', '.join(_users(name, used))} |" for name in names]
    unused = sorted(_NAMES - set(names))
    if unused:
        lines += ["", f"No built-in definition uses {', '.join(f'`{name}`' for name in unused)}."]
    return "\n".join(lines) + "\n"


def _consequence(extension: str) -> str:
    found = [text for (_, name), text in EXTENSIONS.items() if name == extension]
    return "; or ".join(dict.fromkeys(found))


def _users(extension: str, used: dict[str, list[Use]]) -> Iterator[str]:
    for folder, each in used.items():
        own = [one for one in each if one.extension == extension]
        case = next((one.case for one in own if one.case is not None), None)
        if case is not None:
            yield f"[{folder}](../../src/workload_map/catalog/{folder}/cases/{case}.yaml) `{case}`"
        elif own:
            yield folder
