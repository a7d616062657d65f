"""The sentences of a rule card about the table, the board and what comes before the play, each played."""

import re

from extras._shared.rule_card_plays import PLACE_PARTS, SEATS, Table, claim_phase, poor, says, short_seat

from tracker.core.night import DUMMY, PLAY, POKER, SHOWDOWN
from tracker.core.preset import Pot, Preset
from tracker.core.stages import whose_bid
from tracker.extras.editor.rule_card import rule_card
from tracker.web.wording.rule_words import card_words

# The table and the board


@says("For %(low)s to %(high)s people.")
def _people(preset: Preset, low: int, high: int) -> None:
    assert (preset.seats.min, preset.seats.max) == (low, high)
    for count in (low, high):
        table = Table(preset, SEATS[:count])
        if preset.is_pot_game:
            table.until(PLAY).out()
        assert len(table.night.seats) == count


@says("Everybody starts with %(n)s.")
def _stack(preset: Preset, n: int) -> None:
    assert set(Table(preset, chips=None).stacks.values()) == {n}


@says("Chips count: %(colours)s.")
def _colours(preset: Preset, colours: str) -> None:
    assert re.split(", | and ", colours) == [f"{one.name} {one.value}" for one in preset.chips]


@says("whoever is out of cards first", PLACE_PARTS)
def _won_by_going_out(preset: Preset, pot: Pot) -> None:
    table = Table(preset).until(PLAY).holding(pot.id, 7)
    assert table.gains("out", seat="b", cards=dict.fromkeys("acd", 0))[pot.id] == -7
    assert table.night.current_deal().won["b"] >= -50 + 7


@says("the best poker hand", PLACE_PARTS)
@says("the best set", PLACE_PARTS)
def _won_by_poker(preset: Preset, pot: Pot) -> None:
    table = Table(preset)
    table.until(POKER) if POKER in preset.stages else table.until(PLAY).out()
    assert table.holding(pot.id, 7).gains("poker", winners=["c"]) == {"c": 7, pot.id: -7}


@says("a side bet, won with %(cards)s", PLACE_PARTS)
def _won_by_side_bet(preset: Preset, pot: Pot, cards: str) -> None:
    assert cards == " ".join(map(card_words, pot.cards))
    table = Table(preset).until(claim_phase(preset))
    assert table.gains("bet", seat="b", pot=pot.id, chips=2) == {"b": -2, pot.id: 2}
    table.refusal("collect", seat="c", pot=pot.id)
    assert table.holding(pot.id, 7).gains("collect", seat="b", pot=pot.id) == {"b": 7, pot.id: -7}


@says("%(cards)s of one suit", PLACE_PARTS)
@says("%(cards)s", PLACE_PARTS)
def _won_by_cards(preset: Preset, pot: Pot, cards: str) -> None:
    assert cards.split() == list(map(card_words, pot.cards))
    table = Table(preset).until(claim_phase(preset)).holding(pot.id, 7)
    assert table.gains("collect", seat="c", pot=pot.id) == {"c": 7, pot.id: -7}


@says("chips are laid there freely", PLACE_PARTS)
def _laid_freely(preset: Preset, pot: Pot) -> None:
    table = Table(preset)
    table.record("hand", dealer="a")
    assert table.pots[pot.id] == 0
    if preset["stakes.cover_all"] == "off":
        budget = preset.budget(is_dealer=False)
        assert table.gains("place", seat="b", pots={pot.id: budget}) == {"b": -budget, pot.id: budget}


@says("nobody puts chips in before the deal", PLACE_PARTS, n=0)
@says("the dealer alone puts in %(dealer)s", PLACE_PARTS, n=0)
@says("everybody puts in %(n)s", PLACE_PARTS)
@says("everybody puts in %(n)s, the dealer %(dealer)s", PLACE_PARTS)
def _put_in(preset: Preset, pot: Pot, n: int, dealer: int | None = None) -> None:
    """Begin a hand; the dealer puts in as much as everybody where nothing else is said."""
    dealer = n if dealer is None else dealer
    table = Table(preset)
    table.record("hand", dealer="a")
    paid = {source: chips for source, target, chips in table.last if target == pot.id}
    assert {seat: paid.get(seat, 0) for seat in "abcd"} == {"a": dealer, "b": n, "c": n, "d": n}


@says("turned up, it ends the hand and the dealer wins", PLACE_PARTS)
def _ends_hand(preset: Preset, pot: Pot) -> None:
    table = Table(preset).until(PLAY)
    table.record("turn-up", pot=pot.id, cards={"b": 2, "c": 2, "d": 2})
    assert (table.night.phase, table.night.current_deal().winner, table.pots[pot.id]) == (SHOWDOWN, "a", 0)


