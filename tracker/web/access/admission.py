"""What phones at a table are asked besides the game: to let people in, and what extras ask."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol

from flask import current_app

from tracker.app.open_night import OpenNight
from tracker.app.seating import name_of
from tracker.core.night import Night
from tracker.storage import DeviceRow
from tracker.web.access.devices import SCRIPT, Identity
from tracker.web.access.permissions import displays, get_access
from tracker.web.base.context import get_nights
from tracker.web.drawing.player_token import PlayerToken, player_tokens
from tracker.web.wording.texts import gettext as _


def revoke_old_devices() -> None:
    """Let the extras end devices of nights that were over long ago, before a night begins."""
    for revoke in current_app.extensions["old_devices"]:
        revoke()


def send_away(row: DeviceRow) -> None:
    """End a device and the stream it watches."""
    get_access().devices.dismiss(row.id)
    get_nights().live.end_device(str(row.id))


def end_scripts(code: str, seat: str | None = None) -> None:
    """End the tokens that were made for scripts: of one seat, or all of a night."""
    for row in get_access().devices.devices_of(code):
        if row.label == SCRIPT and seat in (None, row.seat):
            send_away(row)


def hosts_of(code: str) -> list[DeviceRow]:
    return [row for row in get_access().devices.devices_of(code) if row.role == "host"]


def has_host_browser(code: str) -> bool:
    """Return whether a browser hosts this night: not one that only a script's token hosts, or that nobody does."""
    return any(row.label != SCRIPT for row in hosts_of(code))


def host_name(table: OpenNight) -> str:
    """Return the name of the person who hosts the night; empty when it is a device without a seat."""
    return next((name_of(table, row.seat) for row in hosts_of(table.code) if row.seat), "")


def may_decide(identity: Identity, device: DeviceRow, held: Collection[str]) -> bool:
    """Return whether one phone may let another in, refuse or end it: the host all but itself, a player only phones of
    the own seat that are no host's, and join requests for no seat in `held`.
    """
    if identity.device == device.id:
        return device.role == "seat"
    if identity.role == "seat":
        is_free = device.role == "knock" and device.seat not in held
        return is_free or (device.seat == identity.seat and device.role != "host")
    return identity.role == "host"


def replaced_by_count(phones: Collection[DeviceRow], most: int) -> list[DeviceRow]:
    """Return which phones of a seat, oldest first, end when one more comes: never a host's device or a script's."""
    players = [row for row in phones if row.role == "seat" and row.label != SCRIPT]
    return players[: max(0, len(players) + 1 - most)]


@dataclass(frozen=True)
class JoinRequest:
    """Somebody who waits to be let in."""

    row: DeviceRow
    """Without a name for somebody who wants to watch."""
    face: PlayerToken | None
    """Of the seat they say is theirs."""
    is_held: bool = False
    """Whether another phone holds that seat."""

    @property
    def question(self) -> str:
        """What is asked of a display that wants to watch; empty for a phone."""
        return next((_(one.question) for one in displays().values() if one.label == self.row.label), "")


class Question(Protocol):
    """What an extra asks a phone; its template calls it `one`. Equal ones look alike."""

    @property
    def template(self) -> str: ...
    @property
    def is_first(self) -> bool:
        """Whether it stands before those who wait to be let in."""


@dataclass(frozen=True)
class PhoneQuestions:
    """What a phone at the table is asked besides the game, for `join/_join_requests.html`."""

    code: str
    join_requests: tuple[JoinRequest, ...] = ()
    others: tuple[Question, ...] = ()
    """What extras ask."""


def is_present(night: Night, identity: Identity) -> bool:
    """Return whether somebody decides who comes in: the host, and whoever has a seat and has not left the table."""
    return identity.role == "host" or identity.seat in night.seats


def questions_for(table: OpenNight, identity: Identity) -> PhoneQuestions:
    """Return whom this phone may admit, and what extras ask it; nothing for watchers."""
    if identity.role not in ("seat", "host"):
        return PhoneQuestions(table.code)
    devices = get_access().devices
    rows = devices.join_requests(table.code) if is_present(table.night, identity) else []
    tokens, held = (player_tokens(table.night), devices.seats_with_phone(table.code)) if rows else ({}, set[str]())
    mine = tuple(
        JoinRequest(row, tokens.get(row.seat or ""), row.seat in held)
        for row in rows
        if may_decide(identity, row, held)
    )
    others = [ask(table, identity) for ask in current_app.extensions["questions"]]
    return PhoneQuestions(table.code, mine, tuple(filter(None, others)))
