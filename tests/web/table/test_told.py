"""Every kind of event, own, another's, undone, corrected, missed: each is told once on every page of a table."""

import json
from pathlib import Path

import pytest
from support.client_phones import Site
from support.paths import night_files
from support.sample_nights import TableNight
from support.told_evenings import MISSED, PLACES, Evening, faults_in, told

from tracker.core.events import KINDS, Amend


@pytest.mark.parametrize("file", PLACES, ids=lambda file: file.stem)
def test_every_kind_of_event_is_told_once_to_everybody(site: Site, file: Path) -> None:
    assert faults_in(Evening(site, file), PLACES[file]) == []


def test_several_events_that_a_phone_has_missed_are_counted_and_the_newest_is_told(site: Site) -> None:
    evening = Evening(site, next(iter(PLACES)))
    before = evening.pages()
    for event in evening.events[4:8]:
        evening.play(event)
    for role, page in evening.pages().items():
        lines = told(before[role], page)
        assert lines[0] == MISSED.format(4)
        assert len(lines) == 2


def test_a_correction_tells_who_made_it_and_what_each_pays_by_it(night: TableNight) -> None:
    ben = night.begin().phones["ben"]
    for change, words in (
        ("undo", "Ruth corrects. Undone: Ben gives back 5. You pay 5. You have 91."),
        ("amend", "The host’s phone corrects. Changed: Mia takes 5: Ten of hearts. You pay Mia 5. You have 91."),
    ):
        night.tap("collect", seat="ben", pot="ten-hearts", held="5")
        before, head = night.page(ben), night.table.head
        if change == "undo":
            night.tap(f"undo:{head}")
        else:
            night.record(Amend(head, {"seat": "mia"}))
        assert told(before, night.page(ben)) == [words]


def test_the_recorded_nights_have_every_kind_of_event() -> None:
    nights = [json.loads(file.read_text("utf-8")) for file in [*night_files("released"), *night_files()]]
    assert {str(event["kind"]) for night in nights for event in night["events"]} == set(KINDS)
