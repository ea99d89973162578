"""What the user may list in which namespace, asked once a namespace instead of tried kind by kind."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import partial

import msgspec

from workload_map.definition.kind_names import KindNames
from workload_map.source.cluster.api import Api
from workload_map.source.cluster.errors import UNREADABLE, ClusterError
from workload_map.source.cluster.tasks import together

_PATH = "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews"
_ALL = "*"


class _Rule(msgspec.Struct, frozen=True, rename="camel"):
    """What is allowed (`authorization.k8s.io/v1`, ResourceRule)."""

    verbs: tuple[str, ...] = ()
    api_groups: tuple[str, ...] | None = None
    resources: tuple[str, ...] | None = None
    resource_names: tuple[str, ...] | None = None

    def allows(self, names: KindNames, name: str | None) -> bool:
        """Whether it allows to list a kind, or what of it bears a name."""
        return (
            not {"list", _ALL}.isdisjoint(self.verbs)
            and not {names.group, _ALL}.isdisjoint(self.api_groups or ())
            and not {names.plural, _ALL}.isdisjoint(self.resources or ())
            and (not self.resource_names or name in self.resource_names)
        )


class _Status(msgspec.Struct, frozen=True, rename="camel"):
    incomplete: bool
    resource_rules: tuple[_Rule, ...] | None = None


class _Review(msgspec.Struct, frozen=True):
    """The answer to a SelfSubjectRulesReview."""

    status: _Status


class Rights:
    """The rights of the user, as far as the server tells them: not all authorizers know what they allow.

    Everybody may ask for their own (the role `system:basic-user`), unless somebody has taken that away.

    Args:
        api: The API server.
        namespaces: The names of all namespaces.
    """

    def __init__(self, api: Api, namespaces: Callable[[], Sequence[str]]) -> None:
        self._api = api
        self._namespaces = namespaces
        self._lock = threading.Lock()
        self._rules: dict[str, Sequence[_Rule]] | None = None

    def may_list(self, namespace: str, names: KindNames, name: str | None = None) -> bool:
        """Whether it is worth trying to list a kind in a namespace, or what of it bears a name.

        It is wherever the server does not say that this is all that is allowed.
        """
        with self._lock:  # several kinds are read at once, and refused at once
            if self._rules is None:
                self._rules = self._ask()
        rules = self._rules.get(namespace)
        return rules is None or any(rule.allows(names, name) for rule in rules)

    def _ask(self) -> dict[str, Sequence[_Rule]]:
        """The rules of each namespace; where those of the first one are not all, no others are asked for."""
        first, *others = self._namespaces()
        found = [self._rules_in(first)]
        if found[0] is not None and others:
            found += together([partial(self._rules_in, namespace) for namespace in others])
        return {
            namespace: rules
            for namespace, rules in zip((first, *others), found, strict=False)
            if rules is not None
        }

    def _rules_in(self, namespace: str) -> Sequence[_Rule] | None:
        question = {
            "apiVersion": "authorization.k8s.io/v1",
            "kind": "SelfSubjectRulesReview",
            "spec": {"namespace": namespace},
        }
        try:
            status = msgspec.json.decode(self._api.review(_PATH, question), type=_Review).status
        except (ClusterError, *UNREADABLE):  # then each kind is tried
            return None
        return None if status.incomplete else status.resource_rules or ()
