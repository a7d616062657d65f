"""Whose requests are counted together: an IPv6 network, as one device may use all of its addresses."""

from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network

SENDER_BITS, NETWORK_BITS_6, NETWORK_BITS_4 = 64, 48, 24
"""What one device may have of IPv6; what one customer is usually given of IPv6, and of IPv4."""
HOME_NETWORKS = tuple(
    map(ip_network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8"))
)
LONGEST_ADDRESS = 100
THIS_MACHINE = frozenset({"127.0.0.1", "::1"})
"""The senders that limits of an address don't count: a proxy may stand there, and send what comes from everybody."""


@lru_cache(maxsize=4096)
def sender_of(address: str) -> str:
    """Return the sender that an address is counted as: the network of 64 bits of IPv6, else the address.

    Scope ids and ports are removed, and IPv4 in IPv6 is IPv4. A link-local address is its device's own, as all devices
    of a link have the same 64 bits. What is no address is its own sender.
    """
    ip = _parsed(address)
    if ip is None:
        return address[:LONGEST_ADDRESS]
    if isinstance(ip, IPv6Address) and not (ip.is_link_local or ip.is_loopback):
        return str(IPv6Network((ip, SENDER_BITS), strict=False))
    return str(ip)


@lru_cache(maxsize=4096)
def network_of(sender: str) -> str:
    """Return the larger network of a sender; a device of this network or machine is its own."""
    ip = _parsed(sender.removesuffix(f"/{SENDER_BITS}"))
    if ip is None or ip.is_loopback:
        return sender
    if isinstance(ip, IPv4Address):
        return sender if any(ip in network for network in HOME_NETWORKS) else _start(ip, NETWORK_BITS_4)
    return _start(ip, SENDER_BITS if ip.is_link_local else NETWORK_BITS_6)


def _parsed(text: str) -> IPv4Address | IPv6Address | None:
    """Return the address in a text, as a proxy may write it: with brackets, a scope id or a port; None for none."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        ip = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return ip.ipv4_mapped or ip if isinstance(ip, IPv6Address) else ip


def _start(ip: IPv4Address | IPv6Address, bits: int) -> str:
    """Return the network of so many bits that an address is in."""
    kept = int(ip) >> (ip.max_prefixlen - bits) << (ip.max_prefixlen - bits)
    return f"{type(ip)(kept)}/{bits}"
