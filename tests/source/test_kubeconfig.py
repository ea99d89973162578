"""Which cluster and whom kubeconfig files, flags and the account of a pod mean."""

# ruff: noqa: S106 - the tokens in here open nothing

from __future__ import annotations

import copy
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from tests.apiserver import serving
from tests.apiserver.server import Reply
from workload_map.errors import WorkloadMapError
from workload_map.source.cluster import Api, ConnectionConfigError, Flags, NoClusterError, connection
from workload_map.source.cluster.kubeconfig import Connection

NO_ACCOUNT = Path("/nonexistent")


def _config(server: Any = "https://one", **user: Any) -> dict[str, Any]:
    return {
        "clusters": [{"name": "c", "cluster": {"server": server}}],
        "users": [{"name": "u", "user": user}],
        "contexts": [{"name": "x", "context": {"cluster": "c", "user": "u", "namespace": "lab"}}],
        "current-context": "x",
    }


@pytest.fixture
def put(tmp_path: Path) -> Any:
    def write(value: Any, name: str = "config") -> str:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(value if isinstance(value, str) else yaml.safe_dump(value))
        return str(path)

    return write


def _of(path: str | None = None, environment: dict[str, str] | None = None, **flags: Any) -> Connection:
    return connection(Flags(kubeconfig=path, **flags), environment or {}, NO_ACCOUNT)


def test_the_current_context_counts(put: Any) -> None:
    found = _of(put(_config(token="t")))
    assert (found.cluster.server, found.user.token, found.namespace) == ("https://one", "t", "lab")


def test_of_several_files_the_first_that_has_a_name_gives_it(put: Any) -> None:
    first = {"clusters": [{"name": "c", "cluster": {"server": "https://first"}}], "current-context": "x"}
    paths = [put(first, "a"), str(Path(put("", "gone")).with_name("missing")), put(_config(token="t"), "b")]
    found = _of(environment={"KUBECONFIG": os.pathsep.join(paths)})
    assert (found.cluster.server, found.user.token) == ("https://first", "t")


def test_without_kubeconfig_the_file_of_the_home_folder_counts(put: Any, tmp_path: Path) -> None:
    put(_config(), ".kube/config")
    assert _of(environment={"HOME": str(tmp_path)}).cluster.server == "https://one"


def test_paths_are_relative_to_the_file_that_holds_them(put: Any, tmp_path: Path) -> None:
    config = _config(tokenFile="token")
    config["clusters"][0]["cluster"]["certificate-authority"] = "ca.crt"
    config["users"][0]["user"] |= {"client-certificate": "/abs/cert", "client-key": "key"}
    found = _of(put(config, "deep/config"))
    assert found.cluster.certificate_auth == str(tmp_path / "deep" / "ca.crt")
    assert found.user.token_file == str(tmp_path / "deep" / "token")
    assert found.user.client_cert == "/abs/cert"
    assert found.user.client_key == str(tmp_path / "deep" / "key")


def test_flags_win_over_the_file(put: Any) -> None:
    path = put(_config(token="t", exec={"apiVersion": "v", "command": "c"}))
    found = _of(
        path,
        server="two.example",
        token="other",
        as_user="eve",
        as_groups=("a", "b"),
        tls_server_name="name",
        request_timeout="1m30s",
        insecure_skip_tls_verify=True,
    )
    assert found.cluster.server == "https://two.example"
    assert (found.user.token, found.plugin) == ("other", None)
    assert found.headers == (
        ("Impersonate-User", "eve"),
        ("Impersonate-Group", "a"),
        ("Impersonate-Group", "b"),
    )
    assert (found.tls_server_name, found.timeout, found.cluster.insecure) == ("name", 90, True)


def test_the_file_may_impersonate_and_name_a_proxy(put: Any) -> None:
    config = _config(**{"as": "eve", "as-groups": ["g"], "as-user-extra": {"why": ["a", "b"]}})
    config["clusters"][0]["cluster"].update({"proxy-url": "http://proxy:3128", "disable-compression": True})
    found = _of(put(config))
    assert found.headers[-2:] == (("Impersonate-Extra-why", "a"), ("Impersonate-Extra-why", "b"))
    assert (found.proxy, found.compressed) == ("http://proxy:3128", False)


