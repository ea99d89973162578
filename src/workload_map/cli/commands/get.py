"""`wmap get`: a row a workload."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import chain
from typing import TYPE_CHECKING, Any

import click

from workload_map.cli import complete, options, watch
from workload_map.cli.choosing import parsed
from workload_map.cli.console import say, shown_value, style, write, write_lines
from workload_map.cli.live import progress
from workload_map.cli.session import Session, keep, open_session
from workload_map.engine import Problem
from workload_map.render import machine, order, rows, schemas
from workload_map.render.table import Widths
from workload_map.source import (
    EVERYTHING,
    FieldSelector,
    Filters,
    LabelSelector,
    Selection,
    TargetError,
    Wanted,
    labels_of,
    select,
)

if TYPE_CHECKING:
    from workload_map.render.jsonpath import Columns, Template

_EXAMPLES = """\b
Examples:
  wmap get all -A
  wmap get jobset,job -n research -w
  wmap get all --from dump.yaml
  wmap get jobset,job -n research --from dump.yaml -o wide
  wmap get jobset/train deployment/gateway --from dump.yaml
  wmap get all --from dump.yaml --phase Failed,Degraded --sort-by gpu
  wmap get all --from dump.yaml --sum-by queue
  wmap get all --from dump.yaml -o custom-columns=NAME:.name,GPU:.totals.gpus
  wmap get jobset/train -n research -o jsonpath='{.phase}'
  kubectl get jobsets,jobs,pods -A -o json | wmap get all --from - -o json
  wmap get -f manifests/
