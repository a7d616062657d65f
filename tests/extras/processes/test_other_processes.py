"""Two processes over one database: what one writes the other has, and a tap on what is out of date is still right."""

import os
import threading
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import ExitStack, closing, suppress
from functools import partial
from pathlib import Path

import psycopg
import pytest
from flask import request
from support.at_once import at_once
from support.client_phones import ClientPhone, Site
from support.of_extras import needs
from support.polling import wait_until
from support.sample_nights import play_hand, seat_everybody
from support.stream_phones import Night as Picture, Phone, picture
from support.system_limits import many_open_files

from tracker.app.event_rows import new_id
from tracker.app.nights import Nights
from tracker.app.open_night import ExpectedState, OpenNight
from tracker.app.settings import NightSettings
from tracker.core.errors import Stale, Unknown
from tracker.core.events import Amount, Buy, End
from tracker.extras._phones import PhoneTransfer, TransferLinks
from tracker.extras._removal import erase_nights
from tracker.extras.processes import other_processes
from tracker.extras.processes.database import PostgresDatabase
from tracker.extras.processes.options import Postgres
from tracker.extras.processes.other_processes import OtherProcesses
from tracker.extras.processes.postgres import MOST_CONNECTIONS, PostgresConnection, connect
from tracker.extras.processes.shared_rows import SharedRows
from tracker.storage import EVENTS, ChangeNotice, DataPlace, NotRead, NotSaved, Store
from tracker.streaming.hub import Frame, StreamHub
from tracker.web.access.devices import hash_token
from tracker.web.access.links import Invites
from tracker.web.access.rate_limits import PostRateLimit
from tracker.web.base.snapshot import snapshot_of

BUY = Buy("ruth", Amount(5))
CODE = "k7q"


class Process(Nights):
    """The nights of a process that follows what others write."""

    def __init__(self, store: Store) -> None:
        super().__init__(store, StreamHub())
        assert isinstance(store.connection, PostgresConnection)
        assert isinstance(store.temporary, SharedRows)
        self.others = OtherProcesses(self, store.connection, store.temporary)


@pytest.fixture(name="first")
def _first(database: str) -> Iterator[Process]:
    with closing(Store(Postgres(database))) as store:
        nights = Process(store)
        yield nights
        nights.live.stop()


@pytest.fixture(name="second")
def _second(database: str, first: Process) -> Iterator[Process]:
    with closing(Store(Postgres(database))) as store:
        assert store.instance == first.store.instance
        nights = Process(store)
        yield nights
        nights.live.stop()


@pytest.fixture(name="table")
def _table(first: Process) -> OpenNight:
    table = first.open("michigan-rummy")
    seat_everybody(table)
    return table


@pytest.fixture(name="deaf")
def _deaf(database: str, first: Process, monkeypatch: pytest.MonkeyPatch) -> Iterator[Process]:
    """A process that is told nothing: as one is in the moment before it is told."""
    assert first.store.instance
    monkeypatch.setattr(PostgresConnection, "listen", lambda *_: None)
    with closing(Store(Postgres(database))) as store:
        yield Process(store)


def test_what_one_process_writes_the_other_has_and_what_it_removes_is_gone_there(
    table: OpenNight, second: Process
) -> None:
    there, devices = second.get(table.code), table._store.devices
    play_hand(table, "ruth", "ben", "mia")
    wait_until(lambda: there.head == table.head)
    assert (there.entries, there.night, there.undone) == (table.entries, table.night, table.undone)
    there.record(BUY, id="from-there", by="host")
    wait_until(lambda: table.head == there.head)
    assert (table.entries, table.night) == (there.entries, there.night)

    assert not there.settings.is_last_hand
    version = there.version
    table.settings.is_last_hand = True
    table.set_draft_value("ben", 2)
    wait_until(lambda: there.settings.is_last_hand and there.draft.counts == {"ben": 2})
    wait_until(lambda: there.version > version)

    phone = devices.add(bytes(32), code=table.code, role="seat", seat="ben", at="20:00")
    wait_until(lambda: second.store.devices.of(table.code) == (phone,))
    devices.revoke(phone.id)
    assert second.store.devices.by_token(bytes(32)) is None
    wait_until(lambda: second.store.devices.of(table.code) == ())

    assert erase_nights(table._store, {table.code: table.head}) == [table.code]
    wait_until(lambda: second.if_open(table.code) is None)
    with pytest.raises(Unknown):
        second.get(table.code)


