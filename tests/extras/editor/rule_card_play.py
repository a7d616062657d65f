"""The sentences of a rule card about the play and going out, each played."""

from typing import Any

from extras._shared.rule_card_plays import WITHHELD, Table, claim_phase, money_pot, says

from tracker.core.errors import TableError
from tracker.core.night import HELD, PLAY, SHOWDOWN
from tracker.core.preset import Pot, Preset
from tracker.core.queries.prompts import prompt_of
from tracker.web.wording.rule_words import card_words

# The play


@says("A place is won by playing its card when its turn comes.")
def _claim_played(preset: Preset) -> None:
    pot = money_pot(preset).id
    assert HELD not in preset.stages
    assert Table(preset).until(PLAY).holding(pot, 7).gains("collect", seat="c", pot=pot) == {"c": 7, pot: -7}


@says("Before the play, whoever holds a card takes its place.")
def _claim_held(preset: Preset) -> None:
    pot = money_pot(preset).id
    assert Table(preset).until(HELD).holding(pot, 7).gains("collect", seat="c", pot=pot) == {"c": 7, pot: -7}
    Table(preset).until(PLAY).holding(pot, 7).refusal("collect", seat="c", pot=pot)


@says("If several hold such a run, they share its place; odd chips stay there.")
def _shared(preset: Preset) -> None:
    run = next(pot.id for pot in preset.won_by("card") if pot.is_run)
    table = Table(preset).until(HELD).holding(run, 8)
    assert table.gains("share", pot=run, seats=["b", "c", "d"]) == {"b": 2, "c": 2, "d": 2, run: -6}


@says("If two hold such a run, the first from the dealer’s left takes its place.")
def _forehand(preset: Preset) -> None:
    run = next(pot.id for pot in preset.won_by("card") if pot.is_run)
    table = Table(preset).until(HELD).holding(run, 8)
    table.refusal("share", pot=run, seats=["b", "c"])
    assert table.gains("collect", seat="b", pot=run) == {"b": 8, run: -8}


@says("A card is turned up, and the dealer takes the place that this one card wins.")
def _turned_up(preset: Preset) -> None:
    pot = money_pot(preset).id
    assert Table(preset).until(PLAY).holding(pot, 7).gains("turn-up", pot=pot) == {"a": 7, pot: -7}
    for pair in (one.id for one in preset.won_by("card") if len(one.cards) > 1):
        Table(preset).until(PLAY).holding(pair, 7).refusal("turn-up", pot=pair)


@says("A card is turned up, and the dealer takes the place that this one card wins; none ends the hand.")
def _turned_up_only(preset: Preset) -> None:
    _turned_up(preset)
    for pot in (one.id for one in preset.won_by("card") if len(one.cards) == 1):
        assert Table(preset).until(PLAY).holding(pot, 7).record("turn-up", pot=pot).night.phase == PLAY


@says("Forgotten chips may be taken until the next hand begins.")
def _late(preset: Preset) -> None:
    pot = money_pot(preset).id
    table = Table(preset).until(PLAY).holding(pot, 7).out()
    assert table.gains("collect", seat="c", pot=pot) == {"c": 7, pot: -7}
    table.record("hand", dealer="b")
    assert table.night.current_deal().taken == {}


@says("Forgotten chips stay there once the next card is played.")
def _forfeit(preset: Preset) -> None:
    pot = money_pot(preset).id
    Table(preset).until(PLAY).holding(pot, 7).out().refusal("collect", seat="c", pot=pot)


@says("There are no penalties.")
def _no_penalties(preset: Preset) -> None:
    table = Table(preset).until(PLAY)
    table.refusal("penalty", seat="b", offence="wrong-lead")
    table.refusal("penalty", seat="b", suit="S", **WITHHELD)


@says("Whoever leads too high or holds a card back wins no more money cards in this hand.")
def _bars(preset: Preset) -> None:
    pot = money_pot(preset).id
    for fields in ({"offence": "wrong-lead"}, {"suit": "S", **WITHHELD}):
        table = Table(preset).until(PLAY).holding(pot, 7)
        table.record("penalty", seat="b", **fields)
        if preset["claim"] == "played":
            assert table.refusal("collect", seat="b", pot=pot).code == "barred"
            assert table.gains("collect", seat="c", pot=pot) == {"c": 7, pot: -7}
        assert table.night.current_deal().barred == {"b"}
        assert table.out("c").record("hand", dealer="b").night.current_deal().barred == frozenset()


