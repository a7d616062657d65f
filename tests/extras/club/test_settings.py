"""What a club keeps, how data files have it, and that every process of a database has the same."""

from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
from support.polling import wait_until

from tracker.app.nights import Nights
from tracker.cli.data_folder import DATA_FILE
from tracker.extras.club.club import Club
from tracker.extras.club.settings import Announcement, ClubNightSettings, ClubSettings, HostLink, RoomTable, Series
from tracker.storage import DataPlace, Store
from tracker.storage.backups import FOLDER, Backups

NIGHT: dict[str, tuple[Any, dict[str, str]]] = {
    "hidden_announcement": ("a1", {"hidden-line": "a1"}),
    "owner": ("00ff00ff", {"owner": "00ff00ff"}),
}
FOLDER_WIDE: dict[str, tuple[Any, dict[str, str]]] = {
    "club_token": ("t0k3n", {"club-link": "t0k3n"}),
    "assistant_token": ("t0k3n", {"assistant-link": "t0k3n"}),
    "announcement": (Announcement("a1", "Last hand"), {"line": '{"id":"a1","text":"Last hand"}'}),
    "series": (Series(8, 0), {"series": '{"hands":8,"ends_at":0}'}),
    "drawn_seats": ({"abc234/ben": 2}, {"drawn-seats": '{"abc234/ben": 2}'}),
    "dismissed_hosts": ({"00ff": "Ruth"}, {"dismissed.00ff": "Ruth"}),
    "host_links": (
        {"00ff": HostLink(1795000000, "ab")},
        {"host-link.00ff": '{"ends_at":1795000000,"token_hash":"ab"}'},
    ),
    "room_tables": ({"7": RoomTable("t0k3n", "abc234")}, {"room-table.7": '{"token":"t0k3n","night":"abc234"}'}),
}
GROUPS = ("dismissed_hosts", "host_links", "room_tables")


def test_what_a_club_keeps_is_stored_by_its_type_and_read_back(tables: Nights) -> None:
    code = tables.open("michigan-rummy").code
    of_folder, of_night = ClubSettings(tables.store), ClubNightSettings(tables.store, code)
    for settings, written in ((of_folder, FOLDER_WIDE), (of_night, NIGHT)):
        for name, (value, texts) in written.items():
            before = dict(settings.texts())
            if name in GROUPS:
                for key, part in value.items():
                    getattr(settings, name).put(key, part)
                assert getattr(settings, name).all() == value
            else:
                setattr(settings, name, value)
                assert getattr(settings, name) == value
            assert {key: text for key, text in settings.texts().items() if before.get(key) != text} == texts


def test_a_copy_put_back_has_no_link_that_was_made_new_since(tmp_path: Path) -> None:
    command = pytest.importorskip("tracker.extras.copies.command", reason="nothing puts copies back")
    path = tmp_path / DATA_FILE
    with closing(Store(path)) as store, closing(Backups(store, tmp_path / FOLDER)) as backups:
        club = Club(store)
        old, copy = club.token, backups.make()
        new = club.renew_link()
    command.put_back(path, copy.path, command.ways_in())
    with closing(Store(path)) as again:
        assert Club(again).token == new != old


@pytest.mark.every_place
def test_the_processes_of_a_place_have_the_same_link_line_and_clock(place: Path | DataPlace) -> None:
    with closing(Store(place)) as one, ExitStack() as opened:
        other = one if isinstance(place, Path) else opened.enter_context(closing(Store(place)))
        assert not other.settings(None).get("club-link")  # the other one has looked, and found none
        assert Club(one).token == Club(other).token
        settings = ClubSettings(one)
        settings.announcement, settings.series = Announcement("a1", "Last hand"), Series(8)
        there = ClubSettings(other)
        wait_until(lambda: (there.announcement, there.series) == (Announcement("a1", "Last hand"), Series(8)))
