from random import Random

import pytest
from flask import Flask
from support.client_phones import Site
from support.html_page import HtmlPage
from support.random_nights import every_preset, random_night, random_options
from support.sample_nights import Form, SampleNight, hidden_fields, play_hand, record, visible_text
from werkzeug.datastructures import MultiDict

from tracker.app.event_rows import replay_log
from tracker.app.log_history import History
from tracker.core import events
from tracker.core.events import Chips, Name, SeatId
from tracker.core.ledger import BANK
from tracker.core.log import Entry, replay
from tracker.core.preset import Preset
from tracker.core.queries.difference import difference
from tracker.formats.codec import amended
from tracker.web.events.correction_form import Field
from tracker.web.events.registry import kind_of


def change(here: SampleNight, number: int, at_table: str = "right", **fields: str) -> tuple[int, str]:
    """Correct an entry through its page as a browser would; returns the status and where it leads."""
    path = f"{here.base}/change/{number}"
    query = "&".join(f"{name}={value}" for name, value in fields.items())
    page = here.host.get(f"{path}?{query}")
    answer = here.host.post(path, {**hidden_fields(page, path), "at-table": at_table})
    return answer.status_code, answer.headers.get("Location", "")


def test_an_amended_entry_counts_and_shows_its_earlier_text(third: SampleNight) -> None:
    number = third.number("collect", 0)
    before = third.table.night.stack("tom")
    status, location = change(third, number, seat="tom", pot="ten-hearts")
    assert (status, third.table.night.stack("tom")) == (303, before + 5)
    page = third.host.get(location.partition("#")[0])
    assert "Tom</bdi></b> takes 5" in page.text
    assert "<s><b><bdi>Ben</bdi></b> takes 5" in page.text


def test_who_is_taken_out_of_the_night_hands_over_the_chips_by_name(here: SampleNight) -> None:
    play_hand(here.table, "ruth", "ben", "mia")
    number = record(here.table, events.Sit(SeatId("lea"), Name("Lea"), Chips(100)))
    record(here.table, events.End())
    page = HtmlPage(here.host.get(f"{here.base}/take-back/{number}").text)
    form: Form = {**page.form("#difference form[method=post]"), "at-table": "hand"}
    answer = here.host.post(page.value("#difference form[method=post]", "action"), form)
    assert answer.status_code == 303, visible_text(answer)
    said = HtmlPage(here.host.get(answer.location).text).texts(".hand-over li")
    assert said == ["Lea: 100 back into the box"]  # dealt into no hand, so without a part of the board


def test_a_correction_that_no_longer_fits_names_the_first_event_in_the_way(third: SampleNight) -> None:
    page = visible_text(third.host.get(f"{third.base}/change/{third.number('sit')}?name=Ruth&chips=9"))
    assert "Ruth is 9 short" in page or "no longer fit" in page
    assert "They are right" not in page


def test_a_wrong_number_is_refused_with_a_sentence_and_nothing_recorded(third: SampleNight) -> None:
    number, head = third.number("out", 0), third.table.head
    answer = third.host.post(f"{third.base}/change/{number}", {"seat": "mia", "cards-ruth": "-3", "key": "k"})
    assert answer.status_code == 422
    assert third.table.head == head


def test_a_page_whose_difference_is_no_longer_true_is_answered_with_the_new_one(third: SampleNight) -> None:
    number = third.number("collect", 0)
    path = f"{third.base}/change/{number}"
    form = hidden_fields(third.host.get(f"{path}?seat=tom&pot=ten-hearts"), path)
    record(third.table, events.Amend(number, {"seat": "mia"}))
    answer = third.host.post(path, {**form, "at-table": "right"})
    assert answer.status_code == 409
    assert "Mia −5" in visible_text(answer)


def test_an_entry_that_was_taken_back_can_not_be_changed(third: SampleNight) -> None:
    number = third.number("collect", 3)
    record(third.table, events.Undo(number))
    assert third.host.get(f"{third.base}/change/{number}").status_code == 404


def test_htmx_gets_the_difference_alone(third: SampleNight) -> None:
    address = f"{third.base}/change/{third.number('collect', 3)}?seat=tom&pot=queen-hearts"
    part = third.host.get(address, HX_Request="true")
    assert "<html" not in part.text
    assert "They are right" in part.text
    nothing = third.host.get(f"{third.base}/change/{third.number('collect', 3)}", HX_Request="true")
    assert "<form" not in nothing.text


