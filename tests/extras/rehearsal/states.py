"""What tests of all pages see of the rehearsal: the table at each hint that it gives, and its made-up nights."""

from datetime import date

from support.made_up_nights import add_demo_nights, demo_nights
from support.page_states import ServedStates, State

from tracker.extras.rehearsal.pages import hint_of

HINTS = ("hello", "collect", "undo", "out", "pay", "ante", "dummy", "cards", "end")
"""What it says in turn; an address names the hint that it has come to."""


def add_past_nights(states: ServedStates) -> None:
    add_demo_nights(states.site.tables, demo_nights(24, 5, date(2026, 3, 28), events=15))


def add_states(states: ServedStates) -> None:
    rehearsals = states.site.app.extensions["rehearsals"]
    rehearsals.pace_seconds = 1_000_000.0  # its guests wait

    def play_up_to(address: str) -> str:
        rehearsal = rehearsals.begin("Ruth")
        with states.site.app.test_request_context():
            while not (found := hint_of(rehearsal)) or not found.name.startswith(address.partition("=")[2]):
                assert rehearsal.step
                rehearsal._do(rehearsal.step)
        code: str = rehearsal.table.code
        return code

    states.opened_anew["rehearsal"] = play_up_to
    states.visitors["rehearsal", "host"] = states.host
    states.more_states += [State("rehearsal", "host", f"?at={hint}") for hint in HINTS]
