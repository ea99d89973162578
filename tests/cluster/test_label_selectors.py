"""Label selectors are read as the API server reads them, and select the same."""

from __future__ import annotations

from http.client import BAD_REQUEST
from urllib.parse import urlencode

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.cluster.client import ApiError
from tests.cluster.cluster import Cluster
from workload_map.source import LabelSelector, SelectorError

# Listing changes nothing, so that examples may share a namespace.
SHARED = [HealthCheck.function_scoped_fixture]
KEYS = st.sampled_from(["app", "tier", "size", "example.org/team", "in", "notin", "exists"])
VALUES = st.sampled_from(["web", "api", "3", "10", "a.b", "A_1", "in", ""])
SETS = st.lists(VALUES, min_size=1, max_size=3).map(",".join)
REQUIREMENTS = st.one_of(
    KEYS,
    KEYS.map("!{}".format),
    st.tuples(KEYS, st.sampled_from(["=", "==", "!=", " = ", ">", "<", " > "]), VALUES).map("".join),
    st.tuples(KEYS, st.sampled_from([" in ", " notin ", "  in  "]), SETS).map(
        lambda parts: f"{parts[0]}{parts[1]}({parts[2]})"
    ),
)
SELECTORS = st.lists(REQUIREMENTS, max_size=3).map(",".join)
PIECES = [
    "app",
    "size",
    "web",
    "3",
    "-1",
    "=",
    "==",
    "!=",
    "!",
    "<",
    ">",
    ",",
    " ",
    "(",
    ")",
    " in ",
    " notin ",
]
PIECES += ["/", "a/b", "A", "_", ".", "-x", "x-", "example.org/", "é", "'", "+3", "99999999999999999999"]
NEARLY = st.lists(st.sampled_from(PIECES), max_size=6).map("".join)
# At the edges of the syntax: lengths, white space, numbers, empty sets, words that are names too.
EDGES = [
    "a..b/x",
    "a-.b/x",
    "a_b/x",
    "/x",
    "x/",
    "a/b/c",
    "A/b",
    "p" * 64 + "/a",
    "p" * 253 + "/a",
    "p" * 254 + "/a",
]
EDGES += [edge for size in (63, 64) for edge in ("a" * size, f"app={'b' * size}", f"app in ({'b' * size})")]
EDGES += [
    "app=web\n",
    "\tapp",
    "app\f",
    "app=web\v",
    "app\u00a0=web",
    "app in\t(web)",
    "app in(web)",
    "app, ",
]
EDGES += [f"size{sign}{2**63 - other}" for sign in "<>" for other in (0, 1, 2)] + [
    "size>-1",
    "size<+5",
    "size>1e3",
]
EDGES += [
    "app in ()",
    "app in (,)",
    "app in (,a)",
    "app notin ()",
    "app in (web))",
    "app in ((web)",
    "app in (a b)",
]
EDGES += [
    "in in (in)",
    "notin notin (notin)",
    "in in",
    "in notin",
    "in=in",
    "!app in (a)",
    "!app=web",
    "!!app",
    "app!",
]
LABELS: list[dict[str, str]] = [
    {},
    {"app": "web"},
    {"app": "", "tier": "api"},
    {"app": "api", "size": "3"},
    {"size": "10", "example.org/team": "web"},
    {"size": "007", "in": "in"},
    {"size": "big", "notin": "a.b", "app": "in"},
    {"size": "9223372036854775807", "exists": "A_1"},
]


@pytest.fixture
def labelled(cluster: Cluster, namespace: str) -> str:
    """The path of objects with `LABELS`, named by their position."""
    for index, labels in enumerate(LABELS):
        metadata = {"name": f"labelled-{index}", "labels": labels}
        cluster.apply({"apiVersion": "v1", "kind": "Secret", "metadata": metadata}, namespace)
    return cluster.client.collection("v1", "Secret", namespace)


@settings(max_examples=600, derandomize=True, database=None, suppress_health_check=SHARED)
@given(text=SELECTORS | NEARLY)
def test_a_label_selector_selects_the_same(cluster: Cluster, labelled: str, text: str) -> None:
    selects_the_same(cluster, labelled, text)


def test_edges_of_label_selectors_are_the_same(cluster: Cluster, labelled: str) -> None:
    for text in EDGES:
        selects_the_same(cluster, labelled, text)


def selects_the_same(cluster: Cluster, labelled: str, text: str) -> None:
    try:
        listed = cluster.client.get(f"{labelled}?{urlencode({'labelSelector': text})}")["items"]
    except ApiError as error:
        assert error.code == BAD_REQUEST
        with pytest.raises(SelectorError):
            LabelSelector(text)
            pytest.fail(f"{text!r} should be refused")
        return
    selector = LabelSelector(text)
    made = [{"metadata": {"name": f"labelled-{n}", "labels": one}} for n, one in enumerate(LABELS)]
    assert sorted(one["metadata"]["name"] for one in listed) == [
        one["metadata"]["name"] for one in made if selector.matches(one)
    ]
