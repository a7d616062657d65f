"""What a score sheet adds to tests that walk all pages; see `functions_of_extras` in tests/support/of_extras.py."""

from support.page_states import ServedStates

from tracker.extras._score.pages import save_deal_ending
from tracker.extras._score.view import STOCK


def add_states(states: ServedStates) -> None:
    """Have the points of a round be counted that ended without a winner."""
    save_deal_ending(states.site.tables.get(states.codes["score sheet count"]), STOCK)
