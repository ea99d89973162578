"""The table of findings: what each code means and why it matters. The docs and the tests are made from it.

One module a subject, in the order of the docs. What finds a thing, and its own message, lives where it is
looked for (`structure`, `rules`, …). The table is loaded with the first finding: most commands have none.
"""

from __future__ import annotations

from workload_map.definition.codes import (
    beside,
    components,
    documents,
    expressions,
    gangs,
    selectors,
    status,
)
from workload_map.definition.codes.code import Code

__all__ = ["CODES", "Code"]

_SUBJECTS = (documents, components, selectors, status, gangs, expressions, beside)

CODES = {code.code: code for subject in _SUBJECTS for code in subject.TABLE}
