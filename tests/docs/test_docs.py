"""The docs are true: their examples give what they show, and the generated pages are fresh."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from docs.generate import REFERENCE, pages

from tests.docs.console import ROOT, Example, examples, without_ages
from tests.docs.console import pages as all_pages

EXAMPLES = examples()


def _environment() -> dict[str, str]:
    tools = str(Path(sys.executable).parent)
    plain = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "TERM")}
    return {**plain, "PATH": f"{tools}:{os.environ['PATH']}", "BIN": tools, "PYTHONUTF8": "1"}


@pytest.mark.parametrize("example", EXAMPLES, ids=[f"{one.file}: {one.command[:60]}" for one in EXAMPLES])
def test_an_example_gives_what_it_shows(example: Example) -> None:
    # `make` sets up what the tests run in already; what it runs is in the recipe.
    command = re.sub(r"^make demo$", "sh examples/demo.sh", example.command)
    if command.startswith(("make ", "git ", "kubectl ", "pip ", "pipx ", "source ")):
        pytest.skip("sets something up, or needs a cluster")
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=ROOT,
        env=_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert without_ages(done.stdout) == without_ages(example.output)


def test_generated_pages_are_fresh() -> None:
    written = {str(path.relative_to(REFERENCE)) for path in REFERENCE.rglob("*.*") if path.is_file()}
    expected = pages()
    assert written == set(expected), "run `make docs`"
    stale = [name for name, text in expected.items() if (REFERENCE / name).read_text() != text]
    assert stale == [], "run `make docs`"


def test_links_between_pages_lead_somewhere() -> None:
    for page in all_pages():
        for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text()):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_demo_shows_the_main_job() -> None:
    # From anywhere: the script finds the dump beside itself.
    call = ["sh", str(ROOT / "examples" / "demo.sh")]
    done = subprocess.run(call, cwd="/", env=_environment(), capture_output=True, text=True, check=True)
    assert done.stderr == ""
    lines = [line.translate(str.maketrans("", "", "├└─│")).split() for line in done.stdout.splitlines()]
    assert ["$", "wmap", "get", "all", "--from", "examples/dump.yaml"] in lines
    assert ["leader", "1/1", "4", "node-3"] in lines
    assert ["worker", "2/2", "8", "node-2,node-8"] in lines
    assert ["train", "3/3", "Running", "12"] in lines
