"""What the tablet shows: the board, and around it docks of the live parts of each person's own phone, with own ids."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

from markupsafe import Markup

from tracker.app.open_night import OpenNight
from tracker.core.night import LOBBY
from tracker.extras.flat.places import PLACES, at_side, order_as_they_sit, sitting
from tracker.streaming.stream import SLOT, Page, Part, slot
from tracker.web.access.admission import PhoneQuestions, questions_for
from tracker.web.access.devices import Identity
from tracker.web.base.context import get_template
from tracker.web.base.snapshot import Viewer, snapshot_of
from tracker.web.drawing.player_token import player_tokens
from tracker.web.notices import Messages, notices_for
from tracker.web.table.pages import pages_of, viewer_of
from tracker.web.table.told import told_to_all
from tracker.web.wording.texts import gettext

BUTTON = re.compile(r'<button[^>]* name="do" value="((?:go-on|pay|stock|waive:[^"]*))"[^>]*>(.*?)</button>', re.DOTALL)
SHARED = '<div id="shared"'
"""What everybody sees alike begins so on the page of each kind of game; what is one viewer's own stands before it."""
IDS = re.compile(r' (id|for|aria-labelledby|aria-describedby|aria-controls)="([^"]+)"')
TOLD = re.compile(r' data-(?:tell|asks)="[^"]*"')
FOR_ALL = frozenset({"deal", "go-on", "match", "pay", "stock", "waive"})
"""Verbs of what is said for the whole table, at the dock of whoever deals."""
RENAMED: WeakKeyDictionary[Part, dict[tuple[str, str], Part]] = WeakKeyDictionary()


class Said(NamedTuple):
    """What one dock is told beside the game: why its tap counted for nothing."""

    who: str = ""
    refusal: str = ""
    note: str = ""


class Answer(NamedTuple):
    """A button at a dock that is about the whole table."""

    value: str
    words: str
    is_asked: bool = True
    """Without it the button shows only after the tablet's menu has asked for it."""


NOTHING_SAID = Said()


def flat_page(table: OpenNight, identity: Identity, said: Said = NOTHING_SAID) -> Page:
    """Return everything on the tablet that changes; needs no request."""
    places = sitting(table)
    host = pages_of(table).fragments(table, viewer_of(table, identity), Messages(PhoneQuestions(table.code), ()))
    phones = {seat: _phone(table, seat, said) for seat in places.values()}
    for_all = list(_for_all(host, phones.values()))
    speaker = _speaker(table, phones)
    middle = _middle(table, identity, host, phones, said)
    docks = [
        _dock(table, places, place, phones[seat], for_all if seat == speaker else []) for place, seat in places.items()
    ]
    around = get_template("flat/_around.html").render(**_around(table, places), base=f"/n/{table.code}")
    pages = (middle, *docks)
    return Page("".join(page.frame for page in pages) + around, tuple(group for page in pages for group in page.groups))


def _around(table: OpenNight, places: Mapping[str, str]) -> dict[str, object]:
    """Return what the template of the free places needs."""
    night, faces = table.night, player_tokens(table.night)
    left = [faces[seat] for seat in night.seats if seat not in places.values()]
    free = [place for place in PLACES if place not in places] if left and not night.is_over else []
    order = order_as_they_sit(night.seats, places) if night.phase == LOBBY else ()
    return {
        "free": free,
        "beside": [place for place in free if len(at_side(places, place)) == 1],
        "left": left,
        "order": [faces[seat] for seat in order],
        "is_empty": not places,
        "is_over": night.is_over,
    }


def _middle(table: OpenNight, identity: Identity, host: Page, docked: Collection[str], said: Said) -> Page:
    """Return the board or the score sheet, with the seats of those who have no dock."""
    frame = slot("now") + host.frame[host.frame.index(SHARED) :]
    for seat in docked:
        frame = frame.replace(slot(f"s-{seat}"), "")
    around = get_template("flat/_middle.html").render(
        asked=questions_for(table, identity),
        notices=notices_for(table, identity),
        refusal=said.refusal if said.who == "host" else "",
        middle=frame,
    )
    told = told_to_all(table)
    return Page(around + slot(told.name), ((*_parts_in(host, frame), told),))


