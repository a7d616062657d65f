"""What phones at a table are asked besides the game: to let people in, to take the table over, to count their chips."""

from __future__ import annotations

from dataclasses import dataclass

from tracker.app.open_night import OpenNight
from tracker.core.night import Night
from tracker.storage import DeviceRow
from tracker.web.access.admission import Act, admission_act, may_act
from tracker.web.access.devices import Identity
from tracker.web.access.hosts import offered_by
from tracker.web.access.permissions import get_access
from tracker.web.drawing.player_token import PlayerToken, player_tokens


@dataclass(frozen=True)
class JoinRequest:
    """Somebody who waits to be let in, as the table is asked about them."""

    device: int
    name: str
    """Empty for somebody who wants to watch."""
    label: str
    face: PlayerToken | None
    """Of the seat they say is theirs."""


@dataclass(frozen=True)
class PendingRequest:
    """A join request as it is shown, with what admitting it would be."""

    row: DeviceRow
    act: Act
    shown: JoinRequest


def join_requests(code: str, night: Night) -> tuple[PendingRequest, ...]:
    """Return who waits to be let in, the first one first."""
    rows = get_access().devices.join_requests(code)
    if not rows:
        return ()
    tokens, held = player_tokens(night), get_access().devices.seats_with_phone(code)
    return tuple(
        PendingRequest(
            row, admission_act(row, held), JoinRequest(row.id, row.name, row.label, tokens.get(row.seat or ""))
        )
        for row in rows
    )


@dataclass(frozen=True)
class PhoneQuestions:
    """What a phone at the table is asked besides the game, for `join/_join_requests.html`."""

    code: str
    join_requests: tuple[JoinRequest, ...] = ()
    offer: str | None = None
    """Who gives the table to this seat: a name, "" for a host without a seat, None when nobody does."""
    stack: int | None = None
    """Chips of this seat in the book, while others have counted theirs between hands and it has not; else None."""
    seat: str | None = None


def is_present(night: Night, identity: Identity) -> bool:
    """Return whether somebody decides who comes in: the host, and whoever has a seat and has not left the table."""
    return identity.role == "host" or identity.seat in night.seats


def questions_for(table: OpenNight, identity: Identity) -> PhoneQuestions:
    """Return whom this phone may admit, whether it is offered the table, and what to count; nothing for watchers."""
    if identity.role not in ("seat", "host"):
        return PhoneQuestions(table.code)
    mine = tuple(
        request.shown
        for request in join_requests(table.code, table.night)
        if may_act(request.act, identity, request.row) and is_present(table.night, identity)
    )
    stack = _stack_to_count(table, identity.seat)
    return PhoneQuestions(table.code, mine, offered_by(table, identity), stack, identity.seat)


def _stack_to_count(table: OpenNight, seat: str | None) -> int | None:
    night, counted = table.night, table.settings.counted
    if seat is None or seat not in night.seats or not night.is_between_hands:
        return None  # the question lies over the top bar, which is needed while people play
    latest = {one: counted.get(one) for one in night.seats}
    done = [one for one, chips in latest.items() if chips and chips.in_log == night.stack(one)]
    return night.stack(seat) if done and seat not in done else None
