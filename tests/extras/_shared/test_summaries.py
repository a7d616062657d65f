"""What a night's summary says, and that a stored one is always what its log says, whatever happened to either."""

from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import fields, replace
from importlib import import_module
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from unittest.mock import Mock

import pytest
from hypothesis import given, settings, strategies as st
from support.client_phones import Site
from support.paths import ROOT
from support.polling import wait_until
from support.random_nights import every_preset, legal_event, random_night, random_options, some_value
from support.sample_nights import PEOPLE, play_hand, record, seat_everybody
from support.system_limits import no_more_threads
from support.transcripts import recorded

from tracker import extras
from tracker.app.event_rows import new_id, read_entries, to_row
from tracker.app.nights import Nights, preset_of
from tracker.app.open_night import OpenNight
from tracker.app.settings import ARCHIVED, DELETED
from tracker.core import log
from tracker.core.errors import TableError
from tracker.core.events import Amend, Amount, Buy, Cents, End, Name, Paid, SeatId, Sit, Undo
from tracker.core.log import Entry
from tracker.core.night import Night
from tracker.core.payment_list import nets, totals
from tracker.core.preset import Preset
from tracker.core.queries.summary import ranking
from tracker.extras._night_summaries import pages, summaries as module
from tracker.extras._night_summaries.night_summary import NightSummary, from_text, newest_first, to_text
from tracker.extras._night_summaries.stored import SummaryTable
from tracker.extras._night_summaries.summaries import Summaries, SummaryWriter
from tracker.extras._night_summaries.summarize import VERSION, summarize
from tracker.formats.built_in import built_in
from tracker.formats.codec import amended
from tracker.storage import Store
from tracker.streaming.hub import StreamHub

NIGHTS = sorted((ROOT / "tests/nights").glob("*.json"))
FOUR_HANDS = ROOT / "tests/nights/rummy-four-hands.json"
CHANCE = st.integers(0, 2**16).map(Random)


def summary_of(preset: Preset, entries: Sequence[Entry]) -> tuple[NightSummary, log.Steps]:
    """Return the summary of a log as far as it can be played, and the steps."""
    steps, _ = log.replay_accepted(preset, entries, amended)
    return summarize(preset, entries, steps), steps


def summary_in(path: Path) -> NightSummary:
    return summary_of(*recorded(path))[0]


def series_of(summary: NightSummary) -> dict[str, tuple[int, ...]]:
    """Return the totals of each seat after each hand."""
    return dict(zip(summary.place_of, summary.series, strict=True))


def test_everybody_has_a_net_and_what_it_was_after_each_hand() -> None:
    rummy = summary_in(FOUR_HANDS)
    expected = {"a": -21, "b": -23, "c": 33, "d": 11}
    assert {one.seat: (one.net, one.hands) for one in rummy.seats} == {seat: (net, 4) for seat, net in expected.items()}
    assert series_of(rummy)["c"] == (-2, 15, 7, 24)
    assert rummy.winners == ("c",)
    assert rummy.winner_names == ["C"]


def test_payments_that_were_not_ticked_off_are_unpaid() -> None:
    base = built_in("michigan-rummy").with_options({"money.cents": 5})
    _, entries = recorded(FOUR_HANDS)
    summary, steps = summary_of(base, entries)
    assert {one.seat: one.cents for one in summary.seats} == {"a": -105, "b": -115, "c": 165, "d": 55}
    assert sum(one.cents for one in summary.unpaid) == 220
    first = summary.unpaid[0]
    ticked, _ = summary_of(base, [*entries, Entry(len(entries) + 1, Paid(*first[:2], Cents(first.cents)))])
    assert ticked.unpaid == summary.unpaid[1:]
    assert summary.money == (1, 5)
    before_end, _ = summary_of(base, entries[:-1])
    assert before_end.unpaid == ()
    assert len(steps) == summary.head


def test_a_night_knows_when_it_began_and_ended() -> None:
    preset, without_moments = recorded(FOUR_HANDS)
    entries = [Entry(one.number, one.event, at=f"2026-11-21T20:{one.number:02}:00Z") for one in without_moments]
    summary, _ = summary_of(preset, entries)
    assert (summary.began_at, summary.last_at) == ("2026-11-21T20:01:00Z", f"2026-11-21T20:{len(entries)}:00Z")
    going_on, _ = summary_of(preset, entries[:-1])
    assert (summary.is_over, going_on.is_over) == (True, False)


@pytest.mark.parametrize("path", NIGHTS, ids=lambda path: path.stem)
def test_a_summary_is_written_and_read_unchanged(path: Path) -> None:
    summary = summary_in(path)
    assert from_text(to_text(summary), {}) == summary


