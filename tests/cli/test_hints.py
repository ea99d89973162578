"""Every error that a user can meet says what to do about it; what calls really say, `conftest` looks at."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from collections.abc import Iterator

import workload_map
from tests.docs.console import ROOT
from workload_map.cli.console import NEXT_STEPS
from workload_map.errors import WorkloadMapError

SOURCES = ROOT / "src" / "workload_map"
# Those that no user of the command meets as an error, or that carry a hint in another way.
ELSEWHERE = {
    "DefinitionError": "its hint is that of its first finding",
    "DocumentError": "told as a finding, as a problem or by the error of its source, which have hints",
    "JsonPathValueError": "placed in the template before anybody sees it",
    "ObjectError": "of the library alone: what it is given is an object already",
    "PathUnknownError": "caught where it is raised: what depends on it is unknown",
}


def _subclasses(kind: type[WorkloadMapError]) -> Iterator[type[WorkloadMapError]]:
    yield kind
    for each in kind.__subclasses__():
        yield from _subclasses(each)


def _classes() -> dict[str, type[WorkloadMapError]]:
    """All errors of the package, by name."""
    for module in pkgutil.walk_packages(workload_map.__path__, "workload_map."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    return {
        kind.__name__: kind
        for kind in _subclasses(WorkloadMapError)
        if kind.__module__.startswith("workload_map.")
    }


CLASSES = _classes()


def _made() -> Iterator[tuple[str, ast.Call]]:
    """Where errors are made, each with its class."""
    for file in SOURCES.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
                name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
                if name in CLASSES:
                    yield f"{name} in {file.relative_to(SOURCES)}, line {node.lineno}", node


def _name(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else node.func.attr  # type: ignore[attr-defined]


def test_no_error_is_made_without_a_hint() -> None:
    made = list(_made())
    assert len(made) > 100  # or the search finds nothing any more
    assert [
        place
        for place, node in made
        if _name(node) not in ELSEWHERE
        and CLASSES[_name(node)].code not in NEXT_STEPS
        and not any(each.arg == "hint" for each in node.keywords)
    ] == []


def test_a_hint_that_may_be_none_has_another_behind_it() -> None:
    """`hint=... if near else None` tells nothing where nothing is near, unless the code has a hint."""
    for place, node in _made():
        for given in node.keywords:
            if given.arg == "hint" and any(
                isinstance(each, ast.Constant) and each.value is None for each in ast.walk(given.value)
            ):
                assert CLASSES[_name(node)].code in NEXT_STEPS, place


def test_each_hint_is_for_a_code_that_there_is() -> None:
    assert {*NEXT_STEPS} <= {kind.code for kind in CLASSES.values()}
    assert {*ELSEWHERE} <= {*CLASSES}