def test_a_tap_at_a_process_told_nothing_counts_as_at_the_newest_state(table: OpenNight, deaf: Process) -> None:
    """A new purchase comes after the others, the same form or the same tap of two phones is one, the end is refused.

    What is brought in thereby is shown at once: else its sender taps again from what the page showed before, and that
    is taken for the same tap.
    """
    there, before, seen = deaf.get(table.code), table.night.stack("ruth"), ExpectedState(head=table.head)
    assert snapshot_of(there).head == table.head
    assert table.record(BUY, id="a", by="ruth", seen=seen).is_fresh
    assert not there.record(BUY, id="a", by="ruth").is_fresh
    assert snapshot_of(there).head == table.head
    assert not there.record(BUY, id="b", by="ben", seen=seen).is_fresh
    assert there.entries == table.entries
    table.record(BUY, id="c", by="host")
    assert there.record(BUY, id="d", by="host").is_fresh
    assert there.night.stack("ruth") == before + 15
    seen = ExpectedState(head=there.head)
    table.record(BUY, id="e", by="host")
    with pytest.raises(Stale, match="in the meantime"):
        there.record(End(), id="f", by="host", seen=seen)
    assert snapshot_of(there).head == there.head == table.head


def test_of_many_taps_at_both_processes_each_is_recorded_once(table: OpenNight, second: Process) -> None:
    there, before = second.get(table.code), table.night.stack("ruth")

    def tap(at: OpenNight, word: str) -> None:
        for number in range(15):
            is_recorded = False
            while not is_recorded:  # whoever is told that somebody was faster taps again
                with suppress(Stale):
                    is_recorded = bool(at.record(BUY, id=f"{word}-{number}", by="host"))

    at_once([partial(tap, at, f"{at is there}-{number}") for at in (table, there) for number in (1, 2)])
    wait_until(lambda: table.head == there.head)
    assert table.entries == there.entries
    assert table.night.stack("ruth") == there.night.stack("ruth") == before + 5 * 60
    assert [entry.number for entry in table.entries] == list(range(1, table.head + 1))


def test_counts_choices_and_a_form_that_opens_a_night_at_two_processes_that_are_told_nothing_are_all_there_and_once(
    table: OpenNight, first: Process, deaf: Process
) -> None:
    there = deaf.get(table.code)
    assert there.draft.counts == there.settings.plan.chosen == {}
    table.set_draft_value("ben", 2)
    there.set_draft_value("mia", 3)
    table.set_draft_value("tom", 4)
    assert table.draft.counts == {"ben": 2, "mia": 3, "tom": 4}
    table.choose(NightSettings.plan, {"ben": "out"})
    there.choose(NightSettings.plan, {"mia": "out"})
    assert there.settings.plan.chosen == {"ben": "out", "mia": "out"}
    for number in range(5):
        at_once([partial(nights.open, "michigan-rummy", key=f"form-{number}") for nights in (first, deaf)])
    assert len(first.nights()) == 6


@pytest.mark.every_place
def test_what_many_phones_choose_at_once_is_all_there(place: Path | DataPlace) -> None:
    with closing(Store(place)) as store:
        table = Nights(store, StreamHub()).open("michigan-rummy")
        seat_everybody(table)
        at_once([partial(table.choose, NightSettings.plan, {seat: "out"}) for seat in table.night.seats])
        assert set(table.settings.plan.chosen) == set(table.night.seats)


