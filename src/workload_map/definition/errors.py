"""The errors of definitions."""

from __future__ import annotations

from collections.abc import Sequence

from workload_map.definition.findings import Finding
from workload_map.errors import WorkloadMapError


class DefinitionError(WorkloadMapError):
    """A definition that cannot be used.

    Attributes:
        findings: All that is wrong with it, at least one.
    """

    code = "invalid-definition"

    def __init__(self, findings: Sequence[Finding]) -> None:
        first = findings[0]
        more = f" (and {len(findings) - 1} more)" if len(findings) > 1 else ""
        super().__init__(f"{first.message}{more}", location=first.where, hint=first.hint)
        self.findings = tuple(findings)


class NoDefinitionError(WorkloadMapError):
    """No definition covers a kind."""

    code = "no-definition"
    exit_code = 4


class CollisionError(WorkloadMapError):
    """Several definitions of one layer cover the same kind, so that none of them is taken."""

    code = "definition-collision"
    exit_code = 2
