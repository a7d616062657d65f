"""The end of a night on the phones: what each pays or gets, who has won, the best moments."""

from collections.abc import Mapping

from support.client_phones import Site
from support.html_page import HtmlPage
from support.of_extras import of_extras
from support.sample_nights import SampleNight, play_hand, record, sample_night, visible_text

from tracker.core import events
from tracker.core.events import Chips
from tracker.core.payment_list import payment_list
from tracker.web.night_result import NightResult

MONEY: Mapping[str, int | str] = {"money.chips": 1, "money.cents": 5}

SCREENS = ("", *of_extras("watched"))


def night_of_two_hands(site: Site, rules: Mapping[str, int | str] | None = None) -> SampleNight:
    """A night in which Ben took the richest place in hand 1 and Mia won both hands."""
    here = sample_night(site, rules=rules)
    play_hand(here.table, "ruth", "ben", "mia", left=5)
    play_hand(here.table, "ben", "tom", "mia", left=3)
    return here


def test_each_phone_shows_the_payments_of_its_seat(site: Site) -> None:
    here = night_of_two_hands(site, MONEY)
    record(here.table, events.End())
    night = here.table.night
    result = NightResult(here.table.history())
    assert payment_list(night)
    for seat, phone in (("ruth", here.host), ("ben", here.ben)):
        told = HtmlPage(phone.get(here.base).text).text("#own-result")
        for due in result.dues_of(seat):
            assert due.debtor is not None
            assert due.creditor is not None
            pays = due.event.source == seat
            said = f"You pay {due.creditor.name}" if pays else f"{due.debtor.name} pays you"
            assert said in told
            assert due.amount in told
        partners = {due.creditor if due.event.source == seat else due.debtor for due in result.dues_of(seat)}
        strangers = [face.name for face in result.faces.values() if face not in partners]
        assert not [name for name in strangers if name in told]


def test_a_sum_that_was_rounded_to_coins_says_so_on_the_phone_that_pays_it(site: Site) -> None:
    here = night_of_two_hands(site, {**MONEY, "money.coin": 20})
    record(here.table, events.End())
    assert (
        HtmlPage(here.ben.get(here.base).text)
        .text("#own-result")
        .endswith("Every sum is rounded to the smallest coin, 0.20.")
    )


def test_the_end_shows_winners_instead_of_an_empty_board(site: Site) -> None:
    here = night_of_two_hands(site)
    record(here.table, events.End())
    result = NightResult(here.table.history())
    watched = (here.watcher.get(here.base + page) for page in SCREENS)
    for page in (here.host.get(here.base), here.ben.get(here.base), *watched):
        shown = HtmlPage(page.text)
        assert not shown.select(".board")
        assert shown.text(".crown h2") == result.headline


def test_the_last_hand_is_named_while_it_is_on_and_over_when_it_is(here: SampleNight) -> None:
    play_hand(here.table, "ruth", "ben", "mia")
    record(here.table, events.Hand("ben"), events.NoSale())
    here.table.settings.is_last_hand = True
    pages = [(here.host, ""), (here.ben, ""), *((here.watcher, page) for page in of_extras("watched"))]
    for phone, page in pages:
        text = visible_text(phone.get(here.base + page))
        assert "Hand 2" in text
        assert "last hand" in text
    record(here.table, events.Out("mia", dict.fromkeys(("ruth", "ben", "tom"), Chips(1))), events.Poker(("ben",)))
    for phone, page in pages:
        text = visible_text(phone.get(here.base + page))
        assert "Hand 2" in text
        assert "Hand 3" not in text
        assert "The last hand is over" in text
    record(here.table, events.End())
    for phone, page in pages:
        assert "last hand" not in visible_text(phone.get(here.base + page)).lower().split("the night is over", 1)[1]
