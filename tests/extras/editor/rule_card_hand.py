"""The sentences of a rule card about the table, the board, what comes before the play, and the play, each played."""

import re
from typing import Any

from extras._shared.rule_card_plays import (
    PLACE_PARTS,
    SEATS,
    WITHHELD,
    Table,
    claim_phase,
    money_pot,
    says,
    scripted,
    short_seat,
)

from tracker.core.errors import TableError
from tracker.core.night import PLAY, SHOWDOWN
from tracker.core.preset import Pot, Preset
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


TAKEN = "claim; 7 in HERE; collect seat=c pot=HERE -> c+7 HERE-7"
scripted(
    {
        **dict.fromkeys(("the best poker hand", "the best set"), "settle; 7 in HERE; poker winners=c -> c+7 HERE-7"),
        **dict.fromkeys(("%(cards)s of one suit", "%(cards)s"), TAKEN),
        "a side bet, won with %(cards)s": (
            "claim; bet seat=b pot=HERE chips=2 -> b-2 HERE+2; collect seat=c pot=HERE -> refused; 7 in HERE; "
            "collect seat=b pot=HERE -> b+7 HERE-7"
        ),
    },
    PLACE_PARTS,
)


@says("chips are laid there freely", PLACE_PARTS)
def _laid_freely(preset: Preset, pot: Pot) -> None:
    table = Table(preset).record("hand", dealer="a")
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
    table = Table(preset).record("hand", dealer="a")
    paid = {source: chips for source, target, chips in table.last if target == pot.id}
    assert {seat: paid.get(seat, 0) for seat in "abcd"} == {"a": dealer, "b": n, "c": n, "d": n}


@says("turned up, it ends the hand and the dealer wins", PLACE_PARTS)
def _ends_hand(preset: Preset, pot: Pot) -> None:
    table = Table(preset).until(PLAY).record("turn-up", pot=pot.id, cards={"b": 2, "c": 2, "d": 2})
    assert (table.night.phase, table.night.current_deal().winner, table.pots[pot.id]) == (SHOWDOWN, "a", 0)


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
    table = Table(preset).record("hand", dealer="a")
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
        table = Table(preset.with_options({"ante.times": times})).record("hand", dealer="a")
        boards.append(table.board + 4 * table.preset.budget(is_dealer=False))
    assert boards[0] * n == boards[1] > 0


@says("Whoever won the last finished hand puts nothing in, unless dealing.")
def _exempt(preset: Preset) -> None:
    given_up = Table(preset).until(PLAY, dealer="d").out("b").record("hand", dealer="c").record("abandon")
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
        Table(preset).record("hand", dealer="a").refusal("place", seat="b", pots={pot: n})
    for seat, chips in (("b", n), ("a", n if dealer is None else dealer)):
        table = Table(preset).record("hand", dealer="a")
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


SWAP, NO_SWAP = "dummy; exchange -> nothing", "dummy; exchange -> refused"
SELL = "dummy; bid seat=b chips=LEAST; pass seat=c; pass seat=d -> b-LEAST a+LEAST"
NOBODY_BIDS = "dummy; pass seat=b; pass seat=c; pass seat=d"
UNUSED = "hand dealer=a; exchange -> refused; sale buyer=b price=5 -> refused; bid seat=b chips=5 -> refused"
scripted(
    {
        "A dummy hand is dealt besides: the dealer swaps it, or sells it to the highest bidder.": (SWAP, SELL),
        "A dummy hand is dealt besides: the dealer may swap it.": (SWAP, "dummy; sale buyer=b price=LEAST -> refused"),
        "A dummy hand is dealt besides: it goes to the highest bidder, who pays the dealer.": (NO_SWAP, SELL),
        "A dummy hand is dealt besides: it is offered round from the dealer’s left, and the first who pays the dealer "
        "for it has it.": (
            "dummy; bid seat=c chips=LEAST -> refused; pass seat=b; bid seat=c chips=LEAST -> c-LEAST a+LEAST"
        ),
        "A dummy hand is dealt besides, and nobody uses it.": UNUSED,
        "No dummy hand is dealt.": UNUSED,
        "Bids go round from the dealer’s left, and a pass is final.": (
            "dummy; bid seat=c chips=LEAST -> refused; bid seat=b chips=LEAST; bid seat=c chips=LEAST+20; "
            "bid seat=d chips=LEAST+40; pass seat=b; bid seat=b chips=LEAST+90 -> refused; bid seat=c chips=LEAST+90"
        ),
        "The first bid is %(n)s or more, each later one at least %(step)s higher.": (
            "dummy; bid seat=b chips=n-1 -> refused; bid seat=b chips=n; bid seat=c chips=n+step; "
            "bid seat=d chips=n+2step-1 -> refused"
        ),
        "The dummy hand costs %(n)s.": "dummy; bid seat=b chips=n+1 -> refused; bid seat=b chips=n -> b-n a+n",
        "If nobody bids, it stays face down.": f"{NOBODY_BIDS}; exchange -> refused",
        "If nobody bids, the dealer may still swap.": f"{NOBODY_BIDS}; exchange -> nothing",
    }
)


