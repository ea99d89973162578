"""Which proxy the environment means.

The rules are those of golang.org/x/net/http/httpproxy, which kubectl follows.
"""

from __future__ import annotations

import json
import socket
import sys
from pathlib import Path

import pytest

from tests.apiserver import serving
from workload_map.source.cluster import Api, ClusterError, ConnectionConfigError, Flags, connection
from workload_map.source.cluster.proxies import proxy_of

PROXY = "http://proxy.corp:3128"


@pytest.mark.parametrize(
    ("server", "environment", "expected"),
    [
        ("https://api.corp", {}, None),
        ("https://api.corp", {"HTTPS_PROXY": PROXY}, PROXY),
        ("https://api.corp", {"https_proxy": PROXY}, PROXY),
        ("https://api.corp", {"HTTPS_PROXY": PROXY, "https_proxy": "http://other"}, PROXY),
        ("https://api.corp", {"HTTPS_PROXY": "", "https_proxy": PROXY}, PROXY),
        ("https://api.corp", {"HTTP_PROXY": PROXY, "ALL_PROXY": PROXY}, None),
        ("http://api.corp", {"HTTP_PROXY": PROXY}, PROXY),
        ("https://api.corp", {"HTTPS_PROXY": "proxy.corp:3128"}, PROXY),
    ],
)
def test_the_variable_of_the_scheme_counts(
    server: str, environment: dict[str, str], expected: str | None
) -> None:
    assert proxy_of(server, environment) == expected


@pytest.mark.parametrize(
    "server", ["https://localhost:6443", "https://127.0.0.1:6443", "https://127.8.8.8", "https://[::1]:6443"]
)
def test_what_is_on_this_machine_is_reached_without_one(server: str) -> None:
    assert proxy_of(server, {"HTTPS_PROXY": PROXY}) is None


@pytest.mark.parametrize(
    ("server", "excluded", "is_excluded"),
    [
        ("https://api.corp", "api.corp", True),
        ("https://API.corp", "api.CORP", True),
        ("https://api.corp.", "api.corp", True),
        ("https://api.corp", "corp", True),
        ("https://api.corp", ".corp", True),
        ("https://api.corp", "*.corp", True),
        ("https://api.corp", "pi.corp", False),
        ("https://api.corp", ".api.corp", False),
        ("https://api.corp", "*.api.corp", False),
        ("https://api.corp", "*", True),
        ("https://api.corp", "other, ,api.corp", True),
        ("https://api.corp:6443", "api.corp:6443", True),
        ("https://api.corp:6443", "api.corp:443", False),
        ("https://api.corp", "api.corp:443", True),
        ("https://10.1.2.3:6443", "10.0.0.0/8", True),
        ("https://11.1.2.3:6443", "10.0.0.0/8", False),
        ("https://10.1.2.3:6443", "10.1.2.3", True),
        ("https://10.1.2.3:6443", "10.1.2.3:443", False),
        ("https://[fd00::1]:6443", "fd00::/8", True),
        ("https://[fd00::1]:6443", "fd00::1", True),
        ("https://[fd00::1]:6443", "[fd00::1]:6443", True),
        ("https://api.corp", "10.0.0.0/8", False),
        ("https://api.corp", "10.0.0.0/99", False),
    ],
)
def test_no_proxy_names_hosts_domains_addresses_and_ranges(
    server: str, excluded: str, is_excluded: bool
) -> None:
    environment = {"HTTPS_PROXY": PROXY, "NO_PROXY": excluded}
    assert proxy_of(server, environment) == (None if is_excluded else PROXY)


def test_requests_go_through_the_proxy_of_the_kubeconfig_else_of_the_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A server that is asked for whole URLs is a proxy; nothing is called `api.test`."""
    for name in ("HTTP_PROXY", "http_proxy", "NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    with serving() as server:
        cluster = {"server": "http://api.test", "proxy-url": server.url}
        config = tmp_path / "config"
        config.write_text(
            json.dumps(
                {
                    "clusters": [{"name": "c", "cluster": cluster}],
                    "contexts": [{"name": "x", "context": {"cluster": "c"}}],
                    "current-context": "x",
                }
            )
        )
        monkeypatch.setenv("NO_PROXY", "api.test")  # it is about the variables alone
        Api(connection(Flags(kubeconfig=str(config)), {})).get("/version")
        monkeypatch.setenv("HTTP_PROXY", server.url)
        direct = Api(connection(Flags(server="http://api.test"), {}))
        with pytest.raises(ClusterError, match="cannot reach"):
            direct.get("/version")
        monkeypatch.delenv("NO_PROXY")
        Api(connection(Flags(server="http://api.test"), {})).get("/version")
        assert [call.headers["host"] for call in server.calls] == ["api.test", "api.test"]


def test_a_proxy_that_is_none_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "gopher://proxy.corp")
    with pytest.raises(ConnectionConfigError, match="the proxy cannot be used"):
        Api(connection(Flags(server="https://api.test"), {}))


def test_a_proxy_for_which_a_package_is_missing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "socksio", None)
    monkeypatch.setenv("HTTPS_PROXY", "socks5://proxy.corp")
    with pytest.raises(ConnectionConfigError, match="the package socksio is missing"):
        Api(connection(Flags(server="https://api.test"), {}))


def test_a_proxy_that_is_down_is_told_without_its_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = f"127.0.0.1:{listener.getsockname()[1]}"
    monkeypatch.setenv("HTTP_PROXY", f"http://me:secret@{address}")
    with pytest.raises(ClusterError) as told:
        Api(connection(Flags(server="http://api.test"), {})).get("/version")
    assert told.value.location == f"http://api.test through the proxy {address}"
