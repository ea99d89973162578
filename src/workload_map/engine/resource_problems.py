"""What is wrong in a pod spec or a claim, with its place: gathered while reading, so that reading goes on."""

from __future__ import annotations

import msgspec

Path = tuple[str | int, ...]


class ResourceProblem(msgspec.Struct, frozen=True):
    """A part of a pod spec, or of a resource claim, that is wrong.

    Attributes:
        code: A stable word for the kind of problem.
        path: Its place in what was read, keys and indices; injected containers are in `injectedContainers`
        and `injectedInitContainers`.
        message: One sentence without the place.
    """

    code: str
    path: Path
    message: str


class Problems(msgspec.Struct, eq=False):
    """Problems in the order in which they were found.

    Attributes:
        found: The problems so far.
    """

    found: list[ResourceProblem] = []

    def add(self, code: str, path: Path, message: str) -> None:
        """Note a problem."""
        self.found.append(ResourceProblem(code, path, message))

    def malformed(self, path: Path, value: object, wanted: str) -> None:
        """Note that a value is not what the API has in this place."""
        self.add("malformed", path, f"expected {wanted}, found {_kind(value)}")


def _kind(value: object) -> str:
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    return {str: "a string", bool: "true or false", type(None): "null"}.get(type(value), "a number")
