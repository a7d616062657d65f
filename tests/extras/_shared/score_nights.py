"""Nights of score games: at their pages, in the pure core, and their events by their words."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Any

from support.client_phones import Site
from support.core_nights import CoreNight, keys_of
from support.html_page import HtmlPage
from support.of_extras import needs
from support.sample_nights import SampleNight

from tracker.core.events import Event
from tracker.core.night import Night
from tracker.formats.codec import event_from

OWN_FIELDS = ("key", "head", "hand", "hands")
EXTRA_BY_KIND = {"round": "rounds", "reverse": "rounds", "rummy": "rum", "stock-out": "rum", "scores": "points"}


def event(kind: str, **facts: Any) -> Event:
    """Return an event of that kind; skip the test where no extra declares it."""
    if kind in EXTRA_BY_KIND:
        needs(EXTRA_BY_KIND[kind])
    return event_from({"kind": kind, **facts})


def round_won(winner: str, jokers: int = 0) -> Event:
    return event("round", winner=winner, jokers=jokers)


def rummy(seat: str, hands: Mapping[str, Any], *, one_turn: bool = False) -> Event:
    return event("rummy", seat=seat, hands=dict(hands), one_turn=one_turn)


def scores(points: Mapping[str, int], sits_out: Sequence[str] = ()) -> Event:
    return event("scores", points=dict(points), sits_out=list(sits_out))


class ScoreNight(SampleNight):
    """A night of a score game at its page."""

    def __init__(
        self,
        site: Site,
        preset: str,
        people: Sequence[str] = ("Ben", "Mia"),
        rules: Mapping[str, object] | None = None,
    ) -> None:
        chosen = {key: str(value) for key, value in (rules or {}).items()}
        super().__init__(site, preset, people, form={"full": "1", **chosen})

    @property
    def night(self) -> Night:
        return self.table.night

    @property
    def points(self) -> dict[str, int]:
        return dict(self.night.points)

    def page(self, phone: str = "ruth") -> str:
        answer = self.phones[phone].get(f"/n/{self.code}")
        assert answer.status_code == 200
        return answer.text

    def form(self, phone: str = "ruth") -> dict[str, str]:
        """What the page of a phone would send with any of its buttons."""
        fields = HtmlPage(self.page(phone)).root.select("[name][value]")
        found = {field.get("name"): field.get("value") for field in reversed(fields)}
        return {name: found[name] for name in OWN_FIELDS if name in found}

    def tap(self, do: str, phone: str = "ruth", form: Mapping[str, str] | None = None, **fields: str) -> int:
        """Tap a button on a phone, on a fresh page unless `form` is an older one; returns the answer's status."""
        sent = {**(form or self.form(phone)), "do": do, **fields}
        return self.phones[phone].post(f"/n/{self.code}/record", dict(sent), HX_Request="true").status_code

    def say(self, **hands: int) -> None:
        """Have the host type what each holds."""
        for seat, points in hands.items():
            assert self.tap(f"say:{points}", seat=seat) == 200

    def sheet(self, path: str = "", phone: str = "ruth") -> str:
        answer = self.phones[phone].get(f"/n/{self.code}/sheet{path}")
        assert answer.status_code == 200
        return answer.text


def seats_of_a_deal(night: Night, chance: Random) -> list[str]:
    """Return who plays the present deal: everybody, or without some of those who have sat down since the last."""
    waiting = [seat for seat in night.seats if seat in night.newcomers and chance.random() < 0.5]
    players = [seat for seat in night.seats if seat not in waiting]
    return players if len(players) > 1 else list(night.seats)


def rounds(seats: Iterable[str] = "abc", **options: Any) -> CoreNight:
    return CoreNight("eight-round-rummy", seats, None, keys_of(options))


def snake(seats: Iterable[str] = "wxyz", **options: Any) -> CoreNight:
    return CoreNight("michigan-rummy-snake", seats, None, keys_of(options))


def score_sheet(seats: Iterable[str] = "wxyz", **options: Any) -> CoreNight:
    return CoreNight("score-sheet", seats, None, keys_of(options))


ROUND_OF: dict[str, Callable[[Sequence[str]], dict[str, Any]]] = {
    "michigan-rummy-snake": lambda people: {"kind": "rummy", "seat": people[0], "hands": dict.fromkeys(people[1:], 5)},
    "score-sheet": lambda people: {"kind": "scores", "points": dict.fromkeys(people, 5)},
    "hearts": lambda people: {"kind": "scores", "points": {seat: 5 + at for at, seat in enumerate(people)}},
    "eight-round-rummy": lambda people: {"kind": "round", "winner": people[0]},
    "yaniv": lambda people: {"kind": "yaniv", "seat": people[0], "hands": dict.fromkeys(people, 5)},
}
"""By preset, a round that these people play, of which the first one is out where somebody is."""
