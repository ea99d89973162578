"""What goes wrong between the user and the objects."""

from __future__ import annotations

from workload_map.engine.view import Problem
from workload_map.errors import WorkloadMapError

CHECK_PATH = "check its path and its permissions"
"""What to do about a file that cannot be read or written."""
CHECK_SERVICES = "what serves it may be down: `kubectl get apiservices` tells more"
"""What to do about an API group that does not answer."""


class SourceError(WorkloadMapError):
    """Nothing can be read from where the user points: an absent file, a broken archive, no objects at all.

    Attributes:
        problems: What went wrong one by one, where there was more than one thing.
    """

    code = "unreadable"
    problems: tuple[Problem, ...] = ()


class UnknownNowError(SourceError):
    """It cannot be told what something is, since the cluster does not tell all of its kinds."""

    code = "group-silent"


class SelectorError(WorkloadMapError):
    """A label or field selector that does not parse, or asks for a field that cannot be selected."""

    code = "bad-selector"
    exit_code = 2


class TargetError(WorkloadMapError):
    """TYPE and NAME arguments that do not say which objects are meant."""

    code = "bad-argument"
    exit_code = 2


class AmbiguousError(TargetError):
    """A TYPE that fits several kinds, or a NAME that several namespaces have."""

    code = "ambiguous"


class NotFoundError(WorkloadMapError):
    """The kind is covered, but there is no object of that name."""

    code = "not-found"
    exit_code = 3
