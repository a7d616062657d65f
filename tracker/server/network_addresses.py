"""Addresses that phones can reach this machine at, the likeliest first: no single question to the system has them."""

import ipaddress
import re
import socket
import struct
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

# Names of interfaces, as Linux, Android and macOS give them, and of Windows' adapters; the first that fits counts.
KINDS = [
    # Windows
    (r".*(wi-?fi direct|hosted network)", 40, "Wi-Fi"),
    (r".*(virtualbox|vmware|hyper-v|vethernet|wsl|npcap|loopback)", -60, "inside this machine"),
    (r".*(vpn|wireguard|wintun|tunnel|tap-|zerotier|anyconnect|fortinet|juniper|hamachi)", -50, "a VPN"),
    (r".*(mobile broadband|wwan|cellular|\blte\b|modem)", -50, "mobile data"),
    (r".*(wi-?fi|wireless|wlan|802\.11)", 40, "Wi-Fi"),
    (r".*(ethernet|gbe|gigabit|\blan\b)", 30, "cable"),
    # Linux, Android and macOS
    (
        r"docker|br-|veth|virbr|vmnet|vboxnet|vnet|lxc|lxd|cni|flannel|cali|podman|kube|dummy",
        -60,
        "inside this machine",
    ),
    (r"tun|tap|wg|ppp|ipsec|utun|tailscale|ts\d|zt|nordlynx|proton|cscotun|gpd", -50, "a VPN"),
    (r"rmnet|r_rmnet|rev_rmnet|ccmni|ccinet|pdp|wwan|wwp|seth|v4-|clat", -50, "mobile data"),
    (r"wl|ap\d|swlan|softap|wifi|ath|ra\d|bridge100", 40, "Wi-Fi"),
    (r"eth|en|em\d|usb|rndis|ncm|br\d|bond", 30, "cable"),
]

CARRIER = ipaddress.ip_network("100.64.0.0/10")  # shared by carriers' networks and by Tailscale
HOME = [ipaddress.ip_network(network) for network in ("192.168.0.0/16", "10.0.0.0/8", "172.16.0.0/12")]
DOCKER = ipaddress.ip_network("172.16.0.0/12")
HOTSPOTS = [
    ipaddress.ip_network(network)
    for network in ("172.20.10.0/28", "192.168.43.0/24", "192.168.137.0/24")  # iPhone, Android, Windows
]
VIRTUALBOX = ipaddress.ip_network("192.168.56.0/24")

# Places that nobody answers from. Only the route to them is looked up: nothing is sent.
PROBES = ("192.0.2.1", "192.168.255.254", "10.255.255.254", "172.31.255.254")

SIOCGIFCONF = 0x8912


UNLIKELY = 10
"""Fewer points have addresses of a VPN, mobile data, a container, or a network that gave this machine none."""


@dataclass(frozen=True)
class Address:
    """An address of this machine; the higher the score, the likelier a phone on the same Wi-Fi reaches it."""

    ip: str
    score: int
    why: str

    @property
    def is_unlikely(self) -> bool:
        """Whether phones will probably not reach it."""
        return self.score < UNLIKELY


def candidates() -> list[Address]:
    """Return this machine's addresses, the likeliest first; empty when it is in no network."""
    routed, found = _routed(), _interfaces()
    named = {ip for _, ip in found}
    found += [("", ip) for ip in routed if ip not in named]
    return rank(found, default_route=routed[0] if routed else "")


def rank(found: Iterable[tuple[str, str]], default_route: str = "") -> list[Address]:
    """Return (interface, address) pairs as scored addresses, best first, without those no phone can ever reach."""
    scored = [score(ip, interface, is_default_route=ip == default_route) for interface, ip in found]
    return sorted((one for one in scored if one is not None), key=lambda one: (-one.score, one.ip))


def score(ip: str, interface: str, *, is_default_route: bool) -> Address | None:
    """Return an address with its score and the reasons for it; None for localhost and what isn't an IPv4 address."""
    try:
        number = ipaddress.IPv4Address(ip)
    except ValueError:
        return None
    if number.is_loopback or number.is_unspecified or number.is_multicast or interface == "lo":
        return None
    reasons = [_by_range(number), _by_interface(number, interface)]
    if is_default_route:
        reasons.append((15, "the way to the internet"))
    return Address(ip, sum(points for points, _ in reasons), ", ".join(word for _, word in reasons if word))


def _by_range(number: ipaddress.IPv4Address) -> tuple[int, str]:
    if number.is_link_local:
        return -60, "no address was given to this machine"
    if number in CARRIER:
        return 0, "a carrier's or VPN address"
    if any(number in network for network in HOTSPOTS):
        return 60, "a hotspot"
    if number in HOME[0]:
        return 50, "a home network"
    if any(number in network for network in HOME):
        return 40, "a private network"
    return 10, "a public address"


def _by_interface(number: ipaddress.IPv4Address, interface: str) -> tuple[int, str]:
    for names, points, word in KINDS:
        if re.match(names, interface, re.IGNORECASE):
            return points, word
    if number in VIRTUALBOX or (not interface and number in DOCKER and number not in HOTSPOTS[0]):
        return 0, "perhaps inside this machine"
    return 10, ""


def _interfaces() -> list[tuple[str, str]]:
    """Return (interface, address) of all that are up: on Linux by the one way that Android leaves open."""
    if not sys.platform.startswith(("linux", "android")):
        return _adapters()
    import array  # noqa: PLC0415 - only needed here
    import fcntl  # noqa: PLC0415 - not on Windows

    # struct ifreq: a name of 16 bytes, then a union as large as its largest member, a map of device memory.
    size = 16 + (24 if struct.calcsize("P") == 8 else 16)
    buffer = array.array("B", bytes(size * 64))
    request = struct.pack("iP", len(buffer), buffer.buffer_info()[0])
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        (length,) = struct.unpack_from("i", fcntl.ioctl(sock.fileno(), SIOCGIFCONF, request))
        raw = buffer.tobytes()[:length]
        rows = [raw[start : start + size] for start in range(0, len(raw) - size + 1, size)]
        return [(row[:16].split(b"\0")[0].decode("ascii", "replace"), socket.inet_ntoa(row[20:24])) for row in rows]
    return []


def _adapters() -> list[tuple[str, str]]:
    """Return (name, address) of all adapters; Windows names what an adapter is, macOS calls it en0 or utun3."""
    import ifaddr  # noqa: PLC0415 - only needed where Linux's own way is missing

    with suppress(OSError):
        return [
            (adapter.nice_name, str(ip.ip)) for adapter in ifaddr.get_adapters() for ip in adapter.ips if ip.is_IPv4
        ]
    return []


def _routed() -> list[str]:
    """Return the addresses this machine would send from, that of the default route first."""
    found: list[str] = []
    for probe in PROBES:
        with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
            sock.connect((probe, 9))
            found.append(sock.getsockname()[0])
    return list(dict.fromkeys(found))
