"""A rehearsal's guests do their own part and leave the host's to the host, whatever the host does."""

from collections.abc import Iterator

from tracker.core.apply import apply_new
from tracker.core.events import Chips, Collect, Event, Exchange, Hand, Name, NoSale, Out, SeatId, Sit
from tracker.core.night import Night
from tracker.extras.rehearsal.pages import HANDS, PRESET, SEED, RehearsalStep, is_finished, next_step
from tracker.formats.built_in import built_in

SEATS = ("alex", "mia", "ben", "tom")


def begun() -> Night:
    night = Night(built_in(PRESET))
    for seat in SEATS:
        night = apply_new(night, Sit(SeatId(seat), Name(seat.capitalize())))
    return night


def steps(night: Night) -> Iterator[tuple[Night, RehearsalStep]]:
    """Yield each step of a rehearsal with the state before it, the host doing what comes next."""
    out: str | None = None
    said: dict[str, int] = {}
    while step := next_step(night, SEED, out, said, "alex"):
        yield night, step
        if step.event is None:
            said[step.seat] = step.cards_left
        elif isinstance(step.event, Out) and out is None:
            out = step.seat
        else:
            night = apply_new(night, step.event)
            out, said = None, {}


def test_both_hands_are_played_by_what_each_person_does() -> None:
    played = list(steps(begun()))
    last, step = played[-1]
    assert step.event
    assert is_finished(apply_new(last, step.event), SEED)
    assert last.hand == HANDS


def test_a_guest_takes_the_first_pot_and_the_host_the_queen_of_hearts_next() -> None:
    collects = [(night.hand, step.event) for night, step in steps(begun()) if isinstance(step.event, Collect)]
    assert collects[0][1].seat != "alex"
    assert collects[1] == (1, Collect("alex", "queen-hearts"))


def test_the_host_says_cards_left_once_deals_once_and_is_out_once() -> None:
    own = [step for _, step in steps(begun()) if step.seat == "alex"]
    kinds = [type(step.event) for step in own]
    assert kinds.count(Hand) == 1
    assert kinds.count(NoSale) + kinds.count(Exchange) == 1
    assert kinds.count(Out) == 2  # said first, then paid
    assert [step.cards_left for step in own if step.event is None] == [3]


def test_guests_who_are_asked_say_their_cards_before_the_host_is_waited_for() -> None:
    asked = [step.seat for night, step in steps(begun()) if step.event is None and night.hand == 1]
    assert asked[-1] == "alex"
    assert len(asked) == 3


def test_guests_go_on_from_whatever_the_host_has_recorded() -> None:
    """Another one out than the cards say, a pot taken by somebody else, the dummy hand swapped: all end both hands."""
    others: list[Event] = [Exchange(), Collect("alex", "king-clubs"), Out("alex", dict.fromkeys(SEATS[1:], Chips(4)))]
    night = apply_new(begun(), Hand("tom"))
    for event in others:
        night = apply_new(night, event)
        *_, (last, step) = steps(night)
        assert step.event
        assert is_finished(apply_new(last, step.event), SEED)
