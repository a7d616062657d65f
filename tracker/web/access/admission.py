"""Who may admit, dismiss and replace devices: one table, asked by every page that gives or ends a role.

The first question is how the one who acts stands to the device or seat concerned (`relation_of`), the second what is
done (`Act`). What is not in the table is refused.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import Enum

from flask import abort

from tracker.storage import DeviceRow
from tracker.web.access.devices import SCRIPT, Identity


class Relation(Enum):
    """How the one who acts stands to the device or seat that an act concerns."""

    STRANGER = "no device of this night"
    WAITING = "waits to be admitted"
    WATCHER = "watches"
    OTHER_SEAT = "a phone of another seat"
    SAME_SEAT = "another phone of the seat concerned"
    OWN_DEVICE = "the device concerned"
    HOST = "the host's device"


class Act(Enum):
    """What gives a device a role or ends it, besides joining an open lobby and the link from the terminal."""

    ADMIT_PERSON = "admit somebody to a new seat or to one that no phone holds, or refuse it"
    ADMIT_WATCHER = "admit somebody who wants to watch, or refuse it"
    ADMIT_TO_HELD_SEAT = "admit a phone to a seat that another phone holds, or refuse it"
    DISMISS_WATCHER = "end a watcher's device"
    DISMISS_PLAYER = "end a phone of a seat"
    DISMISS_HOST = "end the host's device"
    MOVE_DEVICE = "give a device's role to another browser, which ends it here"
    REMOVE_PERSON = "remove a person with all phones of the seat"
    OFFER_TABLE = "offer the table to another seat"
    TAKE_TABLE = "become the host of a table that was offered to the seat"
    ISSUE_TOKEN = "make a script's token for a seat"  # noqa: S105 - a sentence, not a password


AT_TABLE = frozenset({Relation.OTHER_SEAT, Relation.SAME_SEAT, Relation.HOST})
BY_HOST = frozenset({Relation.HOST})

MAY_ACT: Mapping[Act, frozenset[Relation]] = {
    Act.ADMIT_PERSON: AT_TABLE,
    Act.ADMIT_WATCHER: AT_TABLE,
    Act.ADMIT_TO_HELD_SEAT: frozenset({Relation.SAME_SEAT, Relation.HOST}),
    Act.DISMISS_WATCHER: BY_HOST,
    Act.DISMISS_PLAYER: frozenset({Relation.OWN_DEVICE, Relation.SAME_SEAT, Relation.HOST}),
    Act.DISMISS_HOST: BY_HOST,  # another device of the host: nobody leaves a table without one
    Act.MOVE_DEVICE: frozenset({Relation.OWN_DEVICE}),
    Act.REMOVE_PERSON: BY_HOST,
    Act.OFFER_TABLE: BY_HOST,
    Act.TAKE_TABLE: frozenset({Relation.SAME_SEAT}),
    Act.ISSUE_TOKEN: BY_HOST,
}

ADMISSION = (Act.ADMIT_PERSON, Act.ADMIT_WATCHER, Act.ADMIT_TO_HELD_SEAT)
DISMISSAL = (Act.DISMISS_WATCHER, Act.DISMISS_PLAYER, Act.DISMISS_HOST)

ROLE_CHANGES: Mapping[str, tuple[Act, ...] | str] = {
    "join.join_requests.let_in": ADMISSION,
    "join.join_requests.enter": ADMISSION,
    "join.join_requests.send_away": (*ADMISSION, *DISMISSAL, Act.REMOVE_PERSON),
    "join.phones.transfer": (Act.MOVE_DEVICE,),
    "nights.settings.take_table": (Act.OFFER_TABLE, Act.TAKE_TABLE),
    "join.seat_pages.remove": (Act.REMOVE_PERSON,),
    "join.pages.new_code": "the end of what was said to phones that have not come in yet, by the host",
    "api.pages.seat_token": (Act.ISSUE_TOKEN,),
    "join.pages.join": "in an open lobby, to whoever has its code: a new or a free seat, or to watch",
    "join.pages.ask_to_join": "to wait for the table's answer, to whoever has the code",
    "club.pages.become_host": "host of new nights in a club, to whoever has its link",
    "club.pages.enter": "host of new nights in a club, to a browser that whoever runs the house has let in",
    "club.pages.ask": "to wait for the answer of whoever runs the house",
    "club.pages.move": "what a host of a club is, to the one browser of the link that the house made for it",
    "club.pages.end_hosts": "the end of the devices that host a night, whose host was dismissed or has another browser",
    "club.house.let_in": "the yes of whoever runs the house to somebody who asked to become a host",
    "club.house.refuse": "the no of whoever runs the house",
    "club.house.dismiss": "the end of a host of the club, by whoever runs the house",
    "nights.home.redeem": "host of new nights, to the one browser that opens the link from the terminal",
    "nights.home.take_over": "host of a night, to the browser of that link",
    "nights.new_night.open_night": "host of a new night, to the browser of that link",
    "nights.night_options.play_again": "host of a new night with the people of an old one, to the browser of that link",
    "access.old_devices.revoke_old_devices": "the end of the devices of nights that have been over for half a day",
    "nights.files.take": "host of a night from a file, to the browser of that link",
    "nights.backups.let_host_in": "host of a night that was missing and came back, to the browser of that link",
    "nights.backups.bring_one_back": "host of a night from a copy, to the browser of that link",
    "api.nights.opened": "host of a night that was opened or imported, to the script with the token of the command",
}
"""Every function of the pages that gives a device a role or ends it: the acts that decide, or to whom it is free."""


def relation_of(identity: Identity, *, device: int | None = None, seat: str | None = None) -> Relation:
    """Return how an identity stands to a device (by its id) and to the seat that it holds or wants."""
    if identity.role is None:
        return Relation.STRANGER
    if identity.role == "knock":
        return Relation.WAITING
    if device is not None and identity.device == device:
        return Relation.OWN_DEVICE
    if identity.role == "host":
        return Relation.HOST
    if identity.role == "seat":
        return Relation.SAME_SEAT if seat and identity.seat == seat else Relation.OTHER_SEAT
    return Relation.WATCHER


def may_act(act: Act, identity: Identity, target: DeviceRow) -> bool:
    """Return whether an identity may do this to the target, which is a device or a join request."""
    return relation_of(identity, device=target.id, seat=target.seat) in MAY_ACT[act]


def check_act(act: Act, identity: Identity, target: DeviceRow) -> None:
    """Answer 403 unless an identity may do this to the target."""
    if not may_act(act, identity, target):
        abort(403)


def admission_act(request: DeviceRow, held: Collection[str]) -> Act:
    """Return what admitting a join request would be, where the seats in `held` have a phone."""
    if not request.seat and not request.name:
        return Act.ADMIT_WATCHER
    return Act.ADMIT_TO_HELD_SEAT if request.seat in held else Act.ADMIT_PERSON


def dismissal_act(device: DeviceRow, held: Collection[str]) -> Act:
    """Return what ending a device would be, where the seats in `held` have a phone."""
    if device.role == "knock":
        return admission_act(device, held)
    return {"host": Act.DISMISS_HOST, "seat": Act.DISMISS_PLAYER}.get(device.role, Act.DISMISS_WATCHER)


def replaced_by_count(phones: Collection[DeviceRow], most: int) -> list[DeviceRow]:
    """Return which phones of a seat, oldest first, end when one more comes: never a host's device or a script's."""
    players = [row for row in phones if row.role == "seat" and row.label != SCRIPT]
    return players[: max(0, len(players) + 1 - most)]