def _phone(table: OpenNight, seat: str, said: Said) -> Page:
    """Return what is one viewer's own on the page of a seat's phone."""
    told = (said.refusal, said.note) if said.who == seat else ("", "")
    page = pages_of(table).fragments(table, Viewer("seat", seat), Messages(PhoneQuestions(table.code), (), *told))
    own = page.frame[: page.frame.index(SHARED)]
    return Page(own, (_parts_in(page, own),))


def _dock(table: OpenNight, places: Mapping[str, str], place: str, phone: Page, for_all: Sequence[Answer]) -> Page:
    """Return the dock of one seat: the parts of the own phone, and what is asked there for the whole table."""
    base, moment, seat = f"/n/{table.code}", snapshot_of(table).moment, places[place]
    answers = [*for_all]
    if table.preset.is_pot_game and moment.name == "ante":
        answers.append(Answer(f"deal:{seat}", gettext("I deal"), not moment.dealer))
    if table.preset.is_pot_game and moment.name == "match":
        answers.append(Answer(f"match:{moment.pot}/{moment.offender}", gettext("I have it")))
    also = Part(f"d-{seat}-also", get_template("flat/_also.html").render(seat=seat, answers=answers))
    parts = tuple([_renamed(part, seat, base) for part in phone.groups[0]])
    own = _named(phone.frame, seat, base)
    face = player_tokens(table.night)[seat]
    frame = get_template("flat/_dock.html").render(
        place=place, is_alone=len(at_side(places, place)) == 1, face=face, own=own, also=slot(also.name)
    )
    return Page(frame, ((*parts, also),))


def _for_all(host: Page, phones: Collection[Page]) -> Iterator[Answer]:
    """Yield the buttons that only a phone has that records for everybody, and that name nobody: "Nobody", "Go on"."""
    own = host.frame[: host.frame.index(SHARED)]
    there = {found[1] for phone in phones for found in BUTTON.finditer(str(phone))}
    for found in BUTTON.finditer(str(Page(own, (_parts_in(host, own),)))):
        if found[1] not in there and " disabled" not in found[0].partition(">")[0]:
            there.add(found[1])
            yield Answer(found[1], Markup(found[2]))  # noqa: S704  rendered by a template


def _speaker(table: OpenNight, docked: Collection[str]) -> str:
    """Return whose dock says what is so for the whole table: the dealer's, else the first; empty without docks."""
    dealer = table.night.dealer
    return dealer if dealer and dealer in docked else next(iter(docked), "")


# Ids of their own


def _parts_in(page: Page, frame: str) -> tuple[Part, ...]:
    names = set(frame.split(SLOT)[1::2])
    return tuple([part for group in page.groups for part in group if part.name in names])


def _renamed(part: Part, seat: str, base: str) -> Part:
    """Return a part as it stands in a dock: the same object for the same part, so that it is sent only when changed."""
    known = RENAMED.setdefault(part, {})
    found = known.get((seat, base))
    if found is None:
        html = with_own_ids(part.html, seat, base)
        found = known[seat, base] = Part(f"d-{seat}-{part.name}", html)
    return found


def _named(frame: str, seat: str, base: str) -> str:
    """Return a frame whose places are those of the parts of a dock."""
    pieces = frame.split(SLOT)
    named = [f"d-{seat}-{piece}" if at % 2 else with_own_ids(piece, seat, base) for at, piece in enumerate(pieces)]
    return SLOT.join(named)


def with_own_ids(html: str, who: str, base: str) -> str:
    """Return a phone's HTML with the ids of one dock and the tablet's forms, without what screen readers are told."""
    html = TOLD.sub("", IDS.sub(rf' \1="d-{who}-\2"', html))
    return re.sub(rf'"{re.escape(base)}/(record|sheet)\b', rf'"{base}/flat/{who}/\1', html)
