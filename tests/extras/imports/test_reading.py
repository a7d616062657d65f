"""What is read as a night: anything else is refused in words, and what may be recorded is never too large."""

import json
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import count
from random import Random
from typing import Any

import pytest
from extras._shared.api_scripts import with_command_token
from extras.imports.uploads import upload_night
from hypothesis import HealthCheck, given, settings, strategies as st
from support.client_phones import Site
from support.odd_values import VALUES, expect_outcome, likely_events
from support.paths import ROOT, SHARED_NIGHTS
from support.random_nights import legal_event, random_night, random_options

from tracker import extras
from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.app.seating import sit_down
from tracker.core.errors import AlreadyDone, NoLongerFits, NotAllowed, PresetError, TableError, Unknown
from tracker.core.events import Amend, Amount, Buy, SeatId, Undo
from tracker.core.log import Entry
from tracker.core.night import Night
from tracker.core.queries.summary import summary
from tracker.extras._night_files.codes import (
    LONGEST_NIGHT_CODE,
    MOST_NIGHT_BYTES,
    NIGHT_WORDS,
    is_night_code,
    night_from_code,
    night_to_code,
    pack,
    text_of_file,
    words,
)
from tracker.extras._night_files.importing import import_night, import_together
from tracker.extras._night_files.json_text import UnreadableError
from tracker.extras._night_files.reading import UNLIMITED, NightFile, Refused, night_from, states
from tracker.formats import night_file
from tracker.formats.built_in import all_built_in, built_in, built_in_ids
from tracker.formats.codec import entry_from, event_to, preset_to
from tracker.formats.night_file import night_to

FRAME = {"format": "board-tracker-night", "version": 1}
PRESETS = st.sampled_from([preset.id for preset in all_built_in()])


FRAMES = st.dictionaries(st.sampled_from(["preset", "options", "events"]), VALUES)


@given(st.text() | VALUES.map(json.dumps) | FRAMES.map(lambda raw: json.dumps({**FRAME, **raw})))
def test_any_text_is_a_night_or_known_to_be_none(text: str) -> None:
    expect_outcome(lambda: night_from(text, built_in), UnreadableError, PresetError, Unknown)


@given(PRESETS, st.lists(likely_events() | VALUES, max_size=12), st.booleans())
def test_any_events_make_a_night_or_one_refusal(preset: str, listed: list[Any], seats: bool) -> None:
    seated = [{"kind": "sit", "seat": seat, "name": seat} for seat in ("ann", "bob", "c") if seats]
    raw = {**FRAME, "preset": preset, "events": [*seated, *listed]}
    read = night_from(json.dumps(raw).replace("NaN", "0").replace("Infinity", "0"), built_in)
    lines: list[str] = []
    refusal = expect_outcome(lambda: lines.extend(json.dumps(summary(night)) for night in states(read)), Refused)
    if isinstance(refusal, Refused):
        assert refusal.number <= len(read.entries) + 1
        assert str(refusal).startswith(f"event {refusal.number} (")


# One store for all: each night has its code.
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
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
        assert (copy.night, copy.entries, copy.export()) == (table.night, table.entries, table.export())
        if not copy.night.is_over:
            event = legal_event(copy.night, chance)
            assert copy.preview(event) == table.preview(event), "and it goes on as that would"


def test_a_night_travels_with_names_of_any_script_and_the_numbers_of_its_corrections(tables: Nights) -> None:
    """Its first entry stands there twice, and has an id that looks like those that entries without one are given."""
    first = {"kind": "sit", "seat": "zoe", "name": "Zoë 👩\u200d🎤", "id": "file-2"}
    lent = {"kind": "move", "source": "zoe", "target": "b", "chips": 3, "why": "„geliehen“ — 借"}
    events = [first, first, {"kind": "sit", "seat": "b", "name": "Ján Ł."}, lent, {"kind": "undo", "event": 4}]
    raw = {**FRAME, "preset": "michigan-rummy", "name": "Ours", "events": events}
    table = import_night(tables, json.dumps(raw), "from-a-file")
    assert (table.name, table.head, table.night.stack("b")) == ("Ours", 4, 100)
    again = import_night(tables, table.export(), "from-a-file")
    assert (again.name, again.night, again.entries) == ("Ours", table.night, table.entries)
    assert [again.night.name("zoe"), event_to(again.entries[2].event)] == [first["name"], lent]
    assert import_night(tables, json.dumps({**raw, "name": ""}), "from-a-file").name == "from-a-file"


# A night that was recorded up to its limits


def fill(table: OpenNight, chance: Random) -> None:
    """Record purchases and corrections of any entry, by number or id, until the night is full."""
    for name in ("ann", "bob", "cleo"):
        sit_down(table, name.title(), key=f"sit-{name}", by=name)
    for number in count():
        entry = chance.choice(table.entries)
        ref = chance.choice([entry.number, entry.id or entry.number])
        made = (Buy(SeatId("ann"), Amount(number % 90 + 1)), Amend(2, {"name": "x" * (number % 30 + 1)}), Undo(ref))
        with suppress(NoLongerFits, AlreadyDone):
            table.record(chance.choice(made), id=f"id-{number}", by="host")


