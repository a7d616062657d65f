"""A club: each host sees only their own nights, which name the host's stored device; others are the house's."""

import hmac
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import cycle
from random import Random

from tracker.app.event_rows import now
from tracker.app.person_names import comparison_key
from tracker.app.steady_clock import SteadyClock, is_before
from tracker.extras._night_summaries.pages import get_all_summaries
from tracker.extras.club.settings import ClubNightSettings, ClubSettings, HostLink, RoomTable
from tracker.formats.evening import order_of
from tracker.storage import DeviceRow, NotSaved, Store
from tracker.web.access.devices import NOBODY, Identity
from tracker.web.access.permissions import HOUSE, Owners
from tracker.web.access.rate_limits import GuessLimit
from tracker.web.access.roles import OWNER, Roles
from tracker.web.base.context import get_nights, is_running
from tracker.web.wording.texts import gettext as _

ASSISTANT = "assistant"
"""The role, outside of all nights, of whoever helps the house: sees its tables and lets people in."""
SCREEN = "screen"
"""The role, outside of all nights, of the screen of the room in which a club plays: shows one page."""
SEES_HOUSE: Roles = frozenset({"host", ASSISTANT})
"""Who sees the tables of a club and lets people in."""
CLUB_ROLES: Roles = frozenset({OWNER, ASSISTANT, SCREEN})
"""The roles of devices that only a club has, outside of all nights."""
SEEN_EVERY = timedelta(minutes=10)
"""How exactly it is kept when a host of the club was seen last."""
LINK_SECONDS = 24 * 3600
"""How long a link to another browser of a host is good: it is sent to somebody who may not be there."""


@dataclass(frozen=True)
class ClubLimits:
    """How much one host may use, and how many hosts there may be."""

    hosts: int = 200
    waiting: int = 12
    live_tables: int = 4
    """Nights of a host that go on at once."""
    nights: int = 500
    """Nights of a host that are kept."""
    phones: int = 60
    """Devices at one table, watchers included."""
    room_tables: int = 99


