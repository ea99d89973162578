"""The page on adding a kind is run as a reader follows it: its files are written, its commands typed."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.docs.console import ROOT, commands

PAGE = ROOT / "docs" / "add-a-kind.md"
_BLOCK = re.compile(r"^```(yaml|shell-session)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_page_gives_what_it_shows_from_an_empty_folder(tmp_path: Path) -> None:
    written, typed = set(), set()
    for language, content in _BLOCK.findall(PAGE.read_text()):
        if language == "yaml":
            # Its name stays in it as it stays in what a reader copies: lines are counted from there.
            file = tmp_path / content.splitlines()[0].removeprefix("# ")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content)
            written.add(file.name)
            continue
        for command, output in commands(content):
            typed.add(command.split()[1])
            assert _run(command, tmp_path) == output, command
    assert {"crd.yaml", "definition.yaml", "running.yaml"} <= written
    assert typed >= {"describe", "path", "validate", "test", "definitions"}


def _run(command: str, folder: Path) -> str:
    tools = str(Path(sys.executable).parent)
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        env={"PATH": f"{tools}:/usr/bin:/bin", "PYTHONUTF8": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.stdout
