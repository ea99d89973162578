"""What a command works with: a source of objects, the definitions in their layers, the names of kinds."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from workload_map.catalog import Catalog
from workload_map.cli.console import say
from workload_map.cli.left_out import left_out
from workload_map.cli.live import has_cluster, may_have_cluster, open_cluster, progress
from workload_map.definition import (
    DefinitionError,
    DefinitionSet,
    Finding,
    Layer,
    NoDefinitionError,
    load,
    load_objects,
)
from workload_map.definition.kind_names import KindNames
from workload_map.engine.view import Problem
from workload_map.errors import WorkloadMapError
from workload_map.source import NO_DEFINITIONS, Dump, GroupKind, KindTable, Manifests, Source, SourceError

FILES = (Dump, Manifests)
"""The sources of which everything is at hand; another one is asked for what it has."""


class TwoSourcesError(WorkloadMapError):
    """Both a dump and manifests were given; they are read in different ways."""

    code = "usage"
    exit_code = 2


class Session(msgspec.Struct, frozen=True):
    """What a command works with.

    Attributes:
        source: Where the objects are.
        definitions: Built-in ones, over them those of the source, over them those of files.
        table: The names of kinds.
        namespace: Where to look; None: everywhere.
        about_definitions: What is wrong with definitions.
    """

    source: Source
    definitions: DefinitionSet
    table: KindTable
    namespace: str | None
    about_definitions: list[Problem]

    @property
    def warnings(self) -> list[Problem]:
        """What could not be read so far; a cluster is read until the last view is made.

        That a cluster has no definitions of its own is no news with each call: commands about definitions
        tell it.
        """
        told = [problem for problem in self.source.warnings if problem.code != NO_DEFINITIONS]
        return [*told, *self.about_definitions]


def open_session(given: Mapping[str, Any]) -> Session:
    """Read the source and the definitions.

    Args:
        given: The parameters of a command, as the decorators in `options` name them.

    Raises:
        TwoSourcesError: Two different ones were.
        SourceError: The source cannot be read.
        DefinitionError: A definition that the user named cannot be used.
        NoDefinitionError: There are no definitions at all; that is no empty list.
    """
    started = time.monotonic()
    progress.begin([*given["dumps"], *given["manifests"]], quiet=given.get("verbose", False))
    with progress.shown():
        source = open_source(given)
    if given.get("verbose") and (paths := given["dumps"] or given["manifests"]):
        say.notice(f"read {', '.join(paths)} in {time.monotonic() - started:.2f} s")
    definitions, warnings = layer_definitions(given, source)
    if not definitions.entries():
        say.warnings([*source.warnings, *warnings])  # they may say why
        raise NoDefinitionError(
            "there are no definitions, so nothing is covered",
            hint="leave out --no-builtin, or give some with --definitions",
        )
    names = list(_names(definitions, source))
    table = KindTable(names, _known(definitions, source), _shown(definitions, source))
    session = Session(source, definitions, table, _namespace(given, source), warnings)
    _kept[:] = [session]
    return session


_kept: list[object] = []


def keep(*things: object) -> None:
    """Keep what a command made until the process ends, which does not free it (`entry`)."""
    _kept.extend(things)


class OpenedDefinitions(msgspec.Struct, frozen=True):
    """What commands about definitions work with.

    Attributes:
        definitions: As in a session.
        table: The names of kinds.
        names: Those of the source's own kinds; without a source those of all that are known.
        warnings: What could not be read.
    """

    definitions: DefinitionSet
    table: KindTable
    names: Sequence[KindNames]
    warnings: list[Problem]


def open_definitions(given: Mapping[str, Any]) -> OpenedDefinitions:
    """Read the definitions. A cluster that is named but cannot be asked is a warning: the others are there.

    Args:
        given: The parameters of a command, as the decorators in `options` name them.

    Raises:
        SourceError: A dump or manifests cannot be read.
        DefinitionError: A definition that the user named cannot be used.
    """
    source, unread = _source_of_definitions(given)
    definitions, warnings = layer_definitions(given, source)
    names = list(_names(definitions, source))
    known = _known(definitions, source) if source is not None else None
    told = (source.kind_names() if source is not None else ()) or names
    problems = [*unread, *(source.warnings if source else ()), *warnings]
    return OpenedDefinitions(definitions, KindTable(names, known), told, problems)


def _source_of_definitions(given: Mapping[str, Any]) -> tuple[Source | None, list[Problem]]:
    if given["dumps"] or given["manifests"]:
        return open_source(given), []
    if not may_have_cluster(given):
        return None, []
    try:
        return (open_source(given), []) if has_cluster(given) else (None, [])
    except SourceError as error:
        message = f"definitions in the cluster are left out: {error.message}"
        return None, [Problem(code="definitions-unreachable", location=error.location, message=message)]


def _namespace(given: Mapping[str, Any], source: Source) -> str | None:
    if given.get("all_namespaces"):
        return None
    named: str | None = given.get("namespace")
    return named or source.default_namespace


def open_source(given: Mapping[str, Any]) -> Source:
    """The source that the options name; raises as `open_session` does."""
    dumps, manifests = given["dumps"], given["manifests"]
    if [*dumps, *manifests, *given["definition_paths"]].count("-") > 1:
        raise TwoSourcesError(
            "standard input can be read once: only one path may be -", hint="write the others to files"
        )
    if dumps and manifests:
        raise TwoSourcesError(
            "--from and -f exclude each other", hint="a dump is a cluster, manifests are in none"
        )
    if not dumps and not manifests:
        return open_cluster(given)
    return Dump(dumps) if dumps else Manifests(manifests)


def layer_definitions(
    given: Mapping[str, Any], source: Source | None = None
) -> tuple[DefinitionSet, list[Problem]]:
    """All definitions in their layers, and what is wrong with those of the source.

    Args:
        given: The parameters of a command.
        source: Whose definitions count besides.

    Raises:
        DefinitionError: A definition that the user named cannot be used.
    """
    layers: list[Layer] = [] if given["no_builtin"] else list(Catalog.builtin().layers)
    findings: list[Finding] = []
    objects = source.definitions() if source is not None else ()
    if source is not None and objects:
        layer, findings = load_objects(objects, "cluster" if source.live else "file")
        layers.append(layer)
    if paths := given["definition_paths"]:
        layer, own = load(paths)
        if errors := [finding for finding in own if finding.severity == "error"]:
            raise DefinitionError(errors)
        layers.append(layer)
        findings += own
    definitions = DefinitionSet(layers)
    unusable = [finding for finding in findings if finding.severity == "error"]
    warnings = [_warning(finding) for finding in findings if finding not in unusable]
    told = [*left_out(unusable, objects, definitions), *warnings, *map(_collision, definitions.collisions)]
    return definitions, told


def _warning(finding: Finding) -> Problem:
    location = f"{finding.file}, {finding.location}" if finding.location else finding.file
    return Problem(code=finding.code, location=location, message=finding.message)


def _collision(finding: Finding) -> Problem:
    """What follows from it, for whoever asks for workloads; it names the places of all of them itself."""
    return Problem(code=finding.code, location=None, message=f"{finding.message}; so none of them counts")


def _known(definitions: DefinitionSet, source: Source) -> set[GroupKind]:
    """The kinds that are there, or that somebody described on purpose; not all that are built in."""
    described = [entry.kind for entry in definitions.entries() if entry.origin != "builtin"]
    return {*source.kinds(), *(GroupKind(kind.group, kind.kind) for kind in described)}


def _shown(definitions: DefinitionSet, source: Source) -> set[GroupKind]:
    """The covered kinds; of those of a cluster, the ones that it serves."""
    covered = {GroupKind(entry.kind.group, entry.kind.kind) for entry in definitions.entries()}
    return covered if isinstance(source, FILES) else covered.intersection(source.kinds())


def _names(definitions: DefinitionSet, source: Source | None) -> Iterator[KindNames]:
    """The names that somebody tells, and guessed ones for covered kinds that nobody names."""
    told = [*(source.kind_names() if source is not None else ()), *Catalog.builtin().kind_names]
    yield from told
    by_kind = {(names.group, names.kind): names for names in told}
    for entry in definitions.entries():
        kind = entry.kind
        names = by_kind.get((kind.group, kind.kind)) or KindNames.guessed(kind.group, kind.version, kind.kind)
        for version in (kind.version, *kind.versions):
            if kind.kind:
                yield msgspec.structs.replace(names, version=version)