class Club(Owners):
    """The hosts of a club, whose night is whose, and the links by which somebody becomes a host."""

    are_several = True

    def __init__(self, store: Store, clock: Callable[[], float] | None = None) -> None:
        self.store, self.settings = store, ClubSettings(store)
        self.limits, self._clock = ClubLimits(), clock or SteadyClock()
        self.new_hosts = GuessLimit(30, 60, 600, rows=store.temporary, kind="new-host")

    @property
    def most_phones(self) -> int:
        return self.limits.phones

    # The club's link

    @property
    def token(self) -> str:
        """What the club's link ends in; made when it is first asked for."""
        return self.settings.made_once(ClubSettings.club_token, lambda: secrets.token_urlsafe(18))

    def renew_link(self) -> str:
        """Make another link, and return what it ends in; the old one leads nowhere from now on."""
        self.settings.club_token = token = secrets.token_urlsafe(18)
        return token

    def is_link(self, token: str, *, of_assistants: bool = False) -> bool:
        """Return whether the club's link ends so, or that for assistants; nothing is that while there is none."""
        known = self.settings.assistant_token if of_assistants else self.token
        return bool(known) and hmac.compare_digest(token.encode(), known.encode())

    def set_assistant_link(self, *, is_open: bool) -> None:
        """Make another link for assistants of the house, or have none."""
        self.settings.assistant_token = secrets.token_urlsafe(18) if is_open else ""

    # Hosts

    def hosts(self) -> list[DeviceRow]:
        """Return the hosts of the club, the first one first."""
        rows = self.store.devices.of(None, OWNER)
        return [row for row in rows if not self.settings.is_dismissed(row)]

    def identity_of(self, row: DeviceRow) -> Identity:
        """Return who a device is outside of all nights: a host, an assistant, the screen of the room, or who waits."""
        if self.settings.is_dismissed(row):
            return NOBODY
        if row.role not in CLUB_ROLES:
            return Identity("knock", device=row.id, name=row.name)
        if abs(datetime.now(UTC) - order_of(row.seen_at)) > SEEN_EVERY:
            with suppress(NotSaved):
                self.store.devices.change(row.id, seen_at=now())
        return Identity(row.role, device=row.id, name=row.name, owner=row.seat or "")

    def host(self, owner: str) -> DeviceRow | None:
        """Return the host of an id; None for the house, and for a host who was dismissed."""
        return next((row for row in self.hosts() if row.seat == owner), None) if owner else None

    def new_link(self, owner: str) -> str:
        """Return the token of a link, good once, that gives this host another browser; older ones end."""
        token = secrets.token_urlsafe(32)
        self.settings.host_links.put(owner, HostLink(int(self._clock() + LINK_SECONDS), _hash(token)))
        return token

    def host_of_link(self, token: str) -> DeviceRow | None:
        """Return the host whom a link would give another browser now, or None."""
        for owner, link in self.settings.host_links.all().items():
            if hmac.compare_digest(link.token_hash, _hash(token)) and is_before(
                self._clock(), link.ends_at, LINK_SECONDS
            ):
                return self.host(owner)
        return None

    def end_link(self, owner: str) -> None:
        self.settings.host_links.put(owner, None)

    def dismiss(self, host: DeviceRow) -> None:
        """End a host and the link to another browser: the nights are nobody's. The device stays, for `take_back`."""
        self.end_link(host.seat or "")
        self.settings.dismissed_hosts.put(host.seat or "", host.name)

    def returnable(self) -> list[DeviceRow]:
        """Return the hosts who were dismissed and can be taken back: not one whose name another host has now."""
        names = {comparison_key(row.name) for row in self.hosts()}
        rows = self.store.devices.of(None, OWNER)
        return [row for row in rows if self.settings.is_dismissed(row) and comparison_key(row.name) not in names]

    def take_back(self, owner: str) -> None:
        """Undo that a host was dismissed: the browser is that of the host again, and so are the nights not given on."""
        if any(row.seat == owner for row in self.returnable()):
            self.settings.dismissed_hosts.put(owner, None)

    def dismissed(self) -> list[tuple[str, str]]:
        """Return id and name of each host who was dismissed and has nights still."""
        owners = {*self.owners().values()}
        noted = self.settings.dismissed_hosts.all().items()
        return [(owner, name) for owner, name in noted if name and owner in owners and not self.host(owner)]

    # Whose night it is

    def owner_of(self, code: str) -> str:
        """Return the id of the host whose night it is; HOUSE for a night of the house, or of nobody's."""
        return ClubNightSettings(self.store, code).owner

    def set_owner(self, code: str, owner: str) -> None:
        if self.owner_of(code) != owner:
            ClubNightSettings(self.store, code).owner = owner

    def refusal(self, owner: str, key: str) -> str:
        if owner == HOUSE or get_nights().opened_with(key):
            return ""
        summaries = get_all_summaries().only(self.is_own(owner))
        own = [*summaries.all(), *summaries.deleted()]
        if sum(is_running(one) for one in own) >= self.limits.live_tables:
            return _(
                "You have %(n)s tables that go on: no more at once. End one of them first, by “Finish the night”.",
                n=self.limits.live_tables,
            )
        if len(own) >= self.limits.nights:
            return _("You have %(n)s nights here: no more fit. Ask whoever runs the house.", n=self.limits.nights)
        return ""

    def give_nights(self, source: str, target: str) -> None:
        """Make all nights of a host who was dismissed those of another one."""
        if source in dict(self.dismissed()):
            for code, owner in self.owners().items():
                if owner == source:
                    self.set_owner(code, target)

    def owners(self) -> dict[str, str]:
        """Return whose night it is, by code, for the nights that are not the house's."""
        return self.store.settings_of_nights(ClubNightSettings.owner.key)

    def is_own(self, owner: str) -> Callable[[str], bool]:
        """Return a function that says of a night's code whether it is this host's, as it is now."""
        owners = self.owners()
        return lambda code: owners.get(code, HOUSE) == owner

    # The tables of the room

    def room_tables(self) -> dict[int, RoomTable]:
        """Return the tables of the room by their numbers, in order."""
        tables = self.settings.room_tables.all().items()
        return dict(sorted((int(name), table) for name, table in tables if name.isdecimal()))

    def set_room_tables(self, count: int) -> None:
        """Have so many tables: what is printed of those that stay stays good; a new one gets a code of its own."""
        tables = self.room_tables()
        for number in sorted({*tables, *range(1, count + 1)}):
            if number > count:
                self.settings.room_tables.put(str(number), None)
            elif number not in tables:
                self.settings.room_tables.put(str(number), RoomTable(secrets.token_urlsafe(9)))

    def room_table(self, token: str) -> tuple[int, str] | None:
        """Return the number of the table whose printed code this is, and the night that was opened at it last."""
        found = (
            one for one in self.room_tables().items() if hmac.compare_digest(one[1].token.encode(), token.encode())
        )
        return next(((number, table.night) for number, table in found), None)

    def place(self, code: str, number: int) -> None:
        """Have a night be the one at a table of the room, if there is that table."""
        if table := self.room_tables().get(number):
            self.settings.room_tables.put(str(number), table._replace(night=code))

    def place_of(self, code: str) -> int:
        """Return the number of the table at which a night was opened last; 0 for none."""
        return next((number for number, table in self.room_tables().items() if table.night == code), 0)


def deal_out(seats: Sequence[str], tables: Sequence[int], chance: Random) -> dict[str, int]:
    """Return the table that is drawn for each seat; by lot some tables get one more than others."""
    order = chance.sample(tables, len(tables))
    return dict(zip(chance.sample(seats, len(seats)), cycle(order)))


def new_owner() -> str:
    """Return an id for a new host; random, so that a night from another machine is nobody's here."""
    return secrets.token_hex(8)


def _hash(token: str) -> str:
    return sha256(token.encode()).hexdigest()
