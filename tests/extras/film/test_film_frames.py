"""The frames of a film against the night that they are made of: balances, transfers, sentences, time and size."""

import json
from itertools import pairwise
from random import Random

from hypothesis import given, strategies as st
from support.core_nights import kitty
from support.made_up_nights import next_event
from support.random_nights import NAMES, end_event, every_preset, legal_event, random_night, random_options

from tracker.app.log_history import History
from tracker.core import log
from tracker.core.apply import apply
from tracker.core.events import Abandon, Hand, Name, Paid, SeatId, Sit
from tracker.core.log import Entry
from tracker.core.night import Night
from tracker.core.payment_list import totals
from tracker.core.preset import Preset
from tracker.extras.film.player import SECONDS, Film, film_of
from tracker.formats.built_in import built_in
from tracker.web.events.sentences import plain_sentence

CHANCE = st.integers(0, 2**16).map(Random)
PRESETS = st.sampled_from(every_preset())


def history_of(preset: Preset, chance: Random, people: int, length: int, *, is_over: bool = True) -> History:
    """Return the log of a random night, which has ended where `is_over` is set and its end is allowed."""
    entries: list[Entry] = []
    night = Night(preset)
    for event in random_night(preset, chance, length, people):
        night = apply(night, event)
        entries.append(Entry(len(entries) + 1, event))
    for _ in range(60 if is_over else 0):
        if night.is_over:
            break
        event = (end_event(night, chance) if night.is_between_hands else None) or legal_event(night, chance)
        night = apply(night, event)
        entries.append(Entry(len(entries) + 1, event))
    steps = log.Steps(preset)
    state = Night(preset)
    for entry in entries:
        state = apply(state, entry.event)
        steps.append((entry.number, entry.event, state))
    return History(entries, steps)


def check_transfers(film: Film) -> None:
    """What every frame moved is the difference to the frame before it."""
    for before, after in pairwise(film.frames):
        moved = [0] * len(film.accounts)
        for source, target, chips in after.transfers:
            moved[source] -= chips
            moved[target] += chips
        assert [b - a for a, b in zip(before.balances, after.balances, strict=True)] == moved


@given(PRESETS, CHANCE, st.integers(2, 6))
def test_the_frames_of_any_night_end_in_its_balances(preset: Preset, chance: Random, people: int) -> None:
    history = history_of(preset.with_options(random_options(preset, chance)), chance, people, 70)
    film, night = film_of(history, "begin"), history.night
    assert (film is None) == (night.hand == 0)
    if film is None:
        return
    shown = dict(zip(film.accounts, film.frames[-1].balances, strict=True))
    if preset.game == "pots":
        assert shown == {account: night.ledger.balance(account) for account in film.accounts}
        assert {account for account, chips in night.ledger.balances.items() if chips} <= set(film.accounts)
        assert all(sum(frame.balances) == 0 for frame in film.frames)
        check_transfers(film)
        check_transfers(film.fitting(2000))
    else:
        assert shown == totals(night)
        assert all(sorted(frame.ranks) == list(range(len(film.accounts))) for frame in film.frames)
    assert film.fitting(2000).frames[-1].balances == film.frames[-1].balances


@given(PRESETS, CHANCE)
def test_a_film_is_a_minute_at_most_and_says_what_the_log_says(preset: Preset, chance: Random) -> None:
    history = history_of(preset, chance, 4, 60)
    film = film_of(history, "begin")
    if film is None:
        return
    assert sum(film.seconds) <= SECONDS + 1
    assert min(film.seconds) > 0
    told, begun = list[str](), 0
    for number, event, night in history.steps:
        if night.hand and not isinstance(event, Paid):
            begun = len(told) if isinstance(event, Hand) else begun
            if isinstance(event, Abandon):
                del told[begun:]  # a hand that was given up is one step
            told.append(plain_sentence(event, history.before(number), night))
    assert [frame.caption for frame in film.frames] == ["begin", *told]


def test_of_a_night_without_end_only_the_ends_of_its_hands_are_kept_until_they_fit() -> None:
    night = Night(built_in("michigan-rummy"))
    steps = log.Steps(night.preset)
    while night.hand < 60:
        names = list(NAMES.items())[len(steps) : 8]
        event = Sit(SeatId(names[0][0]), Name(names[0][1])) if len(steps) < 8 else next_event(night, "a seed")
        assert event
        night = apply(night, event)
        steps.append((len(steps) + 1, event, night))
    history = History([Entry(number, event) for number, event, _night in steps], steps)
    film = film_of(history, "begin")
    assert film
    size = len(film.json.encode())
    for most_bytes in (size // 2, size // 20, 4000):
        short = film.fitting(most_bytes)
        assert len(short.json.encode()) <= most_bytes
        assert len({frame.hand for frame in short.frames}) == len(short.frames) < len(film.frames)
        check_transfers(short)


def test_no_name_leaves_the_element_that_holds_the_frames() -> None:
    history = history_of(built_in("michigan-rummy"), Random(1), 3, 12, is_over=False)
    film = film_of(history, "</script><script>alert(1)</script>\u2028&")
    assert film
    assert not set("<>&\u2028") & set(film.json)
    assert json.loads(film.json)["frames"][0][2] == "</script><script>alert(1)</script>\u2028&"


def test_a_hand_that_was_given_up_is_one_step_without_a_number_and_only_its_antes_move() -> None:
    night = kitty("pqr").hand("p").out("q", p=1, r=2)
    night.record("hand", dealer="q").record("no-sale").collect("p", "king-hearts").record("abandon")
    night.record("hand", dealer="q").record("no-sale").out("r", p=1, q=1).record("end")
    film = film_of(History(night.entries, night.steps), "")
    assert film
    check_transfers(film)
    given_up = [frame for frame in film.frames if frame.caption.startswith("The hand is given up")]
    assert [(frame.hand, sum(chips for _, _, chips in frame.transfers)) for frame in given_up] == [(0, 24)]
    assert sorted({frame.hand for frame in film.frames}) == [0, 1, 3]
    assert [frame.hand for frame in film.fitting(200).frames] == [0, 3]  # however few bytes there are
