"""What a score sheet adds to tests of all pages, and to the evening in each engine; see `functions_of_extras`."""

from typing import Any

from support.page_states import ServedStates

from tracker.extras._score.pages import save_deal_ending
from tracker.extras._score.view import STOCK


def add_states(states: ServedStates) -> None:
    """Have the points of a round be counted that ended without a winner."""
    save_deal_ending(states.site.tables.get(states.codes["score sheet count"]), STOCK)


def step_after_an_evening(evening: Any) -> None:
    """Write down a round of Hearts."""
    host = evening.host
    evening.opens("hearts")
    evening.adds("Ben")
    evening.adds("Mia")
    host.tap("Everyone is here", "Round 1 is over", "5", "8")
    host.tap("Write down round 1")
    host.see("Round 2 is over")
    assert evening.state()["scores"] == {"ruth": 5, "ben": 8, "mia": 13}