# The play

HELD_BACK = (
    "play; penalty seat=b suit=SUIT offence=withheld-card; out seat=c cards=a1,b1,d2; 7 in SUITED; "
    "held pot=SUITED seat=d offender=b ->"
)
HELD_CARD = "play; 7 in POT; out seat=b cards=a1,c1,d1; left seat=c pot=POT -> c-"
scripted(
    {
        "Whoever plays the %(card)s gets %(n)s from each.": "play; due seat=c due=HERE -> c+3n a-n b-n d-n",
        "Whoever held a card back puts back what money cards won in this hand.": (
            "claim; 7 in POT; collect seat=b pot=POT; play; penalty seat=b suit=S offence=withheld-card -> b-7 POT+7"
        ),
        "A money card still held doubles its place, out of the holder’s chips.": f"{HELD_CARD}7 POT+7",
        "A money card still held costs what its place began with.": f"{HELD_CARD}ANTE POT+ANTE",
        "A money card still held costs as much as lies there, to the winner.": f"{HELD_CARD}7 b+7",
        "A place is won by playing its card when its turn comes.": (
            "play; 7 in POT; collect seat=c pot=POT -> c+7 POT-7"
        ),
        "Before the play, whoever holds a card takes its place.": (
            "held; 7 in POT; collect seat=c pot=POT -> c+7 POT-7",
            "play; 7 in POT; collect seat=c pot=POT -> refused",
        ),
        "If several hold such a run, they share its place; odd chips stay there.": (
            "held; 8 in RUN; share pot=RUN seats=b,c,d -> b+2 c+2 d+2 RUN-6"
        ),
        "If two hold such a run, the first from the dealer’s left takes its place.": (
            "held; 8 in RUN; share pot=RUN seats=b,c -> refused; collect seat=b pot=RUN -> b+8 RUN-8"
        ),
        "Forgotten chips may be taken until the next hand begins.": (
            "play; 7 in POT; out seat=b cards=a0,c0,d0; collect seat=c pot=POT -> c+7 POT-7; hand dealer=b"
        ),
        "Forgotten chips stay there once the next card is played.": (
            "play; 7 in POT; out seat=b cards=a0,c0,d0; collect seat=c pot=POT -> refused"
        ),
        "Whoever held back pays whoever still holds a money card or pair of that suit as much as lies there; the place "
        "keeps it.": f"{HELD_BACK} b-7 d+7",
        "Whoever still holds a money card or pair of a suit held back takes its place after the hand.": (
            f"{HELD_BACK} d+7 SUITED-7"
        ),
        "A card is turned up, and the dealer takes the place that this one card wins.": (
            "play; 7 in POT; turn-up pot=POT -> a+7 POT-7"
        ),
        "There are no penalties.": (
            "play; penalty seat=b offence=wrong-lead -> refused; penalty seat=b suit=S offence=withheld-card -> refused"
        ),
        "A wrong lead also costs %(n)s to each.": "play; penalty seat=b offence=wrong-lead -> b-3n a+n c+n d+n",
        "Whoever can’t play or lead puts %(n)s in: %(pot)s.": "play; fine seat=c -> c-n HERE+n",
    }
)


@says("A card is turned up, and the dealer takes the place that this one card wins; none ends the hand.")
def _turned_up_only(preset: Preset) -> None:
    for pot in (one.id for one in preset.won_by("card") if len(one.cards) == 1):
        table = Table(preset).until(PLAY).holding(pot, 7)
        assert table.gains("turn-up", pot=pot) == {"a": 7, pot: -7}
        assert table.night.phase == PLAY


@says("Whoever leads too high or holds a card back wins no more money cards in this hand.")
def _bars(preset: Preset) -> None:
    pot = money_pot(preset).id
    for fields in ({"offence": "wrong-lead"}, {"suit": "S", **WITHHELD}):
        table = Table(preset).until(PLAY).holding(pot, 7).record("penalty", seat="b", **fields)
        if preset["claim"] == "played":
            assert table.refusal("collect", seat="b", pot=pot).code == "barred"
            assert table.gains("collect", seat="c", pot=pot) == {"c": 7, pot: -7}
        assert table.night.current_deal().barred == {"b"}
        assert table.out("c").record("hand", dealer="b").night.current_deal().barred == frozenset()


