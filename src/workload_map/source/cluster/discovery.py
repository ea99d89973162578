"""Which kinds a server has: all in two answers where it can, else one answer a group and version."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import msgspec

from workload_map.definition.kind_names import KindNames
from workload_map.definition.schema import API_VERSION
from workload_map.source.cluster.api import Api
from workload_map.source.cluster.errors import UNREADABLE, AbsentError, ClusterError, SilentGroupError
from workload_map.source.cluster.tasks import together
from workload_map.source.errors import CHECK_SERVICES
from workload_map.source.kinds import GroupKind

# The newest form first, then the one of Kubernetes 1.26 to 1.29, then what every server has.
_ACCEPT = ",".join(
    [
        "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
        "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList",
        "application/json",
    ]
)


class Served(msgspec.Struct, frozen=True):
    """What a server has.

    Attributes:
        names: The names of all kinds that can be listed, for each group its preferred version first.
        silent: Groups that do not answer.
    """

    names: tuple[KindNames, ...]
    silent: tuple[SilentGroupError, ...] = ()

    def by_kind(self) -> dict[GroupKind, list[KindNames]]:
        """The versions of each kind, the preferred one first."""
        found: dict[GroupKind, list[KindNames]] = {}
        for names in self.names:
            found.setdefault(GroupKind(names.group, names.kind), []).append(names)
        return found


class _ResponseKind(msgspec.Struct, frozen=True):
    group: str = ""
    version: str = ""
    kind: str = ""


class _Resource(msgspec.Struct, frozen=True, rename="camel"):
    """A resource as aggregated discovery tells it."""

    resource: str
    response_kind: _ResponseKind | None = None
    scope: str = ""
    singular_resource: str = ""
    short_names: tuple[str, ...] | None = None
    verbs: tuple[str, ...] | None = None


class _Version(msgspec.Struct, frozen=True):
    version: str
    resources: tuple[_Resource, ...] | None = None
    freshness: str = ""


class _Metadata(msgspec.Struct, frozen=True):
    name: str = ""


class _Group(msgspec.Struct, frozen=True):
    metadata: _Metadata = _Metadata()
    versions: tuple[_Version, ...] | None = None


class _GroupList(msgspec.Struct, frozen=True):
    """Aggregated discovery; `kind` tells it from the older answers, which have other fields."""

    kind: str
    items: tuple[_Group, ...] | None = None


class _OldResource(msgspec.Struct, frozen=True, rename="camel"):
    """A resource in the answer for one group and version (`metav1.APIResource`)."""

    name: str
    kind: str
    namespaced: bool = False
    singular_name: str = ""
    short_names: tuple[str, ...] | None = None
    verbs: tuple[str, ...] | None = None


class _OldResources(msgspec.Struct, frozen=True):
    resources: tuple[_OldResource, ...] | None = None


class _OldVersion(msgspec.Struct, frozen=True, rename="camel"):
    group_version: str


class _OldGroup(msgspec.Struct, frozen=True, rename="camel"):
    versions: tuple[_OldVersion, ...] | None = None
    preferred_version: _OldVersion | None = None


class _OldGroups(msgspec.Struct, frozen=True):
    """`/apis` as every server gives it (`metav1.APIGroupList`)."""

    groups: tuple[_OldGroup, ...] | None = None


class _CoreVersions(msgspec.Struct, frozen=True):
    """`/api` as every server gives it (`metav1.APIVersions`)."""

    versions: tuple[str, ...] | None = None


def discover(api: Api) -> Served:
    """All kinds of a server.

    Raises:
        ClusterError: The server does not answer, or not as an API server does.
    """
    try:
        answers = together(
            [lambda: api.get("/api", accept=_ACCEPT), lambda: api.get("/apis", accept=_ACCEPT)]
        )
        core, groups = (_aggregated(answer) for answer in answers)
        if core is not None and groups is not None:
            found = [*_names(core), *_names(groups)]
            return Served(tuple(found), tuple(_stale(groups)))
        return _one_by_one(api, *answers)
    except AbsentError as error:
        raise _nothing_there(api) from error
    except UNREADABLE as error:
        raise _no_api_server(api, error) from error


def _nothing_there(api: Api) -> ClusterError:
    """All API servers have these paths, so that it is the address that is wrong."""
    return ClusterError(
        "there is no API server at this address (404)",
        location=api.connection.cluster.server,
        hint="is its path right, and its port? `kubectl config view --minify` shows the address in use",
    )


def _no_api_server(api: Api, error: Exception) -> ClusterError:
    return ClusterError(
        f"this is no answer of an API server: {error}",
        location=api.connection.cluster.server,
        hint="is there a login page or a proxy in between?",
    )


def _aggregated(answer: bytes) -> _GroupList | None:
    kind = msgspec.json.decode(answer, type=_GroupListKind).kind
    return msgspec.json.decode(answer, type=_GroupList) if kind == "APIGroupDiscoveryList" else None


class _GroupListKind(msgspec.Struct, frozen=True):
    kind: str


def _names(groups: _GroupList) -> Iterator[KindNames]:
    for group in groups.items or ():
        for version in group.versions or ():
            for resource in version.resources or ():
                kind = resource.response_kind
                if kind is None or not kind.kind or "list" not in (resource.verbs or ()):
                    continue
                yield _kind_names(
                    group.metadata.name, version.version, resource, kind.kind, resource.scope != "Cluster"
                )


def _kind_names(group: str, version: str, resource: _Resource, kind: str, namespaced: bool) -> KindNames:
    return KindNames(
        group=group,
        version=version,
        kind=kind,
        plural=resource.resource,
        singular=resource.singular_resource or kind.lower(),
        short_names=resource.short_names or (),
        namespaced=namespaced,
    )


def _stale(groups: _GroupList) -> Iterator[SilentGroupError]:
    for group in groups.items or ():
        for version in group.versions or ():
            if version.freshness == "Stale":
                yield _silent(group.metadata.name, version.version, "what it serves is not known now")


def _silent(group: str, version: str, why: str) -> SilentGroupError:
    name = f"{group}/{version}" if group else version
    error = SilentGroupError(
        f"the API group {name} does not answer: {why}",
        location=f"/apis/{name}" if group else f"/api/{name}",
        hint=CHECK_SERVICES,
    )
    error.group = group
    return error


def _one_by_one(api: Api, core: bytes, groups: bytes) -> Served:
    versions = msgspec.json.decode(core, type=_CoreVersions).versions or ()
    paths = {version: f"/api/{version}" for version in versions}
    for group in msgspec.json.decode(groups, type=_OldGroups).groups or ():
        for one in sorted(group.versions or (), key=lambda each: each != group.preferred_version):
            paths[one.group_version] = f"/apis/{one.group_version}"
    answers = together([_attempt(api, path) for path in paths.values()])
    names: list[KindNames] = []
    silent: list[SilentGroupError] = []
    for group_version, answer in zip(paths, answers, strict=True):
        if isinstance(answer, ClusterError):
            name, _, version = group_version.rpartition("/")
            silent.append(_silent(name, version, answer.message))
        else:
            names += _old_names(group_version, msgspec.json.decode(answer, type=_OldResources))
    return Served(tuple(names), tuple(silent))


def _attempt(api: Api, path: str) -> Callable[[], bytes | ClusterError]:
    def attempt() -> bytes | ClusterError:
        try:
            return api.get(path)
        except ClusterError as error:
            return error

    return attempt


def _old_names(group_version: str, found: _OldResources) -> Iterable[KindNames]:
    group, _, version = group_version.rpartition("/")
    for resource in found.resources or ():
        if "/" in resource.name or "list" not in (resource.verbs or ()):  # a subresource is no kind
            continue
        yield KindNames(
            group=group,
            version=version,
            kind=resource.kind,
            plural=resource.name,
            singular=resource.singular_name or resource.kind.lower(),
            short_names=resource.short_names or (),
            namespaced=resource.namespaced,
        )


class _ServerVersion(msgspec.Struct, frozen=True, rename="camel"):
    git_version: str = "unknown"


def server_version(api: Api) -> dict[str, str | None]:
    """The `version` of a server, and as `definitions` the version in which it has definitions, or None.

    Raises:
        ClusterError: The server does not answer, or not as an API server does.
    """
    group, version = API_VERSION.split("/")
    try:
        answer = api.get("/version")
        name = msgspec.json.decode(answer, type=_ServerVersion).git_version
    except AbsentError as error:
        raise _nothing_there(api) from error
    except UNREADABLE as error:
        raise _no_api_server(api, error) from error
    try:
        api.get(f"/apis/{group}/{version}")
    except AbsentError:
        return {"version": name, "definitions": None}
    return {"version": name, "definitions": version}


def path_of(names: KindNames, namespace: str | None, name: str | None = None) -> str:
    """The path of the objects of a kind, or of one of them.

    Args:
        names: The kind, in the version to ask for.
        namespace: The namespace; None: all. Without meaning for kinds that lie in none.
        name: The name of one object.
    """
    root = f"/apis/{names.group}/{names.version}" if names.group else f"/api/{names.version}"
    inside = f"/namespaces/{namespace}" if namespace and names.namespaced else ""
    return f"{root}{inside}/{names.plural}" + (f"/{name}" if name else "")
