"""House rules: typed attributes that do something where a board offers them, what each value does, and changes."""

import re
from dataclasses import fields, replace
from typing import Any

import pytest
from support.core_nights import CoreNight, board, kitty, rummy
from support.of_extras import needs
from support.paths import ROOT
from support.random_nights import every_preset

from tracker.core.errors import PresetError
from tracker.core.game import GAMES
from tracker.core.house_rules import HOUSE_RULES, Value
from tracker.core.ledger import BANK
from tracker.core.payment_list import payment_list
from tracker.core.preset import Preset, has_effect
from tracker.core.preset_faults import with_new_options
from tracker.core.queries.prompts import prompt_of
from tracker.core.settlement import kept_board
from tracker.formats.built_in import built_in, built_in_ids

EVERY_KEY = {key for rules in HOUSE_RULES.values() for key in rules}
KEY_IN_TEMPLATE = re.compile(r"""\b(?:p|preset)\[(['"])([^'"]+)\1\]""")


def test_each_attribute_is_the_key_with_underscores_for_dots() -> None:
    needs("rum")  # the core has attributes for its games that are played to a number
    attributes = {one.name for game in GAMES.values() for one in fields(game.rules)}
    assert attributes == {key.replace(".", "_") for key in EVERY_KEY}
    assert len(attributes) == len(EVERY_KEY)


@pytest.mark.parametrize("preset", every_preset(), ids=lambda preset: preset.id)
def test_an_attribute_and_its_key_give_the_same_value(preset: Preset) -> None:
    for key in HOUSE_RULES[preset.game]:
        assert getattr(preset.house_rules, key.replace(".", "_")) == preset[key]


def test_every_house_rule_that_a_template_names_exists() -> None:
    needs("rum")  # a template of all score games names one of its rules
    texts = [path.read_text("utf-8") for path in (ROOT / "templates").rglob("*.html")]
    named = {match[2] for text in texts for match in KEY_IN_TEMPLATE.finditer(text)}
    assert named
    assert named <= EVERY_KEY


@pytest.mark.parametrize("game", HOUSE_RULES)
def test_a_rule_is_idle_by_values_of_other_rules_of_its_game(game: str) -> None:
    for rule in HOUSE_RULES[game].values():
        for other, values in rule.idle_when.items():
            assert other != rule.key
            assert [value for value in values if HOUSE_RULES[game][other].fault(value)] == []


WITHOUT_EFFECT: list[tuple[str, str, dict[str, Value]]] = [
    *((preset, "ante.each", {}) for preset in ("newmarket", "nain-jaune", "pope-joan", "spinado")),
    ("hearts-three-stages", "late_claim", {}),
    ("michigan-rummy", "late_claim", {"claim": "held"}),
    ("michigan-rummy", "claim.tie", {}),
    ("michigan-rummy", "barred_out", {"penalties": "off"}),
    ("michigan-rummy", "bet.limit", {}),
    ("michigan-kitty", "poker.when", {}),
    ("michigan-rummy-snake", "game.deals", {}),
    ("michigan-rummy-snake", "fault.own", {"fault.to": "sheet"}),
]
WITH_EFFECT: list[tuple[str, str, dict[str, Value]]] = [
    ("michigan-rummy", "ante.each", {}),
    ("michigan-rummy", "late_claim", {}),
    ("michigan-rummy", "claim.tie", {"claim": "held"}),
    ("michigan-rummy", "bet.limit", {"poker.when": "before_betting"}),
    ("royal-rummy", "bet.limit", {}),
    ("michigan-rummy-snake", "game.deals", {"game": "deals"}),
]


def test_a_rule_with_effect_and_one_without_are_known_as_such() -> None:
    for expected, rules in ((False, WITHOUT_EFFECT), (True, WITH_EFFECT)):
        for preset, key, changed in rules:
            if preset not in built_in_ids():  # its extra was deleted
                continue
            house = replace(built_in(preset), rules={**built_in(preset).rules, **changed})
            assert has_effect(house, key) == expected, (preset, key, changed)


# House rules that a sheet leaves open (RULES 2.1.4): what each value does, in nights worked out by hand


def chips_in_play(night: CoreNight) -> int:
    return sum(night.stacks.values()) + night.board


# P4: what is barred, and from when


def test_of_a_shared_pot_an_offender_gives_back_their_own_part() -> None:
    night = board("hearts-three-stages", penalties="on", bar__scope="whole_hand_refund").record("hand", dealer="a")
    night.record("share", pot="eight-nine-ten", seats=["a", "c", "d"])  # 4 chips: one each, one stays
    night.record("go-on").record("go-on").withholds("a", "S")
    assert night.last == [("a", "eight-nine-ten", 1)]
    taken = night.night.current_deal().taken["eight-nine-ten"]
    assert (taken.seat, taken.others, taken.chips) == ("c", ("d",), 3)
    assert chips_in_play(night) == 400


def test_an_offender_too_short_to_give_earlier_wins_back_buys_the_chips() -> None:
    night = rummy(bar__scope="whole_hand_refund").hand().collect("b", "jack-spades")
    night.moves("b", a=night.stacks["b"] - 2)
    assert night.refusal("penalty", seat="b", suit="D", offence="withheld-card").facts["short"] == {"b": 3}
    night.withholds("b", "D", cover={"b": "bank"})
    assert night.pots["jack-spades"] == 5