def test_headers_hold_any_name_and_escaped_keys(put: Any) -> None:
    """As client-go sends them: names in UTF-8, what no header's name may hold in per cent."""
    config = _config(**{"as": "zo\u00eb", "as-uid": "7", "as-user-extra": {"a/b c": ["v"], "none": None}})
    with serving() as server:
        config["clusters"][0]["cluster"]["server"] = server.url
        Api(_of(put(config), as_groups=("g", "h"))).get("/version")
        headers = server.calls[0].headers
    assert headers["impersonate-user"].encode("latin-1").decode() == "zo\u00eb"
    assert (headers["impersonate-group"], headers["impersonate-uid"]) == ("g, h", "7")
    assert [name for name in headers if "extra" in name] == ["impersonate-extra-a%2fb%20c"]


def _places(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        yield (*place, key)
        if isinstance(inner, dict | list):
            yield from _places(inner, (*place, key))


WRONG = [5, "x", "\n", "\u00e9\0", True, None, 1.5, [], {}, [1], [None], {"a": 1}, {"": None}]


@pytest.mark.parametrize("wrong", WRONG, ids=repr)
def test_no_value_in_a_kubeconfig_ends_in_anything_but_an_error_of_ours(put: Any, wrong: Any) -> None:
    user = {
        "token": "t",
        "username": "a",
        "password": "b",
        "as": "x",
        "as-groups": ["g"],
        "as-uid": "1",
        "as-user-extra": {"k": ["v"]},
        "client-certificate": "none",
        "client-key-data": "YQ==",
        "exec": {
            "apiVersion": "client.authentication.k8s.io/v1",
            "command": "true",
            "args": ["a"],
            "env": [{"name": "A", "value": "B"}],
            "installHint": "h",
            "interactiveMode": "Never",
            "provideClusterInfo": True,
        },
    }
    config = _config("http://127.0.0.1:1", **user)
    config["clusters"][0]["cluster"] |= {
        "certificate-authority-data": "YQ==",
        "tls-server-name": "api.test",
        "proxy-url": "http://127.0.0.1:1",
        "insecure-skip-tls-verify": False,
        "disable-compression": False,
        "extensions": [{"name": "client.authentication.k8s.io/exec", "extension": {"a": "b"}}],
    }
    for *place, last in _places(config):
        changed = copy.deepcopy(config)
        holder = changed
        for step in place:
            holder = holder[step]
        holder[last] = wrong
        with pytest.raises(WorkloadMapError):  # nothing listens at the address
            Api(_of(put(json.dumps(changed)))).get("/version")


def test_files_that_may_not_be_looked_at_are_told_and_not_passed_over() -> None:
    """The name is longer than any may be: looking fails, as it does in a folder of somebody else."""
    with pytest.raises(ConnectionConfigError, match="File name too long"):
        _of(environment={"KUBECONFIG": "/" + "x" * 5000})


@pytest.mark.parametrize("name", ["certificate-authority", "client-certificate", "client-key"])
def test_a_certificate_that_cannot_be_read_is_told_by_its_name(put: Any, name: str, tmp_path: Path) -> None:
    config = _config("https://127.0.0.1:1")
    if "authority" in name:
        config["clusters"][0]["cluster"][name] = "missing.pem"
    else:
        there = put("", "there.pem")
        pair = {"client-certificate": there, "client-key": there, name: "missing.pem"}
        config["users"][0]["user"] |= pair
    with pytest.raises(ConnectionConfigError, match="cannot read the file: No such file") as caught:
        Api(_of(put(config)))
    assert caught.value.location == str(tmp_path / "missing.pem")


def test_the_account_of_the_pod_is_told_where_it_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("t")
    (tmp_path / "namespace").mkdir()
    environment = {"KUBERNETES_SERVICE_HOST": "h", "KUBERNETES_SERVICE_PORT": "443"}
    with pytest.raises(ConnectionConfigError, match="cannot read the file: Is a directory"):
        connection(Flags(), environment, tmp_path)
    (tmp_path / "namespace").rmdir()
    found = connection(Flags(), environment, tmp_path)
    assert found.namespace is None
    with pytest.raises(ConnectionConfigError) as caught:
        Api(found)
    assert caught.value.location == str(tmp_path / "ca.crt")


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("h", "http://h"),
        ("h:6443/", "http://h:6443"),
        ("http://h", "http://h"),
        ("https://h/k8s/clusters/c-1/", "https://h/k8s/clusters/c-1"),
        ("[fd00::1]:6443", "http://[fd00::1]:6443"),
    ],
)
def test_an_address_may_lack_its_scheme_and_have_a_path(put: Any, given: str, meant: str) -> None:
    assert _of(put(_config(given))).cluster.server == meant
    assert _of(server=given).cluster.server == meant


