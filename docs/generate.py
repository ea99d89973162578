"""Writes the generated pages of docs/reference: `python -m docs.generate`, or `make docs`.

Everything here is told by the code itself, so that no list is kept twice: the help of each command, the JSON
Schemas of machine output, the codes of findings and problems, the built-in definitions.
"""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path
from typing import Any

import click

from docs import extensions, kinds
from workload_map.cli.root import COMMANDS, PROGRAM, root
from workload_map.cli.schemas import SCHEMAS
from workload_map.definition.pages import codes_page, fields_page
from workload_map.render.machine import to_json

REFERENCE = Path(__file__).parent / "reference"
_WIDTH = 100
_NOTE = "<!-- Written by docs/generate.py; `make docs` writes it anew. -->\n"


_ENDS = """\
Standard output carries results only; warnings, notices and errors go to standard error, after the results.
An error reads `error: what (where)` with a hint below it; with `-o json` it is a JSON object there, as
`wmap schema error` describes it.

| exit code | meaning |
| --- | --- |
| 0 | done; also where a list is empty, or a part could not be read and a warning says so |
| 1 | failed: nothing could be read, errors in `validate`, differences in `check`, failed cases in `test` |
| 2 | a wrong call, an ambiguous type or name, definitions that collide |
| 3 | the named object does not exist |
| 4 | no definition covers it |
| 130, 141 | interrupted; the reader of the output went away |
"""


def pages() -> dict[str, str]:
    """The generated pages: their paths below docs/reference, and what they hold."""
    every = list(kinds.pages())
    return {
        "cli.md": _cli(),
        "extensions.md": f"{_NOTE}\n{extensions.page({page.name: page.uses for page in every})}",
        "kinds/README.md": f"{_NOTE}\n{kinds.index(every)}",
        **{f"kinds/{page.name}.md": f"{_NOTE}\n{page.text()}" for page in every},
        "definition-fields.md": f"{_NOTE}\n{fields_page()}",
        "finding-codes.md": f"{_NOTE}\n{codes_page()}",
        "view.md": _view(),
        "schema/README.md": _schemas(),
        **{f"schema/{name}.json": to_json(schema()) for name, schema in SCHEMAS.items()},
    }


def _cli() -> str:
    top = click.Context(root, info_name=PROGRAM, terminal_width=_WIDTH, **_settings(root))
    parts = [f"{_NOTE}\n# The command line\n", _ENDS, _help(top)]
    for name in COMMANDS:
        command = importlib.import_module(f"workload_map.cli.commands.{name}").command
        parts.append(_help(click.Context(command, parent=top, info_name=name, terminal_width=_WIDTH)))
    return "\n".join(parts)


def _settings(command: click.Command) -> dict[str, Any]:
    return {key: value for key, value in command.context_settings.items() if key != "max_content_width"}


def _help(context: click.Context) -> str:
    return f"## {context.command_path}\n\n```text\n{context.get_help()}\n```\n"


_VIEW = """\
The values that `describe -o json` writes, and that `resolve` of the library gives as `Workload`, there in
Python's spelling (`apiVersion` is `api_version`). `get -o json` writes a list of them without pods: `members`
and `unattributed` are null. A value that is not known is null, never 0 and never left out. Times are RFC 3339
in UTC, quantities canonical Kubernetes strings by resource name. The JSON Schema is
[schema/view.json](schema/view.json).
"""


def _view() -> str:
    schema = SCHEMAS["view"]()
    parts = [f"{_NOTE}\n# The view, key by key\n\n{_VIEW}"]
    for name in _in_order_of_use("Workload", schema["$defs"], []):
        definition = schema["$defs"][name]
        rows = [
            f"| `{key}` | {one.get('description', '')} |" for key, one in definition["properties"].items()
        ]
        table = ["| key | meaning |", "| --- | --- |", *rows]
        parts.append(f"## {name}\n\n{definition['description']}\n\n" + "\n".join(table) + "\n")
    return "\n".join(parts)


def _in_order_of_use(name: str, definitions: dict[str, Any], seen: list[str]) -> list[str]:
    """The names of the definitions that one leads to, each where it is first met."""
    if name in seen or "properties" not in definitions[name]:
        return seen
    seen.append(name)
    for target in re.findall(r"#/\$defs/(\w+)", str(definitions[name])):
        _in_order_of_use(target, definitions, seen)
    return seen


def _schemas() -> str:
    lines = [f"{_NOTE}\n# JSON Schemas of machine output\n", "`wmap schema NAME` prints them too.\n"]
    lines += [f"- [{name}]({name}.json): {schema()['title']}" for name, schema in SCHEMAS.items()]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write all pages, and remove what is none of them."""
    written = pages()
    for path in REFERENCE.rglob("*.*"):
        if path.is_file() and str(path.relative_to(REFERENCE)) not in written:
            path.unlink()
    for name, text in written.items():
        path = REFERENCE / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        sys.stdout.write(f"docs/reference/{name}\n")


if __name__ == "__main__":
    main()
