"""The rule card says what is computed: every rule of every board, and what is not as printed."""

from dataclasses import replace

import pytest
from hypothesis import given, strategies as st
from support.client_phones import Site
from support.core_nights import CoreNight
from support.sample_nights import night_in_third_hand, visible_text

from tracker.core.errors import WrongMoment
from tracker.core.house_rules import HOUSE_RULES, Value
from tracker.core.night import DUMMY, ENDED, PLAY, SHOWDOWN, Night
from tracker.core.pot_game import require_claim
from tracker.core.preset import Preset, antes_of, has_effect
from tracker.extras.editor.rule_card import RuleCard, card_parts, rule_card
from tracker.formats.built_in import all_built_in, built_in
from tracker.web.wording.game_words import RULE_WORDS

RUMMY = built_in("michigan-rummy")


def lines(card: RuleCard) -> list[str]:
    return [line.text for part in card.parts for line in part.lines]


def test_every_house_rule_has_a_sentence_on_the_rule_card() -> None:
    for game, rules in HOUSE_RULES.items():
        on_card = [key for _, keys in card_parts(game) for key in keys]
        assert len(on_card) == len(set(on_card))
        assert set(on_card) == {key for key in rules if not RULE_WORDS[key].said_with}
        assert {lead for key in rules if (lead := RULE_WORDS[key].said_with)} <= set(on_card)
        assert all(RULE_WORDS[key].sentences or RULE_WORDS[key].sentence for key in on_card)


@pytest.mark.parametrize("preset", all_built_in(), ids=lambda preset: preset.id)
def test_a_printed_game_is_all_as_printed(preset: Preset) -> None:
    card = rule_card(preset, preset)
    assert card.changes == 0
    assert all(text.endswith(".") for text in lines(card))
    assert len(lines(card)) == len(set(lines(card)))
    assert not any("%(" in text for text in lines(card))


@given(st.sampled_from(all_built_in()), st.data())
def test_any_change_that_matters_is_marked_and_nothing_else(preset: Preset, data: st.DataObject) -> None:
    key = data.draw(st.sampled_from(sorted(HOUSE_RULES[preset.game])))
    rule = HOUSE_RULES[preset.game][key]
    choices: list[Value] = list(rule.choices) or list(range(rule.low, min(rule.high, rule.low + 30) + 1))
    other = replace(preset, rules={**preset.rules, key: data.draw(st.sampled_from(choices))})
    card, printed = rule_card(other, preset), rule_card(preset)
    here = {line.key for part in card.parts for line in part.lines}
    # What was our default and is off now is no change of the printed sheet.
    kept = [
        line.text for part in printed.parts for line in part.lines if line.key in here or line.key not in preset.silent
    ]
    assert (card.changes > 0) == (lines(card) != kept)


def test_the_antes_on_the_card_are_those_that_are_paid() -> None:
    assert "Everybody puts 1 chip in each place, the dealer 2." in lines(rule_card(RUMMY))
    assert antes_of(RUMMY, 5) == (18, 9)
    pope = built_in("pope-joan")
    assert any("the dealer alone puts in 6" in text for text in lines(rule_card(pope)))
    assert antes_of(pope, 5) == (15, 0)


def test_a_preset_made_from_another_lists_its_differences() -> None:
    card = rule_card(built_in("hearts-played"), built_in("hearts-three-stages"))
    changed = {line.key: line.was for part in card.parts for line in part.lines if line.is_changed}
    assert list(changed) == ["claim", "combo", "late_claim", "stop.fine"]
    assert changed["claim"] == "Before the play, whoever holds a card takes its place."


def test_a_colour_is_listed_and_is_no_rule_that_differs() -> None:
    painted = replace(RUMMY, pots=(replace(RUMMY.pots[0], colour="#23497F"), *RUMMY.pots[1:]))
    card = rule_card(painted, RUMMY)
    assert card.changes == 0
    said = [f"{line.text} {line.painted}" for part in card.parts for line in part.lines if line.painted]
    assert said == ["Ten of hearts: 10♥. Painted blue."]


def test_a_place_taken_away_and_one_added_are_listed() -> None:
    fewer = replace(RUMMY, pots=RUMMY.pots[1:])
    card = rule_card(fewer, RUMMY)
    assert card.dropped == ("Ten of hearts: 10♥.",)
    more = rule_card(RUMMY, fewer)
    assert [line.text for part in more.parts for line in part.lines if line.is_new] == ["Ten of hearts: 10♥."]


