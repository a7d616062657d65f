"""What is kept of a page from one event to the next is what would be rendered anew, whatever happens between them.

Every page and sheet on the way is well-formed and small.
"""

import re
from contextlib import suppress
from random import Random

import pytest
from flask import g
from support.client_phones import Site
from support.html_page import data_of, with_parts
from support.random_nights import NAMES, every_kind_of_preset, legal_event, random_options
from support.well_formed import faults

from tracker.app.open_night import OpenNight
from tracker.app.settings import HandChoices
from tracker.core import events
from tracker.core.errors import TableError
from tracker.core.events import Event
from tracker.core.preset import Preset
from tracker.streaming.stream import Frame, Page
from tracker.web.access.devices import Identity
from tracker.web.base.snapshot import SNAPSHOTS, NightSnapshot, snapshot_of
from tracker.web.drawing.player_token import OWN_COLOURS
from tracker.web.table.pages import sheet, shown
from tracker.web.wording.texts import in_language

PEOPLE = list(NAMES)[:4]
STEPS, BEHIND = 24, 0.2
"""How many changes are made, and the share of them after which nobody looks, so that the next page has several."""
MOST_BYTES = 16_000
"""The size of a page or sheet at a board."""
READERS = [
    (Identity("host", None, 1, "", None), "en"),
    (Identity("watcher", None, 2, "", None), "de"),
    *((Identity("seat", seat, at, "", None), "en") for at, seat in enumerate(PEOPLE[:2], 3)),
    (Identity("seat", PEOPLE[2], 5, "", None), "de"),
]


@pytest.fixture(name="table")
def _table(site: Site, preset: Preset, chance: Random) -> OpenNight:
    table = site.tables.open(preset.id, name="Saturday")
    with suppress(TableError):
        record(table, events.Rule(random_options(preset, chance)))
    for seat in PEOPLE:
        sit(table, seat, *[events.Chips(chance.choice((20, 90)))] if preset.is_pot_game else [])
    return table


@pytest.fixture(name="chance")
def _chance(preset: Preset) -> Random:
    return Random(preset.id)


def record(table: OpenNight, event: Event, by: str = "host") -> None:
    table.record(event, id=f"e{table.head}", by=by)


def sit(table: OpenNight, seat: str, *chips: events.Chips) -> None:
    record(table, events.Sit(events.SeatId(seat), events.Name(NAMES[seat]), *chips))


def change(table: OpenNight, chance: Random) -> None:
    """Have anything happen that pages show: an event, a correction, what is typed, planned or set, other colours."""
    settings, seat, hand = table.settings, chance.choice(PEOPLE), table.night.hand
    kind = chance.choice(("event",) * 8 + ("undo", "amend", "draft", "plan", "waive", "excuse", "set", "colours"))
    if kind == "event":
        record(table, legal_event(table.night, chance), by=chance.choice(["host", *PEOPLE]))
    elif kind == "undo":
        record(table, events.Undo(chance.choice([table.head, chance.randint(1, table.head)])))
    elif kind == "amend":
        record(table, events.Amend(chance.randint(1, table.head), {"seat": seat}))
    elif kind == "draft":
        table.set_draft_winner(chance.choice((None, seat)))
        table.set_draft_value(chance.choice(PEOPLE), chance.choice((None, 0, 3)))
    elif kind == "plan":
        settings.plan = settings.plan.changed(hand, {seat: chance.choice(("out", "bank", None))})
    elif kind == "waive":
        settings.waived = HandChoices().changed(hand, {"poker": "nobody"})
    elif kind == "excuse":
        table.set_draft_excused(chance.choice((None, seat)))
        table.set_draft_cover(seat, chance.choice(("bank", "", PEOPLE[0])))
    elif kind == "set":
        settings.is_last_hand, settings.is_open_to_all = chance.random() < 0.5, chance.random() < 0.5
    else:
        OWN_COLOURS.set({seat: chance.randint(1, 8)})
        table.show_again()


def pages(table: OpenNight) -> list[Page]:
    """Return what everybody sees of a table."""
    found = []
    for identity, lang in READERS:
        with in_language(lang):
            found.append(shown(table, identity))
    return found


