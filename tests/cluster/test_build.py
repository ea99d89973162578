"""What is built, from where and to where, without building it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cluster import build
from tests.cluster.build import TOOLS, BuildError
from tests.cluster.recipes import OPERATORS


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("KUBEBUILDER_ASSETS", raising=False)
    return tmp_path / "workload-map" / "cluster"


@pytest.mark.parametrize("name", [tool.name for tool in TOOLS])
def test_a_tool_is_pinned_with_all_its_packages(name: str, empty_cache: Path) -> None:
    tool = build.tool(name)
    requirements = (tool.source / "go.mod").read_text()
    for package in tool.binaries.values():
        assert f"{package}\n" in requirements
    assert f"{tool.module} {tool.version} h1:" in (tool.source / "go.sum").read_text()


def test_every_operator_has_its_tool() -> None:
    assert set(OPERATORS) == {tool.name for tool in TOOLS} - set(build.CONTROL_PLANE)


def test_kubernetes_is_told_its_version() -> None:
    flags = build.tool("kubernetes").link_flags
    assert "-X k8s.io/component-base/version.gitVersion=v1.36.3" in flags
    assert "-X k8s.io/component-base/version.gitMinor=36" in flags


def test_what_is_not_built_is_told_with_the_way_to_build_it(empty_cache: Path) -> None:
    with pytest.raises(BuildError, match=r"^kubectl is not built: run `make cluster-build`"):
        build.binary("kubectl")
    with pytest.raises(BuildError, match=r"^the manifests of lws are not built: run `make cluster-build`"):
        build.manifests("lws")
    assert build.missing(["etcd", "lws"]) == ["etcd", "lws"]


def test_without_go_one_line_says_so(
    empty_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert build.main(["etcd"]) == 1
    told = capsys.readouterr().out.strip()
    assert told.startswith("building the control plane needs Go 1.26 or newer")
    assert "\n" not in told


def test_an_unknown_tool_is_told_with_those_that_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert build.main(["nothing"]) == 1
    assert "there is no tool 'nothing'; there are kubernetes, etcd," in capsys.readouterr().out


def test_what_is_built_is_not_built_again(
    empty_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = build.tool("etcd").folder
    assert folder.is_relative_to(empty_cache)
    folder.mkdir(parents=True)
    (folder / "etcd").touch()
    monkeypatch.setenv("PATH", str(tmp_path))  # without Go
    assert build.main(["etcd"]) == 0
    assert "etcd v3.6.16 is built already" in capsys.readouterr().out


def test_given_assets_are_taken_before_own_builds(
    empty_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assets = tmp_path / "assets"
    assets.mkdir()
    (assets / "etcd").touch()
    monkeypatch.setenv("KUBEBUILDER_ASSETS", str(assets))
    assert build.binary("etcd") == assets / "etcd"
    assert build.missing(["etcd"]) == []
    # What the folder lacks is not taken from it.
    with pytest.raises(BuildError):
        build.binary("kubectl")
