"""The sentences of the rule card of score sheets, each played."""

from extras._shared.rule_card_plays import ABOUT_OF_GAMES, Table, says, scored

from tracker.core.events import Name, SeatId, Sit
from tracker.core.payment_list import nets
from tracker.core.preset import Preset
from tracker.extras.points.rules import dealer_now, is_odd_sum, proposed_pauses

ABOUT_OF_GAMES |= {
    "For any card game that is scored in rounds: everybody’s points are added up.": (
        "After each round everybody says their points; they are added up.",
    ),
    "First to 500 points.": ("The night ends when somebody has 500 points.", "The most points win."),
    "Seven deals, a harder contract each time.": ("The night ends after 7 deals.",),
    "Over at 100 points; fewest points win.": (
        "The night ends when somebody has 100 points.",
        "The fewest points win.",
    ),
    "Cards left in the hand count; fewest points win.": ("The fewest points win.",),
    "It ends when somebody completes the tenth phase, and so wins; of several, the fewest points win.": (
        "The night ends when the table says so.",
        "Whoever completes the last task of the game has won; of several, by the points.",
        "The fewest points win.",
    ),
    "Cards melded count for you, cards in hand against you.": (),
    "A point for each heart taken, 13 for the queen of spades.": (),
    "Cards left in the hand count.": (),
}


@says("After each round everybody says their points; they are added up.")
def _added_up(preset: Preset) -> None:
    table = Table(preset)
    if preset["points.entry"] == "winner":
        return
    table.refusal("scores", points={"a": 1, "b": 2, "c": 3})
    for _ in range(2):
        table.record("scores", points={"a": 1, "b": -2, "c": 3, "d": 0})
    assert table.scores == {"a": 2, "b": -4, "c": 6, "d": 0}


@says("Only the winner of a round is written down: 1 point.")
def _winner_only(preset: Preset) -> None:
    table = Table(preset)
    table.refusal("scores", points={"a": 2, "b": 0, "c": 0, "d": 0})
    assert table.record("scores", points={"a": 1, "b": 0, "c": 0, "d": 0}).scores["a"] == 1


@says("The most points win.", winner="a")
@says("The fewest points win.", winner="b")
def _wins(preset: Preset, winner: str) -> None:
    assert scored(preset).winners == [winner]


@says("The deal passes to the left after each round.")
def _deal_passes(preset: Preset) -> None:
    table = Table(preset)
    for dealer in "abcda":
        assert dealer_now(table.night) == dealer
        table.record("scores", points={"a": 1, "b": 0, "c": 0, "d": 0})


@says("Who joins later begins with the average sum of the table.", first=3, of_one_winner=0)
@says("Who joins later begins with the worst sum of the table.", first=5, of_one_winner=1)
@says("Who joins later begins with 0 points.", first=0, of_one_winner=0)
@says(
    "Who joins later begins with 0 points, or with the worst sum of the table if that is below 0.",
    first=0,
    of_one_winner=0,
    below=-6,
)
def _joined(preset: Preset, first: int, of_one_winner: int, below: int | None = None) -> None:
    """Let somebody join after a round of 5, 1, 3 and 4 points, or of one winner."""
    table, has_one_winner = Table(preset), preset["points.entry"] == "winner"
    points = (1, 0, 0, 0) if has_one_winner else (5, 1, 3, 4)
    table.record("scores", points=dict(zip("abcd", points, strict=True))).record("sit", seat="e", name="E")
    assert table.scores["e"] == (of_one_winner if has_one_winner else first)
    if below is not None and not has_one_winner:
        sunk = Table(preset).record("scores", points={"a": -6, "b": -1, "c": -2, "d": -3})
        assert sunk.record("sit", seat="e", name="E").scores["e"] == below


@says("Who stops for some rounds and comes back begins with that too, if the own sum is better.")
def _comes_back(preset: Preset) -> None:
    """Let somebody who has the best sum, and somebody who has the worst one, miss a round and come back."""
    points = dict(zip("abcd", (1, 0, 0, 0) if preset["points.entry"] == "winner" else (9, 1, 3, 4), strict=True))
    is_low = preset["points.wins"] == "low"
    for seat in "ab":
        table = Table(preset).record("scores", points=points).record("leave", seat=seat)
        others = {one: 0 for one in "abcd" if one != seat}
        table.record("scores", points={**others, "d": 1})
        newcomer = table.preview(Sit(SeatId("e"), Name("E"))).points["e"]
        back = table.record("sit", seat=seat, name=seat).scores[seat]
        assert back == (max if is_low else min)(points[seat], newcomer)


@says("From three people on, whoever deals a round pauses in it.")
def _dealer_pauses(preset: Preset) -> None:
    table = Table(preset, "abc")
    for dealer in "abc":
        assert proposed_pauses(table.night) == (dealer,)
        others = [seat for seat in "abc" if seat != dealer]
        table.record("scores", points={others[0]: 1, others[1]: 0}, sits_out=[dealer])
        assert dealer not in table.night.deals[-1].change
    assert proposed_pauses(Table(preset, "ab").night) == ()
    assert proposed_pauses(Table(preset.with_options({"points.dealer": "off"}), "abc").night) == ()


@says("Whoever completes the last task of the game has won; of several, by the points.")
def _completed(preset: Preset) -> None:
    assert scored(preset).record("end", winners=["c"]).winners == ["c"]
    best = "b" if preset["points.wins"] == "low" else "a"
    assert scored(preset).record("end", winners=["c", best]).winners == [best]
    assert scored(preset).record("end").winners == [best]


@says("The points of a round come to %(n)s.")
def _sum(preset: Preset, n: int) -> None:
    night = Table(preset, "abc").night
    assert is_odd_sum(night, {"a": n, "b": n, "c": n + 1})
    assert not is_odd_sum(night, {"a": n, "b": 0, "c": 0})


def _with_newcomer(preset: Preset) -> dict[str, int]:
    """Return the nets after a round of 5, 1, 3 and 3 points, and one in which a newcomer has 2 and the others 0."""
    table = scored(preset)
    table.record("sit", seat="e", name="E").record("scores", points={"a": 0, "b": 0, "c": 0, "d": 0, "e": 2})
    return nets(table.night)


@says("In money, everybody settles each round’s difference in points with everybody who played it.")
def _settle_all(preset: Preset) -> None:
    sign = -1 if preset["points.wins"] == "low" else 1
    assert nets(scored(preset).night) == {"a": 8 * sign, "b": -8 * sign, "c": 0, "d": 0}
    assert _with_newcomer(preset) == {"a": 6 * sign, "b": -10 * sign, "c": -2 * sign, "d": -2 * sign, "e": 8 * sign}


@says("In money, everybody pays the winner the difference in points of the rounds that both have played.")
def _pay_winner(preset: Preset) -> None:
    expected = {"a": 8, "b": -4, "c": -2, "d": -2}
    if preset["points.wins"] == "low":
        expected = {"a": -4, "b": 8, "c": -2, "d": -2}
    assert nets(scored(preset).night) == expected
    late = 2 if preset["points.wins"] == "low" else 0  # who is better in that one round owes nothing for it
    winner = "b" if late else "a"
    assert _with_newcomer(preset) == {**expected, winner: 8 + late, "e": -late}