def check_well_formed(site: Site, table: OpenNight, texts: set[str]) -> None:
    """Check what is new on somebody's page, and the menu and a sheet as one of the readers sees them."""
    with site.app.test_request_context(f"/n/{table.code}", headers={"HX-Request": "true"}):
        g.identity, lang = READERS[table.head % len(READERS)]
        with in_language(lang):
            texts |= {sheet(table.code, seat) for seat in (None, *table.night.seats[:1])}
    for html in texts:
        assert faults(html) == []
        assert len(html.encode()) < MOST_BYTES or not table.preset.is_pot_game


def rendered_anew(table: OpenNight) -> list[str]:
    """Return what `pages` does, each rendered for its reader alone, from nothing that was made before."""
    snapshot, found = SNAPSHOTS.pop(table), []
    try:
        for identity, lang in READERS:
            with in_language(lang):
                found.append(str(shown(table, identity)))
            SNAPSHOTS.pop(table)
        return found
    finally:
        SNAPSHOTS[table] = snapshot


def without_second(page: str) -> str:
    """Return a page without the second of the bubble's entry: it is counted back from now, by two clocks."""
    return re.sub(r'(id="last-seconds"[^>]*) data-at="\d+"', r"\1", page)


@pytest.mark.parametrize("preset", every_kind_of_preset(), ids=lambda preset: str(preset.id))
def test_shared_parts_are_those_rendered_for_each_viewer_and_those_sent_make_the_next_page_of_the_one_before(
    site: Site, table: OpenNight, chance: Random
) -> None:
    looks = Random(0)  # of its own: the changes are the same, however often somebody looks
    seen, old, sizes, colours = set[str](), [Page("")] * len(READERS), [0, 0], OWN_COLOURS.get()
    try:
        with site.app.app_context():
            for _step in range(STEPS):
                with suppress(TableError):
                    change(table, chance)
                if looks.random() < BEHIND:
                    continue
                found = pages(table)
                texts = [str(page) for page in found]
                assert [*map(without_second, texts)] == [*map(without_second, rendered_anew(table))]
                check_well_formed(site, table, set(texts) - seen)
                seen |= set(texts)
                for before, after in zip(old, found, strict=True):
                    if sent := Frame(2, after).since(Frame(1, before)):
                        assert with_parts(str(before), data_of(sent)) == str(after)
                        sizes = [sizes[0] + len(sent), sizes[1] + len(str(after))]
                old = found
    finally:
        OWN_COLOURS.set(colours)
    assert len(seen) > 3 * STEPS
    assert 0 < 2 * sizes[0] < sizes[1]


def test_entries_that_come_together_and_leave_everybodys_chips_as_they_were_are_seen_on_the_phones(site: Site) -> None:
    """As where another process has recorded them: each pays all others once."""
    table = site.tables.open("michigan-rummy", name="Saturday")
    for seat in PEOPLE:
        sit(table, seat)
    record(table, events.Hand(events.SeatId(PEOPLE[0])))
    record(table, events.Exchange())
    with site.app.app_context():
        for _ in range(2):
            for seat in PEOPLE:
                record(table, events.Penalty(events.SeatId(seat), "wrong-lead"))
            found = [without_second(str(page)) for page in pages(table)]
            assert found == [*map(without_second, rendered_anew(table))]


def test_two_threads_that_read_a_night_around_the_same_entry_show_the_same_of_it(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else both are kept as one moment, and a part of the older one is taken for the newer one's from then on."""
    table = site.tables.open("michigan-rummy", name="Saturday")
    read = table.snapshot

    def read_before_an_entry() -> object:
        monkeypatch.undo()
        before = read()
        monkeypatch.setattr(table, "_publish", lambda: None)  # it is recorded, and not yet told of
        sit(table, PEOPLE[0])
        others.append(snapshot_of(table))
        return before

    table.show_again()
    others: list[NightSnapshot] = []
    monkeypatch.setattr(table, "snapshot", read_before_an_entry)
    assert [snapshot_of(table)] == others
