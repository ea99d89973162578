"""The pages of the built-in kinds, each told by its definition and its cases."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path

import msgspec
from docs.extensions import Use, losses, uses

from workload_map.catalog import Catalog, suites
from workload_map.catalog.cases import Case, read_case
from workload_map.catalog.suites import Suite
from workload_map.definition import Entry, load
from workload_map.definition.compiled import compiled
from workload_map.definition.schema import Component
from workload_map.engine import Workload, resolve
from workload_map.render.machine import FORMATS, plain
from workload_map.render.style import Style
from workload_map.render.tree import Fold, tree

PHASES = (
    "Initializing",
    "Running",
    "Degraded",
    "Completed",
    "Failed",
    "Suspending",
    "Suspended",
    "Resuming",
    "Undefined",
)


class Notes(msgspec.Struct, forbid_unknown_fields=True):
    """What people want to know of a kind and its definition does not say.

    Attributes:
        counts: How its replicas and pods come about.
        limits: What is known to be missing.
    """

    counts: str
    limits: list[str] = []


NOTES = msgspec.yaml.decode(Path(__file__).with_name("kinds.yaml").read_bytes(), type=dict[str, Notes])
"""By the folder of the definition."""
CATALOG = Catalog.builtin()

_TALLEST = 24
_FILES = "../../../src/workload_map/catalog"


class KindPage:
    """The page of one definition.

    Args:
        suite: Its folder and cases.
        entry: The definition.
    """

    def __init__(self, suite: Suite, entry: Entry) -> None:
        self._suite = suite
        self.entry = entry
        self.name = suite.name
        self.cases = [read_case(file) for file in suite.files]

    @property
    def title(self) -> str:
        """The kind, with its version where another page has the same kind."""
        return f"{self.entry.kind.kind} of {self.versions}"

    @property
    def versions(self) -> str:
        """The API versions that it covers."""
        return ", ".join((self.entry.api_version, *self.entry.kind.versions))

    @cached_property
    def comment(self) -> list[str]:
        """The paragraphs of the comment that the file begins with."""
        lines = self._suite.definition_file.read_text().splitlines()
        head = lines[: next(index for index, line in enumerate(lines) if not line.startswith("#"))]
        text = "\n".join(line.removeprefix("#").strip() for line in head)
        return [" ".join(paragraph.split()) for paragraph in text.split("\n\n")]

    @property
    def operators(self) -> str:
        """The versions of the operator that were looked at, as the comment names them."""
        found = re.search(r"\(([^()]*\d[^()]*)\)", self.comment[0])
        return found[1] if found else ""

    @property
    def counts(self) -> str:
        """How its replicas and pods come about."""
        return self._notes.counts

    @property
    def _notes(self) -> Notes:
        return NOTES.get(self.name, Notes(counts=""))

    @cached_property
    def uses(self) -> list[Use]:
        """The extensions that it uses."""
        return list(uses(self.entry.definition, self.cases))

    def text(self) -> str:
        """The page, in Markdown."""
        parts = [
            [f"# {self.title}", "", *_apart(self.comment)],
            self._names(),
            self._roles(),
            self._example(),
            self._phases(),
            self._more(),
            self._reads(),
            self._gangs(),
            self._limits(),
            self._extensions(),
        ]
        return "\n".join(line for part in parts if part for line in [*part, ""]).rstrip() + "\n"

    def _names(self) -> list[str]:
        (names,) = {
            (one.plural, one.singular, *one.short_names)
            for one in CATALOG.kind_names
            if (one.group, one.kind) == (self.entry.kind.group, self.entry.kind.kind)
        }
        own = ", ".join(f"`{name}`" for name in dict.fromkeys(names))
        file = f"{_FILES}/{self.name}/definition.yaml"
        return [f"Definition: [`{self.entry.name}`]({file}). Names on the command line: {own}."]

    def _roles(self) -> list[str]:
        rows = [self._role(component) for component in self.entry.definition.components]
        return [
            "## Roles",
            "",
            f"Replicas and pods: {self.counts}.",
            "",
            "| component | of | objects | replicas | pods are found by |",
            _RULE * 5 + "|",
            *rows,
        ]

    def _role(self, component: Component) -> str:
        kind = component.kind.kind if component.kind else "a level of its own"
        each = (
            f", an instance for each of `{_one_line(component.instance_id_path)}`"
            if component.instance_id_path
            else ""
        )
        cells = (
            f"`{component.name}`",
            component.owner_ref or "",
            kind + each,
            _scale(component),
            _selector(component),
        )
        return "| " + " | ".join(_cell(cell) for cell in cells) + " |"

    def _example(self) -> list[str]:
        drawn = [(case, self._view(case)) for case in self.cases]
        trees = [(case, view, list(tree(view, Fold(), Style(unicode=True)))) for case, view in drawn]
        fitting = [one for one in trees if len(one[2]) <= _TALLEST and one[1].components]
        if not fitting:
            return []
        case, _, lines = max(
            fitting, key=lambda one: (one[1].phase == "Running", bool(one[0].pods), len(one[2]))
        )
        return [
            "## Example",
            "",
            f"{case.description} {_link(self.name, case)}",
            "",
            "```text",
            *lines,
            "```",
        ]

    def _view(self, case: Case) -> Workload:
        return resolve(case.object, CATALOG, pods=case.pods, related=case.related)

    def _phases(self) -> list[str]:
        lines = ["## Phases", "", "The states that its controller can show, as its cases have them.", ""]
        rows = [
            f"| {phase} | {_cell(case.description)} | {_link(self.name, case)} |"
            for phase in PHASES
            for case in self.cases
            if case.expect.get("phase") == phase
        ]
        return [*lines, "| phase | state | case |", _RULE * 3 + "|", *rows]

    def _more(self) -> list[str]:
        others = [case for case in self.cases if case.expect.get("phase") is None]
        if not others:
            return []
        rows = [f"- {case.description} {_link(self.name, case)}" for case in others]
        return ["## Counts, sizes and pods", "", *rows]

    def _reads(self) -> list[str]:
        fields: dict[tuple[str, str], set[str]] = {}
        for one in compiled(self.entry.definition, lambda *_: None):
            component = one.expression.component
            where = f"`{component.name}`" if component else "other objects and groups"
            # What lies below a field is read with it.
            reads = {str(pattern).removesuffix(".**").replace("[*]", "[]") for pattern in one.facts.reads}
            fields.setdefault((where, one.expression.slot.on), set()).update(reads)
        rows = [_list(name, on, reads) for (name, on), reads in fields.items() if reads]
        return ["## Fields read", "", *rows]

    def _gangs(self) -> list[str]:
        instructions = self.entry.definition.spec.optimization_instructions
        if instructions is None or instructions.gang_scheduling is None:
            return []
        return [
            "## Gangs",
            "",
            "```yaml",
            FORMATS["yaml"](plain(instructions.gang_scheduling)).rstrip(),
            "```",
        ]

    def _limits(self) -> list[str]:
        limits = self._notes.limits
        return ["## Limits", "", *(f"- {limit}" for limit in limits)] if limits else []

    def _extensions(self) -> list[str]:
        lost = {name: loss.consequence for name, loss in reversed(list(losses(self.entry.definition)))}
        if not lost:
            return []
        return ["## Extensions", "", *(f"- `{name}`: without it, {lost[name]}" for name in sorted(lost))]


_RULE = "| --- "


def _apart(paragraphs: Iterable[str]) -> list[str]:
    return [line for paragraph in paragraphs for line in (paragraph, "")][:-1]


def _link(folder: str, case: Case) -> str:
    return f"[{case.name}]({_FILES}/{folder}/cases/{case.file.name})"


def _list(whose: str, on: str, reads: Iterable[str]) -> str:
    place = f"pods of {whose}" if on == "pod" else whose
    return f"- {place}: {', '.join(f'`{field}`' for field in sorted(reads))}"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _scale(component: Component) -> str:
    scale = component.scale_definition
    if scale is None:
        return "1" if component.spec_definition is not None else ""
    named = [
        f"{word} `{_one_line(text)}`".strip()
        for word, text in (
            ("", scale.replicas_path),
            ("least", scale.min_replicas_path),
            ("most", scale.max_replicas_path),
            ("each of so many pods:", scale.pods_per_replica_path),
        )
        if text is not None
    ]
    defaults = scale.defaults.replicas if scale.defaults is not None else None
    return ", ".join([*named, *([f"{defaults} if left out"] if defaults is not None else [])]) or "unknown"


def _selector(component: Component) -> str:
    selector = component.pod_selector.component_type_selector if component.pod_selector else None
    if selector is None:
        return "owner references" if component.spec_definition is not None else ""
    found = [f"`{key}={value}`" for key, value in (selector.match_labels or {}).items()]
    if selector.key_path is not None:
        is_ = f" = {selector.value}" if selector.value is not None else ""
        found.insert(0, f"`{_one_line(selector.key_path)}`{is_}")
    return " and ".join(found)


def pages() -> Iterator[KindPage]:
    """The pages of all built-in kinds, by their folders."""
    by_name = {entry.name: entry for entry in CATALOG.entries()}
    for suite in suites.find([]):
        layer, _ = load([suite.definition_file])
        # One that is not in the index yet gets its page with it.
        yield from (KindPage(suite, by_name[one.name]) for one in layer.entries if one.name in by_name)


def index(all_pages: Iterable[KindPage]) -> str:
    """The page that lists the others."""
    lines = [
        "# Built-in kinds",
        "",
        "What each definition covers, for which versions of its operator it was written, and its roles.",
        "",
        "| kind | API versions | operator versions | roles | replicas and pods |",
        _RULE * 5 + "|",
    ]
    for one in sorted(all_pages, key=lambda page: (page.entry.kind.kind, page.versions)):
        roles = ", ".join(component.name for component in one.entry.definition.components)
        cells = (f"[{one.entry.kind.kind}]({one.name}.md)", one.versions, one.operators, roles, one.counts)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"
