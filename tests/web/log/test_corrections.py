from support.client_phones import Site
from support.sample_nights import SampleNight, hidden_fields, play_hand, record, visible_text

from tracker.core import events
from tracker.core.events import Chips
from tracker.web.events.registry import kind_of


def change(here: SampleNight, number: int, at_table: str = "right", **fields: str) -> tuple[int, str]:
    """Correct an entry through its page as a browser would; returns the status and where it leads."""
    path = f"{here.base}/change/{number}"
    query = "&".join(f"{name}={value}" for name, value in fields.items())
    page = here.host.get(f"{path}?{query}")
    answer = here.host.post(path, {**hidden_fields(page, path), "at-table": at_table})
    return answer.status_code, answer.headers.get("Location", "")


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


def test_a_seat_without_cards_is_not_offered_as_winner_of_the_poker_hand(site: Site, third: SampleNight) -> None:
    history = third.table.history()
    line = next(one for number in range(1, third.table.head) if (one := history.line(number)).event.kind == "poker")
    with site.app.test_request_context("/"):
        (winners,) = kind_of(line.event, line.before).correction.fields(line.event, line.before)
    assert line.before.deal
    assert line.before.deal.winner == "mia"
    assert {option.value for option in winners.options} == {"ruth", "ben", "tom"}