@given(st.sampled_from(every_preset()), CHANCE, st.integers(2, 6))
def test_the_figures_of_any_night_fit_its_ledger(preset: Preset, chance: Random, people: int) -> None:
    preset = preset.with_options(random_options(preset, chance))
    events = random_night(preset, chance, 60, people)
    summary, steps = summary_of(preset, [Entry(number, event) for number, event in enumerate(events, start=1)])
    night = steps[-1][2]
    assert {one.seat: one.net for one in summary.seats} == nets(night)
    given_up = {state.hand for _, _, state in steps if state.is_abandoned}
    if not isinstance(events[-1], End) and night.hand and night.hand not in given_up:
        assert {seat: series[-1] for seat, series in series_of(summary).items()} == totals(night)
    assert all(0 <= one.hands <= summary.hands for one in summary.seats)
    assert summary.hand - len(given_up) - 1 <= summary.hands <= summary.hand - len(given_up)
    assert [one.place for one in summary.seats] == [
        {rank.seat: rank.place for rank in ranking(night)}[one.seat] for one in summary.seats
    ]
    assert {one.seat for one in summary.seats if one.place == 1} >= set(summary.winners)


def test_a_night_without_events_has_a_summary() -> None:
    preset = built_in("michigan-kitty")
    assert summarize(preset, [], []).hand == 0
    assert summarize(preset, [], []).phase == Night(preset).phase


# Stored


def new_night(tables: Nights, name: str = "Friday") -> OpenNight:
    table = tables.open("michigan-rummy", name=name)
    seat_everybody(table)
    play_hand(table, "ruth", "ben", "mia")
    return table


def replayed(store: Store) -> list[NightSummary]:
    """Return the summary of every night by replaying its log as it was recorded, event by event."""
    found = []
    for row in store.nights():
        preset, entries = preset_of(row), read_entries(store, row.code)
        steps = log.Steps(preset)
        for place, entry in enumerate(entries):
            log.record(entries[:place], entry, amended, steps)
        made = summarize(preset, entries, steps)
        found.append(replace(made, code=row.code, name=row.name, created_at=row.created_at))
    return newest_first(found)


def rows(store: Store) -> list[tuple[str, int, str, bytes]]:
    with store.connection.read() as db:
        return db.execute("SELECT code, version, body, seal FROM summary ORDER BY code").fetchall()


def change(store: Store, sql: str) -> None:
    with store.connection.write() as db:
        db.execute(sql)


def opened_again(store: Store) -> Summaries:
    """Return the summaries as another start of the program would, with no night in memory."""
    return Summaries(Nights(store, StreamHub()))


