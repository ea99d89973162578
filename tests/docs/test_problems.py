"""The page of problems names each code that the code can give, and no other."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from tests.docs.console import ROOT

CODE = re.compile(r"[a-z]+(-[a-z]+)+")
# Said by errors, not in views and warnings; and texts that only look like codes.
ELSEWHERE = {"no-object", "bad-selector", "bad-argument", "not-found", "no-source"}
# Here they are the fields of a kubeconfig, and labels of pods.
NO_CODES = {"kubeconfig.py", "kubeconfig_files.py", "credentials.py", "settling.py"}


def _literals(package: str) -> set[str]:
    """All texts in a package that have the form of a code."""
    return {
        node.value
        for file in (ROOT / "src" / "workload_map" / package).rglob("*.py")
        if file.name not in NO_CODES
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and CODE.fullmatch(node.value)
    }


def test_the_page_names_every_code_and_no_other() -> None:
    page = Path(ROOT, "docs", "problems.md").read_text()
    named = set(re.findall(r"^\| `([a-z-]+)` \|", page, re.MULTILINE))
    said = (_literals("engine") | _literals("source")) - ELSEWHERE
    assert said - named == set()
    assert named - said - {"unreadable-document"} == set()  # which the documents say
