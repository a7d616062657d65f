from support.sample_nights import Form, SampleNight, hidden_fields, play_hand, record, visible_text

from tracker.core import events
from tracker.core.events import Amount


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


def test_an_undone_entry_stays_crossed_out_names_its_undoer_and_is_brought_back(third: SampleNight) -> None:
    form: Form = {"event": str(third.number("collect", 3)), "key": "k1", "head": str(third.table.head)}
    assert third.ben.post(f"{third.base}/undo", form).status_code == 303
    page = third.host.get(f"{third.base}/log")
    assert "<s><b><bdi>Ben</bdi></b> takes 15" in page.text
    assert "taken back: Ben" in visible_text(page)
    assert third.table.night.pot("queen-hearts") == 15
    assert "Bring back" in page.text
    assert third.host.post(f"{third.base}/undo", {"event": str(third.table.head), "key": "k2"}).status_code == 303
    assert third.table.night.pot("queen-hearts") == 0


def test_a_seat_takes_back_its_own_newest_entry_of_this_hand_and_no_other(third: SampleNight) -> None:
    for number in (third.number("collect", 2), third.number("hand", 2), third.number("collect", 0)):
        answer = third.ben.post(f"{third.base}/undo", {"event": str(number), "key": f"k{number}"})
        assert answer.status_code == 403
    assert (
        third.ben.post(f"{third.base}/undo", {"event": str(third.number("collect", 3)), "key": "k"}).status_code == 303
    )


def test_a_seat_can_not_take_back_its_own_entry_of_a_hand_that_is_over(here: SampleNight) -> None:
    record(here.table, events.Hand("ruth"), events.NoSale())
    mine = record(here.table, events.Collect("ben", "ace-hearts"), by="ben")
    record(here.table, events.Out("mia", dict.fromkeys(("ruth", "ben", "tom"), 1)), events.Hand("ben"))  # type: ignore[arg-type]
    assert here.ben.post(f"{here.base}/undo", {"event": str(mine), "key": "k"}).status_code == 403


def test_a_watcher_sees_the_log_and_no_button_in_it(third: SampleNight) -> None:
    page = third.watcher.get(f"{third.base}/log")
    assert page.status_code == 200
    assert "<form" not in page.text
    assert "/change/" not in page.text
    assert third.watcher.post(f"{third.base}/undo", {"event": "1", "key": "k"}).status_code == 403


def test_an_undo_that_no_longer_fits_is_refused_and_names_the_event_in_the_way(third: SampleNight) -> None:
    head = third.table.head
    answer = third.host.post(f"{third.base}/undo", {"event": str(third.number("sit")), "key": "k"})
    assert answer.status_code == 422
    assert "Then this would no longer fit, in hand 1: Ante: 9 each, Ruth deals and puts 18." in visible_text(answer)
    assert third.table.head == head


def test_htmx_gets_the_log_alone_and_a_plain_browser_is_sent_on(third: SampleNight) -> None:
    part = third.host.post(
        f"{third.base}/undo", {"event": str(third.number("collect", 3)), "key": "k1"}, HX_Request="true"
    )
    assert part.status_code == 200
    for text, is_page in ((part.text, False), (third.host.get(f"{third.base}/log").text, True)):
        assert ("taken back" in text, "<html" in text) == (True, is_page)


def test_the_form_of_a_row_carries_the_number_of_the_newest_entry_shown(third: SampleNight) -> None:
    fields = hidden_fields(third.host.get(f"{third.base}/log"), f"{third.base}/undo")
    assert fields["head"] == str(third.table.head)
    assert len(str(fields["key"])) == 32


def test_a_hand_or_entry_that_is_not_there_is_not_found(third: SampleNight) -> None:
    for path in ("log/9", "change/999", "take-back/0", "change/0"):
        assert third.host.get(f"{third.base}/{path}").status_code == 404
