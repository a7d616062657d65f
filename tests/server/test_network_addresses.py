"""Which address phones are shown, on the machines where the usual guess is wrong."""

import ipaddress
import socket
import sys

import pytest

from tracker.cli import listen_address
from tracker.server import network_addresses
from tracker.server.network_addresses import Address, candidates, rank, score

HOME = ("wlan0", "192.168.1.23")

MACHINES = {
    "a laptop at home": ([("lo", "127.0.0.1"), HOME], HOME[1], HOME[1]),
    "a VPN in the home's own range": ([HOME, ("wg0", "192.168.9.2")], "192.168.9.2", HOME[1]),
    "a newer phone that is the hotspot": (
        [("ccmni1", "10.44.12.7"), ("ap0", "10.177.3.1")],
        "10.44.12.7",
        "10.177.3.1",
    ),
    "containers and no internet": ([("docker0", "172.17.0.1"), ("wlp3s0", "10.0.0.9")], "", "10.0.0.9"),
    "a cable and Wi-Fi": ([("enp3s0", "192.168.1.9"), HOME], "192.168.1.9", "192.168.1.9"),
    "a Mac that shares its connection": (
        [("en0", "203.0.113.8"), ("bridge100", "192.168.2.1")],
        "203.0.113.8",
        "192.168.2.1",
    ),
    "Windows at home with a VPN that takes everything": (
        [("Intel(R) Wi-Fi 6 AX201 160MHz", "192.168.1.20"), ("TAP-Windows Adapter V9", "10.8.0.2")],
        "10.8.0.2",
        "192.168.1.20",
    ),
    "Windows that is the hotspot, on mobile data": (
        [("Microsoft Wi-Fi Direct Virtual Adapter #2", "192.168.137.1"), ("Sierra Wireless LTE Modem", "10.64.3.2")],
        "10.64.3.2",
        "192.168.137.1",
    ),
    "Windows with Hyper-V, on a cable": (
        [("Hyper-V Virtual Ethernet Adapter", "172.29.0.1"), ("Intel(R) Ethernet Connection I219-V", "10.0.0.7")],
        "10.0.0.7",
        "10.0.0.7",
    ),
    "an iPhone's hotspot and VirtualBox, without names": (
        [("", "172.20.10.2"), ("", "192.168.56.1")],
        "",
        "172.20.10.2",
    ),
    "its own hotspot and a mobile modem, without names": (
        [("", "192.168.137.1"), ("", "10.64.3.2")],
        "10.64.3.2",
        "192.168.137.1",
    ),
    "Windows, where names are not known": ([("", "172.29.0.1"), ("", "192.168.1.40")], "192.168.1.40", "192.168.1.40"),
    "an address nobody gave, beside one that somebody did": (
        [("wlan0", "169.254.3.4"), ("eth1", "10.1.1.1")],
        "",
        "10.1.1.1",
    ),
}


@pytest.mark.parametrize("machine", MACHINES)
def test_the_first_address_is_the_one_phones_can_reach_and_every_other_is_offered_but_localhost(machine: str) -> None:
    found, default_route, expected = MACHINES[machine]
    offered = [one.ip for one in rank(found, default_route)]
    assert offered[0] == expected
    assert {*offered} == {ip for _, ip in found if not ip.startswith("127.")}


NAMES = {
    "Wi-Fi": (
        *("wlan0", "wlp3s0", "ap0", "swlan0", "bridge100", "Intel(R) Wi-Fi 6 AX201 160MHz", "Wireless LAN 802.11ac"),
        *("Microsoft Wi-Fi Direct Virtual Adapter #2", "Microsoft Hosted Network Virtual Adapter"),
    ),
    "cable": ("eth0", "enp3s0", "usb0", "rndis0", "Realtek Gaming GbE", "Intel(R) Ethernet Connection I219-V"),
    "a VPN": ("tun0", "wg0", "ppp0", "utun3", "tailscale0", "nordlynx", "TAP-Windows Adapter V9", "WireGuard Tunnel"),
    "mobile data": ("rmnet_data0", "v4-rmnet_data1", "ccmni1", "Sierra Wireless LTE Modem"),
    "inside this machine": (
        *("docker0", "br-1a2b", "virbr0", "VirtualBox Host-Only Ethernet Adapter", "Hyper-V Virtual Ethernet Adapter"),
    ),
}


@pytest.mark.parametrize("kind", NAMES)
def test_an_interface_is_known_by_its_name_and_only_wi_fi_and_cables_are_likely(kind: str) -> None:
    found = [score("10.1.2.3", name, is_default_route=False) for name in NAMES[kind]]
    assert {one and one.why for one in found} == {f"a private network, {kind}"}
    assert {one and one.is_unlikely for one in found} == {kind not in ("Wi-Fi", "cable")}


@pytest.mark.parametrize("ip", ["127.0.0.1", "127.8.8.8", "0.0.0.0", "224.0.0.1", "::1", "fe80::1", "", "no address"])
def test_an_address_that_no_phone_can_reach_is_not_offered(ip: str) -> None:
    assert score(ip, "wlan0", is_default_route=True) is None


def test_an_address_says_why_it_stands_where_it_stands() -> None:
    best, worst = rank([("docker0", "172.17.0.1"), HOME], HOME[1])
    assert best.why == "a home network, Wi-Fi, the way to the internet"
    assert worst.why == "a private network, inside this machine"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="lists interfaces the Linux way")
def test_linux_names_its_interfaces_and_the_library_for_the_other_systems_finds_the_same() -> None:
    listed = set(network_addresses._interfaces())
    assert set(network_addresses._adapters()) == listed
    assert {name for name, _ in listed} <= {name for _, name in socket.if_nameindex()}


def test_this_machine_lists_its_own_addresses() -> None:
    for one in candidates():
        assert not ipaddress.ip_address(one.ip).is_loopback
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as sock:
            sock.bind((one.ip, 0))


def test_phones_are_told_the_addresses_that_the_machine_has_now(monkeypatch: pytest.MonkeyPatch) -> None:
    address = listen_address.ListenAddress()
    for ip in ("192.168.1.23", "192.168.43.1"):  # in mid-evening somebody opens a hotspot
        monkeypatch.setattr(listen_address, "candidates", lambda now=ip: [Address(now, 50, "Wi-Fi")])
        assert address.hosts() == address.likely_hosts() == [ip]