@pytest.mark.parametrize(("what", "most"), [("events", 60), ("work", 2000), ("bytes", 9000)])
def test_a_night_that_is_full_goes_in_by_every_way_and_together_with_no_other(
    site: Site, monkeypatch: pytest.MonkeyPatch, what: str, most: int
) -> None:
    limits = UNLIMITED._replace(**{what: most})
    monkeypatch.setattr(night_file, "MOST", limits)
    monkeypatch.setattr(night_file, "MOST_OF_PLAYERS", limits)
    table = site.tables.open("michigan-rummy", name="Friday")
    with pytest.raises(NotAllowed, match="this night is full"):
        fill(table, Random(1))
    text = table.export()
    *_, night = states(night_from(text, site.tables.library.find))
    assert night == table.night
    assert upload_night(site.host(), text).status_code == 303
    if "api" in extras.names():
        assert with_command_token(site).post("/api/import", json.loads(text)).status == 201
    before = site.tables.nights()
    monkeypatch.setattr(night_file, "MOST", UNLIMITED._replace(work=2))
    with pytest.raises(UnreadableError):
        import_together(site.tables, [(text, {})], "Friday")
    assert site.tables.nights() == before


# A night inside a code: it comes out as it went in, and whatever else is pasted is refused in a sentence.


WORDS_OF_VERSION_1 = 0xF696EF1B
MOST_BYTES_OF_A_NIGHT = 800
OTHERS: list[Any] = [None, 3, [1], {"a": {}}, "é", [["sit"]], [[]], [["x", 1]]]


def all_nights() -> Iterator[tuple[str, NightFile]]:
    """Yield the name and the night of every night file that the tests have."""
    for folder in (ROOT / "tests/nights", SHARED_NIGHTS):
        for path in sorted(folder.glob("*.json")):
            yield path.stem, night_from(path.read_text("utf-8"), built_in)
    for path in sorted((ROOT / "tests/nights/released").glob("*.json")):
        raw = json.loads(path.read_text("utf-8"))
        events = raw["events"]
        raw = {**FRAME, "preset": raw["preset"], "events": events}
        yield path.stem, night_from(json.dumps(raw), built_in)


def code_of(read: NightFile, name: str = "") -> str:
    return night_to_code(preset_to(read.preset), read.options, read.entries, name)


def numbered(entries: tuple[Entry, ...]) -> list[object]:
    """Return the events of a log, each correction with the number of what it is about."""
    numbers: dict[int | str | None, int] = {entry.id: entry.number for entry in entries}
    return [
        replace(event, event=numbers.get(event.event, event.event)) if isinstance(event, Undo | Amend) else event
        for event in (entry.event for entry in entries)
    ]


def faults(name: str, read: NightFile) -> Iterator[str]:
    """Yield what is another thing after a night went through a code: preset, options, players, events or balances."""
    code = code_of(read, name)
    again = night_from(night_from_code(code), built_in)
    if not (code.isalnum() and code == code.upper() and is_night_code(code)):
        yield f"{name}: no text for a QR code"
    if (again.preset, again.options, again.name) != (read.preset, read.options, name):
        yield f"{name}: another preset, options or name"
    if [entry.event for entry in again.entries] != numbered(read.entries):
        yield f"{name}: other events"
    if played(again) != played(read):
        yield f"{name}: other balances"


def played(read: NightFile) -> list[Night | str]:
    """Return the state after each event, and the sentence about the event that is refused."""
    found: list[Night | str] = []
    try:
        found.extend(states(read))
    except Refused as refused:
        found.append(str(refused))
    return found