def test_two_processes_that_start_at_once_on_a_new_database_show_the_same_codes(database: str) -> None:
    with closing(Store(Postgres(database))) as one, closing(Store(Postgres(database))) as other:
        assert not other.settings(None).get("invite-secret")  # the other one has looked, and found none
        invites, others = Invites(one), Invites(other)
        code = Nights(one, StreamHub()).open("michigan-rummy").code
        invites.renew(code)
        shown = others.shown(code)
        assert shown == invites.shown(code)
        assert shown
        assert others.night_of_token(shown[0]) == code


def test_counts_are_typed_at_more_tables_at_once_than_there_are_connections(first: Process) -> None:
    tables = [first.open("michigan-rummy", name=str(number)) for number in range(2 * MOST_CONNECTIONS)]
    for table in tables:
        seat_everybody(table)

    def type_counts(table: OpenNight) -> None:
        for count in range(5):
            table.set_draft_value("ben", count)

    at_once([partial(type_counts, table) for table in tables])
    assert [table.draft.counts for table in tables] == [{"ben": 4}] * len(tables)


def test_a_process_with_more_than_a_thousand_files_open_as_one_with_many_streams_has_follows_too(
    table: OpenNight, database: str
) -> None:
    with ExitStack() as ended:
        ended.enter_context(many_open_files())
        for _ in range(1024):
            ended.callback(os.close, os.open(os.devnull, os.O_RDONLY))
        there = Process(ended.enter_context(closing(Store(Postgres(database))))).get(table.code)
        table.record(BUY, id="b", by="host")
        wait_until(lambda: there.head == table.head)
        link = ended.enter_context(closing(connect(database)))
        assert link.fileno() > 1023
        assert link.execute("SELECT 1").fetchone() == (1,)


