"""The sentences of a rule card about poker, who is short of chips, the end and money, each played."""

from extras._shared.rule_card_plays import Table, claim_phase, poor, says, scored, scripted, short_seat

from tracker.core.apply import apply
from tracker.core.night import ENDED, LOBBY, PLAY
from tracker.core.payment_list import nets_in_cents
from tracker.core.pot_game import night_pool
from tracker.core.preset import Preset
from tracker.core.queries.prompts import planned_hand, prompt_of
from tracker.core.settlement import has_money, price_of
from tracker.web.wording.texts import amount

# Poker

LEFT = "play; out seat=b cards=a1,c1,d1; poker winners=b -> refused; 7 in POOL; poker winners=c -> c+7 POOL-7"
DEALT = "play; out seat=b cards=a1,c1,d1; 7 in POOL; poker winners=b -> b+7 POOL-7"
BEFORE = "poker; bet seat=b chips=1 -> refused; 7 in POOL; poker winners=c -> c+7 POOL-7"
BETS = "poker; 7 in POOL; bet seat=b chips=1 -> b-1 POOL+1; poker winners=c -> c+8 POOL-8"
AT_END = "play; out seat=b cards=a0,c0,d0; 7 in POOL; poker winners=c -> c+7 POOL-7; hand dealer=b -> refused"
TIED = "settle; 5 in POOL; poker winners=d,b,c -> "
scripted(
    {
        "After each hand, the best poker hand of the cards left wins the poker pool.": f"{LEFT}; hand dealer=b",
        "After each hand, the best set in the cards left wins the pool.": f"{LEFT}; hand dealer=b",
        "After each hand, the best poker hand of all cards dealt wins the poker pool.": f"{DEALT}; hand dealer=b",
        "After each hand, the best set in all cards dealt wins the pool.": f"{DEALT}; hand dealer=b",
        "Before the play, the best poker hand wins the poker pool.": BEFORE,
        "Before the play, the best set wins the pool.": BEFORE,
        "Before the play, people bet, and the best poker hand wins the poker pool.": BETS,
        "Before the play, people bet, and the best set wins the pool.": BETS,
        "At the end of the night, the best poker hand wins the poker pool.": AT_END,
        "At the end of the night, the best set wins the pool.": AT_END,
        "There is no poker.": "play; out seat=b cards=a1,c1,d1; poker winners=c -> refused",
        # Which set is the better one, the table sees.
        "Four of a kind beat three, and three beat a pair; then the higher cards win, and of equals the set with the "
        "trump.": "settle; poker winners=b,c -> refused",
        "Bets have no limit.": "poker; bet seat=b chips=300",
        "One bet is %(n)s at most.": "poker; bet seat=b chips=n+1 -> refused; bet seat=b chips=n",
        "Side bets have no limit.": "play; bet seat=b pot=SIDE chips=300",
        "A side bet is %(n)s at most.": "play; bet seat=b pot=SIDE chips=n+1 -> refused; bet seat=b pot=SIDE chips=n",
        "Equal poker hands share it; odd chips stay for the next hand.": f"{TIED}b+1 c+1 d+1 POOL-3",
        "Equal poker hands share it; odd chips go round from the dealer’s left.": f"{TIED}b+2 c+2 d+1 POOL-5",
        "Equal poker hands leave it for the next hand.": f"{TIED}nothing",
    }
)


# Short of chips, and the end


@says("Whoever can’t pay buys more chips.", cover="bank", bought=501, notes={})
@says("Whoever can’t pay gives an IOU.", cover="d", bought=500, notes={"d": 1})
def _covers(preset: Preset, cover: str, bought: int, notes: dict[str, int]) -> None:
    seat, ante = short_seat(preset)
    table = poor(preset, seat, ante - 1).record("hand", dealer="a", cover={seat: cover})
    assert (table.stacks[seat], table.night.ledger.bought[seat]) == (0, bought)
    assert table.notes == {(seat, other): chips for other, chips in notes.items()}


