"""Builds the control plane and the operators from source: `python -m tests.cluster.build [TOOL...]`.

Each tool is a Go module of its own under `tools/`, since they pin different dependencies; its go.mod and
go.sum say what is built. Binaries and the operators' manifests go to a cache folder outside of the tree, one
a tool and version, so that a run needs neither Go nor the module cache.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import yaml

TOOLS_FOLDER = Path(__file__).parent / "tools"
# Where envtest, the tool of controller authors, keeps the binaries that it has in common with this cluster.
ASSETS_VARIABLE = "KUBEBUILDER_ASSETS"
ASSETS = ("etcd", "kube-apiserver", "kubectl")
# libyaml where PyYAML has it: custom resource definitions are megabytes.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class BuildError(Exception):
    """A binary or a manifest can't be built, or isn't built; the text is one line for the user."""


@dataclass(frozen=True)
class Manifests:
    """A kustomization inside of an operator's module.

    `without` names resources of it that are left out: those that point to other places on the network.
    """

    folder: str
    without: tuple[str, ...] = ()


@dataclass(frozen=True)
class Tool:
    """A Go module of `tools/`: the binaries that it builds, by name, and manifests that come with them."""

    name: str
    module: str
    binaries: dict[str, str]
    manifests: dict[str, Manifests] = field(default_factory=dict)

    @property
    def source(self) -> Path:
        """The folder with go.mod and go.sum."""
        return TOOLS_FOLDER / self.name

    @cached_property
    def version(self) -> str:
        """The version of the tool's module that go.mod requires, such as `v1.36.3`."""
        text = (self.source / "go.mod").read_text()
        found = re.search(rf"^\s*(?:require )?{re.escape(self.module)} (v\S+)", text, re.MULTILINE)
        if found is None:
            raise BuildError(f"{self.source / 'go.mod'} does not require {self.module}")
        return found[1]

    @cached_property
    def link_flags(self) -> str:
        """Flags for Go's linker: no debug tables and, for Kubernetes, the version that its API reports.

        Without that the API server calls itself v0.0.0-master, which Kueue refuses.
        """
        flags = ["-s", "-w"]
        if self.name == "kubernetes":
            major, minor = self.version.removeprefix("v").split(".")[:2]
            for package in ("k8s.io/component-base/version", "k8s.io/client-go/pkg/version"):
                stamp = {"gitVersion": self.version, "gitMajor": major, "gitMinor": minor}
                flags += [f"-X {package}.{name}={value}" for name, value in stamp.items()]
        return " ".join(flags)

    @property
    def folder(self) -> Path:
        """Where its results are: another version, dependency or flag is another folder."""
        recipe = hashlib.sha256(repr(self).encode() + self.link_flags.encode())
        for name in ("go.mod", "go.sum"):
            recipe.update((self.source / name).read_bytes())
        return cache_folder() / f"{self.name}-{self.version}-{recipe.hexdigest()[:12]}"


def _operator(name: str, module: str, package: str, **manifests: Manifests) -> Tool:
    return Tool(name, module, {name: f"{module}/{package}".rstrip("/")}, manifests)


TOOLS = (
    Tool(
        "kubernetes",
        "k8s.io/kubernetes",
        {
            name: f"k8s.io/kubernetes/cmd/{name}"
            for name in ("kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubectl")
        },
    ),
    Tool("etcd", "go.etcd.io/etcd/server/v3", {"etcd": "go.etcd.io/etcd/server/v3"}),
    Tool(
        "kwok",
        "sigs.k8s.io/kwok",
        {"kwok": "sigs.k8s.io/kwok/cmd/kwok"},
        {"nodes": Manifests("kustomize/stage/node/fast")},
    ),
    _operator("jobset", "sigs.k8s.io/jobset", "", install=Manifests("config/default")),
    _operator("lws", "sigs.k8s.io/lws", "cmd", install=Manifests("config/default")),
    _operator(
        "kuberay",
        "github.com/ray-project/kuberay/ray-operator",
        "",
        install=Manifests("config/default"),
    ),
    _operator(
        "training-operator",
        "github.com/kubeflow/training-operator",
        "cmd/training-operator.v1",
        install=Manifests("manifests/overlays/standalone"),
    ),
    _operator(
        "mpi-operator",
        "github.com/kubeflow/mpi-operator",
        "cmd/mpi-operator",
        install=Manifests("manifests/overlays/standalone"),
    ),
    _operator("kueue", "sigs.k8s.io/kueue", "cmd/kueue", install=Manifests("config/default")),
    _operator(
        "trainer",
        "github.com/kubeflow/trainer/v2",
        "cmd/trainer-controller-manager",
        install=Manifests("manifests/overlays/manager", without=("third-party/jobset",)),
        runtimes=Manifests("manifests/base/runtimes"),
    ),
    _operator(
        "appwrapper", "github.com/project-codeflare/appwrapper", "cmd", install=Manifests("config/default")
    ),
)
CONTROL_PLANE = ("kubernetes", "etcd", "kwok")


