"""What the help of each command shows as examples works as it stands there, on the dump that is shipped."""

from __future__ import annotations

import importlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.apiserver import serving
from tests.apiserver.server import COMMON, Kind
from tests.cli.conftest import EXAMPLE
from workload_map.catalog.building import FOLDER
from workload_map.cli.root import COMMANDS, root
from workload_map.definition.kind_names import KindNames

# Instead of kubectl: it prints the dump, whatever is asked for, and applies anything.
KUBECTL = """#!/bin/sh
[ "$1" = get ] && exec cat dump.yaml
[ "$1" = apply ] && exec cat > /dev/null
exit 1
"""


def _examples(name: str) -> list[str]:
    """The lines below `Examples:` that this can run: in bash, and to an end."""
    command = root
    if name != "wmap":
        command = importlib.import_module(f"workload_map.cli.commands.{name}").command
    assert command.epilog is not None
    lines = [line.strip() for line in command.epilog.partition("Examples:\n")[2].splitlines()]
    assert lines
    # `-w` goes on until it is stopped, and other shells are tried in the tests of completion.
    return [line for line in lines if not re.search(r" -w\b|zsh|powershell", line)]


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """The address of a server on which everything of the dump lies."""
    objects = yaml.safe_load(Path(EXAMPLE).read_text())["items"]
    names = [KindNames.guessed(*_kind(one)) for one in objects]
    served = {(one.api_version, one.kind): Kind(one.api_version, one.kind, one.plural) for one in names}
    with serving(
        objects, tuple({**{(one.api_version, one.kind): one for one in COMMON}, **served}.values())
    ) as server:
        yield server.url


def _kind(value: dict[str, str]) -> tuple[str, str, str]:
    group, _, version = value["apiVersion"].rpartition("/")
    return group, version, value["kind"]


@pytest.fixture
def folder(tmp_path: Path, cluster: str) -> Path:
    """What the examples name: files of the user, and the programs that they call."""
    shutil.copy(EXAMPLE, tmp_path / "dump.yaml")
    for place in ("jobset.yaml", "manifests/jobset.yaml"):
        (tmp_path / place).parent.mkdir(exist_ok=True)
        shutil.copy(Path(EXAMPLE).with_name("jobset.yaml"), tmp_path / place)
    shutil.copy(FOLDER / "jobset" / "definition.yaml", tmp_path / "my-definition.yaml")
    (tmp_path / "definitions").mkdir()
    shutil.copy(FOLDER / "jobset" / "definition.yaml", tmp_path / "definitions")
    shutil.copytree(Path(EXAMPLE).with_name("tutorial"), tmp_path / "my-definitions")
    (tmp_path / "crds").mkdir()
    (tmp_path / ".config" / "fish" / "completions").mkdir(parents=True)
    cluster_of_kubeconfig = {
        "clusters": [{"name": "c", "cluster": {"server": cluster}}],
        "contexts": [{"name": "c", "context": {"cluster": "c", "user": ""}}],
        "current-context": "c",
    }
    (tmp_path / "kubeconfig").write_text(json.dumps(cluster_of_kubeconfig))
    wmap = f"#!{sys.executable}\nfrom workload_map.cli import main\nmain()\n"
    for program, text in (("wmap", wmap), ("kubectl", KUBECTL)):
        (tmp_path / "bin" / program).parent.mkdir(exist_ok=True)
        (tmp_path / "bin" / program).write_text(text)
        (tmp_path / "bin" / program).chmod(0o755)
    return tmp_path


@pytest.mark.parametrize("name", ["wmap", *COMMANDS])
def test_examples_of_the_help_work(name: str, folder: Path) -> None:
    environment = {
        **os.environ,
        "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
        "HOME": str(folder),
        "KUBECONFIG": str(folder / "kubeconfig"),
        "PYTHONUTF8": "1",
    }
    for example in _examples(name):
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", example],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        code = 1 if "--coverage" in example else 0  # the cases of the tutorial do not reach all of it
        assert (done.returncode, "error: " in done.stderr) == (code, False), (example, done.stderr)
        written = re.search(r"> (\S+)$", example)
        text = (folder / written[1].replace("~", str(folder))).read_bytes() if written else done.stdout
        silent = ("| kubectl apply", "source ", "wmap validate", "wmap test", "--folder")
        assert text or any(one in example for one in silent), example
