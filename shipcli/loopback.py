"""Which hosts are this machine itself."""

from __future__ import annotations

from ipaddress import ip_address


def is_loopback(host: str) -> bool:
    """Whether a host is `localhost` or a loopback address; other names are not looked up."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def is_here(host: str) -> bool:
    """Whether a host is this machine, judged by its name: `is_loopback`, or a name under `localhost`."""
    return host.endswith(".localhost") or is_loopback(host)