def test_every_night_comes_out_of_its_code_as_it_went_in(figure: Callable[[str], None]) -> None:
    nights = [*all_nights()]
    assert [fault for name, read in nights for fault in faults(name, read)] == []
    sizes = sorted((len(code_of(read)) - 2) * 5 // 8 for _, read in nights)
    events = sum(len(read.entries) for _, read in nights)
    figure(
        f"{len(nights)} nights of {events} events: a code of {sizes[len(sizes) // 2]} bytes in the middle case, "
        f"{sizes[-1]} at most, {sum(sizes) / events:.1f} for each event"
    )
    assert sizes[-1] <= MOST_BYTES_OF_A_NIGHT


@settings(max_examples=25)
@given(st.sampled_from(built_in_ids()), st.randoms(use_true_random=False), st.text("abcXY é'\"", max_size=20))
def test_any_night_comes_out_of_its_code_as_it_went_in(preset: str, random: Random, name: str) -> None:
    events = random_night(built_in(preset), random, 25)
    entries = tuple(Entry(number, event, f"id-{number}") for number, event in enumerate(events, 1))
    assert [*faults(name.strip(), NightFile(built_in(preset), entries, preset))] == []


def test_seats_and_other_texts_of_the_same_letters_stay_apart() -> None:
    people = ["b", "a", "ab", *("ruth", "ben", "mia", "tom", "ana", "otto", "lena", "paul", "nora", "emil")]
    events = [{"kind": "sit", "seat": seat, "name": name} for seat, name in zip(people, "abcdefghijklm", strict=True)]
    entries = tuple(entry_from(event, number) for number, event in enumerate(events, 1))
    read = NightFile(built_in("score-sheet"), entries, "score-sheet")
    assert [*faults("a", read)] == []


def test_only_the_moment_of_the_first_event_is_in_a_code() -> None:
    entries = (
        entry_from({"kind": "sit", "seat": "a", "name": "Ann", "id": "x", "at": "2026-03-07T18:20:11Z", "by": "z"}, 1),
        entry_from({"kind": "undo", "event": "x", "id": "y", "at": "2026-03-07T18:21:11Z"}, 2),
    )
    again = json.loads(night_from_code(code_of(NightFile(built_in("newmarket"), entries, "newmarket"))))
    assert again["events"] == [
        {"kind": "sit", "seat": "a", "name": "Ann", "at": "2026-03-07T18:20:11Z"},
        {"kind": "undo", "event": 1},
    ]


def test_codes_of_version_1_are_read_for_ever() -> None:
    assert zlib.crc32(words(NIGHT_WORDS)) == WORDS_OF_VERSION_1
    code = (ROOT / "tests/extras/imports/night_code_1.txt").read_text("utf-8")
    kept, read = night_from(night_from_code(code), built_in), dict(all_nights())["rummy-four-hands"]
    assert [entry.event for entry in kept.entries] == [entry.event for entry in read.entries]


def test_a_file_of_a_night_and_one_of_a_code_are_read_in_the_encodings_that_systems_write() -> None:
    (name, night), *_ = all_nights()
    name += " bei Jürgen"
    text, code = night_to(preset_to(night.preset), night.options, night.entries, name), code_of(night, name)
    pasted = f" https://cards.example/#{code[:40].lower()}\n{code[40:]} "
    assert is_night_code(pasted)
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-16-be"):
        assert text_of_file(f"\n{text}".encode(encoding)) == text.strip()
        for written in (f" {code}\r\n", pasted):
            assert text_of_file(written.encode(encoding)) == night_from_code(code)
    with pytest.raises(UnreadableError, match="not UTF-8"):
        text_of_file(text.encode("cp1252"))


def refusal_of(text: str) -> str:
    """Return the sentence with which a text is refused, or nothing when a night came out of it."""
    try:
        [*states(night_from(night_from_code(text), built_in))]
    except (UnreadableError, TableError) as refused:
        return str(refused)
    return ""


def made(value: Any) -> str:
    return "N1" + pack(json.dumps(value).encode(), words(NIGHT_WORDS))


def test_whatever_is_no_code_of_a_night_is_refused_in_a_sentence() -> None:
    code = code_of(dict(all_nights())["rummy-four-hands"])
    whole: dict[str, Any] = {"preset": "newmarket", "name": "", "options": {}, "at": ""}
    whole |= {"seats": {"a": "ann"}, "events": [["sit", "a", "A"]]}
    bad: list[Any] = [None, 1, [], {}, [whole], "x", {**whole, "more": 1}]
    bad += [{key: whole[key] for key in whole if key != gone} for gone in whole]
    for key in whole:
        bad += [{**whole, key: value} for value in OTHERS]
    bad += [{**whole, "events": [["end", None, 1, 2, 3]]}, {**whole, "seats": {"a": "x" * 33}}]
    texts = ["", "hello", "N1", "N1AAAAAAAAA", "N2" + code[2:], "٣" * 40, code[:-9]]
    texts.append("N1" + "A" * (LONGEST_NIGHT_CODE + 1))
    for at in range(2, len(code), 7):
        texts += [code[:at] + other + code[at + 1 :] for other in "AZ" if other != code[at]]
    said = [refusal_of(text) for text in (*texts, *map(made, bad))]
    assert sum(not one for one in said) == 2  # a night may be called é, and nobody knows when it began
    assert all("\n" not in one and len(one) < 400 for one in said)


def test_a_code_never_unpacks_to_more_than_its_bound() -> None:
    for bomb in (b" " * (MOST_NIGHT_BYTES + 1), b"[" * (MOST_NIGHT_BYTES // 2), b'"' + b"a" * 40_000_000):
        assert refusal_of("N1" + pack(bomb, words(NIGHT_WORDS)))


@given(st.binary(max_size=300), st.text(max_size=120) | st.text("N1ABCDEFGHIJKLMNOPQRSTUVWXYZ234567#/ ", max_size=120))
def test_any_bytes_and_any_text_are_refused_in_a_sentence(raw: bytes, text: str) -> None:
    assert all(map(refusal_of, ("N1" + pack(raw, words(NIGHT_WORDS)), text, "N1" + text)))
