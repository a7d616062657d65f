"""The settings of a club: of the data folder, and of the nights of its hosts."""

import json
from collections.abc import Mapping
from typing import NamedTuple

from tracker.app.settings import FolderSettings, NightSettings, Setting, SettingGroup, record, records
from tracker.storage import DeviceRow


class HostLink(NamedTuple):
    """A link to another browser of a host of the club: when it ends, in seconds since 1970, and its token's hash."""

    ends_at: int
    token_hash: str


class Announcement(NamedTuple):
    """A line of the house to all tables."""

    id: str
    """Another one has another id, also with the same text."""
    text: str


class Series(NamedTuple):
    """How long all tables of a club play: so many hands, or (0) until a moment in seconds since 1970."""

    hands: int
    ends_at: int = 0


class RoomTable(NamedTuple):
    """A table of the room: what the address of its printed code ends in, and the night that was opened at it last."""

    token: str
    night: str = ""


class ClubSettings(FolderSettings):
    """The settings of the data folder, with those of its club."""

    club_token = Setting("club-link", "", str)
    """What the club's link ends in."""
    assistant_token = Setting("assistant-link", "", str)
    """What the link ends in that makes a browser an assistant of the house; empty while there is none."""
    dismissed_hosts = SettingGroup("dismissed.", str, str)
    """By id: the names of hosts of the club who were dismissed; such a host's device opens nothing."""
    host_links = records("host-link.", HostLink)
    """By the id of a host of the club."""
    announcement = record("line", Announcement, None)
    """What stands on every phone and TV until it is taken away."""
    series = record("series", Series, None)
    """What the clock of all tables shows."""
    drawn_seats: Setting[Mapping[str, int]] = Setting(
        "drawn-seats", {}, lambda text: {seat: int(number) for seat, number in json.loads(text).items()}, json.dumps
    )
    """By the code of a night and a seat at it, as `CODE/SEAT`: the table of the room that was drawn for it."""
    room_tables = records("room-table.", RoomTable)
    """By number: the tables of the room in which a club plays."""

    def is_dismissed(self, host: DeviceRow) -> bool:
        """Return whether the device of a host of the club opens nothing any more."""
        return self.dismissed_hosts.get(host.seat or "") is not None


class ClubNightSettings(NightSettings):
    """The settings of a night, with those that a club has of it."""

    owner = Setting("owner", "", str)
    """The id of the host of the club whose night it is; empty for a night of whoever runs the house."""
    hidden_announcement = Setting("hidden-line", "", str)
    """The id of the house's line to all tables that the host has taken away here."""


WAYS_IN = (
    *(one.key for one in (ClubSettings.club_token, ClubSettings.assistant_token)),
    *(one.prefix for one in (ClubSettings.dismissed_hosts, ClubSettings.host_links, ClubSettings.room_tables)),
)
"""The keys, or how they begin, of settings that let somebody in or say who is no more."""
