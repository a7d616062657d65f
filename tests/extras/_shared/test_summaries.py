"""The stored summaries: always what the logs say, whatever happened to the logs or to the summaries."""

from contextlib import closing, suppress
from dataclasses import fields, replace
from importlib import import_module
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings, strategies as st
from support.client_phones import Site
from support.paths import ROOT
from support.random_nights import every_preset, legal_event, some_value
from support.sample_nights import PEOPLE, play_hand, record, seat_everybody
from support.system_limits import no_more_threads

from tracker import extras
from tracker.app.event_rows import new_id, read_entries, to_row
from tracker.app.nights import Nights, preset_of
from tracker.app.open_night import OpenNight
from tracker.app.settings import ARCHIVED, DELETED
from tracker.core import log
from tracker.core.errors import TableError
from tracker.core.events import Amend, Amount, Buy, End, Name, SeatId, Sit, Undo
from tracker.extras._night_summaries import pages, summaries as module
from tracker.extras._night_summaries.night_summary import NightSummary, newest_first
from tracker.extras._night_summaries.stored import SummaryTable
from tracker.extras._night_summaries.summaries import Summaries, SummaryWriter
from tracker.extras._night_summaries.summarize import VERSION, summarize
from tracker.formats.codec import amended
from tracker.storage import Store
from tracker.streaming.hub import StreamHub


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


def test_a_stored_summary_is_read_and_not_computed_again(tables: Nights, store: Store, computed: list[int]) -> None:
    table = new_night(tables)
    first = opened_again(store).all()
    assert computed == [table.head]
    assert opened_again(store).all() == first
    assert computed == [table.head]


def test_a_log_that_went_on_is_computed_again(tables: Nights, store: Store, computed: list[int]) -> None:
    summaries = opened_again(store)
    table = new_night(tables)
    summaries.all()
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


def test_a_new_name_is_shown_without_computing_anything(tables: Nights, store: Store, computed: list[int]) -> None:
    table = new_night(tables)
    summaries = opened_again(store)
    summaries.all()
    store.rename(table.code, "Mia’s birthday")
    assert [one.name for one in summaries.all()] == ["Mia’s birthday"]
    assert computed == [table.head]


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


def test_a_hand_that_is_over_has_its_summary_stored(tables: Nights, store: Store) -> None:
    with closing(SummaryWriter(tables, Summaries(tables), pause_seconds=3600)):
        table = new_night(tables)
        assert rows(store) == []
    assert [(code, '"hand":1,' in body) for code, _, body, _ in rows(store)] == [(table.code, True)]


def test_beside_a_server_the_summary_of_each_hand_is_stored(tables: Nights, store: Store) -> None:
    app = Site(tables).app
    pages.begin(app)
    with app.extensions["jobs"][-1]():
        table = new_night(tables)
    assert [code for code, *_ in rows(store)] == [table.code]


def test_where_the_system_gives_no_more_threads_the_next_hand_has_the_summaries_stored(
    tables: Nights, store: Store
) -> None:
    with closing(SummaryWriter(tables, Summaries(tables), pause_seconds=0)) as writer:
        with no_more_threads():
            table = new_night(tables)
        play_hand(table, "ben", "ben", "mia")
        writer.close()
        assert '"hand":2,' in rows(store)[0][2]


def test_the_end_of_a_night_is_stored_by_the_background_thread(tables: Nights, store: Store) -> None:
    with closing(SummaryWriter(tables, Summaries(tables), pause_seconds=0)) as writer:
        table = new_night(tables)
        record(table, End())
        writer.close()
        assert '"phase":"ended"' in rows(store)[0][2]


def test_a_night_is_replayed_again_only_without_a_summary_of_its_log_or_by_another_version(
    tables: Nights, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    codes, read = {new_night(tables).code, new_night(tables).code}, list[str]()

    def counted(store: Store, code: str) -> list[log.Entry]:
        read.append(code)
        return read_entries(store, code)

    monkeypatch.setattr(module, "read_entries", counted)
    summaries = opened_again(store)
    for version, replayed_nights in (("8", codes), ("8", set[str]()), ("9", codes)):
        monkeypatch.setattr("tracker.extras._night_summaries.summaries.__version__", version)
        assert list(summaries.replay_faults()) == []
        assert {*read} == replayed_nights
        read.clear()


def test_a_night_that_can_not_be_played_to_its_end_is_named(store: Store, tables: Nights) -> None:
    """Its hashes fit: a program with other rules has written it."""
    good = tables.open("michigan-rummy")
    record(good, Sit(SeatId("ann"), Name("Ann")))
    row = store.night(good.code)
    assert row is not None
    events = [to_row(log.Entry(1, Buy("nobody", Amount(5)), "x"))]
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