@pytest.fixture(name="computed")
def _computed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Give the number of events of each log that a summary is computed from."""
    counts: list[int] = []

    def counted(preset, entries, steps):  # type: ignore[no-untyped-def]
        counts.append(len(entries))
        return summarize(preset, entries, steps)

    monkeypatch.setattr(module, "summarize", counted)
    return counts


def step(table: OpenNight, chance: Random) -> None:
    """Record something legal, take any event back, or change any field of one; what is refused changes nothing."""
    with suppress(TableError):
        kind = chance.choice(("play", "play", "undo", "amend")) if table.head > 6 else "play"
        event = legal_event(table.night, chance)
        if kind != "play":
            entry = chance.choice(table.entries)
            event = Undo(entry.number)
            names = [one.name for one in fields(entry.event)]
            if kind == "amend" and names:
                name = chance.choice(names)
                event = Amend(entry.number, {name: some_value(name, table.night, chance)})
        table.record(event, id=new_id(), by="host")


@given(st.integers(0, 2**16).map(Random))
@settings(max_examples=12)
def test_summaries_are_what_replaying_everything_gives_after_undos_and_amends_in_old_nights(chance: Random) -> None:
    with TemporaryDirectory() as folder, closing(Store(Path(folder) / "nights.db")) as store:
        tables = Nights(store, StreamHub())
        summaries = Summaries(tables)
        for preset in chance.sample(every_preset(), 3):
            table = tables.open(preset)
            for seat in list(PEOPLE)[:3]:
                record(table, Sit(SeatId(seat), Name(PEOPLE[seat])))
        for _ in range(4):
            codes = [row.code for row in store.nights()]
            for _ in range(12):
                step(tables.get(chance.choice(codes)), chance)
            if chance.random() < 0.5:
                summaries.refresh(tables.get(chance.choice(codes)))
            assert summaries.all() == replayed(store)
            if chance.random() < 0.5:
                tables = Nights(store, StreamHub())
                summaries = Summaries(tables)
        assert opened_again(store).all() == replayed(store)


def test_a_summary_is_computed_once_and_again_only_when_its_log_went_on(
    tables: Nights, store: Store, computed: list[int]
) -> None:
    table, summaries = new_night(tables), opened_again(store)
    assert summaries.all() == opened_again(store).all()
    store.rename(table.code, "Mia’s birthday")
    assert [one.name for one in summaries.all()] == ["Mia’s birthday"]
    assert computed == [table.head]
    record(table, Undo(table.head))
    assert [one.head for one in summaries.all()] == [table.head]
    assert computed == [table.head - 1, table.head]


def test_a_missing_damaged_or_older_summary_is_made_again(tables: Nights, store: Store) -> None:
    table = new_night(tables)
    first, stored = opened_again(store).all(), rows(store)
    for damage in (
        "DELETE FROM summary",
        "UPDATE summary SET body = replace(body, 'Ruth', 'Rita')",
        "UPDATE summary SET body = '{}'",
        "UPDATE summary SET seal = zeroblob(32)",
        "UPDATE summary SET version = version - 1",
    ):
        change(store, damage)
        assert rows(store) != stored, damage
        assert opened_again(store).all() == first, damage
        assert rows(store) == stored, damage
    SummaryTable(store.connection).write(
        VERSION, [(table.code, table.head, '{"seats": []}')]
    )  # with a right seal and other fields
    assert opened_again(store).all() == first


def test_a_damaged_log_has_no_summary_and_is_not_read_at_every_page(
    tables: Nights, store: Store, computed: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    table, whole = new_night(tables), new_night(tables, "Saturday")
    change(store, "DROP TRIGGER event_no_update")
    change(store, f"UPDATE event SET body = '{{}}' WHERE code = '{table.code}' AND number = 3")
    summaries = opened_again(store)
    assert [one.name for one in summaries.all()] == ["Saturday"]
    monkeypatch.setattr(module, "read_entries", None)
    assert [one.code for one in summaries.all()] == [whole.code]
    assert computed == [whole.head]


def test_deleted_nights_are_listed_apart_and_archived_ones_say_so(tables: Nights) -> None:
    archived, deleted = new_night(tables), new_night(tables)
    archived.settings.put_away, deleted.settings.put_away = ARCHIVED, DELETED
    summaries = Summaries(tables)
    assert [(one.code, one.put_away) for one in summaries.all()] == [(archived.code, ARCHIVED)]
    assert [one.code for one in summaries.deleted()] == [deleted.code]
    found = summaries.get(deleted.code)
    assert found
    assert found.put_away == DELETED
    assert summaries.get("nobody") is None


def test_a_hand_and_the_end_of_a_night_are_stored_at_the_latest_when_the_writer_is_closed(
    tables: Nights, store: Store
) -> None:
    with closing(SummaryWriter(tables, Summaries(tables), pause_seconds=3600)) as writer:
        table = new_night(tables)
        assert rows(store) == []
        writer.close()
        assert [(code, '"hand":1,' in body) for code, _, body, _ in rows(store)] == [(table.code, True)]
        record(table, End())
    assert '"phase":"ended"' in rows(store)[0][2]


def test_beside_a_server_the_summary_of_each_hand_is_stored(tables: Nights, store: Store) -> None:
    app = Site(tables).app
    pages.begin(app)
    with app.extensions["jobs"][-1]():
        table = new_night(tables)
    assert [code for code, *_ in rows(store)] == [table.code]


def test_where_the_system_gives_no_more_threads_the_next_hand_has_the_summaries_stored(
    tables: Nights, store: Store
) -> None:
    with closing(SummaryWriter(tables, Summaries(tables), pause_seconds=0)):
        with no_more_threads():
            table = new_night(tables)
        play_hand(table, "ben", "ben", "mia")
        wait_until(lambda: bool(rows(store)) and '"hand":2,' in rows(store)[0][2])
    assert table.night.hand == 2


def test_a_night_is_replayed_again_only_without_a_summary_of_its_log_or_by_another_version(
    tables: Nights, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    codes, read = {new_night(tables).code, new_night(tables).code}, Mock(side_effect=read_entries)
    monkeypatch.setattr(module, "read_entries", read)
    summaries = opened_again(store)
    for version, replayed_nights in (("8", codes), ("8", set[str]()), ("9", codes)):
        monkeypatch.setattr("tracker.extras._night_summaries.summaries.__version__", version)
        assert list(summaries.replay_faults()) == []
        assert {call.args[1] for call in read.call_args_list} == replayed_nights
        read.reset_mock()


def test_a_night_that_can_not_be_played_to_its_end_is_named(store: Store, tables: Nights) -> None:
    """Its hashes fit: a program with other rules has written it."""
    good = tables.open("michigan-rummy")
    record(good, Sit(SeatId("ann"), Name("Ann")))
    row = store.night(good.code)
    assert row is not None
    events = [to_row(Entry(1, Buy("nobody", Amount(5)), "x"))]
    store.create_night(
        code="other", name="", preset=row.preset, options=row.options, created_at=row.created_at, events=events
    )
    (said,) = Summaries(Nights(store, StreamHub())).replay_faults()
    assert said.startswith("night other can’t be read past event 1: ")


def test_each_extra_whose_pages_ask_for_summaries_brings_them_to_the_app() -> None:
    module, folder = "tracker.extras._night_summaries.pages", ROOT / "tracker/extras"
    asking = {
        path.relative_to(folder).parts[0]
        for path in folder.rglob("*.py")
        if f"from {module} import" in path.read_text("utf-8")
    }
    bringing = {name for name in extras.names() if module in import_module(f"tracker.extras.{name}").EXTRA.modules}
    assert asking <= bringing
