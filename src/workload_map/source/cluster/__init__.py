"""A live cluster as a source of objects: whom to ask, what to ask for, and what of the answers is kept.

Here live the kubeconfig and credentials (`kubeconfig_files`, `kubeconfig`, `credentials`), the way there
(`proxies`), one request with its retries and the bytes of its answer (`api`, `bodies`), which kinds the
server has (`discovery`), lists page by page (`lists`, `pages`), what belongs to a question (`planning`,
`parts`, `references`), what changes (`watching`) and the source itself (`live`). HTTP, TLS and the types of a
kubeconfig come from lightkube and its HTTP library. These take longer to import than a whole command on a
file does, so nothing outside of this package imports it before a cluster is asked.
"""

from workload_map.source.cluster.api import Api, RequestRecord
from workload_map.source.cluster.discovery import server_version
from workload_map.source.cluster.errors import (
    ClusterError,
    ConnectionConfigError,
    ForbiddenError,
    NoClusterError,
)
from workload_map.source.cluster.kubeconfig import Connection, Flags, connection, contexts
from workload_map.source.cluster.live import Cluster

__all__ = [
    "Api",
    "Cluster",
    "ClusterError",
    "Connection",
    "ConnectionConfigError",
    "Flags",
    "ForbiddenError",
    "NoClusterError",
    "RequestRecord",
    "connection",
    "contexts",
    "server_version",
]