# P6: somebody can't pay


def poor(chips: int, **options: Any) -> CoreNight:
    """Return a night of four in which B has so many chips, and the others 100."""
    night = rummy(**options)
    return night.moves("b", bank=100 - chips)


def test_a_poker_pool_without_ones_ante_is_won_by_another() -> None:
    night = poor(4, shortage="partial_ante").hand("a").out("d", a=1, b=0, c=1)
    assert "put nothing in Poker pool" in str(night.refusal("poker", winners=["b"]))
    night.record("poker", winners=["c"])


def test_a_partial_ante_passes_over_a_dear_place_and_pays_the_cheaper_ones_after_it() -> None:
    night = board("pope-joan", "abc", 20, shortage="partial_ante").moves("a", bank=15)
    night.record("hand", dealer="a")
    assert list(night.pots.items())[:5] == [("pope", 0), ("matrimony", 2), ("intrigue", 2), ("ace", 1), ("king", 0)]
    assert night.stacks["a"] == 0
    assert {pot for _, pot in night.night.current_deal().unpaid} == {"pope", "king", "queen", "jack", "game"}
    assert night.collect("a", "ace").last == [("ace", "a", 1)]
    assert "put nothing in Pope" in str(night.refusal("collect", seat="a", pot="pope"))


def test_a_capped_payment_may_still_be_covered_and_a_price_is_never_capped() -> None:
    night = poor(12, shortage="cap").record("hand", dealer="a")
    assert night.refusal("sale", buyer="b", price=4).code == "not-enough-chips"
    night.record("no-sale").record("out", seat="a", cards={"b": 7, "c": 0, "d": 0}, cover={"b": "c"})
    assert night.notes == {("b", "c"): 4}


@pytest.mark.parametrize(("rule", "short"), [("buy_in", {"b": 5}), ("partial_ante", {}), ("cap", {})])
def test_the_prompt_names_short_seats_unless_a_house_rule_lets_them_pay_less(rule: str, short: dict[str, int]) -> None:
    asked = prompt_of(poor(4, shortage=rule).night, plan={"dealer": "a"})
    assert (asked.short, asked.needs["b"]) == (short, 9 if short else 4)


# P7: what is left on the board


def test_what_nobody_has_chips_to_pay_into_a_kept_board_is_owed_to_the_box() -> None:
    night = rummy("abc", 20, end="leave").moves("b", a=20).record("borrow", seat="c", source="a", chips=10)
    night.record("move", source="a", target="jackpot", chips=3).record("borrow", seat="b", source="jackpot", chips=3)
    worths, nets = night.worths, night.nets
    night.moves("b", c=3).record("end")
    assert night.notes == {}
    assert night.worths == worths | {"b": worths["b"] - 3, "c": worths["c"] + 3}
    assert night.nets["b"] == nets["b"] - 3
    assert kept_board(night.night) == {"jackpot": 3}
    assert [(one.event.source, one.event.target, one.event.cents) for one in payment_list(night.night)] == [
        ("b", BANK, 3)
    ]


def test_what_each_puts_in_is_said_of_those_who_pay_where_as_many_are_exempt() -> None:
    night = CoreNight("spinado", "abc").hand("a").out("c", a=1, b=1)
    prompt = prompt_of(night.night, plan={"dealer": "b"})
    assert (prompt.needs, prompt.each) == ({"c": 0, "a": 3, "b": 24}, 3)


# House rules that change during a night: from the next hand on, and with every correction before and after them


def test_what_a_chip_is_worth_holds_at_once_and_until_somebody_has_paid() -> None:
    night = rummy().hand().record("rule", change={"money.cents": 5, "out.per_card": 2})
    assert (night.night.house_rules.money_cents, night.night.house_rules.out_per_card) == (5, 1)
    assert night.night.new_rules == {"out.per_card": 2}
    assert night.night.last_transfers == ()
    night.out("a", b=4, c=3, d=2).record("end")
    assert night.refusal("rule", change={"money.cents": 10, "out.per_card": 3}).code == "wrong-moment"
    night.record("rule", change={"money.cents": 10})
    due = payment_list(night.night)[0].event
    assert due.cents % 10 == 0
    night.record("paid", source=due.source, target=due.target, cents=due.cents)
    assert "somebody has paid already" in str(night.refusal("rule", change={"money.cents": 20}))
    night.undo().record("rule", change={"money.cents": 20})
    assert payment_list(night.night)[0].event.cents == 2 * due.cents


def test_house_rules_that_cannot_be_played_together_are_refused() -> None:
    refused: list[tuple[str, dict[str, int | str], str]] = [
        ("michigan", {"out.per_card": 0}, "going out wins nothing"),
        ("newmarket", {"stakes.cover_all": "on", "stakes.budget": 3}, "a chip for each place"),
        ("michigan-kitty", {"ante.each": 2}, "say ante.dealer too"),
    ]
    for preset, change, said in refused:
        night = board(preset, "abc")
        assert said in str(night.refusal("rule", change=change))
        with pytest.raises(PresetError, match=said):
            with_new_options(night.preset, change)
        night.opened_with("rule", reason="bad-preset", change=change)
    kitty().record("rule", change={"ante.each": 2, "ante.dealer": 1})