@says("Whoever plays the %(card)s gets %(n)s from each.")
def _due(preset: Preset, card: str, n: int) -> None:
    due = next(due for due in preset.dues if due.name == card)
    assert Table(preset).until(PLAY).gains("due", seat="c", due=due.id) == {"c": 3 * n, "a": -n, "b": -n, "d": -n}


# Before the play


@says("Nobody puts chips in.", n=0, where="where no line says more")
@says("Nobody puts chips in, but where a place says so.", n=0, where="where no line says more")
@says("Only the dealer puts %(dealer)s %(where)s.", n=0)
@says("Everybody puts %(n)s %(where)s.")
@says("Everybody puts %(n)s %(where)s, the dealer %(dealer)s.")
def _antes(preset: Preset, n: int, where: str, dealer: int | None = None) -> None:
    dealer = n if dealer is None else dealer
    own = re.compile("puts? in|puts chips in|laid there")
    lines = {line.key: line.text for part in rule_card(preset).parts for line in part.lines}
    pots = {
        "in each place": set(preset.board),
        "in each place but those of side bets": {pot.id for pot in preset.board.values() if pot.won_by != "side"},
        "where no line says more": {
            pot.id for pot in preset.board.values() if pot.won_by != "side" and not own.search(lines[f"pot:{pot.id}"])
        },
    }.get(where) or places_in(preset, where.removeprefix("in each of these: "))
    table = Table(preset)
    table.record("hand", dealer="a")
    paid = {(source, target): chips for source, target, chips in table.last}
    assert pots
    for pot in pots:
        assert {seat: paid.get((seat, pot), 0) for seat in "abcd"} == {"a": dealer, "b": n, "c": n, "d": n}


def places_in(preset: Preset, names: str) -> set[str]:
    """Return the places that a sentence names, each by its whole name."""
    found = {
        pot.id for pot in preset.board.values() if re.search(rf"(^|, | and ){re.escape(pot.name)}(, | and |$)", names)
    }
    assert len(re.split(", | and ", names)) >= len(found) > 0
    return found


@says("Everybody also puts %(n)s in each place of a side bet; only those who bet there can win it.")
def _side_antes(preset: Preset, n: int) -> None:
    for pot in preset.won_by("side"):
        _put_in(preset, pot, n, n)
        assert "did not bet" in str(Table(preset).until(claim_phase(preset)).refusal("collect", seat="b", pot=pot.id))


@says("You play for %(n)s times the stakes: what is put in before the deal stands here multiplied already.")
def _multiplied(preset: Preset, n: int) -> None:
    boards = []
    for times in (1, n):
        table = Table(preset.with_options({"ante.times": times}))
        table.record("hand", dealer="a")
        boards.append(table.board + 4 * table.preset.budget(is_dealer=False))
    assert boards[0] * n == boards[1] > 0


@says("Whoever won the last finished hand puts nothing in, unless dealing.")
def _exempt(preset: Preset) -> None:
    given_up = Table(preset).until(PLAY, dealer="d").out("b")
    given_up.record("hand", dealer="c").record("abandon")
    assert "b" not in given_up.gains("hand", dealer="a")
    table = Table(preset).until(PLAY, dealer="d").out("b")
    seat, _ = short_seat(preset)
    assert "b" not in table.gains("hand", dealer="a")
    if seat == "b":
        assert {"c", "d"} <= set(Table(preset).until(PLAY, dealer="d").out("b").gains("hand", dealer="a"))
    assert "b" in Table(preset).until(PLAY, dealer="d").out("b").gains("hand", dealer="b")


@says("Everybody lays %(n)s as they like on these: %(places)s.")
@says("Everybody lays %(n)s, the dealer %(dealer)s, as they like on these: %(places)s.")
def _budgets(preset: Preset, n: int, places: str, dealer: int | None = None) -> None:
    pots = sorted(places_in(preset, places))
    for pot in set(preset.board) - set(pots):
        table = Table(preset)
        table.record("hand", dealer="a").refusal("place", seat="b", pots={pot: n})
    for seat, chips in (("b", n), ("a", n if dealer is None else dealer)):
        table = Table(preset)
        table.record("hand", dealer="a")
        table.refusal("place", seat=seat, pots={pots[0]: chips + 1})
        if preset["stakes.cover_all"] == "off":
            for pot in pots:
                again = Table(preset).record("hand", dealer="a")
                assert again.gains("place", seat=seat, pots={pot: chips}) == {seat: -chips, pot: chips}


