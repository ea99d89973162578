"""What must hold between the parts of a definition, one module a subject.

A rule reports and never raises. What keeps a definition from being used at all is checked in `structure`,
since that is asked for whenever one is loaded; what is here is asked for by who writes definitions.
"""

from workload_map.definition.findings import Report
from workload_map.definition.rules import (
    components,
    expressions,
    gangs,
    kinds,
    references,
    selectors,
    status,
    suspend,
)
from workload_map.definition.schema import Definition

__all__ = ["check"]


def check(definition: Definition, report: Report) -> None:
    """Report all that is wrong or doubtful about a definition whose structure was checked."""
    for subject in (kinds, components, selectors, status, suspend, gangs, references, expressions):
        subject.check(definition, report)
