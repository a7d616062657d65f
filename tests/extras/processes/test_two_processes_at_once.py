"""Phones that choose, and forms that are sent, at two processes before either has heard of the other."""

from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from extras.processes.following import following
from support.at_once import at_once
from support.sample_nights import seat_everybody

from tracker.app.nights import Nights
from tracker.app.settings import NightSettings
from tracker.extras.processes.options import Postgres
from tracker.extras.processes.postgres import PostgresConnection
from tracker.storage import DataPlace, Store
from tracker.streaming.hub import StreamHub


@pytest.fixture(name="processes")
def _processes(database: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Nights, Nights]]:
    """Two processes that are told nothing."""
    monkeypatch.setattr(PostgresConnection, "listen", lambda *_: None)
    with closing(Store(Postgres(database))) as one, closing(Store(Postgres(database))) as other:
        yield following(one), following(other)


def test_what_two_phones_choose_for_the_next_hand_at_two_processes_is_all_there(
    processes: tuple[Nights, Nights],
) -> None:
    table = processes[0].open("michigan-rummy")
    seat_everybody(table)
    there = processes[1].get(table.code)
    assert there.settings.plan.chosen == {}
    table.choose(NightSettings.plan, {"ben": "out"})
    there.choose(NightSettings.plan, {"mia": "out"})
    assert there.settings.plan.chosen == {"ben": "out", "mia": "out"}


@pytest.mark.every_place
def test_what_many_phones_choose_at_once_is_all_there(place: Path | DataPlace) -> None:
    with closing(Store(place)) as store:
        table = Nights(store, StreamHub()).open("michigan-rummy")
        seat_everybody(table)
        at_once([partial(table.choose, NightSettings.plan, {seat: "out"}) for seat in table.night.seats])
        assert set(table.settings.plan.chosen) == set(table.night.seats)


def test_a_form_that_opens_a_night_is_one_night_also_when_two_processes_get_it_at_once(
    processes: tuple[Nights, Nights],
) -> None:
    for number in range(5):
        at_once([partial(nights.open, "michigan-rummy", key=f"form-{number}") for nights in processes])
    assert len(processes[0].nights()) == 5
