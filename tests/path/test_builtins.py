"""The table of builtins against jq's own list, and against what the modules of the library hold."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from workload_map import path
from workload_map.path.builtins import NATIVES, REFUSED, builtin_definition, known_names, prelude_sources

DOCS = Path(__file__).parents[2] / "docs" / "path-language.md"


def builtins_of_jq() -> list[str]:
    """jq's list, from a child process."""
    program = "import jq, json; print(json.dumps(jq.compile('builtins').input_value(None).first()))"
    found = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    names: list[str] = json.loads(found.stdout)
    return names


def test_each_builtin_of_jq_is_there_or_refused() -> None:
    known = known_names()
    missing = [name for name in builtins_of_jq() if name not in known and name.split("/")[0] not in REFUSED]
    assert missing == []


def test_the_page_tells_of_each_word() -> None:
    told = set(re.findall(r"`([^`\s]+)`", DOCS.read_text(encoding="utf-8")))
    names = {name.split("/")[0] for name in builtins_of_jq()} | set(REFUSED)
    assert sorted(names - told) == []


def test_the_library_holds_what_the_table_says() -> None:
    for name, native in NATIVES.items():
        module = import_module(f"workload_map.path.library.{native.module}")
        assert name in module.FUNCTIONS, name


def test_builtins_written_in_the_language_resolve_for_any_program() -> None:
    for name in prelude_sources():
        function, arity = name.split("/")
        assert builtin_definition(name) is not None
        if not function.startswith("_"):
            path.check(function + (f"({'; '.join(['.'] * int(arity))})" if arity != "0" else ""))


def test_errors_in_such_a_builtin_are_told_at_its_call() -> None:
    with pytest.raises(path.PathRuntimeError) as caught:
        path.compile('.a | splits("x")').all({"a": 5})
    assert (caught.value.line, caught.value.column, caught.value.at) == (1, 6, ("a",))