@pytest.mark.parametrize(
    ("cluster", "user"),
    [
        ({"certificate-authority": "ca.crt"}, {}),
        ({"certificate-authority-data": "YQ=="}, {}),
        ({"insecure-skip-tls-verify": True}, {}),
        ({}, {"client-certificate": "c", "client-key": "k"}),
        ({}, {"client-certificate-data": "YQ==", "client-key-data": "YQ=="}),
    ],
)
def test_settings_for_tls_mean_https_where_no_scheme_is_given(put: Any, cluster: Any, user: Any) -> None:
    """As client-go has it (`DefaultServerURL`): a token or a name for the certificate mean nothing there."""
    config = _config("h:6443", **user)
    config["clusters"][0]["cluster"] |= cluster
    assert _of(put(config)).cluster.server == "https://h:6443"
    assert _of(put(config), server="two").cluster.server == "https://two"
    assert _of(put(_config(token="t")), server="two", tls_server_name="n").cluster.server == "http://two"
    several: list[Any] = [
        {"certificate_authority": "ca.crt"},
        {"insecure_skip_tls_verify": True},
        {"client_certificate": "c", "client_key": "k"},
    ]
    for flags in several:
        assert _of(server="two", **flags).cluster.server == "https://two"


@pytest.mark.parametrize(
    ("user", "flags", "missing"),
    [
        ({}, {"client_certificate": "c"}, "--client-key"),
        ({}, {"client_key": "k"}, "--client-certificate"),
        ({"client-certificate-data": "YQ=="}, {}, "--client-key"),
        ({"client-key": "k"}, {}, "--client-certificate"),
    ],
)
def test_half_of_a_client_certificate_is_told_with_what_is_missing(
    put: Any, user: Any, flags: Any, missing: str
) -> None:
    with pytest.raises(
        ConnectionConfigError, match=r"there is a client (key|certificate), but not"
    ) as caught:
        _of(put(_config(**user)), **flags)
    assert missing in (caught.value.hint or "")
    other: Any = {"client_certificate": "c"} if missing == "--client-certificate" else {"client_key": "k"}
    assert _of(put(_config(**user)), **flags, **other).user.client_key


