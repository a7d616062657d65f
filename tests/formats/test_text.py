"""Names in the order of an alphabet, found by bare letters; text no spreadsheet runs; who sends from an address."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from tracker.app.nights import Nights
from tracker.formats.built_in import built_in
from tracker.formats.sender import THIS_MACHINE, network_of, sender_of
from tracker.formats.text import file_name, name_order, slug, without_marks
from tracker.storage import Store
from tracker.streaming.hub import StreamHub

SORTED = (
    *("adam", "Ægir", "Ägidius", "Anton", "Ärmel", "Émile", "Emma", "Łukasz", "Luzia", "Ñandú", "Oskar", "Øystein"),
    "Zoë",
)


def test_letters_with_marks_stand_beside_the_bare_ones() -> None:
    assert sorted(set(SORTED), key=name_order) == [*SORTED]
    assert without_marks("Ann 星期五 2") == "ann 星期五 2"


def test_every_list_of_names_follows_it(tmp_path: Path) -> None:
    with closing(Store(tmp_path / "nights.db")) as store:
        nights = Nights(store, StreamHub())
        for name in set(SORTED):
            own = replace(built_in("newmarket"), id=slug(f"own-{name}", 40), name=name)
            nights.library.settings.own_presets.put(own.id, own)
        assert [one.name for one in nights.library.own()] == [*SORTED]


def test_a_file_s_name_is_plain_whatever_the_night_is_called() -> None:
    assert file_name("Großmamas Abend / 20. Nov") == "grossmamas-abend-20-nov"
    assert file_name("\u661f\u671f\u4e94") == "night"
    assert file_name("x" * 300) == "x" * 80


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
    assert (sender in THIS_MACHINE) == (address in ("127.0.0.1", "::1", "::ffff:127.0.0.1"))


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