"""


def _phases(_: click.Context, __: click.Parameter, given: tuple[str, ...]) -> frozenset[str]:
    known = {phase.lower(): phase for phase in order.PHASES}
    words = options.words(given)
    unknown = [word for word in words if word.lower() not in known]
    if unknown:
        raise click.BadParameter(f"{unknown[0]!r} is not one of {', '.join(map(repr, order.PHASES))}")
    return frozenset(known[word.lower()] for word in words)


def _labels(_: click.Context, __: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(options.words(given))


@click.command("get", epilog=_EXAMPLES)
@click.argument("arguments", metavar="[TYPE[/NAME]] [NAME...]", nargs=-1, shell_complete=complete.types)
@options.objects
@options.namespace
@options.selectors
@click.option(
    "--phase",
    "phases",
    metavar="PHASE[,PHASE]",
    multiple=True,
    callback=_phases,
    shell_complete=complete.phases,
    help="Only workloads in one of these phases",
)
@click.option(
    "--sort-by",
    type=click.Choice(list(order.SORT_KEYS)),
    help="Other than by namespace and name; age: the newest first, gpu and pods: the most first",
)
@click.option("-w", "--watch", "follow", is_flag=True, help="Then go on with each row that changes")
@click.option(
    "--output-watch-events",
    "events",
    is_flag=True,
    help="With -w and -o json or yaml: as type (ADDED, MODIFIED, DELETED) and object",
)
@click.option("--limit", type=options.Count(1), metavar="N", help="Only the first N rows")
@options.output(
    "table", "wide", "json", "yaml", "csv", "name", default="table", with_text=("jsonpath", "custom-columns")
)
@click.option("--no-headers", is_flag=True, help="Without the line of headings")
@click.option("--show-labels", is_flag=True, help="With a column of all labels")
@click.option(
    "-L",
    "--label-columns",
    metavar="LABEL[,LABEL]",
    multiple=True,
    callback=_labels,
    help="With a column for each of these labels",
)
@click.option(
    "--sum",
    "sums",
    is_flag=True,
    help="With a line of sums; what belongs to another row counts in that row only",
)
@click.option(
    "--sum-by", type=click.Choice(list(rows.SUM_KEYS)), help="A table of sums instead, a line for each value"
)
@options.definitions
@options.colour
@options.verbose
def command(arguments: tuple[str, ...], **given: Any) -> int:
    """List workloads, a row each.

    TYPE is a plural, singular, short name or kind, with .group or .version.group where needed; several with
    commas between them; or all: every covered kind, without workloads that belong to another one. With -f it
    may be left out.
    """
    _refuse_columns(given)
    labels, fields = LabelSelector(given["selector"]), FieldSelector(given["field_selector"])
    session = open_session(given)
    filters = Filters(namespace=session.namespace, labels=labels, fields=fields)
    wanted = EVERYTHING if not arguments and given["manifests"] else parsed(session, arguments)
    if wanted.names and (given["selector"] or given["field_selector"]):
        raise TargetError("a NAME and a selector exclude each other", hint="leave out one of them")
    given["form"] = _form(given["output"], one=given["follow"] or len(wanted.names) == 1)
    if given["follow"]:
        return _follow(session, wanted, filters, given)
    with progress.shown():
        selection = select(session.source, session.definitions, session.table, wanted, filters)
        found = _rows(selection, session)
    keep(selection, found)
    # Names and manifests come in the order in which they were written.
    keep_order = bool(wanted.names) or not session.source.live
    shown = order.arranged(found, given["phases"], given["sort_by"], given["limit"], keep_order=keep_order)
    found = _without_parts(shown, found, selection) if given["sums"] or given["sum_by"] else shown
    problems = [*session.warnings, *selection.problems]
    _write(found, problems, session, wanted, given)
    is_table = given["output"] in ("table", "wide", "csv", "name")
    if not found and not selection.missing and is_table:
        where = f" in namespace {filters.namespace}" if filters.namespace else ""
        say.notice(f"no workloads found{where}")
    say.warnings(problems)
    return say.missing(selection.missing, as_json=given["output"] == "json")


def _follow(session: Session, wanted: Wanted, filters: Filters, given: dict[str, Any]) -> int:
    """Print all rows, then each that changes."""
    options = _options(session, wanted, given)
    is_table = given["output"] in ("table", "wide")
    changes = watch.Changes(
        lambda row: _is_wanted(row, given), for_people=is_table, with_events=given["events"]
    )
    started = datetime.now(UTC)
    widths, explained, headed = Widths(), set[str](), False
    for number, moment in enumerate(watch.moments(session, wanted, filters)):
        changed = changes.take(moment)
        if given["form"] is not None:
            _write_form(changed, [], given, headings=not number)
            continue
        if not is_table:
            watch.write_each(changed, given["output"], changes.event if given["events"] else None)
            continue
        # Laid out with all that was seen, and as wide as it was, so that the columns stay where they are.
        found = order.arranged(changes.seen(), (), given["sort_by"], None, keep_order=False)
        shown = style(given["colour"])
        lines = list(rows.table_rows(found, options, datetime.now(UTC), shown, widths))
        # What looks as it did, its age aside, is not told again.
        looks = list(rows.table_rows(found, options, started, shown, widths))
        first = 1 if options.headings else 0
        if not headed:
            write_lines(chain.from_iterable(lines[:first]))
            headed = bool(lines)
        for row, own, look in zip(found, lines[first:], looks[first:], strict=True):
            if row in changed and changes.is_new(row, " ".join(look)):
                write_lines(own)
        _explain_marks(changed, explained)
    return 0


def _explain_marks(found: list[rows.Row], explained: set[str]) -> None:
    """Explain the marks of these rows, each once."""
    for mark in rows.marks(found):
        if mark not in explained:
            explained.add(mark)
            say.footnote(mark, rows.FOOTNOTES[mark])


def _form(output: str, *, one: bool) -> Template | Columns | None:
    """The user's own form of the output; None for those that are ours.

    Args:
        output: What `-o` says.
        one: Whether a template is applied to one workload alone, as kubectl does where one is named.
    """
    name, _, text = output.partition("=")
    if name not in ("jsonpath", "custom-columns"):
        return None
    from workload_map.render.jsonpath import Columns, Template  # noqa: PLC0415 - 6 ms, for these two alone

    if name == "custom-columns":
        return Columns(text, schemas.view_schema())
    return Template(text, schemas.view_schema() if one else schemas.list_schema())


def _write_form(
    found: list[rows.Row], problems: list[Problem], given: dict[str, Any], *, headings: bool, one: bool = True
) -> None:
    """Write workloads in the user's own form; a template takes them one by one, or as a list."""
    form, views = given["form"], [machine.without_pods(row.view) for row in found]
    if given["output"].startswith("custom-columns"):
        headings = headings and not given["no_headers"]
        write_lines(form.table([view.to_dict() for view in views], style(given["colour"]), headings=headings))
        return
    documents = [view.to_dict() for view in views] if one else [machine.as_list(views, problems)]
    for document in documents:
        for piece in form.pieces(document, shown_value()):
            write(piece)


