"""Every sentence of every rule card is true: the core plays each, of the printed games and of changed house rules."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache

import pytest
from extras._shared.rule_card_plays import ABOUT_OF_GAMES, KEPT_OF_GAMES, PLAYS, check, check_place, facts_of, sentences
from extras.editor import rule_card_before, rule_card_end, rule_card_play  # noqa: F401 - they register plays
from support.of_extras import run_modules

from tracker.core.house_rules import HOUSE_RULES, HouseRule, Value
from tracker.core.preset import Preset
from tracker.core.preset_faults import faults, new_preset_faults
from tracker.extras.editor.rule_card import RuleCardLine, rule_card
from tracker.formats.built_in import all_built_in, printed_game
from tracker.web.wording.game_words import value_choices

run_modules("_plays")
each_preset = pytest.mark.parametrize("preset", all_built_in(), ids=lambda preset: preset.id)
ABOUT = {
    "Seven money places, a poker pool and the jackpot.": ("Poker pool: ", "Jackpot: "),
    "The dealer puts in double.": ("Everybody puts 1 chip in each place, the dealer 2.",),
    "Seven saucers and the kitty.": ("Kitty: whoever is out of cards first",),
    "Everybody puts in the same; what is left goes to the last winner.": (
        "Everybody puts 1 chip in each place.",
        "At the end, what is left on the board goes to the winner of the last finished hand;",
    ),
    "Five hearts, a pair and a run; a chip to the kitty when you can’t play.": (
        *("King and queen of hearts: ", "Seven, eight, nine of one suit: "),
        "Whoever can’t play or lead puts 1 chip in: Kitty.",
    ),
    "Hearts that are held, then poker with betting, then the play for the kitty.": (
        "Before the play, whoever holds a card takes its place.",
        "Before the play, people bet, and the best poker hand wins the poker pool.",
        "Kitty: whoever is out of cards first",
    ),
    "Poker first, then each heart pays when it is played.": (
        "Before the play, people bet, and the best poker hand wins the poker pool.",
        "A place is won by playing its card when its turn comes.",
    ),
    "Whoever is stuck puts a chip in the kitty.": ("Whoever can’t play or lead puts 1 chip in: Kitty.",),
    "A poker pot before the play, seven money pots paid when played, a chip to the centre from whoever is stuck.": (
        "Before the play, the best poker hand wins the poker pool.",
        "A place is won by playing its card when its turn comes.",
        "Whoever can’t play or lead puts 1 chip in: Centre pot.",
    ),
    "Hearts, a run, a pot, a kitty, and corner aces: whoever bet on one wins it with that ace.": (
        "Corner ace of spades: a side bet, won with A♠",
        "Eight, nine, ten of one suit: ",
    ),
    "Four boodle cards, the dealer puts in double, no kitty.": (
        "Everybody puts 1 chip in each place, the dealer 2.",
        "Jack of spades: ",
    ),
    "Four horses; everybody lays four chips on them as they like, and one in the kitty.": (
        "Everybody lays 4 chips as they like on these: Ace of hearts, King of clubs, Queen of diamonds and",
        "Kitty: whoever is out of cards first; everybody puts in 1.",
    ),
    "Everybody puts one chip on each of the four horses, and one in the kitty.": (
        "Everybody puts 1 chip in each of these: Ace of hearts, King of clubs, Queen of diamonds and",
        "Kitty: whoever is out of cards first; everybody puts in 1.",
    ),
    "Five chips each: one on the king and queen of hearts in the middle, four on the other horses as they like.": (
        "King and queen of hearts: K♥ Q♥; everybody puts in 1.",
        "Everybody lays 4 chips as they like on these: Ace of spades, King of spades, Queen of diamonds and",
    ),
    "The dealer dresses the board; the turned-up card may pay the dealer at once.": (
        "Pope, nine of diamonds: 9♦; the dealer alone puts in 6",
        "A card is turned up, and the dealer takes the place that this one card wins.",
    ),
    "Pools for trumps that are held, then poching, then the play for the centre.": (
        "Before the play, whoever holds a card takes its place.",
        "Before the play, people bet, and the best set wins the pool.",
        "Centre: whoever is out of cards first",
    ),
    "Five boxes fed with one to five; a box card left in the hand doubles its box.": (
        "Ten of diamonds: 10♦; everybody puts in 1.",
        "Yellow dwarf, seven of diamonds: 7♦; everybody puts in 5.",
        "A money card still held doubles its place, out of the holder’s chips.",
    ),
    "Three pools that the dealer feeds, and cards that everybody pays for at once.": (
        "Matrimony, king and queen of diamonds: K♦ Q♦; the dealer alone puts in 12.",
        "Whoever plays the King of diamonds gets 2 chips from each.",
    ),
    "The sheet deals out all the chips of its box.": ("Everybody starts with 100 chips.",),
    "Best with four to six.": ("For 3 to 8 people.",),
    "In the source the dealer swaps or sells the dummy hand; here nobody uses it.": (
        "A dummy hand is dealt besides, and nobody uses it.",
    ),
}
"""What a sentence under the title says again: the beginnings of lines of the card, which are played for themselves."""
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


def lines(preset: Preset) -> list[RuleCardLine]:
    return [line for part in rule_card(preset).parts for line in part.lines]


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
        if sentence not in ABOUT_KEPT_BY_TABLE:
            assert [
                text
                for text in {**ABOUT, **ABOUT_OF_GAMES}[sentence]
                if not any(one.startswith(text) for one in on_card)
            ] == [], sentence
    money = [pot for pot in preset.won_by("card") if pot.cards]
    counted = dict.fromkeys(("Seven money", "Seven saucers", "seven money"), 7)
    counted |= {"Four boodle": 4, "Four horses": 4, "Five boxes": 5}
    assert [number for words, number in counted.items() if words in preset.about and len(money) != number] == []


@each_preset
def test_what_a_source_is_silent_about_are_lines_of_its_card_and_are_marked_there(preset: Preset) -> None:
    assert [key for key in preset.silent if key not in {line.key for line in lines(preset)}] == []
    if printed_game(preset) == preset:
        marked = [line.key for part in rule_card(preset, preset).parts for line in part.lines if line.is_our_default]
        assert sorted(marked) == sorted(preset.silent)
