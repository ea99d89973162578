"""The table of findings: what each code means and why it matters. The docs and the tests are made from it."""

from __future__ import annotations

from typing import Literal, NamedTuple


class Code(NamedTuple):
    """A kind of finding.

    Attributes:
        code: The word that stands in findings.
        severity: `error` or `warning`.
        meaning: When it is found, one sentence.
        why: What goes wrong otherwise, one sentence.
    """

    code: str
    severity: Literal["error", "warning"]
    meaning: str
    why: str


_TABLE = (
    # Files and documents
    Code(
        "unreadable-file",
        "error",
        "A file or directory cannot be read.",
        "Its definitions are missing.",
    ),
    Code(
        "unreadable-document",
        "error",
        "A document is neither valid YAML nor valid JSON, or is refused (duplicate keys, alias bombs).",
        "Its definition is missing; the other documents of the file are read.",
    ),
    Code(
        "no-definitions",
        "warning",
        "A path that was given holds no definition.",
        "It is probably the wrong path.",
    ),
    Code(
        "not-a-definition",
        "error",
        "A document is not a `Karta` of `run.ai/v1alpha1`.",
        "It cannot be read as a definition.",
    ),
    # Shape
    Code(
        "unknown-field",
        "error",
        "A field is not part of the schema.",
        "A misspelt field would be ignored, and the definition would say less than its author believes.",
    ),
    Code(
        "wrong-type",
        "error",
        "A field holds a value of another type than the schema asks for.",
        "The field cannot be read.",
    ),
    Code(
        "missing-field",
        "error",
        "A required field is absent.",
        "What it belongs to means nothing without it.",
    ),
    Code(
        "too-deep",
        "error",
        "Groups are nested deeper than any scheduler can follow.",
        "Reading them would exhaust whoever walks them.",
    ),
    # Structure
    Code(
        "definition-unnamed",
        "error",
        "`metadata.name` is absent or empty.",
        "Definitions are listed and asked for by name.",
    ),
    Code(
        "component-unnamed",
        "error",
        "A component's name is empty.",
        "Owners, groups and outputs name components.",
    ),
    Code(
        "component-duplicate",
        "error",
        "Two components have the same name.",
        "Whoever names it could mean either.",
    ),
    Code(
        "root-kind-incomplete",
        "error",
        "The root has no version or no kind.",
        "No object can be recognized as this workload.",
    ),
    Code(
        "group-empty",
        "error",
        "A kind without group is none of the core kinds.",
        "Only core kinds such as Pod have no group, so that no object matches.",
    ),
    Code(
        "root-with-owner",
        "error",
        "The root component names an owner.",
        "The root is the workload object; nothing stands above it.",
    ),
    Code(
        "owner-missing",
        "error",
        "A child component names no owner.",
        "It has no place in the tree.",
    ),
    Code(
        "owner-unknown",
        "error",
        "A child's owner is not a component of the definition.",
        "It has no place in the tree.",
    ),
    Code(
        "owner-cycle",
        "error",
        "Components own each other in a circle.",
        "None of them hangs on the root.",
    ),  # Between definitions
    Code(
        "definition-collision",
        "warning",
        "Several definitions of one layer cover the same kind.",
        "None of them is taken, since which one would depend on their order.",
    ),
)

CODES = {code.code: code for code in _TABLE}
