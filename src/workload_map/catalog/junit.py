"""Outcomes of cases as JUnit XML, which CI systems show.

The format has no standard. This is what its readers agree upon: `testsuites`, `testsuite` with its counts,
`testcase` with a class name, and in it `failure` (an expectation that does not hold) or `error` (no view at
all), each with a message and a text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple
from xml.etree import ElementTree as Xml

from workload_map.catalog.coverage import Coverage
from workload_map.catalog.suites import Outcome, Suite

# What XML 1.0 cannot hold, not even escaped.
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Finished(NamedTuple):
    """A suite that was run.

    Attributes:
        suite: The suite.
        outcomes: How its cases ended.
        coverages: What they reach; None where nobody asked.
    """

    suite: Suite
    outcomes: Sequence[Outcome]
    coverages: Sequence[Coverage] | None


def to_junit(finished: Iterable[Finished]) -> bytes:
    """Suites as one document; what cases reach of a definition is a test case of its own."""
    top = Xml.Element("testsuites", name="wmap test")
    for one in finished:
        _add_suite(top, one)
    for count in ("tests", "failures", "errors"):
        top.set(count, str(sum(int(suite.get(count, "0")) for suite in top)))
    top.set("time", _seconds(sum(float(suite.get("time", "0")) for suite in top)))
    Xml.indent(top)
    document: bytes = Xml.tostring(top, encoding="utf-8", xml_declaration=True)
    return document + b"\n"


def _add_suite(top: Xml.Element, one: Finished) -> None:
    suite = Xml.SubElement(top, "testsuite", name=_legal(one.suite.name))
    for outcome in one.outcomes:
        _add_case(suite, one.suite, outcome)
    for coverage in one.coverages or ():
        _add_coverage(suite, one.suite, coverage)
    suite.set("tests", str(len(suite)))
    suite.set("failures", str(len(suite.findall("testcase/failure"))))
    suite.set("errors", str(len(suite.findall("testcase/error"))))
    suite.set("skipped", "0")
    suite.set("time", _seconds(sum(outcome.seconds for outcome in one.outcomes)))


def _add_case(parent: Xml.Element, suite: Suite, outcome: Outcome) -> None:
    case = _test_case(parent, suite, outcome.file.stem, str(outcome.file), outcome.seconds)
    about = [outcome.case.description] if outcome.case else []
    if outcome.error is not None:
        _tell(case, "error", outcome.error.code, str(outcome.error), [*about, str(outcome.error)])
    elif outcome.differences:
        lines = [line for difference in outcome.differences for line in difference.lines]
        _tell(case, "failure", "difference", str(outcome.differences[0]), [*about, *lines])


def _add_coverage(parent: Xml.Element, suite: Suite, coverage: Coverage) -> None:
    case = _test_case(parent, suite, f"coverage of {coverage.definition}", str(suite.definition_file), 0)
    if coverage.unreached:
        message = f"{len(coverage.unreached)} of {coverage.parts} parts are reached by no case"
        _tell(
            case, "failure", "coverage", message, [f"{one.what} {one.location}" for one in coverage.unreached]
        )


def _test_case(parent: Xml.Element, suite: Suite, name: str, file: str, seconds: float) -> Xml.Element:
    given = {"name": name, "classname": suite.name, "file": file, "time": _seconds(seconds)}
    return Xml.SubElement(parent, "testcase", {key: _legal(value) for key, value in given.items()})


def _tell(case: Xml.Element, tag: str, kind: str, message: str, lines: Sequence[str]) -> None:
    told = Xml.SubElement(case, tag, type=kind, message=_legal(message))
    told.text = _legal("\n".join(lines))


def _legal(text: str) -> str:
    """A text with what XML cannot hold spelled out."""
    return _ILLEGAL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _seconds(value: float) -> str:
    return f"{value:.3f}"
