"""Label and field selectors."""

from __future__ import annotations

from typing import Any

import pytest

from tests.source.objects import pod
from workload_map.source import FieldSelector, LabelSelector, SelectorError


@pytest.mark.parametrize(
    ("text", "labels", "expected"),
    [
        ("", {}, True),
        ("  ", {}, True),
        ("app=web", {"app": "web"}, True),
        ("app==web", {"app": "web"}, True),
        ("app=web", {"app": "api"}, False),
        ("app=web", {}, False),
        ("app!=web", {"app": "web"}, False),
        ("app!=web", {"app": "api"}, True),
        ("app!=web", {}, True),
        ("app", {"app": ""}, True),
        ("app", {}, False),
        ("!app", {}, True),
        ("! app", {"app": "x"}, False),
        ("app=", {"app": ""}, True),
        ("app=", {"app": "x"}, False),
        ("app=", {}, False),
        ("app in (web, api)", {"app": "api"}, True),
        ("app in (web,api)", {"app": "db"}, False),
        ("app notin (web,api)", {"app": "db"}, True),
        ("app notin (web,api)", {"app": "web"}, False),
        ("app notin (web,api)", {}, True),
        ("app in (web),tier!=test,!canary", {"app": "web", "tier": "live"}, True),
        ("app in (web),tier!=test,!canary", {"app": "web", "canary": "1"}, False),
        (
            "kueue.x-k8s.io/queue-name = team-a , app",
            {"kueue.x-k8s.io/queue-name": "team-a", "app": ""},
            True,
        ),
        ("size>3", {"size": "4"}, True),
        ("size>3", {"size": "3"}, False),
        ("size<3", {"size": "2"}, True),
        ("size>3", {"size": "big"}, False),
        ("size<3", {}, False),
        ("size>9223372036854775806", {"size": "9223372036854775807"}, True),
        ("size>3", {"size": "9223372036854775808"}, False),
        ("app\t=\nweb", {"app": "web"}, True),
        (f"{'p' * 64}.example.org/app", {f"{'p' * 64}.example.org/app": ""}, True),
        ("notinto", {"notinto": "x"}, True),
        ("in", {"in": "x"}, True),
    ],
)
def test_labels_are_matched_as_kubernetes_does(text: str, labels: dict[str, str], expected: bool) -> None:
    assert LabelSelector(text).matches(pod("p", labels=labels)) is expected


@pytest.mark.parametrize("labels", [None, "text", ["app"], {"app": None}, {"app": ["web"]}, {"app": 7}])
def test_labels_that_are_none_match_nothing(labels: Any) -> None:
    assert not LabelSelector("app=web").matches(pod("p", labels=labels))
    assert LabelSelector("app!=web").matches(pod("p", labels=labels))


@pytest.mark.parametrize(
    "text",
    [
        "app=web,",
        ",",
        "=web",
        "app=a b",
        "app in web",
        "app in (a",
        "app in ()x",
        "app=we(b",
        "a b",
        "app>big",
        "app>",
        "-a",
        "a..b/app",
        "a-.b/app",
        "a" * 64,
        f"{'p' * 254}/app",
        f"app={'b' * 64}",
        f"app in (web, {'b' * 64})",
        "size<9223372036854775808",
        "app=web\v",
        "app\f",
    ],
)
def test_a_label_selector_that_does_not_parse_is_refused(text: str) -> None:
    with pytest.raises(SelectorError) as caught:
        LabelSelector(text)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", True),
        ("metadata.name=p", True),
        ("metadata.name==p", True),
        ("metadata.name=q", False),
        ("metadata.name!=q", True),
        ("metadata.namespace=lab,metadata.name=p", True),
        ("metadata.namespace!=lab", False),
        ("metadata.namespace=", False),
    ],
)
def test_fields_are_matched(text: str, expected: bool) -> None:
    assert FieldSelector(text).matches(pod("p")) is expected


@pytest.mark.parametrize("text", ["metadata.name", "name=p", "status.phase=Running", "=p"])
def test_a_field_selector_for_something_else_is_refused(text: str) -> None:
    with pytest.raises(SelectorError) as caught:
        FieldSelector(text)
    assert caught.value.exit_code == 2
