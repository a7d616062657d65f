"""The rule card says what is computed: every rule of every board, what is not as printed, and each sentence is true."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache

import pytest
from extras._shared.rule_card_plays import ABOUT_OF_GAMES, KEPT_OF_GAMES, PLAYS, check, check_place, facts_of, sentences
from extras.editor import rule_card_end, rule_card_hand  # noqa: F401 - they register plays
from support.client_phones import Site
from support.of_extras import run_modules
from support.sample_nights import night_in_third_hand, visible_text

from tracker.core.house_rules import HOUSE_RULES, HouseRule, Value
from tracker.core.preset import Preset, has_effect
from tracker.core.preset_faults import faults, new_preset_faults
from tracker.extras.editor.rule_card import RuleCardLine, rule_card
from tracker.formats.built_in import all_built_in, built_in, printed_game
from tracker.web.wording.game_words import value_choices

RUMMY = built_in("michigan-rummy")
each_preset = pytest.mark.parametrize("preset", all_built_in(), ids=lambda preset: preset.id)


def lines(preset: Preset) -> list[RuleCardLine]:
    return [line for part in rule_card(preset).parts for line in part.lines]


@each_preset
def test_a_printed_game_is_all_as_printed_and_what_its_source_is_silent_about_is_marked(preset: Preset) -> None:
    card, texts = rule_card(preset, preset), [line.text for line in lines(preset)]
    assert card.changes == 0
    assert all(text.endswith(".") and "%(" not in text and "puts in 0" not in text for text in texts)
    assert len(texts) == len(set(texts))
    assert {*preset.silent} <= {line.key for line in lines(preset)}
    if printed_game(preset) == preset:
        marked = [line.key for part in card.parts for line in part.lines if line.is_our_default]
        assert sorted(marked) == sorted(preset.silent)


@each_preset
def test_a_rule_changes_the_card_where_it_is_in_force_and_only_there_and_is_marked(preset: Preset) -> None:
    tried, printed = 0, lines(preset)
    for key, rule in HOUSE_RULES[preset.game].items():
        for value in rule.choices or (rule.low, rule.low + 3):
            other = replace(preset, rules={**preset.rules, key: value})
            is_in_force = has_effect(preset, key) or has_effect(other, key)
            here = {line.key: line.text for line in lines(other)}
            is_changed = [*here.values()] != [line.text for line in printed]
            assert is_changed == (value != preset[key] and is_in_force), (key, value)
            # What was our default and is off now is no change of the printed sheet.
            kept = [line.text for line in printed if line.key in here or line.key not in preset.silent]
            assert (rule_card(other, preset).changes > 0) == ([*here.values()] != kept), (key, value)
            tried += 1
    assert tried >= 5


def test_a_preset_made_from_another_lists_its_differences() -> None:
    card = rule_card(built_in("hearts-played"), built_in("hearts-three-stages"))
    changed = {line.key: line.was for part in card.parts for line in part.lines if line.is_changed}
    assert list(changed) == ["claim", "combo", "late_claim", "stop.fine"]
    assert changed["claim"] == "Before the play, whoever holds a card takes its place."


def test_places_that_differ_are_listed_with_labels_of_their_own() -> None:
    fewer = replace(RUMMY, pots=RUMMY.pots[1:])
    assert rule_card(fewer, RUMMY).dropped == ("Ten of hearts: 10♥.",)
    more = rule_card(RUMMY, fewer)
    assert [line.text for part in more.parts for line in part.lines if line.is_new] == ["Ten of hearts: 10♥."]
    own = replace(RUMMY, pots=(replace(RUMMY.pots[0], label="Lucky"), *RUMMY.pots[1:]))
    assert "Ten of hearts: 10♥; on the board it reads Lucky." in [line.text for line in lines(own)]
    assert not any("it reads" in line.text for preset in all_built_in() for line in lines(preset))
    freely = "King of clubs: K♣; chips are laid there freely."
    assert freely in [line.text for line in lines(built_in("newmarket"))]


def test_the_card_of_a_night_says_the_chips_of_tonight(site: Site) -> None:
    night = night_in_third_hand(site)
    assert "Everybody starts with 100 chips." in visible_text(night.host.get(f"{night.base}/rules"))
    night.table.settings.starting_stack = 30
    assert "Everybody starts with 30 chips." in visible_text(night.host.get(f"{night.base}/rules"))


# Every sentence of every rule card is true: the core plays each, of the printed games and of changed house rules.


run_modules("_plays")
PLAYED, STUCK = "A place is won by playing its card when its turn comes.", "Whoever can’t play or lead puts 1 chip in: "
BET, HELD = "Before the play, people bet, and the best ", "Before the play, whoever holds a card takes its place."
ABOUT = {
    "poker pool": "Poker pool: ",
    "jackpot": "Jackpot: ",
    "dealer puts in double": "Everybody puts 1 chip in each place, the dealer 2.",
    "puts in the same": "Everybody puts 1 chip in each place.",
    "left goes to the last winner": "At the end, what is left on the board goes to the winner of the last ",
    "the kitty": "Kitty: whoever is out of cards first",
    "a pair and": "King and queen of hearts: ",
    "and a run": "Seven, eight, nine of one suit: ",
    "kitty when you can’t play": f"{STUCK}Kitty.",
    "Whoever is stuck puts a chip in the kitty": f"{STUCK}Kitty.",
    "to the centre from whoever is stuck": f"{STUCK}Centre pot.",
    "that are held": HELD,
    "poker with betting": f"{BET}poker hand wins the poker pool.",
    "Poker first": f"{BET}poker hand wins the poker pool.",
    "poching": f"{BET}set wins the pool.",
    "when it is played": PLAYED,
    "paid when played": PLAYED,
    "poker pot before the play": "Before the play, the best poker hand wins the poker pool.",
    "corner aces": "Corner ace of spades: a side bet, won with A♠",
    ", a run,": "Eight, nine, ten of one suit: ",
    "boodle cards": "Jack of spades: ",
    "lays four chips on them as they like": "Everybody lays 4 chips as they like on these: Ace of hearts, King of ",
    "one chip on each of the four horses": "Everybody puts 1 chip in each of these: Ace of hearts, King of clubs, ",
    "one in the kitty": "Kitty: whoever is out of cards first; everybody puts in 1.",
    "one on the king and queen of hearts": "King and queen of hearts: K♥ Q♥; everybody puts in 1.",
    "four on the other horses": "Everybody lays 4 chips as they like on these: Ace of spades, King of spades, ",
    "dealer dresses the board": "Pope, nine of diamonds: 9♦; the dealer alone puts in 6",
    "turned-up card": "A card is turned up, and the dealer takes the place that this one card wins.",
    "play for the centre": "Centre: whoever is out of cards first",
    "with one to": "Ten of diamonds: 10♦; everybody puts in 1.",
    "to five": "Yellow dwarf, seven of diamonds: 7♦; everybody puts in 5.",
    "doubles its box": "A money card still held doubles its place, out of the holder’s chips.",
    "pools that the dealer feeds": "Matrimony, king and queen of diamonds: K♦ Q♦; the dealer alone puts in 12.",
    "everybody pays for at once": "Whoever plays the King of diamonds gets 2 chips from each.",
    "deals out all the chips": "Everybody starts with 100 chips.",
    "Best with four to six.": "For 3 to 8 people.",
    "here nobody uses it": "A dummy hand is dealt besides, and nobody uses it.",
}
"""What words under the title say again: the beginnings of lines of the card, which are played for themselves."""
KEPT_BY_TABLE = {
    "combo": {
        "A pair or a run is won by one player who plays its cards in succession.": "in which order cards were played",
        "A pair or a run is won by one player who plays all its cards in the hand.": "who played which card",
    },
    "dummy.card_bar": {
        "Whoever holds a money card neither swaps nor bids.": "which cards are in a hand",
        "A money card in the hand is no bar to swapping or bidding.": "which cards are in a hand",
    },
    **KEPT_OF_GAMES,
}
"""By line of the card: the sentences that only the table can keep, each with what the tracker does not see."""
ABOUT_KEPT_BY_TABLE = {
    "Left out: that the dealer opens such a bet, its cover, and showing the ace.",
    "What holding Spin at the end costs is left to the table.",
}
"""What is not played here."""


def values(preset: Preset, rule: HouseRule) -> tuple[Value, ...]:
    """Return the values that a rule is tried with: all words, or a few numbers that can be played."""
    numbers = dict.fromkeys(max(rule.low, number) for number in (0, 1, 2, 3, 5) if number <= rule.high)
    return value_choices(preset, rule) or (*([rule.word] if rule.word else []), *numbers)


@cache
def houses(preset_id: str) -> tuple[Preset, ...]:
    """Return a preset, and it with each other value of each house rule, and again where that first had no effect."""
    preset = next(one for one in all_built_in() if one.id == preset_id)
    return (preset, *other_presets(preset))


def other_presets(preset: Preset) -> Iterator[Preset]:
    for key, rule in HOUSE_RULES[preset.game].items():
        for value in values(preset, rule):
            yield from _playable(preset, {key: value})
            for other, idle in rule.idle_when.items():
                choices = values(preset, HOUSE_RULES[preset.game][other])
                in_force = next((one for one in choices if one not in idle), None)
                if preset[other] in idle and in_force is not None:
                    yield from _playable(preset, {other: in_force, key: value})


def _playable(preset: Preset, rules: Mapping[str, Value]) -> Iterator[Preset]:
    """Yield the preset with changed house rules; nothing where these are refused together."""
    house = replace(preset, rules={**preset.rules, **rules})
    if not [*faults(house), *new_preset_faults(house)]:
        yield house


@each_preset
def test_every_sentence_of_a_rule_card_comes_out_so_when_it_is_played(preset: Preset) -> None:
    played: set[tuple[str, str]] = set()
    for house in houses(preset.id):
        for line in lines(house):
            if (line.key, line.text) in played:
                continue
            played.add((line.key, line.text))
            kind, _, name = line.key.partition(":")
            try:
                if kind == "pot":
                    check_place(house, house.board[name], line.text)
                    continue
                for sentence in sentences(line.text):
                    if sentence not in KEPT_BY_TABLE.get(line.key, ()):
                        check(house, sentence)
            except Exception as error:
                error.add_note(f"{house.id}, {dict(house.rules)}: {line.text}")
                raise
    assert len(played) > len(lines(preset))


def test_a_sentence_without_a_play_is_not_passed_over() -> None:
    with pytest.raises(LookupError, match=r"nothing plays “Whoever yawns pays 3 chips\.”"):
        check(all_built_in()[0], "Whoever yawns pays 3 chips.")


def test_only_sentences_that_nothing_plays_are_left_to_the_table() -> None:
    kept = [text for texts in KEPT_BY_TABLE.values() for text in texts]
    assert all(why for texts in KEPT_BY_TABLE.values() for why in texts.values())
    said = {
        sentence
        for preset in all_built_in()
        for house in houses(preset.id)
        for line in lines(house)
        for sentence in sentences(line.text)
    }
    assert [text for text in kept if text not in said] == []
    assert [text for text in kept if any(facts_of(template, text) is not None for template, _ in PLAYS)] == []


@each_preset
def test_what_stands_under_the_title_is_said_by_lines_that_are_played(preset: Preset) -> None:
    on_card = [line.text for line in lines(preset)]
    for sentence in sentences(preset.about):
        meant = {text for words, text in ABOUT.items() if words in sentence} | {*ABOUT_OF_GAMES.get(sentence, ())}
        assert meant or sentence in ABOUT_KEPT_BY_TABLE or sentence in ABOUT_OF_GAMES, sentence
        assert [text for text in meant if not any(one.startswith(text) for one in on_card)] == [], sentence
    money = [pot for pot in preset.won_by("card") if pot.cards]
    counted = dict.fromkeys(("Seven money", "Seven saucers", "seven money"), 7)
    counted |= {"Four boodle": 4, "Four horses": 4, "Five boxes": 5}
    assert [number for words, number in counted.items() if words in preset.about and len(money) != number] == []
