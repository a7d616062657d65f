"""What the overview shows of each table and host, never what is played, and who could move in the room."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from random import SystemRandom

from tracker.archive.night_summary import NightSummary, SeatSummary
from tracker.extras.club.club import deal_out
from tracker.extras.club.pages import get_club
from tracker.formats.evening import moment_of
from tracker.formats.text import without_marks
from tracker.storage import DeviceRow
from tracker.web.access.admission import has_host_browser
from tracker.web.access.permissions import HOUSE, get_access
from tracker.web.base.context import get_all_summaries, get_nights, is_running
from tracker.web.notices import sentences
from tracker.web.wording.dates import day_words, time_of_day
from tracker.web.wording.texts import gettext as _, ngettext

NEWEST = 500
"""How many nights are looked at for those that go on."""


@dataclass(frozen=True)
class TableLine:
    """A table that goes on, without anything that is played at it."""

    night: NightSummary
    name: str
    """With the number of its table in the room."""
    host: str
    """Whose table it is; empty for one of the house."""
    phones: int
    is_of_house: bool
    is_without_host: bool
    """Whether no browser hosts it, and whoever it belonged to is no host any more."""


@dataclass(frozen=True)
class HostLine:
    """A host of the club."""

    row: DeviceRow
    tables: int
    """How many of this host's nights go on."""
    nights: int


def table_lines() -> list[TableLine]:
    """Return the tables that go on, by name, numbers in their order."""
    owners, names = get_club().owners(), {row.seat: row.name for row in get_club().hosts()}
    places = {table.night: number for number, table in get_club().room_tables().items()}
    found = []
    for one in get_all_summaries().newest(NEWEST):
        if not is_running(one):
            continue
        owner = owners.get(one.code, HOUSE)
        line = TableLine(
            night=one,
            name=f"{_('Table %(n)s', n=places[one.code])} · {one.name}" if one.code in places else one.name,
            host=names.get(owner, ""),
            phones=len(get_nights().live.presence.devices(one.code)),
            is_of_house=owner == HOUSE,
            is_without_host=owner not in (HOUSE, *names) and not has_host_browser(one.code),
        )
        found.append(line)
    return sorted(found, key=lambda line: (table_order(line.name), when(line.night.created_at)))


def table_order(name: str) -> list[tuple[int, str]]:
    """Return a key that sorts `Table 2` before `Table 10`."""
    parts = re.findall(r"\d+|\D+", without_marks(name))
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in parts]


def host_lines() -> list[HostLine]:
    """Return the hosts of the club, the first one first."""
    nights, going_on = Counter[str](), Counter[str]()
    owners, summaries = get_club().owners(), get_all_summaries()
    for one in (*summaries.all(), *summaries.deleted()):
        owner = owners.get(one.code, HOUSE)
        nights[owner] += 1
        going_on[owner] += is_running(one)
    return [HostLine(row, going_on[row.seat], nights[row.seat]) for row in get_club().hosts() if row.seat]


def troubles() -> list[str]:
    """Return what is wrong just now, each as a sentence."""
    disk = get_nights().disk
    found = [f"{sentences()[disk.trouble]} {_('Nothing can be recorded at any table.')}"] if disk.trouble else []
    if not disk.refill_reserve():
        found.append(_("The disk is nearly full, and the last reserve is in use: make some room."))
    backups = get_nights().backups
    if backups and backups.trouble:
        found.append(f"{_('No copy could be made.')} {sentences().get(backups.trouble, '')}".strip())
    return found


def refusals() -> list[str]:
    """Return what was refused in the last hour, each as a sentence."""
    counts = get_access().rows.sums("refused")
    said = {
        "not-saved": ngettext(
            "%(num)s entry could not be saved.", "%(num)s entries could not be saved.", counts["not-saved"]
        ),
        "stream": ngettext(
            "%(num)s phone was refused live pages: there are too many.",
            "%(num)s phones were refused live pages: there are too many.",
            counts["stream"],
        ),
        "guess": ngettext("%(num)s guess was refused.", "%(num)s guesses were refused.", counts["guess"]),
        "pace": ngettext(
            "%(num)s tap came too fast and was refused.", "%(num)s taps came too fast and were refused.", counts["pace"]
        ),
    }
    waiting = sum(counts[why] for why in ("waiting", "waiting-house", "club-full", "table-full"))
    said["full"] = ngettext(
        "%(num)s person found no room to wait or to come in.",
        "%(num)s people found no room to wait or to come in.",
        waiting,
    )
    return [sentence for why, sentence in said.items() if (waiting if why == "full" else counts[why])]


def when(label: str) -> str:
    """Return a moment of today as `20:15`, another one as its day and time; nothing for no moment."""
    moment = moment_of(label)
    if moment is None:
        return ""
    if moment.astimezone().date() == datetime.now(UTC).astimezone().date():
        return time_of_day(label)
    return f"{day_words(moment.astimezone().date())}, {time_of_day(label)}"


def nights_in_room() -> dict[int, NightSummary]:
    """Return the nights that go on at the tables of the room, by the numbers of these in order."""
    found = ((number, get_all_summaries().get(table.night)) for number, table in get_club().room_tables().items())
    return {number: night for number, night in found if night and is_running(night)}


def people_at(night: NightSummary) -> list[SeatSummary]:
    return [seat for seat in night.seats if seat.is_here]


def draw() -> Mapping[str, int]:
    """Return which table is drawn for everybody who sits at one, as `ClubSettings.drawn_seats` has it."""
    nights = nights_in_room()
    seats = [f"{night.code}/{one.seat}" for night in nights.values() for one in people_at(night)]
    return deal_out(seats, [*nights], SystemRandom()) if nights else {}


def drawn_names() -> dict[int, list[str]]:
    """Return who was drawn to which table, by number in order; without people whose night was erased since."""
    names: dict[int, list[str]] = {}
    for key, number in sorted(get_club().settings.drawn_seats.items(), key=lambda one: one[1]):
        code, _slash, seat = key.partition("/")
        night = get_all_summaries().get(code)
        if night and seat in night.place_of:
            names.setdefault(number, []).append(night.seats[night.place_of[seat]].name)
    return names


def who_could_move() -> str:
    """Return who could move from the fullest table to the emptiest: who deals next there; empty where none has to."""
    nights = nights_in_room()
    sizes = {number: len(people_at(night)) for number, night in nights.items()}
    full, few = max(sizes, key=sizes.__getitem__, default=0), min(sizes, key=sizes.__getitem__, default=0)
    if sizes.get(full, 0) - sizes.get(few, 0) < 2:
        return ""
    night = nights[full]
    start = night.place_of[night.dealer] + 1 if night.dealer else -1
    mover = next(one for one in night.seats[start:] + night.seats[:start] if one.is_here)
    return _(
        "%(name)s from table %(a)s (%(m)s) to table %(b)s (%(n)s)",
        name=mover.name,
        a=full,
        m=sizes[full],
        b=few,
        n=sizes[few],
    )


def is_series_over() -> bool:
    """Return whether the clock of all tables has run out: its moment, or its hands at every table of the room."""
    series = get_club().settings.series
    if series is None or not series.hands:
        return series is not None and get_nights().seconds() >= series.ends_at
    played = [max((seat.hands for seat in night.seats), default=0) for night in nights_in_room().values()]
    return min(played, default=0) >= series.hands
