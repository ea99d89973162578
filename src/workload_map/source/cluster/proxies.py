"""The proxy that the environment means, by the rules of Go's `httpproxy`, and so of kubectl.

Other HTTP libraries read the same variables in other ways: they send what is for this machine through the
proxy, and know no ranges of addresses in NO_PROXY.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit

_PORTS = {"http": 80, "https": 443}

_Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def proxy_of(server: str, environment: Mapping[str, str]) -> str | None:
    """The URL of the proxy for a server; None where it is reached without one.

    Args:
        server: The URL of the server.
        environment: Where HTTP_PROXY, HTTPS_PROXY and NO_PROXY are looked up, in capitals or not.

    Raises:
        ValueError: The URL of the server is none.
    """
    parts = urlsplit(server)
    proxy = _variable(f"{parts.scheme}_proxy", environment)
    host, port = (parts.hostname or "").rstrip("."), parts.port or _PORTS.get(parts.scheme)
    if not proxy or _is_here(host) or any(_excludes(host, port, environment)):
        return None
    return proxy if "://" in proxy else f"http://{proxy}"


def _variable(name: str, environment: Mapping[str, str]) -> str:
    return environment.get(name.upper()) or environment.get(name, "")


def _is_here(host: str) -> bool:
    address = _address(host)
    return host == "localhost" if address is None else address.is_loopback


def _excludes(host: str, port: int | None, environment: Mapping[str, str]) -> Iterator[bool]:
    """Whether an entry of NO_PROXY covers the host, for each entry."""
    address = _address(host)
    for entry in _variable("no_proxy", environment).lower().split(","):
        text = entry.strip()
        if not text:
            continue
        network = _network(text)
        if network is not None:
            yield address is not None and address in network
            continue
        name, its_port = _split(text)
        if its_port is not None and its_port != str(port):
            continue
        its_address = _address(name)
        yield _covers(name, host) if its_address is None else its_address == address


def _covers(pattern: str, host: str) -> bool:
    """Whether a name covers a host: its own and those below it; with a dot before it only these."""
    if pattern == "*":
        return True
    pattern = pattern.removeprefix("*")
    return host.endswith(pattern) if pattern.startswith(".") else f".{host}".endswith(f".{pattern}")


def _split(entry: str) -> tuple[str, str | None]:
    """An entry as host and port; brackets stand around an IPv6 address that has one."""
    if entry.startswith("["):
        inside, _, rest = entry[1:].partition("]")
        return inside, rest.removeprefix(":") or None
    name, colon, port = entry.rpartition(":")
    return (name, port) if colon and ":" not in name else (entry, None)


def _address(text: str) -> _Address | None:
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None


def _network(text: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network | None:
    try:
        return ipaddress.ip_network(text, strict=False) if "/" in text else None
    except ValueError:
        return None
