"""The first page: who won each of the nights that are over, as the core says it."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from support.api_scripts import with_command_token
from support.client_phones import Site
from support.html_page import HtmlPage
from support.sample_nights import play_hand, record, sample_night, visible_text
from support.score_events import event, round_won

from tracker.app.open_night import OpenNight
from tracker.core import events
from tracker.core.events import Chips, Event

ALL = ("ruth", "ben", "mia", "tom")


def rounds(*winners: str, jokers: int = 0) -> Sequence[Event]:
    """Return a round for each winner; `jokers` were in the hand that wins the last."""
    return [round_won(seat) for seat in winners[:-1]] + [round_won(winners[-1], Chips(jokers))]


def rummy(winner: str, points: int) -> Event:
    return event("rummy", seat=winner, hands={seat: points for seat in ALL if seat != winner})


EVERY_ROUND = ("ben", "ben", "ben", "ben", "ben", "ben", "ben", "mia")
GAMES: dict[str, tuple[str, Callable[[], Sequence[Event]], list[str]]] = {
    "round 8 without a joker": ("eight-round-rummy", lambda: rounds(*EVERY_ROUND), ["Mia"]),
    "round 8 with a joker": ("eight-round-rummy", lambda: rounds(*EVERY_ROUND, jokers=1), ["Ben"]),
    "rum": ("michigan-rummy-snake", lambda: [rummy("tom", 10), rummy("ben", 9), events.End()], ["Tom"]),
    "rum, shared": ("michigan-rummy-snake", lambda: [rummy("tom", 10), rummy("ben", 10), events.End()], ["Ben", "Tom"]),
}


def ended(site: Site, preset: str, made: Sequence[Event]) -> OpenNight:
    found = sample_night(site, preset)
    record(found.table, *made)
    assert found.table.night.is_over
    return found.table


def check_winners(site: Site, table: OpenNight, winners: list[str]) -> None:
    """Compare the first page, the settlement and the API with who has won."""
    state = replace(with_command_token(site), code=table.code).look().json
    assert [table.night.name(seat) for seat in state["winners"]] == winners
    host = site.host()
    shown = HtmlPage(host.get("/").text).text(f'a[href="/n/{table.code}/settle"] .nm')
    assert shown == (f"{winners[0]} won" if len(winners) == 1 else "A tie")
    podium = HtmlPage(host.get(f"/n/{table.code}/settle").text).text(".podium h2")
    alone = len(winners) == 1
    assert podium == (f"{winners[0]} wins the night" if alone else f"{' and '.join(winners)} share the night")


@pytest.mark.parametrize("game", GAMES)
def test_home_settlement_and_api_name_the_same_winners(site: Site, game: str) -> None:
    preset, made, winners = GAMES[game]
    check_winners(site, ended(site, preset, made()), winners)


@pytest.mark.parametrize("preset", ["michigan-rummy", "michigan-kitty"])
def test_home_settlement_and_api_name_the_same_winners_of_chips(site: Site, preset: str) -> None:
    found = sample_night(site, preset)
    if preset == "michigan-rummy":
        play_hand(found.table, "ruth", "ben", "mia")
        record(found.table, events.End())
        check_winners(site, found.table, ["Mia"])
        return
    record(found.table, events.Hand("ruth"), events.NoSale())
    record(found.table, events.Out("tom", {"ruth": Chips(1), "ben": Chips(2), "mia": Chips(3)}), events.End())
    check_winners(site, found.table, ["Tom"])


def test_nobody_has_won_a_night_that_ended_before_its_first_hand(site: Site) -> None:
    table = ended(site, "michigan-rummy", [events.End()])
    host = site.host()
    assert HtmlPage(host.get("/").text).text(f'a[href="/n/{table.code}/settle"] .nm') == "The night is over"
    assert "wins the night" not in visible_text(host.get(f"/n/{table.code}/settle"))