def cache_folder() -> Path:
    """The folder of all builds, below the user's cache folder."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "workload-map" / "cluster"


def tool(name: str) -> Tool:
    """The tool of that name.

    Raises:
        BuildError: there is none.
    """
    for candidate in TOOLS:
        if candidate.name == name:
            return candidate
    raise BuildError(f"there is no tool {name!r}; there are {', '.join(one.name for one in TOOLS)}")


def binary(name: str) -> Path:
    """The built binary of that name, such as `kubectl` or `jobset`.

    Raises:
        BuildError: it is not built; the text says how to.
    """
    given = _asset(name)
    if given is not None:
        return given
    for candidate in TOOLS:
        path = candidate.folder / name
        if name in candidate.binaries and path.is_file():
            return path
    raise BuildError(
        f"{name} is not built: run `make cluster-build` (it needs Go, and minutes the first time)"
    )


def manifests(tool_name: str, name: str = "install") -> list[dict[str, object]]:
    """The objects of an operator's own manifests, as `kubectl kustomize` renders them.

    Raises:
        BuildError: they are not there yet.
    """
    path = _manifest_file(tool(tool_name), name)
    if not path.is_file():
        raise BuildError(f"the manifests of {tool_name} are not built: run `make cluster-build`")
    objects: list[dict[str, object]] = json.loads(path.read_bytes())
    return objects


def missing(names: Iterable[str]) -> list[str]:
    """Those of the named tools that are not wholly built."""
    return [name for name in names if not _is_built(tool(name))]


def build(names: Iterable[str]) -> None:
    """Build what is missing of the named tools, with a line for each binary.

    Raises:
        BuildError: Go is not there, or says no.
    """
    for one in [tool(name) for name in names]:
        if _is_built(one):
            _say(f"{one.name} {one.version} is built already")
            continue
        if shutil.which("go") is None:
            raise BuildError(
                "building the control plane needs Go 1.26 or newer on the PATH (https://go.dev/dl)"
            )
        one.folder.mkdir(parents=True, exist_ok=True)
        for name, package in one.binaries.items():
            _build_binary(one, name, package)
        for name, wanted in one.manifests.items():
            _render(one, name, wanted)


def _is_built(one: Tool) -> bool:
    files = [one.folder / name for name in one.binaries if _asset(name) is None]
    files += [_manifest_file(one, name) for name in one.manifests]
    return all(path.is_file() for path in files)


def _asset(name: str) -> Path | None:
    folder = os.environ.get(ASSETS_VARIABLE)
    if not folder or name not in ASSETS:
        return None
    path = Path(folder) / name
    return path if path.is_file() else None


def _manifest_file(one: Tool, name: str) -> Path:
    return one.folder / f"{name}.json"


def _build_binary(one: Tool, name: str, package: str) -> None:
    target = one.folder / name
    if _asset(name) is not None or target.is_file():
        return
    _say(f"building {name} of {one.name} {one.version} ...", end=" ")
    start = time.monotonic()
    # Under another name until it is whole: an interrupted build must not pass for a binary.
    unfinished = target.with_name(f".{name}.{os.getpid()}")
    _run(["go", "build", f"-ldflags={one.link_flags}", "-o", str(unfinished), package], one.source)
    unfinished.rename(target)
    _say(f"{time.monotonic() - start:.0f} s")


def _render(one: Tool, name: str, wanted: Manifests) -> None:
    target = _manifest_file(one, name)
    if target.is_file():
        return
    module = Path(_run(["go", "list", "-m", "-f", "{{.Dir}}", one.module], one.source).strip())
    with tempfile.TemporaryDirectory() as scratch:
        # A copy, since the module cache is read-only and a kustomization can't be changed from outside.
        copy = Path(scratch) / "manifests"
        top = wanted.folder.split("/")[0]
        shutil.copytree(module / top, copy / top, copy_function=shutil.copyfile)
        for folder in (copy, *copy.rglob("*/")):
            folder.chmod(0o755)
        kustomization = copy / wanted.folder / "kustomization.yaml"
        lines = kustomization.read_text().splitlines()
        kept = [line for line in lines if not any(part in line for part in wanted.without)]
        kustomization.write_text("\n".join(kept) + "\n")
        text = _run([str(binary("kubectl")), "kustomize", str(kustomization.parent)], one.source)
    objects = [document for document in yaml.load_all(text, Loader=_LOADER) if document]
    unfinished = target.with_name(f".{name}.{os.getpid()}")
    unfinished.write_text(json.dumps(objects))
    unfinished.rename(target)


def _run(command: list[str], folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BuildError(f"`{' '.join(command[:2])}` in {folder} failed:\n{done.stderr.strip()[-2000:]}")
    return done.stdout


def _say(text: str, end: str = "\n") -> None:
    sys.stdout.write(text + end)
    sys.stdout.flush()


def main(names: list[str]) -> int:
    """Build the named tools, or all; gives the exit code."""
    try:
        build(names or [one.name for one in TOOLS])
    except BuildError as error:
        _say(f"\n{error}")
        return 1
    except KeyboardInterrupt:
        _say("\nstopped; what is built stays")
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