@says("A wrong lead also costs %(n)s to each.")
def _wrong_lead(preset: Preset, n: int) -> None:
    table = Table(preset).until(PLAY)
    assert table.gains("penalty", seat="b", offence="wrong-lead") == {"b": -3 * n, "a": n, "c": n, "d": n}


@says("Whoever held a card back puts back what money cards won in this hand.")
def _refund(preset: Preset) -> None:
    pot = money_pot(preset).id
    table = Table(preset).until(claim_phase(preset)).holding(pot, 7)
    table.record("collect", seat="b", pot=pot)
    while table.night.phase != PLAY:
        table.record("go-on")
    assert table.gains("penalty", seat="b", suit="S", **WITHHELD) == {"b": -7, pot: 7}


def _suit_held_back(preset: Preset) -> tuple[Table, Pot]:
    pot = next(one for one in preset.won_by("card") if one.suit)
    table = Table(preset).until(PLAY)
    table.record("penalty", seat="b", suit=pot.suit, **WITHHELD)
    table.out("c", a=1, b=1, d=2).holding(pot.id, 7)
    asked = prompt_of(table.night)
    assert (asked.name, asked.offender) == ("match", "b")
    return table, pot


@says(
    "Whoever held back pays whoever still holds a money card or pair of that suit as much as lies there; the place "
    "keeps it."
)
def _offender_pays(preset: Preset) -> None:
    table, pot = _suit_held_back(preset)
    assert table.gains("held", pot=pot.id, seat="d", offender="b") == {"b": -7, "d": 7}
    for pair in (
        one for one in preset.won_by("card") if one.id != pot.id and len(one.cards) > 1 and one.suit == pot.suit
    ):
        table.holding(pair.id, 7)
        assert table.gains("held", pot=pair.id, seat="d", offender="b") == {"b": -7, "d": 7}


@says("Whoever still holds a money card or pair of a suit held back takes its place after the hand.")
def _place_pays(preset: Preset) -> None:
    table, pot = _suit_held_back(preset)
    assert table.gains("held", pot=pot.id, seat="d", offender="b") == {pot.id: -7, "d": 7}


@says("Whoever can’t play or lead puts %(n)s in: %(pot)s.")
def _fine(preset: Preset, n: int, pot: str) -> None:
    place = next(one.id for one in preset.board.values() if one.name == pot)
    assert Table(preset).until(PLAY).gains("fine", seat="c") == {"c": -n, place: n}


@says("Whoever plays all cards in one go takes the whole board.")
def _sweep(preset: Preset) -> None:
    table = Table(preset).until(PLAY)
    lies = table.board
    assert table.gains("sweep", seat="c")["c"] == lies > 0
    assert table.board == 0


# Out of cards


def _paid_for_cards(preset: Preset, **fields: Any) -> dict[str, int]:
    table = Table(preset).until(PLAY)
    gained = table.gains("out", seat="b", cards={"a": 1, "c": 3, "d": 0}, **fields)
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


@says("A money card still held doubles its place, out of the holder’s chips.", cost=7)
@says("A money card still held costs what its place began with.")
@says("A money card still held costs as much as lies there, to the winner.", cost=7, payee="b")
def _still_held(preset: Preset, cost: int | None = None, payee: str = "") -> None:
    pot = money_pot(preset)
    chips = preset.ante(pot, 2, is_dealer=False) if cost is None else cost
    table = Table(preset).until(PLAY).holding(pot.id, 7).out("b", a=1, c=1, d=1)
    gained = table.gains("left", seat="c", pot=pot.id)
    assert gained == ({"c": -chips, payee or pot.id: chips} if chips else {})


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
    honest = Table(preset).until(PLAY)
    return gained == honest.gains("out", seat="b", cards=dict.fromkeys("acd", 2))


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
