"""The best moments of a night and how long its pots had grown, against a naive recount of random nights."""

from itertools import pairwise
from random import Random

import pytest
from extras._shared.score_nights import ScoreNight, round_won, rummy
from hypothesis import given, strategies as st
from support.client_phones import Site
from support.html_page import HtmlPage
from support.of_extras import of_extras
from support.random_nights import every_preset, random_night, random_options
from support.sample_nights import play_hand, record, sample_night

from tracker.core import events
from tracker.core.apply import apply
from tracker.core.events import Chips, Event, Name, SeatId
from tracker.core.night import Night
from tracker.core.payment_list import nets
from tracker.core.preset import Preset
from tracker.core.queries.summary import hand_ends
from tracker.extras.statistics.moments import BEST, Moment, best_moments, pots_taken
from tracker.extras.statistics.story import story_of
from tracker.formats.built_in import built_in
from tracker.web.night_result import NightResult

PRESETS = st.sampled_from(every_preset())
CHANCE = st.integers(0, 2**16).map(Random)
SEATS = ("ann", "bob", "cara")


def states(preset: Preset, played: list[Event]) -> list[Night]:
    found, night = [], Night(preset)
    for event in played:
        night = apply(night, event)
        found.append(night)
    return found


def hand(dealer: str, winner: str, *taken: tuple[str, str]) -> list[Event]:
    """Return the events of a hand: who took which pots, who went out; the others have two cards left."""
    cards = {seat: Chips(2) for seat in SEATS if seat != winner}
    collects = [events.Collect(seat, pot) for seat, pot in taken]
    return [events.Hand(dealer), events.NoSale(), *collects, events.Out(winner, cards)]


def night_of(*hands: list[Event], **rules: str) -> list[Night]:
    preset = built_in("michigan-rummy").with_options({"poker.when": "off", **rules})
    sit: list[Event] = [events.Sit(SeatId(seat), Name(seat.capitalize())) for seat in SEATS]
    return states(preset, [*sit, *(event for one in hands for event in one)])


def kinds(moments: list[Moment]) -> dict[str, Moment]:
    return {moment.kind: moment for moment in moments}


def test_three_hands_won_in_a_row_are_a_streak() -> None:
    played = night_of(
        *(hand(dealer, "bob", ("bob", "ace-hearts"), ("bob", "king-clubs")) for dealer in ("ann", "bob", "cara")),
        hand("ann", "cara"),
    )
    streak = kinds(best_moments(played, most=6))["streak"]
    assert (streak.seats, streak.times, streak.hand, streak.is_in_a_row) == (("bob",), 3, 3, True)
    assert streak.weight == nets(hand_ends(played)[2])["bob"]


def test_the_best_hand_is_left_out_where_it_is_the_richest_pot() -> None:
    hands = [hand("ann", "bob"), hand("bob", "cara")]
    same = kinds(best_moments(night_of(*hands, hand("cara", "ann", ("ann", "queen-hearts"))), most=6))
    assert same["pot"].seats == ("ann",)
    assert "hand" not in same
    two_pots = [("ann", "queen-hearts"), ("bob", "ace-hearts"), ("bob", "king-clubs")]
    other = kinds(best_moments(night_of(*hands, hand("cara", "bob", *two_pots)), most=6))
    assert other["pot"].seats == ("ann",)
    assert other["hand"].seats == ("bob",)


def test_a_night_without_a_hand_has_no_moments() -> None:
    assert best_moments([]) == []
    assert best_moments(night_of()) == []


@given(PRESETS, CHANCE, st.integers(2, 5))
def test_moments_of_any_night_are_of_different_kinds_and_agree_with_its_balances(
    preset: Preset, chance: Random, people: int
) -> None:
    preset = preset.with_options(random_options(preset, chance))
    played = states(preset, random_night(preset, chance, 80, people))
    ends, found = hand_ends(played), best_moments(played)
    assert len(found) <= BEST
    assert len({moment.kind for moment in found}) == len(found)
    assert [moment.weight for moment in found] == sorted((moment.weight for moment in found), reverse=True)
    for moment in found:
        assert 1 <= moment.hand <= played[-1].hand
        assert set(moment.seats) <= set(played[-1].people)
        if moment.kind == "comeback":
            assert nets(played[-1])[moment.seats[0]] > 0 > moment.chips == -moment.weight
            assert moment.chips == min(nets(end)[moment.seats[0]] for end in ends if moment.seats[0] in end.people)
        if moment.kind == "pot":
            assert moment.weight == max(one.chips for one in pots_taken(ends))


@given(PRESETS.filter(lambda preset: preset.game == "pots"), CHANCE, st.integers(2, 5))
def test_a_pot_lay_on_the_board_in_every_hand_that_it_grew(preset: Preset, chance: Random, people: int) -> None:
    preset = preset.with_options(random_options(preset, chance))
    ends = hand_ends(states(preset, random_night(preset, chance, 80, people)))
    for one in pots_taken(ends):
        at = [end.hand for end in ends].index(one.hand)
        for end in ends[at + 1 - one.hands_grown : at]:
            assert end.ledger.holds(one.pot) > 0
            assert end.deal is None or one.pot not in end.deal.taken


# On the pages


def test_the_best_moments_are_those_of_the_log(site: Site) -> None:
    here = sample_night(site)
    play_hand(here.table, "ruth", "ben", "mia", left=5)
    play_hand(here.table, "ben", "tom", "mia", left=3)
    history = here.table.history()
    nets = [{seat: history.after_hand(hand).net(seat) for seat in history.night.all_seats} for hand in (0, 1, 2)]
    best = max(after[seat] - before[seat] for before, after in pairwise(nets) for seat in after)
    deals = [deal for hand in (1, 2) if (deal := history.deal_of(hand))]
    richest = max(deal.taken["ten-hearts"].chips for deal in deals)
    moments = [sentence.striptags() for _moment, sentence in story_of(NightResult(history)).moments]
    text = " / ".join(moments)
    assert f"took {richest} from Ten of hearts" in text
    assert f"+{best} in hand" in text
    assert "Mia went out first 2 times" in text
    record(here.table, events.End())
    for address in ("", "/settle", *of_extras("watched")):
        assert [
            one for one in moments if one not in HtmlPage(here.host.get(here.base + address).text).text(".best")
        ] == []


@pytest.mark.parametrize("preset", ["eight-round-rummy", "michigan-rummy-snake"])
def test_the_end_of_a_score_game_names_the_seat_with_most_rounds(site: Site, preset: str) -> None:
    night = ScoreNight(site, preset)
    others = dict.fromkeys((seat for seat in night.night.seats if seat != "ben"), Chips(10))
    while night.night.hand < 4:
        won = round_won("ben", Chips(0)) if preset == "eight-round-rummy" else rummy("ben", others)
        night.table.record(won, id=f"e{night.table.head}", by="host")
    night.table.record(events.End(), id="end", by="host")
    for page in ("", *of_extras("watched")):
        assert "Ben won 4 rounds" in HtmlPage(night.host.get(f"/n/{night.code}{page}").text).text(".best")
