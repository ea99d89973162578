"""Codes of expressions, and of the references that they read: what the text itself tells.

What shows only where an expression meets a schema or an object is in `beside`.
"""

from __future__ import annotations

from workload_map.definition.codes.code import Code

TABLE = (
    # References
    Code(
        "reference-name",
        "error",
        "A reference's name cannot be a variable's, or is used twice.",
        "Paths could not name the object.",
        "use letters, digits and underscores, and a name of its own",
    ),
    Code(
        "reference-form",
        "error",
        "A reference does not say, in exactly one way, which objects it means.",
        "Nothing can be looked up.",
        "set either lookup or list",
    ),
    Code(
        "reference-unused",
        "warning",
        "No path reads a reference.",
        "Objects are fetched for nothing; or a path has its name misspelt.",
        "remove it, or read it in a path as a variable",
    ),
    # Expressions
    Code(
        "expression-invalid",
        "error",
        "An expression cannot be compiled, or uses what is refused: environment, inputs, modules, clock.",
        "What it is for stays unknown.",
        "mend the expression; `wmap path` tries one on an object",
    ),
    Code(
        "expression-not-portable",
        "warning",
        "An expression uses what other readers of definitions forbid, or do not know.",
        "The definition is refused there.",
        "write it without these words if other readers are to take the definition",
    ),
    Code(
        "several-outputs",
        "warning",
        "An expression may give several outputs where one is needed.",
        "Only one of them is taken, or none.",
        "select the one that is meant, such as by `first(…)`",
    ),
    Code(
        "not-joinable",
        "warning",
        "The outputs of a path do not lie in the entries that the ids of its component are of.",
        "Its outputs cannot be assigned to instances by where they lie.",
        "go through the same list or map as instanceIdPath",
    ),
    Code(
        "not-writable",
        "warning",
        "A path through which edits are made only computes its value.",
        "The value is shown, and every change of it refused.",
        "name the field alone, without computing from it",
    ),
    Code(
        "action-not-writable",
        "error",
        "The path of a suspend or resume action cannot be written through, or is the whole object.",
        "The workload can be neither suspended nor resumed.",
        "name a field, such as .spec.suspend",
    ),
    Code(
        "default-hides-false",
        "warning",
        "An expression says `// true`.",
        "`//` takes its right side for false as well as for null: an explicit false becomes true.",
        "ask for null: `if . == null then true else . end`",
    ),
    Code(
        "default-for-all",
        "warning",
        "A default by `//` stands behind an iteration.",
        "It is one default for the whole stream, taken only if no entry has a value: not one for each entry.",
        "write `.list[] | .field // 1` instead of `.list[].field // 1`",
    ),
    Code(
        "fires-without-status",
        "warning",
        "A status expression holds for an object whose status was not written yet.",
        "A workload that was just created is shown as running, completed, degraded or failed.",
        "ask first whether what it compares is there: `.status.ready != null and …`",
    ),
)