@says(
    "Whoever can’t pay the whole ante goes round the board in its order, pays each place that the chips left still "
    "cover, and wins only those."
)
def _partial(preset: Preset) -> None:
    seat, ante = short_seat(preset)
    whole = {target: chips for source, target, chips in _antes_of(preset) if source == seat}
    for stack in range(ante):
        table, left = poor(preset, seat, stack), stack
        expected: dict[str, int] = {}
        table.record("hand", dealer="a")
        for pot in preset.board:
            if 0 < whole.get(pot, 0) <= left:
                expected[pot] = whole[pot]
                left -= whole[pot]
        assert {target: chips for source, target, chips in table.last if source == seat} == expected
        assert table.night.current_deal().unpaid == {(seat, pot) for pot in whole if pot not in expected}
    for card_pot in [one.id for one in preset.won_by("card") if one.id in whole]:
        unpaid = poor(preset, seat, 0).until(claim_phase(preset)).holding(card_pot, 7)
        assert "put nothing in" in str(unpaid.refusal("collect", seat=seat, pot=card_pot))


def _antes_of(preset: Preset) -> list[tuple[str, str, int]]:
    return Table(preset).record("hand", dealer="a").last


@says("Whoever can’t pay sits out.")
def _sits_out(preset: Preset) -> None:
    seat, ante = short_seat(preset)
    dealer = "d"  # who can pay
    table = poor(preset, seat, ante - 1)
    short = prompt_of(table.night, plan={"dealer": dealer}).short
    planned = planned_hand(table.night, {"dealer": dealer})
    assert set(planned.sits_out) == set(short)
    assert seat not in apply(table.night, planned).current_deal().seats or not short


@says("Whoever can’t pay gives what is there, and owes nothing.")
def _capped(preset: Preset) -> None:
    seat, ante = short_seat(preset)
    table = poor(preset, seat, ante - 1).record("hand", dealer="a")
    assert (table.stacks[seat], table.notes, table.night.ledger.bought[seat]) == (0, {}, 500)


@says("Whoever can’t pay gives what is there; before the next hand the night ends.")
def _ends_when_broke(preset: Preset) -> None:
    seat, ante = short_seat(preset)
    table = poor(preset, seat, ante + 1).until(PLAY)
    left = 1 if preset.house_rules.out_per_card else 0
    table.record("move", source=seat, target="c", chips=table.stacks[seat] - left) if table.stacks[
        seat
    ] > left else None
    table.out("c", **{seat: 5})
    assert (table.stacks[seat], table.notes, table.night.ledger.bought[seat]) == (0, {}, 500)
    assert prompt_of(table.night, plan={"dealer": "a"}, waived=frozenset({"poker"})).ends_night


def _last_hand(preset: Preset, odd: int = 2) -> Table:
    """Return a table after its last hand, which `b` won, with so many odd chips on the board."""
    table = Table(preset).until(PLAY).out("b")
    if pool := night_pool(table.night):
        table.record("poker", winners=["b"])
        assert table.pots[pool.id] == 0
    pot = next(iter(preset.board))
    return table.holding(pot, table.pots[pot] + 8 + (odd - table.board) % 4)


@says("At the end, those at the table who were dealt a hand share the board equally.")
def _end_equal(preset: Preset) -> None:
    table = _last_hand(preset, odd=0).record("sit", seat="e", name="E")
    share = table.board // 4
    gained = table.gains("end")
    assert {seat: gained.get(seat, 0) for seat in "abcde"} == {**dict.fromkeys("abcd", share), "e": 0}


@says(
    "At the end, what is left on the board goes to the winner of the last finished hand; without one at the table it "
    "is shared equally."
)
def _end_last_winner(preset: Preset) -> None:
    _end_winner(preset, "b", {})
    given_up = _last_hand(preset).record("hand", dealer="c").record("abandon")
    lies = given_up.board
    assert {seat: chips for seat, chips in given_up.gains("end").items() if seat in "abcd"} == {"b": lies}


