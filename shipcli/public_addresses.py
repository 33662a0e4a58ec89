"""Which addresses are public, and not within the network of the server."""

from __future__ import annotations

import socket
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

_NAT64 = IPv6Network("64:ff9b::/96")


def is_public(address: str) -> bool:
    """Whether an IP address is neither private, link-local, loopback nor reserved."""
    ip = ip_address(address.partition("%")[0])
    inner = _find_embedded_ipv4(ip) if isinstance(ip, IPv6Address) else None
    effective = inner or ip
    return effective.is_global and not effective.is_multicast and not effective.is_reserved


def _find_embedded_ipv4(ip: IPv6Address) -> IPv4Address | None:
    """The IPv4 address that an IPv6 address embeds; None if there is none."""
    if ip in _NAT64:
        return IPv4Address(int(ip) & 0xFFFFFFFF)
    return ip.ipv4_mapped or ip.sixtofour


def read_numeric(host: str) -> str | None:
    """The address of a numeric host (also `127.1` and `2130706433`); None for a name."""
    try:
        addresses = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)
    except (OSError, UnicodeError):
        return None
    return str(addresses[0][4][0])