@says("Each of them must get a chip, as far as the chips reach.")
def _cover_all(preset: Preset) -> None:
    places = [pot.id for pot in preset.stake_places if pot.won_by == "card"]
    table, (first, *others) = Table(preset), places
    table.record("hand", dealer="a")
    budget = preset.budget(is_dealer=False)
    if others:
        table.refusal("place", seat="b", pots={first: budget})
    table.record("place", seat="b", pots={first: budget - len(others), **dict.fromkeys(others, 1)})
    seat, ante = short_seat(preset)
    if preset["shortage"] == "cap" and len(places) > 1 and seat == "b":
        few = poor(preset, "b", ante + 1).record("hand", dealer="a")
        few.record("place", seat="b", pots={places[1]: 1})


@says("A dummy hand is dealt besides: the dealer swaps it, or sells it to the highest bidder.")
def _swap_or_sell(preset: Preset) -> None:
    _swap(preset)
    _sell(preset)


@says("A dummy hand is dealt besides: the dealer may swap it.")
def _swap_only(preset: Preset) -> None:
    _swap(preset)
    Table(preset).until(DUMMY).refusal("sale", buyer="b", price=preset.house_rules.auction_min)


def _swap(preset: Preset) -> None:
    table = Table(preset).until(DUMMY)
    assert table.gains("exchange") == {}
    assert table.night.current_deal().dummy == "exchanged"


@says("A dummy hand is dealt besides: it goes to the highest bidder, who pays the dealer.")
def _sell_only(preset: Preset) -> None:
    Table(preset).until(DUMMY).refusal("exchange")
    _sell(preset)


def _sell(preset: Preset) -> None:
    table, price = Table(preset).until(DUMMY), preset.house_rules.auction_min
    table.record("bid", seat="b", chips=price).record("pass", seat="c")
    assert table.gains("pass", seat="d") == {"b": -price, "a": price}
    assert table.night.current_deal().buyer == "b"


@says(
    "A dummy hand is dealt besides: it is offered round from the dealer’s left, and the first who pays the dealer for "
    "it has it."
)
def _passed_round(preset: Preset) -> None:
    table, price = Table(preset).until(DUMMY), preset.house_rules.auction_min
    table.refusal("bid", seat="c", chips=price)
    assert table.record("pass", seat="b").night.current_deal().dummy is None
    assert table.gains("bid", seat="c", chips=price) == {"c": -price, "a": price}


@says("A dummy hand is dealt besides, and nobody uses it.")
@says("No dummy hand is dealt.")
def _no_dummy(preset: Preset) -> None:
    assert DUMMY not in preset.stages
    table = Table(preset)
    table.record("hand", dealer="a")
    for kind, fields in (("exchange", {}), ("sale", {"buyer": "b", "price": 5}), ("bid", {"seat": "b", "chips": 5})):
        table.refusal(kind, **fields)


@says("Bids go round from the dealer’s left, and a pass is final.")
def _bidding(preset: Preset) -> None:
    table, least = Table(preset).until(DUMMY), preset.house_rules.auction_min
    table.refusal("bid", seat="c", chips=least)
    for seat in "bcd":
        assert whose_bid(table.night) == seat
        table.record("bid", seat=seat, chips=least + 20 * "bcd".index(seat))
    assert whose_bid(table.record("pass", seat="b").night) == "c"
    table.refusal("bid", seat="b", chips=least + 90)


@says("The first bid is %(n)s or more, each later one at least %(step)s higher.")
def _bids(preset: Preset, n: int, step: int) -> None:
    table = Table(preset).until(DUMMY)
    if n > 1:
        table.refusal("bid", seat="b", chips=n - 1)
    table.record("bid", seat="b", chips=n).record("bid", seat="c", chips=n + step)
    table.refusal("bid", seat="d", chips=n + 2 * step - 1)


@says("The dummy hand costs %(n)s.")
def _price(preset: Preset, n: int) -> None:
    table = Table(preset).until(DUMMY)
    table.refusal("bid", seat="b", chips=n + 1)
    assert table.gains("bid", seat="b", chips=n) == {"b": -n, "a": n}


def _nobody_bids(preset: Preset) -> Table:
    table = Table(preset).until(DUMMY)
    for seat in "bcd":
        table.record("pass", seat=seat)
    assert table.night.current_deal().dummy == "dead"
    return table


@says("If nobody bids, it stays face down.")
def _stays_dead(preset: Preset) -> None:
    _nobody_bids(preset).refusal("exchange")


@says("If nobody bids, the dealer may still swap.")
def _swap_after_no_bid(preset: Preset) -> None:
    assert _nobody_bids(preset).record("exchange").night.current_deal().dummy == "exchanged"
