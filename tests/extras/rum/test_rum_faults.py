"""Faults that wait for a deal: what the sheet of a person and the end of the night say of them."""

import pytest
from support.client_phones import Site
from support.html_page import HtmlPage
from support.sample_nights import SampleNight, hidden_fields, record, sample_night, visible_text
from support.score_events import rummy
from support.score_nights import ScoreNight

from tracker.core import events
from tracker.core.events import Name, SeatId

SNAKE = "michigan-rummy-snake"


def finish(here: SampleNight) -> int:
    page = here.host.get(f"{here.base}/settle")
    return here.host.post(f"{here.base}/settle", hidden_fields(page, f"{here.base}/settle")).status_code


def test_a_fault_of_somebody_who_leaves_is_said_to_be_paid_with_the_deal(site: Site) -> None:
    night = ScoreNight(site, SNAKE)
    record(night.table, events.Penalty("ben", "false-rummy"))
    assert "The points of the fault are paid with this deal." in HtmlPage(night.sheet("/ben")).text()


def test_the_end_of_the_snake_offers_the_points_of_faults_to_nobody_who_waits(site: Site) -> None:
    night = ScoreNight(site, SNAKE)
    night.table.record(rummy("ben", {"ruth": 3, "mia": 4}), id="deal", by="host")
    record(night.table, events.Penalty("ben", "false-rummy"), events.Sit(SeatId("lea"), Name("Lea")))
    answer = night.host.get(f"/n/{night.code}/settle")
    page, booking = HtmlPage(answer.text), f"/n/{night.code}/settle/faults"
    assert page.values(f'form[action="{booking}"] input[name=seat]', "value") == ["ruth", "ben", "mia"]
    assert page.one(f'form[action="/n/{night.code}/settle"] button').has_attr("disabled")
    form = hidden_fields(answer, booking)
    assert night.host.post(booking, {**form, "seat": "lea"}).status_code == 422
    assert night.host.post(booking, {**form, "seat": "ruth"}).status_code == 303
    assert night.points == {"ruth": 17, "ben": -13, "mia": -4, "lea": 0}


@pytest.mark.parametrize(
    ("to", "change"),
    [
        ("winner", {"ruth": 0, "ben": -20, "mia": 20, "tom": 0}),
        ("each", {"ruth": 20, "ben": -60, "mia": 20, "tom": 20}),
        ("sheet", {"ruth": 0, "ben": -20, "mia": 0, "tom": 0}),
    ],
)
def test_a_fault_that_waits_for_a_deal_is_asked_for_before_the_night_ends(
    site: Site, to: str, change: dict[str, int]
) -> None:
    here = sample_night(site, "michigan-rummy-snake", {"fault.to": to})
    record(here.table, events.Penalty("ben", "false-rummy"))
    page = here.host.get(f"{here.base}/settle")
    assert "20 points of Ben still wait for a deal." in visible_text(page)
    assert "still wait" not in visible_text(here.ben.get(f"{here.base}/settle"))
    assert finish(here) == 422
    assert "Points of Ben still wait for a deal" in visible_text(
        here.host.post(f"{here.base}/settle", hidden_fields(page, f"{here.base}/settle"))
    )
    form = hidden_fields(page, f"{here.base}/settle/faults")
    if to == "winner":
        assert here.host.post(f"{here.base}/settle/faults", form).status_code == 422
        form["seat"] = "mia"
    for _ in range(2):
        assert here.host.post(f"{here.base}/settle/faults", form).status_code == 303
    assert dict(here.table.night.points) == change
    assert "still wait" not in visible_text(here.host.get(f"{here.base}/settle"))
    assert finish(here) == 303
