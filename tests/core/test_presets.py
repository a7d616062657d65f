"""Presets are data: what comes with the tracker, the house rules, and what makes a preset unfit or not fit any more."""

from dataclasses import replace
from typing import Any

import pytest
from support.random_nights import every_preset

from tracker.core.errors import PresetError, Unknown
from tracker.core.house_rules import HOUSE_RULES, Value
from tracker.core.preset import ChipColour, DirectPayment, Pot, Preset, Seats
from tracker.core.preset_faults import faults, new_preset_faults
from tracker.formats.built_in import built_in
from tracker.formats.codec import preset_from, preset_from_toml, preset_to, preset_to_toml

RUMMY = built_in("michigan-rummy")


ANSWERS: dict[str, dict[str, Value]] = {
    "michigan-rummy": {
        "poker.when": "hand_end_left",  # P1
        "barred_out.applies": "withhold",  # P3b
        "dummy.after_no_bid": "dead",  # P5b
        "shortage": "buy_in",  # P6
        "late_claim": "allowed_until_hand_end",  # P11
    },
    "michigan-kitty": {"penalties": "off", "shortage": "iou"},
}
"""What each game does where its sheet leaves a choice, and no night that was worked out by hand comes to it."""


def test_the_open_questions_are_answered_like_this() -> None:
    for preset, answers in ANSWERS.items():
        assert {key: built_in(preset)[key] for key in answers} == answers, preset
    assert (RUMMY.seats, RUMMY.stack, built_in("michigan-kitty").stack) == (Seats(3, 8), 100, 100)


def test_a_card_or_a_pair_gives_its_pot_a_suit_and_a_run_of_any_suit_none() -> None:
    hearts = dict.fromkeys(("ten-hearts", "queen-hearts", "king-queen-hearts", "ace-hearts"), "H")
    assert {pot.id: pot.suit for pot in RUMMY.pots if pot.suit} == {**hearts, "jack-spades": "S", "king-clubs": "C"}
    assert Pot("ace", "Ace of trumps", "A", cards=("A",)).suit is None


# House rules


@pytest.mark.parametrize("game", HOUSE_RULES)
def test_a_house_rule_allows_its_default_and_all_its_choices_and_nothing_else(game: str) -> None:
    nonsense: tuple[object, ...] = ("no sense", -1, 10**9, 1.0, True, None, [])
    for rule in HOUSE_RULES[game].values():
        assert rule.fault(rule.default) is None
        assert [choice for choice in rule.choices if rule.fault(choice)] == []
        names = () if rule.names_pot else ("nonsense", "1")
        for wrong in (*nonsense, *names):
            assert rule.key in str(rule.fault(wrong))


def test_every_wrong_option_is_named_at_once_also_one_of_another_game_and_the_presets_that_there_are() -> None:
    with pytest.raises(PresetError) as caught:
        RUMMY.with_options(
            {"ante.dealer": -1, "poker.when": "never", "ace_high_seq": 1, "colour": "red", "ante.each": 2}
        )
    named = [
        key for key in ("ante.dealer", "poker.when", "ace_high_seq", "colour", "ante.each") if key in str(caught.value)
    ]
    assert named == ["ante.dealer", "poker.when", "ace_high_seq", "colour"]
    with pytest.raises(Unknown, match="michigan-kitty"):
        built_in("nothing")


# Faults


