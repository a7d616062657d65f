"""What every limit counts in place of an address."""

import pytest

from tracker.formats.sender import THIS_MACHINE, network_of, sender_of


@pytest.mark.parametrize(
    ("address", "sender"),
    [
        ("192.168.1.20", "192.168.1.20"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:DB8:1:2::1", "2001:db8:1:2::/64"),
        ("[2001:db8:1:2::1]:443", "2001:db8:1:2::/64"),
        ("[2001:db8:1:2::1]", "2001:db8:1:2::/64"),
        ("fd00::5", "fd00::/64"),
        ("203.0.113.7:51234", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("::ffff:cb00:7107", "203.0.113.7"),
        ("fe80::1%eth0", "fe80::1"),
        ("fe80::2", "fe80::2"),
        ("127.0.0.1", "127.0.0.1"),
        ("::ffff:127.0.0.1", "127.0.0.1"),
        ("::1", "::1"),
        ("unix:", "unix:"),
        ("unknown", "unknown"),
        ("", ""),
        ("x" * 5000, "x" * 100),
    ],
)
def test_an_address_is_counted_as_its_sender(address: str, sender: str) -> None:
    assert sender_of(address) == sender


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.168.1.20", "192.168.1.20"),
        ("127.1.0.5", "127.1.0.5"),
        ("203.0.113.7", "203.0.113.0/24"),
        ("100.64.3.4", "100.64.3.0/24"),
        ("8.8.8.8", "8.8.8.0/24"),
        ("2001:db8:1:2::1", "2001:db8:1::/48"),
        ("2001:db8:1:ffff::1", "2001:db8:1::/48"),
        ("fe80::1", "fe80::/64"),
        ("::1", "::1"),
        ("unknown", "unknown"),
    ],
)
def test_a_sender_is_of_a_network(address: str, network: str) -> None:
    assert network_of(sender_of(address)) == network


def test_this_machine_is_a_sender_of_its_own() -> None:
    assert {sender_of(address) for address in ("127.0.0.1", "::1", "::ffff:127.0.0.1")} == THIS_MACHINE