def test_a_rule_changed_in_mid_night_is_corrected_like_any_other_entry(third: SampleNight) -> None:
    number = record(third.table, events.Rule({"out.per_card": 3, "end": "last_hand_winner"}))
    page = third.host.get(f"{third.base}/change/{number}").text
    assert "Chips for every card left" in page
    assert 'value="last_hand_winner" checked' in page
    told = visible_text(third.host.get(f"{third.base}/change/{number}?out.per_card=2&end=equal"))
    assert "No chips change place" in told
    status, location = change(third, number, **{"out.per_card": "2", "end": "equal"})
    assert (status, third.table.night.new_rules) == (303, {"out.per_card": 2, "end": "equal"})
    log = third.host.get(location.partition("#")[0]).text
    assert "Chips for every card left: 2; Left on the board at the end: is shared equally" in log
    assert "<s>A new rule from the next hand on: Chips for every card left: 3" in log


def test_a_rule_that_has_been_played_by_is_corrected_with_its_difference(third: SampleNight) -> None:
    number = record(third.table, events.Rule({"out.per_card": 3}))
    record(third.table, events.Out("tom", dict.fromkeys(("ruth", "ben", "mia"), Chips(1))))
    play_hand(third.table, "ben", "tom", "mia")
    before = third.table.night.stack("mia")
    assert "Mia −6" in visible_text(third.host.get(f"{third.base}/change/{number}?out.per_card=2"))
    assert change(third, number, **{"out.per_card": "2"})[0] == 303
    assert third.table.night.stack("mia") == before - 6


def test_a_rule_is_not_corrected_to_an_illegal_value(third: SampleNight) -> None:
    number = record(third.table, events.Rule({"out.per_card": 3}))
    for typed in ("", "x", "-1", "1001"):
        told = visible_text(third.host.get(f"{third.base}/change/{number}?out.per_card={typed}"))
        assert "must be a whole number from 0 to 1" in told, typed
    assert third.table.night.new_rules == {"out.per_card": 3}


def filled(fields: list[Field]) -> MultiDict[str, str]:
    """What a browser sends for a form that nobody has touched."""
    form: MultiDict[str, str] = MultiDict()
    for one in fields:
        if one.type == "picks":
            form.add(f"{one.name}-asked", "1")
            form.setlist(one.name, list(one.value or []))
        elif one.type in ("numbers", "cover"):
            for option in one.options:
                form.add(f"{one.name}-{option.value}", str((one.value or {}).get(option.value, "")))
        elif one.type == "seat order":
            for place, seat in enumerate(one.value):
                form.add(f"{one.name}-{place}", seat)
        elif one.type == "yes or no":
            form.add(one.name, "yes" if one.value else "no")
        else:
            form.add(one.name, str(one.value if one.value is not None else ""))
    return form


@pytest.fixture(name="app")
def _app(site: Site) -> Flask:
    return site.app


@pytest.mark.parametrize("preset", every_preset(), ids=lambda preset: preset.id)
def test_a_form_that_nobody_touched_changes_nothing(app: Flask, preset: Preset) -> None:
    chance = Random(preset.id)
    rules = preset.with_options(random_options(preset, chance))
    entries = [Entry(at, event) for at, event in enumerate(random_night(rules, chance, 80), start=1)]
    history = History(entries, replay_log("", rules, entries))
    with app.test_request_context("/"):
        for entry in entries:
            line = history.line(entry.number)
            shown = kind_of(line.event, line.before).correction.fields(line.event, line.before)
            assert kind_of(line.event, line.before).correction.change(line.event, line.before, filled(shown)) == {}


def test_a_seat_without_cards_is_not_offered_as_winner_of_the_poker_hand(site: Site, third: SampleNight) -> None:
    history = third.table.history()
    line = next(one for number in range(1, third.table.head) if (one := history.line(number)).event.kind == "poker")
    with site.app.test_request_context("/"):
        (winners,) = kind_of(line.event, line.before).correction.fields(line.event, line.before)
    assert line.before.deal
    assert line.before.deal.winner == "mia"
    assert {option.value for option in winners.options} == {"ruth", "ben", "tom"}


def test_the_moves_to_hand_over_bring_the_table_to_the_corrected_book() -> None:
    chance = Random(3)
    for preset in every_preset()[:6]:
        if preset.game != "pots":
            continue
        made = random_night(preset, chance, 60)
        entries = [Entry(number, event) for number, event in enumerate(made, start=1)]
        then, now = (replay(preset, part, amended).night for part in (entries[:40], entries))
        found = difference(then, now)
        lies = dict(then.ledger.balances)
        for move in found.moves:
            lies[move.debtor] = lies.get(move.debtor, 0) - move.chips
            lies[move.creditor] = lies.get(move.creditor, 0) + move.chips
        assert all(lies.get(one, 0) == now.ledger.balance(one) for one in (*now.all_seats, *now.preset.board, BANK))