@says("Whoever plays all cards in one go takes the whole board.")
def _sweep(preset: Preset) -> None:
    table = Table(preset).until(PLAY)
    lies = table.board
    assert table.gains("sweep", seat="c")["c"] == lies > 0
    assert table.board == 0


# Out of cards


def _paid_for_cards(preset: Preset, **fields: Any) -> dict[str, int]:
    gained = Table(preset).until(PLAY).gains("out", seat="b", cards={"a": 1, "c": 3, "d": 0}, **fields)
    return {seat: -gained.get(seat, 0) for seat in "acd"}


@says("Nothing is paid for cards left.")
def _out_for_nothing(preset: Preset) -> None:
    assert set(_paid_for_cards(preset).values()) == {0}


@says("The others pay %(n)s for every card left.")
@says("The others pay %(n)s for every point in their cards left.")
def _out_per_card(preset: Preset, n: int) -> None:
    assert _paid_for_cards(preset) == {"a": n, "c": 3 * n, "d": 0}
    many = Table(preset).until(PLAY)
    if preset["out.count"] == "points":
        assert many.gains("out", seat="b", cards={"a": 0, "c": 90, "d": 0})["c"] == -90 * n
    else:
        many.refusal("out", seat="b", cards={"a": 0, "c": 90, "d": 0})


@says("One person may be spared paying for cards left.")
def _excused(preset: Preset) -> None:
    assert _paid_for_cards(preset, excused=["c"])["c"] == 0
    Table(preset).until(PLAY).refusal("out", seat="b", cards={"a": 1, "c": 3, "d": 1}, excused=["c", "d"])


@says("Whoever still holds %(cards)s pays nothing for cards left.")
def _holder_excused(preset: Preset, cards: str) -> None:
    assert any(" ".join(map(card_words, pot.cards)) == cards for pot in preset.won_by("card"))
    _excused(preset)


def _first_out(preset: Preset, offence: str) -> tuple[Table, dict[str, int]]:
    """Let `b` do what is penalised and go out first; return the table and what that brought each account."""
    table = Table(preset).until(PLAY)
    table.record("penalty", seat="b", **({"suit": "S"} if offence == "withheld-card" else {}), offence=offence)
    cards = dict.fromkeys("acd", 2)
    try:
        return table, table.gains("out", seat="b", cards=cards)
    except TableError:
        return table, table.gains("out", seat="b")


def _as_anybody(preset: Preset, gained: dict[str, int]) -> bool:
    return gained == Table(preset).until(PLAY).gains("out", seat="b", cards=dict.fromkeys("acd", 2))


@says("Out first after a penalty wins nothing, and the others play on.", waits=False)
@says(
    "Out first after a penalty wins nothing, the others play on, and the jackpot waits for the next hand.", waits=True
)
def _nothing(preset: Preset, *, waits: bool) -> None:
    table, gained = _first_out(preset, "withheld-card")
    assert (gained, table.night.phase) == ({}, PLAY)
    taken = table.out("c").night.current_deal().taken
    assert set(taken) == (set() if waits else {pot.id for pot in preset.won_by("out")})


@says("Out first after a penalty is paid for cards, but wins no jackpot.")
def _no_jackpot(preset: Preset) -> None:
    table, gained = _first_out(preset, "withheld-card")
    assert not {pot.id for pot in preset.won_by("out")} & set(gained)
    cost = 2 * preset.house_rules.out_per_card
    assert gained == ({**dict.fromkeys("acd", -cost), "b": 3 * cost} if cost else {})
    assert table.night.phase == SHOWDOWN


@says("Out first after a penalty is paid like anybody.")
def _paid_like_anybody(preset: Preset) -> None:
    for offence in ("withheld-card", "wrong-lead"):
        assert _as_anybody(preset, _first_out(preset, offence)[1])


@says("That is for cards held back only.")
def _held_back_only(preset: Preset) -> None:
    assert _as_anybody(preset, _first_out(preset, "wrong-lead")[1])


@says("That is for wrong leads too.")
def _wrong_leads_too(preset: Preset) -> None:
    assert _first_out(preset, "wrong-lead")[1] == _first_out(preset, "withheld-card")[1]
    assert not _as_anybody(preset, _first_out(preset, "wrong-lead")[1])