def _is_wanted(row: rows.Row, given: dict[str, Any]) -> bool:
    return not given["phases"] or row.view.phase in given["phases"]


def _refuse_columns(given: dict[str, Any]) -> None:
    """Refuse options that only tables can follow, as kubectl does, instead of passing over them."""
    if given["follow"] and (given["sums"] or given["sum_by"] or given["limit"]):
        raise click.UsageError("-w shows each change; it does not go with --sum, --sum-by and --limit")
    if given["events"] and not (given["follow"] and given["output"] in ("json", "yaml")):
        raise click.UsageError("--output-watch-events takes -w, and -o json or yaml")
    if given["sums"] and given["sum_by"]:
        raise click.UsageError("--sum and --sum-by exclude each other")
    if given["sum_by"] and (given["show_labels"] or given["label_columns"] or given["output"] == "wide"):
        raise click.UsageError(
            "--sum-by is a table of its own; it does not go with -L, --show-labels and -o wide"
        )
    if given["follow"] and given["output"] == "csv":
        raise click.UsageError("-w does not go with -o csv")
    flags = {"sums": "--sum", "sum_by": "--sum-by", "show_labels": "--show-labels", "label_columns": "-L"}
    if given["output"] == "csv":
        flags = {"sums": "--sum", "sum_by": "--sum-by"}
    asked = [flag for name, flag in flags.items() if given.get(name)]
    if asked and given["output"] not in ("table", "wide"):
        raise click.UsageError(
            f"{asked[0]} adds to a table; it does not go with -o {given['output'].partition('=')[0]}"
        )


def _rows(selection: Selection, session: Session) -> list[rows.Row]:
    views = selection.views(session.definitions)
    return [rows.Row(view, labels_of(value)) for value, view in zip(selection.objects, views, strict=True)]


def _without_parts(shown: list[rows.Row], found: list[rows.Row], selection: Selection) -> list[rows.Row]:
    """The rows that are shown; those that belong to another one of them say so, and are summed with that."""
    objects = {id(row.view): value for row, value in zip(found, selection.objects, strict=True)}
    parts = selection.parts(objects[id(row.view)] for row in shown)
    if count := sum(parts):
        belong, are = ("belongs", "is") if count == 1 else ("belong", "are")
        say.notice(
            f"{count} of {len(shown)} rows {belong} to another one and {are} summed with that one only"
        )
    return [row._replace(is_part=is_part) for row, is_part in zip(shown, parts, strict=True)]


def _write(
    found: list[rows.Row], problems: list[Problem], session: Session, wanted: Wanted, given: dict[str, Any]
) -> None:
    output = given["output"]
    if given["form"] is not None:
        _write_form(found, problems, given, headings=True, one=len(wanted.names) == 1)
    elif output in ("json", "yaml"):
        machine.write_list(write, (machine.without_pods(row.view) for row in found), problems, output)
    elif output == "name":
        write_lines(machine.resource_name(row.view) for row in found)
    elif output == "csv":
        write_lines(rows.csv_lines(found, _options(session, wanted, given), datetime.now(UTC)))
    elif given["sum_by"] and found:
        shown_style = style(given["colour"])
        write_lines(rows.sums_by(given["sum_by"], found, shown_style, headings=not given["no_headers"]))
    elif found:
        shown = _options(session, wanted, given)
        write_lines(rows.table(found, shown, datetime.now(UTC), style(given["colour"])))
        _explain_marks(found, set())


def _options(session: Session, wanted: Wanted, given: dict[str, Any]) -> rows.Options:
    return rows.Options(
        wide=given["output"] in ("wide", "csv"),
        namespace=given["all_namespaces"] or (session.source.live and session.namespace is None),
        types=len(wanted.targets) != 1,
        shared_kinds=session.table.shared_kinds(),
        labels=given["label_columns"],
        all_labels=given["show_labels"],
        headings=not given["no_headers"],
        sums=given["sums"],
    )
