"""The film of a night as values, all asked of the replayed log, and what its player is rendered from."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, groupby
from math import log2

from tracker.app.log_history import History
from tracker.core.events import Abandon, Hand, Paid
from tracker.core.ledger import BANK
from tracker.core.night import Night
from tracker.core.payment_list import totals
from tracker.core.queries.summary import ranking
from tracker.extras._story import ToldMoment, story_of_night
from tracker.web.drawing import board
from tracker.web.drawing.board import pile_size
from tracker.web.drawing.board_places import PlaceView, board_size, colouring, number_sizes, places_of
from tracker.web.drawing.player_token import player_tokens
from tracker.web.events.sentences import plain_sentence
from tracker.web.night_result import NightResult

SECONDS, LONGEST, OPENING = 60.0, 3.5, 1.2
"""How long a film is at most, and how long one frame and the first one are shown; all in seconds."""
MOMENT_WEIGHT = 4.0
FULL_PILE = 200
"""Chips from which on a pile is drawn no larger."""
MOST_BYTES = 120_000
"""Of the frames as JSON: what a page loads in a second on a slow network."""
UNSAFE = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}
"""Signs that could end the element that holds the JSON, and how JSON writes them otherwise."""


@dataclass(frozen=True)
class FilmFrame:
    """A moment of the night: everything as it is after an event, and what that event moved."""

    hand: int
    caption: str
    balances: tuple[int, ...]
    """By account, in the order of `Film.accounts`; in a score game everybody's total."""
    transfers: tuple[tuple[int, int, int], ...] = ()
    """(source, target, chips), the accounts by their place in `Film.accounts`."""
    sizes: str = ""
    """How loud each pot's number is drawn, a digit for each in the order of the accounts."""
    ranks: tuple[int, ...] = ()
    """Score games: everybody's place in the race, 0 for the first."""
    dealer: int = -1
    moment: str = ""
    """What makes it one of the night's best moments, as a sentence."""

    @property
    def weight(self) -> float:
        """How long it is shown, compared with other frames."""
        chips = sum(chips for _source, _target, chips in self.transfers)
        weight = 1 + log2(1 + chips) / 4 if chips or self.ranks else 0.6
        return weight * (MOMENT_WEIGHT if self.moment else 1)


@dataclass(frozen=True)
class Film:
    """A night's frames, the first one before the first hand."""

    board: Night
    """The state whose board is drawn: the one with the most places."""
    accounts: tuple[str, ...]
    """Seats, pots and the bank; in a score game only seats."""
    frames: tuple[FilmFrame, ...]
    hand_times: Sequence[str] = ()
    """How long each hand took at the table, in words; empty where nobody knows it."""

    @cached_property
    def seconds(self) -> list[float]:
        """How long each frame is shown: a minute altogether, less where that would be slow."""
        weights = [frame.weight for frame in self.frames[1:]]
        unit = min((SECONDS - OPENING) / max(1.0, sum(weights)), LONGEST / 2)
        return [OPENING, *(round(min(LONGEST, weight * unit), 2) for weight in weights)]

    @cached_property
    def json(self) -> str:
        """What the player reads, safe within a <script>: of each frame a row, its values in the order that film.js
        names."""
        rows = [
            [
                seconds,
                frame.hand,
                frame.caption,
                frame.balances,
                [number for transfer in frame.transfers for number in transfer],
                frame.sizes,
                frame.ranks,
                frame.dealer,
                frame.moment,
            ]
            for frame, seconds in zip(self.frames, self.seconds, strict=True)
        ]
        piles = [pile_size(chips) for chips in range(FULL_PILE + 1)]  # by how many lie there; more look like the last
        data = {"accounts": self.accounts, "piles": piles, "times": self.hand_times, "frames": rows}
        return json.dumps(data, separators=(",", ":"), ensure_ascii=False).translate(UNSAFE)

    @cached_property
    def board_size(self) -> int:
        return board_size(self.board)

    @cached_property
    def places(self) -> tuple[PlaceView, ...]:
        return places_of(self.board, player_tokens(self.board)) if self.board.preset.is_pot_game else ()

    @property
    def drawings(self) -> str:
        """The board, its places, and each pile that the film shows, as SVG symbols; of a score game none."""
        shown = [(self.accounts.index(place.id), colouring(place.at)) for place in self.places]
        piles = {f"{mix}{pile_size(frame.balances[at])}" for frame in self.frames for at, mix in shown}
        symbols = (
            f'<symbol id="{name}" viewBox="{board.PILE_BOX}">{board.pile(name)}</symbol>'
            for name in sorted(piles)
            if name[1:] != "0"
        )
        return board.art(self.board_size) + "".join(symbols) if self.places else ""

    def fitting(self, most_bytes: int = MOST_BYTES) -> Film:
        """Return this film, or as many of its hands' ends as fit in so many bytes of JSON."""
        film, hands = self, 1
        while len(film.json.encode()) > most_bytes and len(film.frames) > 2:
            film = replace(self, frames=tuple(merged(self.frames, hands)))
            hands *= 2
        return film


