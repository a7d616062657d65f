"""What the tablet shows: the board in the middle, and a dock for each person around it.

A dock is made of the live parts of that person's own phone, with ids of their own; the middle of what everybody at a
table sees alike. So a page of n docks is one page with n + 1 viewers, and a rule of a game needs nothing here.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple
from weakref import WeakKeyDictionary

from tracker.app.open_night import OpenNight
from tracker.core.queries.prompts import Prompt
from tracker.extras.flat.places import PLACES, order_as_they_sit, sitting
from tracker.streaming.stream import SLOT, Page, Part, slot
from tracker.web.access.admission import PhoneQuestions, questions_for
from tracker.web.access.devices import Identity
from tracker.web.base.context import get_template
from tracker.web.base.snapshot import Viewer, snapshot_of
from tracker.web.drawing.player_token import player_tokens
from tracker.web.notices import Messages, notices_for
from tracker.web.table.pages import pages_of, viewer_of

SHARED = '<div id="shared"'
"""What everybody sees alike begins so on the page of each kind of game; what is one viewer's own stands before it."""
IDS = re.compile(r' (id|for|aria-labelledby|aria-describedby|aria-controls)="([^"]+)"')
FOR_ALL = frozenset({"deal", "go-on", "match", "waive"})
"""Verbs of what is said for the whole table, at the dock of whoever deals."""
RENAMED: WeakKeyDictionary[Part, dict[tuple[str, str], Part]] = WeakKeyDictionary()


class Said(NamedTuple):
    """What one dock is told beside the game: why its tap counted for nothing."""

    who: str = ""
    refusal: str = ""
    note: str = ""


NOTHING_SAID = Said()


def flat_page(table: OpenNight, identity: Identity, said: Said = NOTHING_SAID) -> Page:
    """Return everything on the tablet that changes; needs no request."""
    places = sitting(table)
    middle = _middle(table, identity, places, said)
    docks = [_dock(table, place, seat, said) for place, seat in places.items()]
    frame = get_template("flat/_around.html").render(**_around(table, places), base=f"/n/{table.code}")
    pages = (middle, *docks)
    return Page("".join(page.frame for page in pages) + frame, tuple(group for page in pages for group in page.groups))


def _around(table: OpenNight, places: Mapping[str, str]) -> dict[str, object]:
    """Return what the template of the free places needs."""
    night, faces = table.night, player_tokens(table.night)
    left = [faces[seat] for seat in night.seats if seat not in places.values()]
    order = order_as_they_sit(night.seats, places) if not night.hand and not night.is_over else ()
    return {
        "free": [place for place in PLACES if place not in places] if left and not night.is_over else [],
        "left": left,
        "order": [faces[seat] for seat in order],
        "is_empty": not places,
    }


def _middle(table: OpenNight, identity: Identity, places: Mapping[str, str], said: Said) -> Page:
    """Return the board or the score sheet, with the seats of those who have no dock."""
    viewer = viewer_of(table, identity)
    page = pages_of(table).fragments(table, viewer, Messages(PhoneQuestions(table.code), ()))
    frame = slot("now") + page.frame[page.frame.index(SHARED) :]
    for seat in places.values():
        frame = frame.replace(slot(f"s-{seat}"), "")
    around = get_template("flat/_middle.html").render(
        asked=questions_for(table, identity),
        notices=notices_for(table, identity),
        refusal=said.refusal if said.who == "host" else "",
        middle=frame,
    )
    return Page(around, (_parts_in(page, frame),))


def _dock(table: OpenNight, place: str, seat: str, said: Said) -> Page:
    """Return the dock of one seat."""
    told = (said.refusal, said.note) if said.who == seat else ("", "")
    messages = Messages(PhoneQuestions(table.code), (), *told)
    page = pages_of(table).fragments(table, Viewer("seat", seat), messages)
    own = page.frame[: page.frame.index(SHARED)]
    base, moment = f"/n/{table.code}", snapshot_of(table).moment
    parts = tuple([_renamed(part, seat, base) for part in _parts_in(page, own)])
    also = _also(table, seat, moment, base)
    frame = get_template("flat/_dock.html").render(
        place=place, face=player_tokens(table.night)[seat], own=_named(own, seat, base), also=slot(also.name)
    )
    return Page(frame, ((*parts, also),))


def _also(table: OpenNight, seat: str, moment: Prompt, base: str) -> Part:
    """Return what is asked at a dock for the whole table: who deals first, and what nobody has."""
    words: list[str] = []
    if table.preset.is_pot_game and not table.night.is_over:
        if moment.name == "ante" and not moment.dealer:
            words.append(f"deal:{seat}")
        if moment.name == "match":
            words.append(f"match:{moment.pot}/{moment.offender}")
        if seat == _speaker(table) and (nobody := _nobody(moment)):
            words.append(nobody)
    facts = {"seat": seat, "words": words, "base": base, "head": table.head, "hand": table.night.hand}
    return Part(f"d-{seat}-also", get_template("flat/_also.html").render(facts))


def _speaker(table: OpenNight) -> str:
    """Return whose dock says what is so for the whole table: the dealer's, else the first."""
    seats = list(sitting(table).values())
    dealer = table.night.dealer
    return dealer if dealer in seats else seats[0]


def _nobody(moment: Prompt) -> str:
    """Return the verb that says "nobody" to the question of a moment; empty for one that is not asked so."""
    if moment.name == "held" or (moment.name == "poker" and moment.is_stage):
        return "go-on"
    if moment.name == "poker":
        return "waive:poker"
    return f"waive:match/{moment.pot}/{moment.offender}" if moment.name == "match" else ""


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
    """Return HTML of a phone's page whose ids are those of one dock, and whose forms and sheets are the tablet's."""
    html = IDS.sub(rf' \1="d-{who}-\2"', html)
    return re.sub(rf'"{re.escape(base)}/(record|sheet)\b', rf'"{base}/flat/{who}/\1', html)
