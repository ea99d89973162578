"""Completion in the shells themselves, and the command as kubectl's plugin."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.interactive import Interactive
from tests.cluster.build import BuildError, binary

TYPED = [
    ("wmap get --phase Fail", "Failed"),
    ("wmap get --phase Failed,Deg", "Failed,Degraded"),
    ("wmap get --phase=Fail", "--phase=Failed"),
    ("wmap get --from=DUMP jobse", "jobset"),
    ("wmap get --from DUMP jobset,leader", "jobset,leaderworkerset"),
    ("wmap get --sort-by=ph", "--sort-by=phase"),
    ("wmap descr", "describe"),
    ("wmap get --from DUMP lead", "leaderworkerset"),
    ("wmap describe --from DUMP jobset tr", "train"),
    ("wmap describe --from DUMP jobset/tr", "jobset/train"),
    ("wmap get all --from DUMP -n rese", "research"),
    ("wmap explain --from DUMP jobset/train wor", "worker"),
]


SHELLS = [
    ("bash", ["--norc", "--noprofile", "-i"], "source <(wmap completion bash)"),
    ("zsh", ["-f", "-i"], "autoload -Uz compinit; compinit -D; source <(wmap completion zsh)"),
]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """One in which `wmap` is the one that is tested, with an empty home."""
    bin_ = tmp_path / "bin"
    bin_.mkdir()
    for name in ("wmap", "kubectl-wmap"):
        script = bin_ / name
        script.write_text(f"#!{sys.executable}\nfrom workload_map.cli import main\nmain()\n")
        script.chmod(0o755)
    # An activated environment has the plugin, too, and kubectl complains of two of one name.
    others = [folder for folder in os.environ["PATH"].split(":") if not Path(folder, "kubectl-wmap").exists()]
    path = ":".join([str(bin_), *others])
    absent = str(tmp_path / "no-kubeconfig")
    return {"PATH": path, "HOME": str(tmp_path), "TERM": "xterm", "LC_ALL": "C.UTF-8", "KUBECONFIG": absent}


def _shell(name: str) -> str:
    if (found := shutil.which(name)) is None:
        pytest.skip(f"{name} is not installed")
    return found


@pytest.mark.parametrize(("name", "flags", "setup"), SHELLS)
def test_a_tab_completes(
    name: str, flags: list[str], setup: str, environment: dict[str, str], example: str
) -> None:
    shell = Interactive([_shell(name), *flags], environment)
    try:
        shell.send(f"{setup}; echo set''up\n")
        shell.wait_for("setup")
        for typed, completed in TYPED:
            shell.send(typed.replace("DUMP", example) + "\t")
            shell.wait_for(completed)
            shell.send("\x15")  # empties the line
    finally:
        shell.close()


def test_fish_completes(environment: dict[str, str], example: str) -> None:
    call = "wmap completion fish | source; complete -C $argv[1]"
    for typed, completed in TYPED:
        words = [_shell("fish"), "--no-config", "-c", call, typed.replace("DUMP", example)]
        done = subprocess.run(words, env=environment, capture_output=True, text=True, check=True)
        assert completed in [line.split("\t")[0] for line in done.stdout.splitlines()], (typed, done)


def test_a_command_is_offered_with_its_summary_as_the_help_has_it(environment: dict[str, str]) -> None:
    variables = {"_WMAP_COMPLETE": "zsh_complete", "COMP_WORDS": "wmap desc", "COMP_CWORD": "1"}
    done = subprocess.run(
        ["wmap"], env={**environment, **variables}, capture_output=True, text=True, check=True
    )
    assert done.stdout.split("\n") == [
        "plain",
        "describe",
        "Show one workload: its tree, status and resources",
        "",
    ]


def test_kubectl_runs_it_as_its_plugin(environment: dict[str, str], example: str) -> None:
    try:
        kubectl = str(binary("kubectl"))
    except BuildError as error:
        pytest.skip(str(error))
    call = ["wmap", "get", "jobset", "--from", example, "-o", "name"]
    ours = subprocess.run(call, env=environment, capture_output=True, text=True, check=True)
    theirs = subprocess.run([kubectl, *call], env=environment, capture_output=True, text=True, check=True)
    assert theirs.stdout == ours.stdout
    assert "jobset.jobset.x-k8s.io/train" in ours.stdout.splitlines()
    wrong = subprocess.run(
        [kubectl, "wmap", "get", "--zzz"], env=environment, capture_output=True, check=False
    )
    assert wrong.returncode == 2
    listed = subprocess.run(
        [kubectl, "plugin", "list"], env=environment, capture_output=True, text=True, check=True
    )
    assert "kubectl-wmap" in listed.stdout


@pytest.mark.parametrize(("name", "flags", "setup"), SHELLS)
def test_no_blank_comes_before_what_has_to_follow(
    name: str, flags: list[str], setup: str, environment: dict[str, str]
) -> None:
    shell = Interactive([_shell(name), *flags], environment)
    try:
        shell.send(f"{setup}; echo set''up\n")
        shell.wait_for("setup")
        shell.send("wmap get -o custom\t")
        shell.wait_for("custom-columns=")
        shell.send("NAME:.name\x01echo typed: \n")  # \x01 goes to the beginning of the line
        shell.wait_for("typed: wmap get -o custom-columns=NAME:.name")
    finally:
        shell.close()