@pytest.mark.parametrize("preset", all_built_in(), ids=lambda preset: preset.id)
def test_a_rule_changes_the_card_where_it_is_in_force_and_only_there(preset: Preset) -> None:
    tried = 0
    for key, rule in HOUSE_RULES[preset.game].items():
        for value in rule.choices or (rule.low, rule.low + 3):
            other = replace(preset, rules={**preset.rules, key: value})
            is_in_force = has_effect(preset, key) or has_effect(other, key)
            is_changed = lines(rule_card(other)) != lines(rule_card(preset))
            assert is_changed == (value != preset[key] and is_in_force), (key, value)
            tried += 1
    assert tried >= 5


def test_a_place_without_antes_is_said_to_be_laid_freely_or_to_be_empty_before_the_deal() -> None:
    assert "King of clubs: K♣; chips are laid there freely." in lines(rule_card(built_in("newmarket")))
    empty = replace(RUMMY, pots=(replace(RUMMY.pots[0], ante=0, dealer_ante=0), *RUMMY.pots[1:]))
    assert "Ten of hearts: 10♥; nobody puts chips in before the deal." in lines(rule_card(empty))
    assert not any("puts in 0" in text for preset in all_built_in() for text in lines(rule_card(preset)))


def test_the_card_that_spares_its_holder_from_paying_is_named() -> None:
    assert "Whoever still holds 9♦ pays nothing for cards left." in lines(rule_card(built_in("pope-joan")))


def test_antes_on_the_places_of_side_bets_are_said_with_who_can_win_them() -> None:
    royal = built_in("royal-rummy")
    card = lines(rule_card(royal.with_options({"side.ante": 2})))
    said = "Everybody also puts 2 chips in each place of a side bet; only those who bet there can win it."
    assert said in card
    assert said not in lines(rule_card(royal))


def test_a_label_of_ones_own_stands_on_the_card_and_a_usual_one_does_not() -> None:
    own = replace(RUMMY, pots=(replace(RUMMY.pots[0], label="Lucky"), *RUMMY.pots[1:]))
    assert "Ten of hearts: 10♥; on the board it reads Lucky." in lines(rule_card(own))
    assert not any("it reads" in text for preset in all_built_in() for text in lines(rule_card(preset)))


def phases_with_claims(night: Night) -> set[str]:
    """Return the parts of a hand in which the engine lets chips of a card be taken.

    In the dummy's part, too, where taking is the first card played and so leaves that part.
    """

    def is_claimable(phase: str) -> bool:
        try:
            require_claim(replace(night, phase=phase))
        except WrongMoment:
            return False
        return True

    return {phase for phase in (*night.preset.stages, SHOWDOWN, ENDED) if is_claimable(phase)} - {DUMMY}


@pytest.mark.parametrize("preset", all_built_in(), ids=lambda preset: preset.id)
def test_forgotten_chips_may_be_taken_as_long_as_the_card_says(preset: Preset) -> None:
    for value in HOUSE_RULES[preset.game]["late_claim"].choices if "late_claim" in HOUSE_RULES[preset.game] else ():
        house = preset.with_options({"late_claim": value})
        said = [line.text for part in rule_card(house).parts for line in part.lines if line.key == "late_claim"]
        assert bool(said) == has_effect(house, "late_claim")
        if said:
            is_until_next_hand = phases_with_claims(Night(house)) == {PLAY, SHOWDOWN}
            assert ("until the next hand begins" in said[0]) == is_until_next_hand
            assert ("next hand" in RULE_WORDS["late_claim"].choices[value]) == is_until_next_hand


def test_forgotten_chips_are_taken_after_every_payment_but_with_the_next_hand_a_place_is_taken_for_that_hand() -> None:
    night = CoreNight("michigan-rummy").hand().out("b", a=1, c=1, d=1)
    night.record("poker", winners=["a"]).collect("c", "king-clubs")
    assert night.pots["king-clubs"] == 0
    night.record("hand", dealer="b")
    assert night.collect("c", "jack-spades").night.phase == PLAY


def test_the_card_of_a_night_says_the_chips_of_tonight(site: Site) -> None:
    night = night_in_third_hand(site)
    assert "Everybody starts with 100 chips." in visible_text(night.host.get(f"{night.base}/rules"))
    night.table.settings.starting_stack = 30
    assert "Everybody starts with 30 chips." in visible_text(night.host.get(f"{night.base}/rules"))
