"""Running `wmap` in the process of the tests, as its entry point does."""

from __future__ import annotations

import io
import json
import sys
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import jsonschema
import pytest
import yaml

from tests.apiserver import ApiServer
from tests.files import write_file
from workload_map.cli.entry import run
from workload_map.cli.schemas import SCHEMAS

EXAMPLE = str(Path(__file__).parents[2] / "examples" / "dump.yaml")


@cache
def validator(schema: str) -> jsonschema.Draft202012Validator:
    """What checks documents against a published schema."""
    return jsonschema.Draft202012Validator(SCHEMAS[schema]())


class Result(NamedTuple):
    """How a call ended."""

    code: int
    out: str
    err: str

    def json(self, schema: str) -> Any:
        """Standard output as JSON, checked against a published schema."""
        document = json.loads(self.out)
        validator(schema).validate(document)
        return document

    def yaml(self, schema: str) -> Any:
        """Standard output as YAML, checked against a published schema."""
        document = yaml.safe_load(self.out)
        validator(schema).validate(document)
        return document

    def error(self) -> Any:
        """The last line of standard error as the JSON of an error."""
        document = json.loads(self.err.splitlines()[-1])
        validator("error").validate(document)
        return document["error"]

    def rows(self) -> list[list[str]]:
        """The cells of a table without its headings."""
        return [line.split() for line in self.out.splitlines()[1:]]


def _check_hints(err: str) -> None:
    """Every error says what to do about it, whoever meets it."""
    lines = err.splitlines()
    for line, below in zip(lines, [*lines, ""][1:], strict=True):
        assert not line.startswith("error: ") or below.startswith("hint: "), line
        assert not line.startswith('{"error":') or json.loads(line)["error"]["hint"], line


class Wmap(Protocol):
    """Calls `wmap`."""

    def __call__(self, *arguments: str, stdin: bytes | None = None) -> Result: ...


@pytest.fixture
def wmap(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Wmap:
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    # No test may ask the cluster of whoever runs it.
    monkeypatch.setenv("KUBECONFIG", str(Path(__file__).with_name("there-is-none")))

    def call(*arguments: str, stdin: bytes | None = None) -> Result:
        if stdin is not None:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capsys.readouterr()
        code = run(list(arguments))
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        _check_hints(captured.err)
        return Result(code, captured.out, captured.err)

    return call


@pytest.fixture
def live(wmap: Wmap, server: ApiServer) -> Any:
    """Calls `wmap` with the server of the module as its cluster, whose calls are counted anew."""

    def call(*arguments: str) -> Result:
        server.calls.clear()
        return wmap(*arguments, "--server", server.url)

    return call


@pytest.fixture
def example() -> str:
    """The dump that is shipped."""
    return EXAMPLE


@pytest.fixture
def put(tmp_path: Path) -> Any:
    """Writes a file; gives its path."""

    return partial(write_file, tmp_path)
