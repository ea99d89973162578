"""Codes of files and documents, and of the shape of a definition: what keeps it from being read.

What a readable definition says is the matter of the other modules.
"""

from __future__ import annotations

from workload_map.definition.codes.code import Code

TABLE = (
    # Files and documents
    Code(
        "unreadable-file",
        "error",
        "A file or directory cannot be read.",
        "Its definitions are missing.",
        "check its path and its permissions",
    ),
    Code(
        "unreadable-document",
        "error",
        "A document is neither valid YAML nor valid JSON, or is refused (duplicate keys, alias bombs).",
        "Its definition is missing; the other documents of the file are read.",
        "mend the text at this place",
    ),
    Code(
        "no-definitions",
        "warning",
        "A path that was given holds no definition.",
        "It is probably the wrong path.",
        "name a file or folder with documents of kind Karta",
    ),
    Code(
        "not-a-definition",
        "error",
        "A document is not a `Karta` of `run.ai/v1alpha1`.",
        "It cannot be read as a definition.",
        "begin it with `apiVersion: run.ai/v1alpha1` and `kind: Karta`",
    ),
    # Shape
    Code(
        "unknown-field",
        "error",
        "A field is not part of the schema.",
        "A misspelt field would be ignored, and the definition would say less than its author believes.",
        "remove it, or spell it as the reference of the fields does",
    ),
    Code(
        "wrong-type",
        "error",
        "A field holds a value of another type than the schema asks for.",
        "The field cannot be read.",
        "write it in the type that is expected, or leave the field out",
    ),
    Code(
        "missing-field",
        "error",
        "A required field is absent.",
        "What it belongs to means nothing without it.",
        "add the field",
    ),
    Code(
        "too-deep",
        "error",
        "Groups are nested deeper than any scheduler can follow.",
        "Reading them would exhaust whoever walks them.",
        "take levels out; five groups in each other are enough for any scheduler",
    ),
    Code(
        "too-large",
        "error",
        "A list has more than 64 entries, a name more than 253 characters, or another text too many.",
        "Definitions come from strangers, and an API server refuses more too.",
        "split it into several definitions, or make it shorter",
    ),
)
