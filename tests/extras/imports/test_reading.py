"""What is read as a night: anything else is refused in words, and what may be recorded is never too large."""

import json
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from extras.imports.uploads import upload_night
from hypothesis import HealthCheck, given, settings, strategies as st
from support.api_scripts import with_command_token
from support.client_phones import Site
from support.odd_values import VALUES, expect_outcome, likely_events
from support.random_nights import legal_event, random_night, random_options

from tracker import extras
from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.app.seating import sit_down
from tracker.core.errors import NotAllowed, PresetError, TableError, Unknown
from tracker.core.events import Amend, Amount, Buy, Event, SeatId, Undo
from tracker.core.log import Entry
from tracker.core.queries.summary import summary
from tracker.extras._night_files.importing import import_night, import_together
from tracker.extras._night_files.json_text import UnreadableError, json_value
from tracker.extras._night_files.reading import UNLIMITED, Refused, night_from, states
from tracker.formats import night_file
from tracker.formats.built_in import all_built_in, built_in
from tracker.formats.codec import event_to
from tracker.formats.night_file import NightLimits, night_to

PRESETS = st.sampled_from([preset.id for preset in all_built_in()])


@given(st.text() | VALUES.map(json.dumps))
def test_any_text_is_json_or_unreadable(text: str) -> None:
    expect_outcome(lambda: json_value(text), UnreadableError)


@given(PRESETS, st.lists(likely_events() | VALUES, max_size=12), st.booleans())
def test_any_events_make_a_night_or_one_refusal(preset: str, listed: list[Any], seats: bool) -> None:
    seated = [{"kind": "sit", "seat": seat, "name": seat} for seat in ("ann", "bob", "c") if seats]
    raw = {"format": "board-tracker-night", "version": 1, "preset": preset, "events": [*seated, *listed]}
    read = night_from(json.dumps(raw).replace("NaN", "0").replace("Infinity", "0"), built_in)
    lines: list[str] = []
    refusal = expect_outcome(lambda: lines.extend(json.dumps(summary(night)) for night in states(read)), Refused)
    if isinstance(refusal, Refused):
        assert refusal.number <= len(read.entries) + 1
        assert str(refusal).startswith(f"event {refusal.number} (")


@given(VALUES | st.dictionaries(st.sampled_from(["format", "version", "preset", "options", "events"]), VALUES))
def test_any_json_is_a_night_or_known_to_be_none(raw: Any) -> None:
    if isinstance(raw, dict):
        raw = {"format": "board-tracker-night", "version": 1, **raw}
    expect_outcome(lambda: night_from(json.dumps(raw), built_in), UnreadableError, PresetError, Unknown)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])  # one store for all: each night has its code
@given(
    preset=PRESETS,
    chance=st.randoms(use_true_random=False),
    length=st.integers(2, 30),
)
def test_any_night_is_the_same_after_export_import_and_a_restart(
    tables: Nights, preset: str, chance: Random, length: int
) -> None:
    options = random_options(built_in(preset), chance)
    played = random_night(built_in(preset).with_options(options), chance, length)
    table = import_night(tables, night_to(preset, options, [Entry(at, one) for at, one in enumerate(played, 1)]))
    if chance.random() < 0.5:
        table.record(Undo(table.head), id="undone", by="host")
    restarted = Nights(tables.store, tables.live)
    for copy in (restarted.get(table.code), import_night(restarted, table.export())):
        assert copy.night == table.night
        assert copy.entries == table.entries
        assert copy.export() == table.export()
        if not copy.night.is_over:
            go_on(copy, table, chance)


def go_on(one: OpenNight, other: OpenNight, chance: Random) -> None:
    event = legal_event(other.night, chance)
    assert one.preview(event) == other.preview(event)


def test_a_night_travels_with_names_of_any_script_and_the_numbers_of_its_corrections(tables: Nights) -> None:
    """Its first entry stands there twice, and has an id that looks like those that entries without one are given."""
    first = {"kind": "sit", "seat": "zoe", "name": "Zoë 👩\u200d🎤", "id": "file-2"}
    lent = {"kind": "move", "source": "zoe", "target": "b", "chips": 3, "why": "„geliehen“ — 借"}
    events = [first, first, {"kind": "sit", "seat": "b", "name": "Ján Ł."}, lent, {"kind": "undo", "event": 4}]
    raw = {"format": "board-tracker-night", "version": 1, "preset": "michigan-rummy", "name": "Ours", "events": events}
    table = import_night(tables, json.dumps(raw), "from-a-file")
    assert (table.name, table.head, table.night.stack("b")) == ("Ours", 4, 100)
    again = import_night(tables, table.export(), "from-a-file")
    assert (again.name, again.night, again.entries) == ("Ours", table.night, table.entries)
    assert [again.night.name("zoe"), event_to(again.entries[2].event)] == [first["name"], lent]
    assert import_night(tables, json.dumps({**raw, "name": ""}), "from-a-file").name == "from-a-file"