def test_the_account_of_the_pod_counts_where_no_kubeconfig_is(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("t")
    (tmp_path / "namespace").write_text("lab\n")
    environment = {"KUBERNETES_SERVICE_HOST": "fd00::1", "KUBERNETES_SERVICE_PORT": "443"}
    found = connection(Flags(), environment, tmp_path)
    assert found.cluster.server == "https://[fd00::1]:443"
    assert (found.user.token_file, found.namespace) == (str(tmp_path / "token"), "lab")


def test_nothing_names_no_cluster() -> None:
    with pytest.raises(NoClusterError):
        _of()


NO_ADDRESSES = (
    "https://",
    "https://h:99999",
    "http://[::1",
    "https://a b",
    "https://a\nb",
    "ftp://h",
    "h?x=1",
    "https://a..b",
    f"https://{'a' * 64}.test",
)


@pytest.mark.parametrize(
    ("config", "flags", "told"),
    [
        (_config(), {"context": "y"}, "has no context 'y'"),
        (_config(), {"cluster": "y"}, "has no cluster 'y'"),
        (_config(), {"user": "y"}, "has no user 'y'"),
        *(
            (_config(), {"request_timeout": text}, "is no duration")
            for text in (
                "soon",
                "",
                "1m30",
                "-1",
                "9223372037",
                "2562048h",
                "9" * 400,
                "9" * 400 + "h",
                "\u0661s",
            )
        ),
        *((_config(server), {}, "is no address") for server in NO_ADDRESSES),
        (_config(), {"server": "https://h:abc"}, "'https://h:abc' is no address"),
        (_config(), {"as_groups": ("g",)}, "together with a user"),
        ({**_config(), "current-context": ""}, {}, "no current context"),
        ({**_config(), "clusters": [3]}, {}, "is no kubeconfig: .*clusters"),
        ({**_config(), "clusters": [{"name": 3}]}, {}, "no entry of a kubeconfig"),
        (
            {"clusters": [{"name": "c", "cluster": {"server": 5}}], "contexts": _config()["contexts"]},
            {"context": "x"},
            "user",
        ),
        ("[1, 2]", {}, "is no kubeconfig"),
        ("a: [", {}, "is no YAML"),
        (_config(**{"auth-provider": {"name": "gcp"}}), {}, "auth-provider"),
    ],
)
def test_what_is_wrong_is_told(put: Any, config: Any, flags: dict[str, Any], told: str) -> None:
    with pytest.raises(ConnectionConfigError, match=told):
        _of(put(config), **flags)


@pytest.mark.parametrize(
    ("user", "flags", "code"),
    [
        ({}, {"request_timeout": "soon"}, 2),
        ({}, {"as_groups": ("g",)}, 2),
        ({}, {"as_uid": "5"}, 2),
        ({"as-groups": ["g"]}, {}, 1),
        ({}, {"certificate_authority": "ca", "insecure_skip_tls_verify": True}, 2),
        ({}, {"context": "y"}, 1),
    ],
)
def test_a_flag_that_is_never_right_is_a_wrong_call(
    put: Any, user: dict[str, Any], flags: dict[str, Any], code: int
) -> None:
    with pytest.raises(ConnectionConfigError) as raised:
        _of(put(_config(**user)), **flags)
    assert raised.value.exit_code == code


PLUGIN = """
import json, os, sys
info = json.loads(os.environ["KUBERNETES_EXEC_INFO"])
with open(sys.argv[1], "a") as calls:
    calls.write(os.environ["MARK"] + "\\n")
    number = calls.tell() // (len(os.environ["MARK"]) + 1)
status = {"token": f"token-{number}"}
print(json.dumps({"apiVersion": info["apiVersion"], "kind": "ExecCredential", "status": status}))
"""


def _plugin(put: Any, tmp_path: Path, version: str = "v1", code: str = PLUGIN) -> dict[str, Any]:
    return {
        "apiVersion": f"client.authentication.k8s.io/{version}",
        "command": sys.executable,
        "args": [put(code, "plugin.py"), str(tmp_path / "calls")],
        "env": [{"name": "MARK", "value": "m"}],
    }


@pytest.mark.parametrize("version", ["v1", "v1beta1"])
def test_a_plugin_gives_a_token_once_and_anew_when_it_is_refused(
    put: Any, tmp_path: Path, version: str
) -> None:
    with serving() as server:
        found = _of(put(_config(server.url, exec=_plugin(put, tmp_path, version))))
        api = Api(found)
        api.get("/version")
        api.get("/version")
        server.before = lambda call: Reply(401) if call.headers["authorization"] == "Bearer token-1" else None
        api.get("/version")
        api.close()
        given = [call.headers["authorization"].removeprefix("Bearer ") for call in server.calls]
    assert given == ["token-1", "token-1", "token-1", "token-2"]
    assert (tmp_path / "calls").read_text() == "m\nm\n"


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("raise SystemExit(3)", "ended with 3"),
        ("print('no json')", "gave no credential"),
        ('print(\'{"apiVersion": "x", "kind": "ExecCredential"}\')', "not as ExecCredential of"),
        (PLUGIN.replace("-{number}", "\\n{number}"), "cannot be sent"),
        (PLUGIN.replace('"}', '", "expirationTimestamp": "2026-01-01T00:00:00"}'), "timezone"),
    ],
)
def test_a_plugin_that_fails_is_told(put: Any, tmp_path: Path, code: str, told: str) -> None:
    with serving() as server:
        api = Api(_of(put(_config(server.url, exec=_plugin(put, tmp_path, code=code)))))
        with pytest.raises(ConnectionConfigError, match=told):
            api.get("/version")
        api.close()


def test_a_plugin_runs_again_when_what_it_gave_is_over(put: Any, tmp_path: Path) -> None:
    code = PLUGIN.replace(
        '-{number}"}', '-{number}", "expirationTimestamp": f"{2019 + 80 * (number > 1)}-01-01T00:00:00Z"}'
    )
    with serving() as server:
        api = Api(_of(put(_config(server.url, exec=_plugin(put, tmp_path, code=code)))))
        for _ in range(3):
            api.get("/version")
        api.close()
        given = [call.headers["authorization"].removeprefix("Bearer ") for call in server.calls]
    assert given == ["token-1", "token-2", "token-2"]


def test_a_plugin_takes_nothing_of_what_is_piped_in(put: Any, tmp_path: Path) -> None:
    code = PLUGIN.replace("import json, os, sys", "import json, os, sys; assert sys.stdin.read() == ''")
    config = put(_config("http://127.0.0.1:1", exec=_plugin(put, tmp_path, code=code)))
    call = [sys.executable, "-c", "from workload_map.cli import main; main()", "get", "jobs", "-v"]
    with serving() as server:
        given = {**os.environ, "KUBECONFIG": config}
        ended = subprocess.run(
            [*call, "--server", server.url],
            input="kind: Job",
            env=given,
            capture_output=True,
            text=True,
            check=False,
        )
        assert {each.headers["authorization"] for each in server.calls} == {"Bearer token-1"}
    assert ended.returncode == 0, ended.stderr


