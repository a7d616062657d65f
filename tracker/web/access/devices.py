"""Which phone is asking: the cookie of a night, the row behind it, and the tokens that stand for both.

A browser holds one cookie per night, so what it may do at one table says nothing about another, and one more
without a night for the browser that opened the link from the terminal. A cookie is looked up at every request.
"""

import hashlib
import secrets
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from flask import Request, Response, g, request
from werkzeug.http import parse_cookie

from tracker.app.event_rows import now
from tracker.app.settings import Admission, FolderSettings, NightSettings, SettingGroup
from tracker.app.steady_clock import SteadyClock, is_before
from tracker.formats.sender import THIS_MACHINE, network_of
from tracker.storage import DeviceRow, DiskTrouble, Store
from tracker.web.access.answered_forms import note_ended, note_given
from tracker.web.access.request_guards import label_of, sender

COOKIE_SECONDS = 7 * 24 * 3600
MOST_WAITING, MOST_WAITING_PER_SENDER = 12, 8  # join requests of a night that nobody has answered
WAITING_SECONDS, HOUSE_WAITING_SECONDS = 30 * 60, 12 * 3600
"""How long a join request is asked about: at a table, and by whoever runs a house, who may look once an evening."""
ADMISSION_SECONDS = 5 * 60
"""How long a yes holds for a phone that has not come in yet."""
MOST_PEOPLE_PER_SENDER = 4
"""People whom a sender may seat at a night without a question."""
MOST_WATCHERS, MOST_WATCHERS_PER_SENDER = 40, 8  # of a night; more than these are asked about, also in the lobby
SENDERS_OF_A_NETWORK = 2
"""So many times as many as one sender may have come unasked from all senders of a network."""
MOST_PER_SEAT = 3
CAME_FROM, ADDRESS_SECONDS = "came-from", 12 * 3600.0
"""Where devices came from, and for how long that is kept."""
SCRIPT = "script"
"""What lists of devices call the holder of a token that was made for a script."""


@dataclass(frozen=True)
class Identity:
    """Who sent a request: a role at one night (`code`), or outside of all nights (`code` None)."""

    role: str | None = None
    """`host`, `seat`, `watcher`, `knock`, or None for somebody unknown; outside of all nights also `owner`, and what
    extras add."""
    seat: str | None = None
    device: int | None = None
    name: str = ""
    code: str | None = None
    owner: str = ""
    """The id of an owner of nights; empty for the house, and for everybody who opens none."""

    @property
    def by(self) -> str:
        """What the log says recorded an event: the seat, else the name, else the role."""
        return self.seat or self.name or self.role or ""


NOBODY = Identity()


def waiting_seconds(row: DeviceRow) -> int:
    return WAITING_SECONDS if row.code else HOUSE_WAITING_SECONDS