def test_an_event_of_a_process_that_died_before_it_told_is_found_while_others_are_told_all_the_time(
    table: OpenNight, second: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    there, is_over = second.get(table.code), threading.Event()

    def tell_without_end() -> None:
        while not is_over.wait(0.05):
            table._store.set_setting("another", "last", "on")

    teller = threading.Thread(target=tell_without_end)
    teller.start()
    with monkeypatch.context() as context:
        context.setattr(PostgresConnection, "_tell", lambda *_, **__: None)
        table.record(BUY, id="untold", by="host")
    wait_until(lambda: there.head == table.head)
    is_over.set()
    teller.join()


@pytest.mark.parametrize("is_known", [True, False])
def test_the_stream_of_a_phone_that_another_process_dismisses_ends_and_no_other_one(
    table: OpenNight, first: Process, second: Process, is_known: bool
) -> None:
    devices, there, shown = table._store.devices, second.get(table.code), Picture()
    elsewhere = devices.add(b"9" * 32, code=first.open("michigan-rummy").code, role="seat", seat="ben", at="20:00")
    phones = [
        devices.add(bytes([number]) * 32, code=table.code, role="seat", seat=seat, at="20:00")
        for number, seat in enumerate(("ben", "mia"))
    ]
    wait_until(lambda: len(second.others._roles.get(there.code, ())) == 2)
    streams = [Phone(second.live.stream(table.code, "v", shown.render, device=str(row.id))) for row in phones]
    for stream in streams:
        stream.next_picture()
    if not is_known:  # not looked at yet
        second.others._roles.clear()
    devices.change(phones[0].id, seen_at="arrived")
    devices.revoke(elsewhere.id)
    wait_until(lambda: "arrived" in {row.seen_at for row in second.store.devices.of(table.code)})
    shown.head = 1
    table.record(BUY, id="one", by="host")
    assert [stream.next_picture() for stream in streams] == [picture(1)] * 2
    if not is_known:
        second.others._roles.clear()
    devices.revoke(phones[0].id)
    assert "revoked" in (streams[0].ends_with() or "")
    if is_known:  # nobody else is disturbed
        shown.head = 2
        table.record(BUY, id="two", by="host")
        assert streams[1].next_picture() == picture(2)
    second.live.stop()
    streams[1].ends_with()


def test_events_are_told_to_those_alone_who_have_the_night_open(
    table: OpenNight, first: Process, second: Process
) -> None:
    there, other = second.get(table.code), first.open("michigan-rummy")
    seat_everybody(other)
    connection = second.store.connection
    assert isinstance(connection, PostgresConnection)
    told: list[ChangeNotice] = []
    connection.listen(told.append, lambda: [one.code for one in second.in_memory()])

    def is_told() -> bool:
        before = len(told)
        for night in (other, table):
            night.record(BUY, id=str(before), by="host")
        wait_until(lambda: there.head == table.head)
        return ChangeNotice(EVENTS, table.code) in told[before:]

    wait_until(is_told)
    assert {change.code for change in told if change.kind == EVENTS} == {table.code}


@pytest.mark.parametrize("is_written", [True, False])
def test_a_connection_that_is_lost_during_the_commit_is_told_and_the_form_sent_again_is_one_event(
    table: OpenNight, monkeypatch: pytest.MonkeyPatch, is_written: bool
) -> None:
    execute, head = PostgresDatabase.execute, table.head

    def lost(db: PostgresDatabase, sql: str, parameters: object = ()) -> object:
        if sql != "COMMIT":
            return execute(db, sql, parameters)  # type: ignore[arg-type]
        if is_written:
            execute(db, sql)
        db._link.close()
        raise psycopg.OperationalError("the connection is lost")

    monkeypatch.setattr(PostgresDatabase, "execute", lost)
    with pytest.raises(NotSaved) as trouble:
        table.record(BUY, id="a", by="host")
    assert (trouble.value.reason, trouble.value.certain) == ("server", False)
    monkeypatch.setattr(PostgresDatabase, "execute", execute)
    assert table.record(BUY, id="a", by="host").is_fresh == (not is_written)
    assert table.head == head + 1


def test_without_its_server_a_night_is_shown_and_nothing_is_recorded(
    table: OpenNight, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = table.head
    with monkeypatch.context() as patch:
        patch.setattr(PostgresConnection, "_link", without_server)
        with pytest.raises(NotSaved, match="does not answer") as trouble:
            table.record(BUY, id="a", by="host")
        assert trouble.value.certain
        with pytest.raises(NotRead):
            table._store.nights()
        assert (table.head, table.name) == (head, "")
    assert table.record(BUY, id="a", by="host").is_fresh


# Which phones are there: both processes know the same.


def watch(nights: Nights, device: str, code: str = CODE) -> Generator[bytes, None, None]:
    """Open a stream, and return it when it is open."""
    stream = nights.live.stream(code, "board", lambda: Frame(1, ""), device=device)
    next(stream)
    return stream


def test_a_phone_at_one_process_is_known_at_all_and_so_is_that_it_has_gone_also_where_one_was_started_later_or_cut_off(
    table: OpenNight, first: Process, second: Process, database: str
) -> None:
    ben, mia, there = watch(first, "7"), watch(second, "9"), second.get(table.code)
    wait_until(lambda: second.live.presence.devices(CODE) == first.live.presence.devices(CODE) == {"7", "9"})
    with closing(Store(Postgres(database))) as store:
        third = Process(store)
        wait_until(lambda: third.live.presence.devices(CODE) == {"7", "9"})
    mia.close()
    wait_until(lambda: first.live.presence.devices(CODE) == {"7"})
    second.others._presence.elsewhere = {}
    with psycopg.connect(database, autocommit=True) as link:
        cut = link.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'")
        assert cut.fetchall()
    table.record(BUY, id="a", by="host")
    table.settings.is_last_hand = True
    wait_until(lambda: there.head == table.head and there.settings.is_last_hand)
    wait_until(lambda: second.live.presence.devices(CODE) == {"7"})
    ben.close()
    wait_until(lambda: second.live.presence.devices(CODE) == frozenset())


def test_the_phones_of_a_process_that_was_killed_are_forgotten(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(other_processes, "FORGET_SECONDS", 4.0)
    monkeypatch.setattr(other_processes, "TELL_SECONDS", 1.0)
    with closing(Store(Postgres(database))) as stays, closing(Store(Postgres(database))) as ends:
        here, there = Process(stays), Process(ends)
        ben = watch(there, "7")
        wait_until(lambda: here.live.presence.devices(CODE) == {"7"})
        ends.close()  # it tells nothing more, not even that its phones have gone
        wait_until(lambda: here.live.presence.devices(CODE) == frozenset())
        ben.close()


def test_nothing_is_told_while_nothing_changes_but_everything_now_and_then(
    first: Process, second: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(other_processes, "TELL_SECONDS", 1e9)
    first.others._tell_again_at = 0.0
    ben = watch(first, "7")
    wait_until(lambda: second.live.presence.devices(CODE) == {"7"})
    told: list[str] = []
    monkeypatch.setattr(SharedRows, "add", lambda _rows, _kind, _key, _seconds, value, **_: told.append(value))
    for _ in range(3):
        first.others._share_presence()
    assert told == []
    monkeypatch.setattr(other_processes, "TELL_SECONDS", 0.0)
    first.others._tell_again_at = 0.0
    for _ in range(2):
        first.others._share_presence()
    assert told.count(f'{{"{CODE}": ["7"]}}') >= 2
    ben.close()


def test_the_phones_of_many_tables_are_known_however_many_they_are(first: Process, second: Process) -> None:
    streams = [watch(first, f"{night:032}", code=f"night{night}") for night in range(300)]
    streams += [watch(first, f"{20_000 + number:032}") for number in range(120)]
    wait_until(lambda: len(second.live.presence.devices(CODE)) == 120)
    assert all(second.live.presence.devices(f"night{night}") == {f"{night:032}"} for night in range(300))
    for stream in streams:
        stream.close()


# Limits and phones: what one process has given or counted holds at the other.


TOKEN = "a-token-of-ben"


@pytest.fixture(name="sites")
def _sites(database: str) -> Iterator[tuple[Site, Site]]:
    with closing(Store(Postgres(database))) as one, closing(Store(Postgres(database))) as other:
        yield Site(Nights(one, StreamHub())), Site(Nights(other, StreamHub()))


def role_at(site: Site, token: str) -> str | None:
    """Return the role that a browser with this token has there."""
    devices = site.access.devices
    with site.app.test_request_context(headers={"Cookie": f"{devices.cookie_name}_k7q={token}"}):
        return devices.identity_of(request, "k7q").role


def of_all_processes(sites: tuple[Site, ...]) -> list[PostRateLimit]:
    """Return the limits of processes, which refill so slowly that the time a test takes is nothing."""
    limits = [site.access.pace for site in sites]
    for limit in limits:
        limit.burst, limit.each_second = 60, 0.001
    return limits


def test_guesses_and_what_a_phone_sends_to_several_processes_are_counted_together_as_long_as_the_database_answers(
    sites: tuple[Site, Site], database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries = [site.access.tries for site in sites]
    assert [tries[number % 2].take("10.0.0.1") for number in range(17)] == [True] * 15 + [False] * 2
    limits = of_all_processes(sites)
    granted = sum(limits[number % 2].take("device 7") for number in range(400))
    assert 60 <= granted <= 70, "ten more at the second process"
    assert all(limit.take("device 8") for limit in limits)
    with closing(Store(Postgres(database))) as store:
        (started_again,) = of_all_processes((Site(Nights(store, StreamHub())),))
        assert sum(started_again.take("device 7") for _ in range(100)) == 10
        assert started_again.take("device 8")
    monkeypatch.setattr(PostgresConnection, "_link", without_server)
    assert sum(limits[0].take("device 9") for _ in range(100)) == 60, "each process has its own"


def without_server(*_: object) -> None:
    raise psycopg.OperationalError("connection refused")


def test_what_any_process_has_refused_is_counted_at_all_of_them_also_what_was_refused_without_the_database(
    sites: tuple[Site, Site], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = (site.access for site in sites)
    for why in ("guess", "guess", "pace"):
        first.count_refusal(why)
    second.count_refusal("guess")
    wait_until(lambda: first.rows.sums("refused") == second.rows.sums("refused") == Counter(guess=3, pace=1))
    tried = threading.Event()

    def refused(*_: object) -> None:
        tried.set()
        without_server()

    with monkeypatch.context() as patch:
        patch.setattr(PostgresConnection, "_link", refused)
        second.count_refusal("not-saved")
        assert tried.wait(60)
    wait_until(lambda: first.rows.sums("refused")["not-saved"] == 1)
    assert first.rows.sums("refused") == second.rows.sums("refused") == Counter({"guess": 3, "pace": 1, "not-saved": 1})


def test_a_link_or_an_open_pin_of_one_process_is_good_at_the_other_and_ends_an_older_link(
    sites: tuple[Site, Site],
) -> None:
    assert sites[1].access.host_links.is_good(sites[0].access.host_links.mint())
    first, second = (TransferLinks(rows=site.access.rows) for site in sites)
    moving = PhoneTransfer("k7q", 7, "seat")
    old, new = first.mint_for(moving), second.mint_for(moving)
    assert (first.moving(old), first.moving(new)) == (None, moving)
    needs("pin")
    limits = [site.access.lock.limits for site in sites]  # type: ignore[attr-defined]
    limits[0].open(7, "hash")
    assert limits[1].is_open(7, "hash")


def test_a_phone_that_came_back_at_one_process_has_its_seat_and_its_new_token_at_the_other(
    sites: tuple[Site, Site],
) -> None:
    store = sites[0].tables.store  # which gives the seat after both processes were started
    store.create_night(code="k7q", name="", preset="{}", options="{}", created_at="2026")
    ben = store.devices.add(hash_token(TOKEN), code="k7q", role="seat", seat="ben", at="2999-01-01T20:00:00Z")
    first, second = (site.access.devices for site in sites)
    assert first.seats_with_phone("k7q") == second.seats_with_phone("k7q") == set(), "the answer may have got lost"
    assert role_at(sites[0], TOKEN) == "seat"
    second.store.devices.forget_cached()  # as the process does when it is told
    assert first.seats_with_phone("k7q") == second.seats_with_phone("k7q") == {ben.seat}
    needs("hand_over")
    tokens = sites[0].app.extensions["new_tokens"]
    with sites[0].app.test_request_context():
        tokens.hand_over(ben, [])
    token = tokens.unused[ben.id]
    sites[1].tables.store._settings.forget()  # as the process does when it is told
    assert role_at(sites[0], TOKEN) == "seat", "the old one opens the seat until the new one has come back"
    assert (role_at(sites[1], token), role_at(sites[0], token)) == ("host", "host")
    assert (role_at(sites[0], TOKEN), role_at(sites[1], TOKEN)) == (None, None)


def test_an_answer_that_processes_share_gives_its_cookie_to_no_reader_of_the_database(
    sites: tuple[Site, Site], database: str
) -> None:
    first, second = sites
    code = first.open_night(first.host())
    phone = first.phone()
    form: dict[str, str | list[str]] = {"token": first.join_link(code)[3:], "name": "Mia", "key": new_id()}
    assert phone.post("/join", form).status_code == 303
    (token,) = phone.cookies.values()
    with closing(psycopg.connect(database)) as link:
        rows = link.execute("SELECT kind, key, value FROM temporary").fetchall()
    values = [value for kind, _, value in rows if kind == "answer"]
    assert values
    stored = "".join(text + bytes.fromhex(text).decode("latin-1") for text in values)
    assert token not in stored
    assert "Set-Cookie" not in stored
    again = ClientPhone(second.app, phone.address)
    assert again.post("/join", form).status_code == 303
    assert again.cookies == phone.cookies, "the lost answer itself brings it"