def merged(frames: Iterable[FilmFrame], hands: int) -> Iterator[FilmFrame]:
    """Yield one frame for every so many hands; a hand that was given up belongs to the one before it."""
    numbered = list(frames)
    numbers = [*accumulate((frame.hand for frame in numbered), max)]
    for _group, together in groupby(zip(numbered, numbers, strict=True), key=lambda pair: -(-pair[1] // hands)):
        parts = [frame for frame, _number in together]
        chips: Counter[tuple[int, int]] = Counter()
        for part in parts:
            for source, target, moved in part.transfers:
                chips[source, target] += moved
        transfers = tuple((source, target, moved) for (source, target), moved in chips.items())
        moment = next((part.moment for part in parts if part.moment), "")
        yield replace(parts[-1], hand=max(part.hand for part in parts), transfers=transfers, moment=moment)


def film_of(history: History, opening: str, moments: Mapping[int, str] | None = None) -> Film | None:
    """Return the film of a night, or None when no hand was played.

    `opening` is the sentence of the first frame; `moments` says of events, by number, what made them a best moment.
    """
    steps = [step for step in history.steps if not isinstance(step[1], Paid)]
    if not history.night.hand:
        return None
    first = next(at for at, (_number, _event, night) in enumerate(steps) if night.hand)
    board = max((night for _number, _event, night in steps), key=lambda night: len(night.preset.board))
    before = steps[first - 1][2] if first else Night(history.preset)
    frames = [_frame(history.night, None, before, hand=0, caption=opening)]
    states = [before, *(night for _number, _event, night in steps[first:])]
    given_up, begun = {night.hand for _number, _event, night in steps if night.is_abandoned}, 0
    for then, (number, event, now) in zip(states, steps[first:], strict=False):
        caption, hand = plain_sentence(event, then, now), history.hand_of(number)
        begun = len(frames) if isinstance(event, Hand) else begun
        told = _frame(history.night, then, now, hand=0 if hand in given_up else hand, caption=caption)
        frames.append(replace(told, moment=(moments or {}).get(number, "")))
        if isinstance(event, Abandon):
            frames[begun:] = [_given_up(frames[begun:])]
    return Film(board, accounts_of(history.night), tuple(frames))


def _given_up(frames: Sequence[FilmFrame]) -> FilmFrame:
    """Return one frame for a hand that was given up: only what did not go back moves, mostly its antes."""
    chips: Counter[tuple[int, int]] = Counter()
    for source, target, moved in (one for frame in frames for one in frame.transfers):
        chips[source, target] += moved
        chips[target, source] -= moved
    transfers = tuple((source, target, moved) for (source, target), moved in chips.items() if moved > 0)
    return replace(frames[-1], transfers=transfers)


def accounts_of(last: Night) -> tuple[str, ...]:
    """Return `Film.accounts` of a night, from its last state."""
    is_pots, pots = last.preset.is_pot_game, (pot.id for pot in last.preset.pots)
    return (*last.all_seats, *pots, BANK) if is_pots else last.all_seats


def _frame(last: Night, before: Night | None, after: Night, *, hand: int, caption: str) -> FilmFrame:
    accounts = accounts_of(last)
    dealer = accounts.index(after.dealer) if after.dealer in accounts else -1
    if not after.preset.is_pot_game:
        told = totals(after)
        points = tuple(told.get(seat, 0) for seat in accounts)
        order = [seat for _, seat in ranking(after)]
        order += [seat for seat in accounts if seat not in order]
        return FilmFrame(hand, caption, points, ranks=tuple(map(order.index, accounts)), dealer=dealer)
    at = {account: place for place, account in enumerate(accounts)}
    # An event that moves nothing may leave `last_transfers` as it was.
    moved = after.last_transfers if before is not None and before.ledger != after.ledger else ()
    sizes = number_sizes(after)
    return FilmFrame(
        hand,
        caption,
        tuple(after.ledger.balance(account) for account in accounts),
        tuple((at[one.source], at[one.target], one.chips) for one in moved),
        "".join(sizes.get(pot.id, "v0")[1] for pot in last.preset.pots),
        dealer=dealer,
    )


TELLS_THE_END = ("comeback", "finish")
"""Kinds of moments whose sentence would say before its time how the night ends."""


def best_film(result: NightResult, opening: str) -> Film | None:
    """Return the film of a night with its best moments, of at most MOST_BYTES; None when no hand was played."""
    history, story = result.history, story_of_night(result)
    told = [one for one in story.moments if one[0].kind not in TELLS_THE_END]
    moments = {event_of(history, moment): sentence.striptags() for moment, sentence in told}
    film = film_of(history, opening, moments)
    return replace(film, hand_times=story.hand_times).fitting() if film else None


def event_of(history: History, moment: ToldMoment) -> int:
    """Return the number of the event that shows a moment: the one that took its pot, else the last of its hand."""
    numbers = [number for number, _event, night in history.steps if night.hand == moment.hand and not night.is_over]
    taken = [number for number in numbers if moment.pot and _took(history, number, moment.pot)]
    return (taken or numbers or [history.steps[-1][0]])[-1]


def _took(history: History, number: int, pot: str) -> bool:
    after = history.line(number).after
    return after is not None and any(one.source == pot for one in after.last_transfers)