def with_pot(**changes: Any) -> dict[str, Any]:
    return {"pots": (replace(RUMMY.pots[0], **changes), *RUMMY.pots[1:])}


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"id": "No Such"}, "id"),
        ({"id": ""}, "id"),
        ({"name": "  "}, "name"),
        ({"name": "x" * 61}, "characters"),
        ({"game": "chess"}, "game"),
        ({"seats": Seats(5, 4)}, "seats"),
        ({"pots": ()}, "pots"),
        ({"pots": tuple(Pot(f"p{n}", "P", "P") for n in range(17))}, "17"),
        ({"rules": {"ante.each": "many"}}, "ante.each"),
        ({"rules": {"bogus": 1}}, "bogus"),
        ({"chips": (ChipColour("red", "red", 1),)}, "colour"),
        (with_pot(id="jackpot"), "twice"),
        (with_pot(id="bank"), "bank"),
        (with_pot(id="Ten"), "Ten"),
        (with_pot(won_by="luck"), "luck"),
        (with_pot(cards=("11H",)), "11H"),
        (with_pot(label="x" * 21), "label"),
        (with_pot(colour="red"), "pot 'ten-hearts': 'red' is no colour"),
        (with_pot(colour="#12345"), "colour"),
        ({"dues": (DirectPayment("x", "X", 0),)}, "payment"),
        ({"dues": (DirectPayment("X y", "X", 1),)}, "payment"),
        ({"dues": (DirectPayment("x", "X", 1), DirectPayment("x", "X", 1))}, "twice"),
    ],
)
def test_each_fault_of_a_preset_is_reported_in_a_sentence(changes: dict[str, Any], word: str) -> None:
    found = faults(replace(RUMMY, **changes))
    assert found
    assert any(word in str(fault) for fault in found)


def test_a_pot_may_have_an_ante_of_its_own() -> None:
    pot = Pot("p", "P", "P")
    for own, each, dealer in ((pot, 1, 2), (replace(pot, ante=3), 3, 3), (replace(pot, ante=3, dealer_ante=7), 3, 7)):
        assert (RUMMY.ante(own, 1, is_dealer=False), RUMMY.ante(own, 4, is_dealer=True)) == (each, dealer)
    assert RUMMY.ante(replace(pot, won_by="side"), 1, is_dealer=True) == 0
    fed = replace(pot, fed_by=2)
    assert [RUMMY.ante(fed, place, is_dealer=False) for place in (1, 2, 3)] == [0, 1, 0]


# What a preset that is made or brought now must not have


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "a card pot without cards": ({"pots": (Pot("empty", "Empty", "E"), *RUMMY.pots)}, "pot.0.cards"),
    "an ante of a side bet's own": (
        {"pots": (*RUMMY.pots, Pot("side", "Side", "A", "side", ("AS",), ante=3))},
        f"pot.{len(RUMMY.pots)}.ante",
    ),
    "a dealer's ante of a side bet's own": (
        {"pots": (*RUMMY.pots, Pot("side", "Side", "A", "side", ("AS",), dealer_ante=0))},
        f"pot.{len(RUMMY.pots)}.dealer_ante",
    ),
    "two poker pots": ({"pots": (*RUMMY.pots, Pot("second", "Second", "S", "poker"))}, "pots"),
    "two pots for fines": (
        {"pots": tuple(replace(pot, takes_fines=pot.won_by in ("out", "poker")) for pot in RUMMY.pots)},
        "stop.fine",
    ),
    "a budget too small to cover all": ({"rules": {"stakes.budget": 2, "stakes.cover_all": "on"}}, "stakes.cover_all"),
    "a chip that counts nothing": ({"chips": (ChipColour("red", "#C23B30", 0),)}, "chip.0.value"),
}


@pytest.mark.parametrize("preset", every_preset(), ids=lambda preset: preset.id)
def test_what_comes_with_the_tracker_is_fit_and_says_what_it_is(preset: Preset) -> None:
    assert [*faults(preset), *new_preset_faults(preset)] == []
    assert preset.about
    assert preset.source


@pytest.mark.parametrize("what", WRONG)
def test_a_fault_names_its_field_and_a_file_is_refused_but_stored_nights_are_read(what: str) -> None:
    changes, field = WRONG[what]
    preset = replace(RUMMY, **changes)
    assert [fault.facts["field"] for fault in new_preset_faults(preset)] == [field]
    assert faults(preset) == []
    assert preset_from(preset_to(preset)) == preset
    with pytest.raises(PresetError):
        preset_from_toml(preset_to_toml(preset))


def test_all_faults_of_a_file_are_reported_together() -> None:
    broken = replace(
        RUMMY,
        name="",
        pots=(Pot("empty", "Empty", "E"), *RUMMY.pots),
        chips=WRONG["a chip that counts nothing"][0]["chips"],
    )
    with pytest.raises(PresetError) as caught:
        preset_from_toml(preset_to_toml(broken))
    assert len(caught.value.faults) == 3
