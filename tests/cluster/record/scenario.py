"""Reads scenarios; the package says what is in one."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Self

import yaml

from tests.cluster.client import Object
from workload_map.path import PathError, Program, compile  # noqa: A004 - as in `re.compile`

FOLDER = Path(__file__).parents[1] / "scenarios"
_SECONDS = 60.0
# Each verb, and whether its value is an expression.
_VERBS = {"wait": True, "delete": True, "patch": False, "annotate": False, "apply": False, "settle": False}


class ScenarioError(Exception):
    """A scenario can't be read, or did not come to its end; the text says where."""


@dataclass(frozen=True)
class Step:
    """One step: `value` is a program for `wait` and `delete`, else what the scenario gives."""

    verb: str
    value: Any
    of: Program
    seconds: float
    propagation: str

    @classmethod
    def read(cls, given: Object) -> Self:
        """A step from its entry.

        Raises:
            ScenarioError: not exactly one verb, an unknown key, or an expression that is none.
        """
        options = dict(given)
        verbs = [one for one in options if one in _VERBS]
        if len(verbs) != 1:
            raise ScenarioError(f"a step has one of {', '.join(_VERBS)}: {given}")
        (verb,) = verbs
        value = options.pop(verb)
        step = cls(
            verb=verb,
            value=_program(value) if _VERBS[verb] else value,
            of=_program(options.pop("of", ".object")),
            seconds=float(options.pop("seconds", _SECONDS)),
            propagation=options.pop("propagation", "Background"),
        )
        if options:
            raise ScenarioError(f"a step has no {', '.join(options)}: {given}")
        return step

    def __str__(self) -> str:
        return f"{self.verb}: {self.value.text if isinstance(self.value, Program) else self.value}"


@dataclass(frozen=True)
class Scenario:
    """What a life is recorded from."""

    name: str
    about: str
    manifest: list[Object]
    steps: list[Step]
    operators: list[str] = field(default_factory=list)
    between: list[str] = field(default_factory=list)
    nodes: list[str] = field(default_factory=list)
    stands_in: str | None = None
    alone: bool = False

    @property
    def object(self) -> Object:
        """The object whose life it is, as it is applied."""
        return self.manifest[-1]

    @property
    def slug(self) -> str:
        """Its name where slashes can't be: of its namespace, for one."""
        return self.name.replace("/", "-")

    @classmethod
    def read(cls, file: Path) -> Self:
        """A scenario from its file.

        Raises:
            ScenarioError: with the file in its text.
        """
        name = f"{file.parent.name}/{file.stem}"
        try:
            given = yaml.safe_load(file.read_text())
            unknown = given.keys() - {one.name for one in fields(cls)} | given.keys() & {"name"}
            if unknown:
                raise ScenarioError(f"a scenario has no {', '.join(sorted(unknown))}")
            steps = [Step.read(one) for one in given.pop("steps", [])]
            return cls(name=name, steps=steps, **given)
        except (OSError, TypeError, yaml.YAMLError, ScenarioError) as error:
            raise ScenarioError(f"{file}: {error}") from error


def read_all(names: list[str]) -> list[Scenario]:
    """The scenarios of these names, `kind/name` or a whole `kind`; all if there are none.

    Raises:
        ScenarioError: one is not there, or can't be read.
    """
    files: list[Path] = []
    for pattern in names or ["*"]:
        found = [*FOLDER.glob(f"{pattern}.yaml"), *FOLDER.glob(f"{pattern}/*.yaml")]
        if not found:
            raise ScenarioError(f"there is no scenario {pattern} in {FOLDER}")
        files += found
    return [Scenario.read(file) for file in sorted(set(files))]


def _program(text: Any) -> Program:
    try:
        return compile(str(text))
    except PathError as error:
        raise ScenarioError(str(error)) from error