class Arrivals:
    """The devices that were made since the program began, in memory: those of before have arrived."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """`clock` returns seconds since 1970, and never jumps."""
        self._clock, self._begun = clock, clock()
        self._made: dict[int, float] = {}
        self.arrived: set[int] = set()
        """The devices that came back with their cookies while the program ran."""

    def note_made(self, row: DeviceRow) -> None:
        """Remember that a device was made just now."""
        self._made[row.id] = self._clock()

    def note(self, row: DeviceRow) -> None:
        """Remember that a device came back with its cookie."""
        self.arrived.add(row.id)

    def has(self, row: DeviceRow) -> bool:
        """Return whether a device ever came back with its cookie."""
        return row.id not in self._made or row.id in self.arrived

    def forget(self, device: int) -> None:
        """Let go of a device that has ended."""
        self._made.pop(device, None)

    def waits(self, row: DeviceRow) -> bool:
        """Return whether a join request is still asked about: the time of one from before begins anew at the start."""
        return self._clock() - self._made.get(row.id, self._begun) < waiting_seconds(row)


class OldTokens:
    """What is known of tokens in whose place devices got newer ones. Here no device gets any; an extra that gives roles
    on puts its own in place.
    """

    def device_of(self, _code: str, _token: str) -> DeviceRow | None:
        """Return the device that had a token until it got a newer one, which it is sent again, in the role it has."""
        return None

    def note_newer(self, row: DeviceRow) -> None:
        """Note that a device came with its newest token."""

    def forget(self, row: DeviceRow) -> None:
        """Let go of a device that has ended."""


class Devices:
    """Lets phones in, knows them again and sends them away."""

    def __init__(
        self,
        store: Store,
        *,
        clock: Callable[[], float] | None = None,
        publish: Callable[[str], None] = lambda _code: None,
    ) -> None:
        """Open the devices of a store; `clock` returns seconds since 1970, and never jumps.

        `publish` has the pages of a night sent again: a phone that has come shows on the others.
        """
        self.store, self._table = store, store.devices
        self.other_identity: Callable[[DeviceRow], Identity] = lambda _row: NOBODY
        """Returns who a device that is not the house's is outside of all nights; an extra may let some in."""
        self.site_cookie_seconds = COOKIE_SECONDS
        """How long a browser holds a cookie that is of no night."""
        self.clock = clock or SteadyClock()
        self._publish = publish
        self.cookie_name = f"board_{store.instance}"
        self.arrivals = Arrivals(self.clock)
        self.old_tokens = OldTokens()

    # Knowing a phone again

    def identity_of(self, asked: Request, code: str | None) -> Identity:
        """Return who sends this request, at the night `code` or (None) outside of all."""
        token = asked.cookies.get(self._cookie(code, asked), "")
        row = self._table.by_token(hash_token(token)) if token else None
        if row and row.code:
            self.old_tokens.note_newer(row)
        elif row is None and token and code:
            row = self.old_tokens.device_of(code, token)
        if row is None or row.code != code or not self._is_good(row):
            return NOBODY
        if row.code is None:
            return self._site_identity(row)
        if row.id not in self.arrivals.arrived:
            self._note_arrival(row)
        return Identity(role=row.role, seat=row.seat, device=row.id, name=row.name, code=row.code)

    def _site_identity(self, row: DeviceRow) -> Identity:
        """Return who a device is outside of all nights."""
        return Identity("host", device=row.id, name=row.name) if row.role == "host" else self.other_identity(row)

    def is_site_host(self, cookies: str) -> bool:
        """Return whether this header is of a browser that opened the terminal's link."""
        sent = parse_cookie(cookies)
        tokens = [sent.get(name, "") for name in (self.cookie_name, f"__Host-{self.cookie_name}")]
        rows = [self._table.by_token(hash_token(token)) for token in tokens if token]
        return any(row is not None and row.code is None and row.role == "host" for row in rows)

    def nights_of(self, asked: Request) -> list[str]:
        """Return the codes of the nights that this browser may have a role in: those that it holds a cookie of."""
        start = self._cookie("", asked) + "_"
        return [name[len(start) :] for name in asked.cookies if name.startswith(start)]

    def has_arrived(self, row: DeviceRow) -> bool:
        """Return whether a phone ever came back with its cookie: if not, the answer to its joining got lost."""
        return row.role == "host" or row.label == SCRIPT or self.arrivals.has(row)

    def _note_arrival(self, row: DeviceRow) -> None:
        """Remember that a phone came back with its cookie."""
        is_new = not self.has_arrived(row)
        self.arrivals.note(row)
        if is_new and row.code:
            self._publish(row.code)

    # Letting in and sending away

    def register_device(
        self, code: str | None, role: str, *, seat: str | None = None, name: str = "", label: str = ""
    ) -> Identity:
        """Make a device and hand its token to this request's answer; what the browser was before ends here."""
        before = self.identity_of(request, code)
        token = secrets.token_urlsafe(32)
        label = label or label_of(request.headers.get("User-Agent", ""))
        row = self._table.add(hash_token(token), code=code, role=role, at=now(), seat=seat, name=name, label=label)
        self.arrivals.note_made(row)
        with suppress(DiskTrouble):
            self.store.temporary.add(CAME_FROM, str(row.id), ADDRESS_SECONDS, sender())
        if before.device is not None:
            self.dismiss(before.device)
        self.give_token(code, token)
        identity = Identity(role=role, seat=seat, device=row.id, name=name, code=code)
        if code is None:
            identity = self._site_identity(row)
        g.identity = identity
        note_given(row.id)
        return identity

    def move_here(self, row: DeviceRow) -> None:
        """Give a device's role to the browser that asks, by a new token; the browser that had it is a stranger now."""
        token = secrets.token_urlsafe(32)
        self._table.change(row.id, token_hash=hash_token(token))
        self.give_token(row.code, token)

    def bring_along(self, code: str, next_code: str, seats: Mapping[str, str], host: int | None) -> None:
        """Give the phones of a night their seats at the next one by `seats`, or none; `host` has its token already."""
        followers = NightSettings(self.store, code).next_devices
        for row in self._table.of(code):
            is_somebody = row.role != "knock" and row.label != SCRIPT and row.id != host
            if not is_somebody or (row.seat and row.seat not in seats):
                continue
            seat = seats[row.seat] if row.seat else None
            token, role = hash_token(secrets.token_urlsafe(32)), "seat" if seat else "watcher"
            made = self._table.add(
                token, code=next_code, role=role, at=now(), seat=seat, name=row.name, label=row.label
            )
            self.arrivals.note_made(made)
            followers.put(str(row.id), made.id)

    def next_of(self, identity: Identity) -> DeviceRow | None:
        """Return the device that a browser was given at the next night; None once that has ended."""
        if identity.device is None or not identity.code:
            return None
        settings = NightSettings(self.store, identity.code)
        found = settings.next_devices.get(str(identity.device)) if settings.next_night else None
        return next((row for row in self._table.of(settings.next_night) if row.id == found), None) if found else None

    def dismiss(self, device: int) -> None:
        """End a device: its next request is a stranger's."""
        row = self._table.revoke(device)
        note_ended(device)
        self.arrivals.forget(device)
        with suppress(DiskTrouble):
            self.store.temporary.take(CAME_FROM, str(device))
        if row:
            self._admissions(row.code).put(str(device), None)
        if row and row.code:
            self.old_tokens.forget(row)

    def is_there(self, device: int) -> bool:
        """Return whether a device has not ended."""
        return self._table.by_id(device) is not None

    def devices_of(self, code: str) -> Sequence[DeviceRow]:
        """Return a night's devices in the order they came."""
        return self._table.of(code)

    def at_seat(self, code: str, seat: str) -> list[DeviceRow]:
        """Return the phones that hold a seat, the oldest first."""
        return [row for row in self._table.of(code) if row.seat == seat and row.role in ("seat", "host")]

    def seats_with_phone(self, code: str) -> set[str]:
        """Return the seats that somebody holds with a phone that really arrived."""
        return {
            row.seat
            for row in self._table.of(code)
            if row.seat and row.role in ("seat", "host") and row.label != SCRIPT and self.has_arrived(row)
        }

    def join_requests(self, code: str | None) -> list[DeviceRow]:
        """Return the phones that wait to be let in, the first one first; with None, by the house."""
        return [row for row in self._table.of(code, "knock") if not self._admission(row) and self._is_good(row)]

    def join_request(self, code: str | None, device: int) -> DeviceRow | None:
        """Return the join request of a device; None when somebody has answered it meanwhile."""
        return next((row for row in self.join_requests(code) if row.id == device), None)

    def admitted(self, code: str) -> list[DeviceRow]:
        """Return the phones that somebody has said yes to and that have not come in yet."""
        return [row for row in self._table.of(code, "knock") if self._admission(row)]

    def _is_good(self, row: DeviceRow) -> bool:
        """Return whether a device is still somebody: a join request ends when nobody has answered it for long."""
        return row.role != "knock" or self.arrivals.waits(row) or self._admission(row) is not None

    def _admission(self, row: DeviceRow) -> Admission | None:
        """Return what a waiting phone was admitted to, while that holds."""
        admission = self._admissions(row.code).get(str(row.id))
        most = ADMISSION_SECONDS if row.code else HOUSE_WAITING_SECONDS
        return admission if admission and is_before(self.clock(), admission.until, most) else None

    def _admissions(self, code: str | None) -> SettingGroup[Admission]:
        """Return what the devices that wait for a night, or for the house, were admitted to, by device."""
        settings = NightSettings(self.store, code) if code else FolderSettings(self.store)
        return settings.admissions

    def end_admissions(self, code: str, seat: str | None = None) -> None:
        """Send away the phones that were admitted and have not come in yet: to one seat, or all of a night."""
        for row in self._table.of(code, "knock"):
            admission = self._admissions(code).get(str(row.id))
            if admission and seat in (None, admission.seat):
                self.dismiss(row.id)

    def make_room_to_wait(self, code: str | None, identity: Identity, asker: str) -> bool:
        """Return whether one more join request of this sender may wait; the network with the most makes room for it."""
        for row in self._table.of(code, "knock"):
            if not self._is_good(row):
                self.dismiss(row.id)
        others = [row for row in self.join_requests(code) if row.id != identity.device]
        if self._count_from(asker, others) >= MOST_WAITING_PER_SENDER:
            return False
        if len(others) < MOST_WAITING:
            return True
        known = {row.id: network_of(self._sender_of(row)) for row in others}
        counts = Counter(one for one in known.values() if one and one not in THIS_MACHINE)
        busiest, most = max(counts.items(), key=lambda pair: pair[1], default=("", 0))
        if most < 2:
            return False
        self.dismiss(next(row.id for row in others if known[row.id] == busiest))
        return True

    def may_seat_unasked(self, code: str, comer: str) -> bool:
        """Return whether one more person of this sender may sit down in an open lobby without a question."""
        return self._has_few(comer, self._table.of(code, "seat"), MOST_PEOPLE_PER_SENDER)

    def is_lost(self, row: DeviceRow, asker: str) -> bool:
        """Return whether the answer by which a phone sat down may have got lost on its way to this sender."""
        came_from = self._sender_of(row)  # empty: brought along from another night, and not here yet
        return not self.has_arrived(row) and (asker in THIS_MACHINE or came_from in ("", asker))

    def may_watch_unasked(self, code: str, comer: str) -> bool:
        """Return whether one more watcher of this sender may come into an open lobby without a question."""
        watchers = self._table.of(code, "watcher")
        return len(watchers) < MOST_WATCHERS and self._has_few(comer, watchers, MOST_WATCHERS_PER_SENDER)

    def _has_few(self, comer: str, rows: Sequence[DeviceRow], most: int) -> bool:
        """Return whether less than `most` of these devices came from a sender, and not many more from its network."""
        if comer in THIS_MACHINE:
            return True
        network = network_of(comer)
        of_network = sum(network_of(self._sender_of(row)) == network for row in rows) if network != comer else 0
        return self._count_from(comer, rows) < most and of_network < SENDERS_OF_A_NETWORK * most

    def _count_from(self, comer: str, rows: Sequence[DeviceRow]) -> int:
        known = self.store.temporary.keys(CAME_FROM, comer) if rows and comer not in THIS_MACHINE else ()
        return sum(str(row.id) in known for row in rows)

    def _sender_of(self, row: DeviceRow) -> str:
        """Return where a device came from; empty where that is not known."""
        return self.store.temporary.value(CAME_FROM, str(row.id)) or ""

    def let_in(
        self, join_request: DeviceRow, role: str, seat: str | None, *, is_held: bool = False, sit: int = 0
    ) -> None:
        """Admit a join request for minutes; `is_held`: another phone has the seat, `sit`: how its person sat down."""
        seconds = ADMISSION_SECONDS if join_request.code else HOUSE_WAITING_SECONDS
        admission = Admission(role, seat, is_held, int(self.clock() + seconds), sit)
        self._admissions(join_request.code).put(str(join_request.id), admission)

    def answer(self, identity: Identity) -> Admission | None:
        """Return the role and seat that a waiting phone was admitted to; None before, and when another has the seat."""
        code = identity.code
        row = next((one for one in self._table.of(code, "knock") if one.id == identity.device), None)
        admission = self._admission(row) if row else None
        if admission and row and code and not admission.is_held and admission.seat in self.seats_with_phone(code):
            self._admissions(code).put(str(row.id), None)
            return None
        return admission

    def give_token(self, code: str | None, token: str) -> None:
        """Have `send_cookies` give the browser that asks its new token."""
        seconds = COOKIE_SECONDS if code else self.site_cookie_seconds
        g.setdefault("cookies", {})[self._cookie(code, request)] = token, seconds

    def _cookie(self, code: str | None, asked: Request) -> str:
        """Return a cookie's name; with TLS one that no page without it could set."""
        name = f"__Host-{self.cookie_name}" if asked.is_secure else self.cookie_name
        return f"{name}_{code}" if code else name


def send_cookies(response: Response) -> Response:
    """Put this request's new tokens into its answer; Secure with TLS only, as plain http would drop them."""
    lasting: dict[str, Any] = {"path": "/", "httponly": True, "samesite": "Lax", "secure": request.is_secure}
    for name, (token, seconds) in g.get("cookies", {}).items():
        response.set_cookie(name, token, max_age=seconds, **lasting)
    return response


def hash_token(token: str) -> bytes:
    """Return the SHA-256 of a token: all that is kept of it."""
    return hashlib.sha256(token.encode()).digest()