@says("At the end, what is left on the board goes to the best poker hand.", winner="c", said={"winners": ["c"]})
def _end_winner(preset: Preset, winner: str, said: dict[str, list[str]]) -> None:
    table = _last_hand(preset)
    lies = table.board
    assert {seat: chips for seat, chips in table.gains("end", **said).items() if seat in "abcd"} == {winner: lies}


@says("At the end, what is left stays on the board for next time.")
def _end_leave(preset: Preset) -> None:
    assert _last_hand(preset).gains("end") == {}


@says("Odd chips of the board go round from the dealer’s left.", more={"b": 1, "c": 1})
@says("Odd chips of the board go to the winner of the last finished hand.", more={"b": 2})
def _odd(preset: Preset, more: dict[str, int]) -> None:
    table = _last_hand(preset)
    share = table.board // 4
    gained = table.gains("end")
    assert {seat: gained[seat] - share for seat in "abcd" if gained[seat] != share} == more


@says("Odd chips of the board go to whoever draws the highest card.")
def _odd_to_high_card(preset: Preset) -> None:
    table = _last_hand(preset)
    assert table.refusal("end").facts["count"] == 2
    pot = next(pot for pot, chips in table.pots.items() if chips >= 2)
    table.record("move", source=pot, target="d", chips=2, why="high card")
    gained = table.gains("end")
    assert len({gained[seat] for seat in "abcd"}) == 1


@says("You play without money.")
def _no_money(preset: Preset) -> None:
    assert not has_money(Table(preset).night)


@says("%(n)s is worth %(money)s.")
@says("%(n)s are worth %(money)s.")
def _worth(preset: Preset, n: int, money: str) -> None:
    cents, decimals = price_of(Table(preset).night, n), preset.house_rules.money_decimals
    in_cents = "1 cent" if cents == 1 else f"{cents} cents"
    assert money == (in_cents if decimals == 2 and cents < 100 else amount(cents, decimals))


@says("Sums are rounded to coins of %(coin)s.")
def _coins(preset: Preset, coin: str) -> None:
    night = scored(preset).night if preset.game == "points" else Table(preset).night
    if preset.is_pot_game:
        night = Table(preset).until(PLAY).out("b", a=1, c=1, d=2).record("end").night
    elif preset.game == "rum":
        night = Table(preset).record("rummy", seat="a", hands={"b": 7, "c": 3, "d": 1}).night
    cents = nets_in_cents(night)
    assert sum(cents.values()) == 0
    assert {sum_ % preset.house_rules.money_coin for sum_ in cents.values()} == {0}
    assert coin == amount(preset.house_rules.money_coin, preset.house_rules.money_decimals)


def _round_of(table: Table, best: int = 2) -> None:
    """Record a round that `a` wins with `best` points of a kind that this table writes down."""
    if table.preset.game == "rum":
        table.record("rummy", seat="a", hands={"b": best, "c": 0, "d": 0})
    elif table.preset["points.entry"] == "winner":
        table.record("scores", points={"a": 1, "b": 0, "c": 0, "d": 0})
    else:
        table.record("scores", points={"a": best, "b": 0, "c": 0, "d": 0})


@says("The night ends after %(n)s.")
def _ends_after(preset: Preset, n: int) -> None:
    table = Table(preset)
    for number in range(n):
        assert (number, table.night.phase) in ((0, LOBBY), (number, PLAY))
        _round_of(table)
    assert table.night.phase == ENDED


@says("The night ends when somebody has %(n)s.")
def _ends_at(preset: Preset, n: int) -> None:
    table = Table(preset)
    if n > 1:
        _round_of(table, n - 1)
        assert table.night.phase == PLAY
    _round_of(table, 1)
    assert table.night.phase == ENDED


@says("The night ends when the table says so.")
def _open_end(preset: Preset) -> None:
    table = Table(preset)
    for _ in range(12):
        _round_of(table, 900)
    assert table.night.phase == PLAY
    assert table.record("end").night.phase == ENDED