def test_a_plugin_that_wants_to_know_the_cluster_is_told_its_authority_too(put: Any, tmp_path: Path) -> None:
    """As client-go does, which reads the file for it."""
    code = PLUGIN.replace(
        "status =", 'open(sys.argv[1] + ".info", "w").write(json.dumps(info["spec"]["cluster"]))\nstatus ='
    )
    (tmp_path / "ca.crt").write_bytes(b"authority")
    with serving() as server:
        config = _config(server.url, exec={**_plugin(put, tmp_path, code=code), "provideClusterInfo": True})
        config["clusters"][0]["cluster"] |= {
            "certificate-authority": "ca.crt",
            "tls-server-name": "api.test",
            "disable-compression": True,
        }
        Api(_of(put(config))).get("/version")
        url = server.url
    told = json.loads((tmp_path / "calls.info").read_text())
    assert {key: value for key, value in told.items() if value} == {
        "server": url,
        "tls-server-name": "api.test",
        "certificate-authority-data": "YXV0aG9yaXR5",
        "disable-compression": True,
    }


@pytest.mark.parametrize("provided", [True, False])
@pytest.mark.parametrize(
    "given", [{"audience": "x", "none": None, "number": 2**53 + 1}, "text", [1], False, None]
)
def test_a_plugin_that_wants_to_know_the_cluster_is_told_what_its_entry_holds_for_plugins(
    put: Any, tmp_path: Path, given: Any, provided: bool
) -> None:
    """`config` of a `Cluster` of client.authentication.k8s.io: the extension of the cluster as it is."""
    code = PLUGIN.replace(
        "status =", 'open(sys.argv[1] + ".info", "w").write(json.dumps(info["spec"]))\nstatus ='
    )
    with serving() as server:
        plugin = {**_plugin(put, tmp_path, code=code), "provideClusterInfo": provided}
        config = _config(server.url, exec=plugin)
        config["clusters"][0]["cluster"]["extensions"] = [
            {"name": "other", "extension": {"audience": "y"}},
            {"name": "client.authentication.k8s.io/exec", "extension": given},
        ]
        Api(_of(put(config))).get("/version")
    told = json.loads((tmp_path / "calls.info").read_text())
    assert told["interactive"] is False
    assert told.get("cluster", {}).get("config", "nothing") == (given if provided else "nothing")


def test_what_is_told_to_a_plugin_and_cannot_be_is_an_error(put: Any, tmp_path: Path) -> None:
    config = _config("http://127.0.0.1:1", exec={**_plugin(put, tmp_path), "provideClusterInfo": True})
    deep: Any = []
    for _ in range(5000):
        deep = [deep]
    found = msgspec.structs.replace(_of(put(config)), plugin_config=deep)
    with pytest.raises(ConnectionConfigError, match="nested too deep"):
        Api(found).get("/version")
    (tmp_path / "ca.crt").write_bytes(b"authority")
    config["clusters"][0]["cluster"]["certificate-authority"] = "ca.crt"
    api = Api(_of(put(config)))
    (tmp_path / "ca.crt").unlink()
    with pytest.raises(ConnectionConfigError, match="cannot read the file: No such file") as caught:
        api.get("/version")
    assert caught.value.location == str(tmp_path / "ca.crt")
    assert not (tmp_path / "calls").exists()


def test_a_plugin_that_must_ask_is_not_run_without_a_terminal(put: Any, tmp_path: Path) -> None:
    plugin = {**_plugin(put, tmp_path), "interactiveMode": "Always"}
    with serving() as server:
        api = Api(_of(put(_config(server.url, exec=plugin))))
        with pytest.raises(ConnectionConfigError, match="there is no terminal"):
            api.get("/version")
    assert not (tmp_path / "calls").exists()


def test_an_empty_text_is_as_none(put: Any) -> None:
    empty = {"tokenFile": "", "client-certificate": "", "client-key-data": "", "exec": None}
    found = _of(put(_config(token="t", **empty)))
    assert (found.user.token, found.plugin) == ("t", None)
    assert found.user.token_file is found.user.client_cert is found.user.client_key_data is None


def test_a_token_file_is_read_again_when_the_token_is_refused(put: Any, tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("old")
    with serving() as server:
        api = Api(_of(put(_config(server.url, tokenFile="token"))))
        api.get("/version")
        token.write_text("new")
        server.before = lambda call: Reply(401) if call.headers["authorization"] == "Bearer old" else None
        assert json.loads(api.get("/version"))["gitVersion"]
        api.close()


def test_certificates_that_are_none_are_told(put: Any) -> None:
    config = _config()
    config["clusters"][0]["cluster"]["certificate-authority-data"] = "bm9uZQ=="
    with pytest.raises(ConnectionConfigError, match="cannot be used"):
        Api(_of(put(config)))