# A night that was recorded up to its limits

PEOPLE = ("ann", "bob", "cleo")
MOST_SENT = 3000
LIMITS = {
    "events": UNLIMITED._replace(events=60),
    "work": UNLIMITED._replace(work=2000),
    "bytes": UNLIMITED._replace(bytes=9000),
    "all": NightLimits(events=90, work=4000, bytes=12_000),
}


def set_limits(monkeypatch: pytest.MonkeyPatch, most: NightLimits) -> None:
    monkeypatch.setattr(night_file, "MOST", most)
    monkeypatch.setattr(night_file, "MOST_OF_PLAYERS", NightLimits(*(one * 0.8 for one in most)))


def random_event(table: OpenNight, seat: str, chance: Random) -> Event:
    """Return a purchase, a new name of one's own, or a correction of any entry by number or id."""
    entry = chance.choice(table.entries)
    ref = chance.choice([entry.number, entry.id or entry.number])
    return chance.choice(
        [
            Buy(SeatId(seat), Amount(chance.randrange(1, 99))),
            Amend(PEOPLE.index(seat) + 1, {"name": "x" * chance.randrange(1, 30)}),
            Amend(ref, {"chips": chance.randrange(1, 99)}),
            Undo(ref),
        ]
    )


@dataclass
class Recorder:
    """Records random events of three people and a host."""

    table: OpenNight
    chance: Random
    sent: int = 0

    def record(self, by: str) -> bool:
        """Send one event; return whether it was recorded."""
        seat = by if by in PEOPLE else "ann"
        self.sent += 1
        try:
            self.table.record(random_event(self.table, seat, self.chance), id=f"id-{self.sent}", by=by)
        except TableError:
            return False
        return True

    def fill(self, by: str) -> None:
        """Record until 40 events in turn were refused."""
        refused = 0
        while refused < 40:
            refused = 0 if self.record(by) else refused + 1
            assert self.sent < MOST_SENT, "nothing is refused"


def seated(tables: Nights) -> OpenNight:
    table = tables.open("michigan-rummy", name="Friday")
    for name in PEOPLE:
        sit_down(table, name.title(), key=f"sit-{name}", by=name)
    return table


@pytest.mark.parametrize("what", LIMITS)
def test_a_night_filled_by_players_leaves_room_for_the_host_and_goes_in_by_every_way(
    site: Site, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    set_limits(monkeypatch, LIMITS[what])
    host, script = site.host(), with_command_token(site)
    for seed in range(3):
        recorder = Recorder(seated(site.tables), Random(seed))
        for seat in PEOPLE:
            recorder.fill(seat)
        filled = recorder.table.head
        with pytest.raises(NotAllowed, match="let the host record it"):
            recorder.table.record(Buy(SeatId("ann"), Amount(5)), id="ann", by="ann")
        recorder.table.record(Buy(SeatId("ann"), Amount(5)), id="ann", by="host")
        recorder.fill("host")
        with pytest.raises(NotAllowed, match="this night is full"):
            recorder.table.record(Buy(SeatId("ann"), Amount(5)), id="host", by="host")
        assert recorder.table.head > filled + 1
        text = recorder.table.export()
        *_, night = states(night_from(text, site.tables.library.find))
        assert night == recorder.table.night
        assert upload_night(host, text, key=f"{what}-{seed}").status_code == 303
        if "api" in extras.names():
            assert script.post("/api/import", json.loads(text)).status == 201


def test_nights_that_come_in_together_are_no_larger_than_any_other(
    tables: Nights, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = seated(tables).export()
    set_limits(monkeypatch, UNLIMITED._replace(work=2))
    with pytest.raises(UnreadableError):
        import_together(tables, [(text, {})], "Friday")
    assert len(tables.nights()) == 1
