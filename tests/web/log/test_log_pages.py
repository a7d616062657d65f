"""The log's pages: which hands are sent, who takes back what, and how an entry is corrected."""

from support.client_phones import ClientPhone, Site
from support.sample_nights import SampleNight, hidden_fields, play_hand, record, visible_text
from werkzeug.test import TestResponse

from tracker.core import events
from tracker.core.events import Amount, Chips
from tracker.web.events.registry import kind_of


def test_only_the_present_hand_is_sent_in_full_and_a_folded_one_on_asking_or_as_a_page(third: SampleNight) -> None:
    present, older = (f'id="e-{third.number("collect", which)}"' for which in (2, 0))
    page = third.host.get(f"{third.base}/log").text
    assert (present in page, older in page, page.count('class="panel hand"')) == (True, False, 3)
    part = third.host.get(f"{third.base}/log/1", HX_Request="true").text
    assert (older in part, "<html" in part) == (True, False)
    without_scripts = third.host.get(f"{third.base}/log/1")
    assert without_scripts.status_code == 303
    assert older in third.host.get(without_scripts.location.partition("#")[0]).text


def test_a_night_of_many_hands_shows_a_dozen_and_the_rest_on_asking(here: SampleNight) -> None:
    for hand in range(15):
        play_hand(here.table, "ruth", "ben", "mia", left=hand % 2)
        record(here.table, events.Buy("ruth", Amount(20)), events.Buy("ben", Amount(20)), events.Buy("tom", Amount(20)))
    page = here.host.get(f"{here.base}/log")
    assert page.text.count('class="panel hand"') == 12
    more = here.host.get(f"{here.base}/log/before/3", HX_Request="true")
    assert 'id="hand-2"' in more.text
    assert 'id="hand-0"' in more.text
    assert 'id="hand-3"' not in more.text


def undo(here: SampleNight, phone: ClientPhone, number: int, **headers: str) -> TestResponse:
    """Take an entry back from the log of a phone."""
    return phone.post(f"{here.base}/undo", {"event": str(number), "key": f"{number} {here.table.head}"}, **headers)


def test_a_seat_takes_back_its_own_newest_entry_of_this_hand_and_no_other(third: SampleNight) -> None:
    own = third.number("collect", 3)
    for number in (third.number("collect", 2), third.number("hand", 2), third.number("collect", 0)):
        assert undo(third, third.ben, number).status_code == 403
    assert undo(third, third.ben, own).status_code == 303
    record(third.table, events.Undo(third.table.head))
    record(third.table, events.Out("mia", dict.fromkeys(("ruth", "ben", "tom"), Chips(1))))
    record(third.table, events.Poker(("ben",)), events.Hand("ben"))
    assert undo(third, third.ben, own).status_code == 403, "that hand is over"


def test_a_watcher_sees_the_log_and_no_button_in_it(third: SampleNight) -> None:
    page = third.watcher.get(f"{third.base}/log")
    assert page.status_code == 200
    assert "<form" not in page.text
    assert "/change/" not in page.text
    assert undo(third, third.watcher, 1).status_code == 403


def test_an_undo_that_no_longer_fits_is_refused_and_names_the_event_in_the_way(third: SampleNight) -> None:
    head = third.table.head
    answer = undo(third, third.host, third.number("sit"))
    assert answer.status_code == 422
    assert "Then this would no longer fit, in hand 1: Ante: 9 each, Ruth deals and puts 18." in visible_text(answer)
    assert third.table.head == head


def test_htmx_gets_the_log_alone_whose_rows_carry_the_number_of_the_newest_entry_shown(third: SampleNight) -> None:
    part, page = undo(third, third.host, third.number("collect", 3), HX_Request="true"), f"{third.base}/log"
    assert part.status_code == 200
    for answer, is_page in ((part, False), (third.host.get(page), True)):
        assert ("taken back" in answer.text, "<html" in answer.text) == (True, is_page)
        fields = hidden_fields(answer, f"{third.base}/undo")
        assert (fields["head"], len(str(fields["key"]))) == (str(third.table.head), 32)


def test_a_hand_or_entry_that_is_not_there_or_was_taken_back_is_not_found(third: SampleNight) -> None:
    record(third.table, events.Undo(number := third.number("collect", 3)))
    for path in ("log/9", "change/999", "take-back/0", "change/0", f"change/{number}"):
        assert third.host.get(f"{third.base}/{path}").status_code == 404


# Corrections


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


def test_htmx_gets_the_difference_alone(third: SampleNight) -> None:
    address = f"{third.base}/change/{third.number('collect', 3)}?seat=tom&pot=queen-hearts"
    part = third.host.get(address, HX_Request="true")
    assert "<html" not in part.text
    assert "They are right" in part.text
    nothing = third.host.get(f"{third.base}/change/{third.number('collect', 3)}", HX_Request="true")
    assert "<form" not in nothing.text


def test_a_rule_changed_in_mid_night_is_corrected_like_any_other_entry(third: SampleNight) -> None:
    number = record(third.table, events.Rule({"out.per_card": 3, "end": "last_hand_winner"}))
    path = f"{third.base}/change/{number}"
    page, typed = third.host.get(path).text, third.host.get(f"{path}?out.per_card=2&end=equal")
    assert "Chips for every card left" in page
    assert 'value="last_hand_winner" checked' in page
    assert "No chips change place" in visible_text(typed)
    corrected = third.host.post(path, {**hidden_fields(typed, path), "at-table": "right"})
    assert (corrected.status_code, third.table.night.new_rules) == (303, {"out.per_card": 2, "end": "equal"})
    log = third.host.get(corrected.location.partition("#")[0]).text
    assert "Chips for every card left: 2; Left on the board at the end: is shared equally" in log
    assert "<s>A new rule from the next hand on: Chips for every card left: 3" in log


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
