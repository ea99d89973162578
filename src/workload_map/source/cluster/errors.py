"""What goes wrong between this program and an API server."""

from __future__ import annotations

import msgspec

from workload_map.source.errors import NotFoundError, SourceError, UnknownNowError

UNREADABLE = (msgspec.DecodeError, RecursionError)
"""What decoding an answer may raise: it is no JSON, not of the expected form, or nested too deep."""


class ClusterError(SourceError):
    """The cluster gives no answer: it is not reached, does not know the user, or fails.

    Attributes:
        status: The HTTP status; None where no answer came.
    """

    code = "cluster"
    status: int | None = None


class ConnectionConfigError(ClusterError):
    """The kubeconfig or the connection flags do not lead to a cluster."""

    code = "kubeconfig"


class ConnectionFlagError(ConnectionConfigError):
    """A connection flag has a value that no kubeconfig could make right: the call is wrong."""

    code = "usage"
    exit_code = 2


class NoClusterError(ConnectionConfigError):
    """No kubeconfig names a cluster, and the process runs in none."""

    code = "no-source"


class UnreachableError(ClusterError):
    """No answer came from the address of the API server."""

    code = "unreachable"


class ForbiddenError(ClusterError):
    """The user may not do this (403)."""

    code = "forbidden"


class GoneError(ClusterError):
    """What a continue token or a resource version points at is no longer kept (410)."""

    code = "expired"


class SilentError(ClusterError):
    """Nothing came on an open stream for so long that it may be dead."""

    code = "silent"


class AbsentError(ClusterError):
    """The server has no such object or kind (404)."""

    code = "not-found"


class NotServedError(NotFoundError):
    """The kind is covered, but the cluster does not serve it."""

    code = "not-served"


class SilentGroupError(UnknownNowError):
    """A version of an API group does not answer, so that nobody knows which kinds are in it.

    Attributes:
        group: The group.
    """

    group: str = ""
