"""What the pages say about a kind of game and its house rules: in forms, in the log, on the rule card.

The words of each rule are one record in `pot_rule_words`, in `rule_words` or with the extra that brings its game, in
the group of the forms in which it stands. The records' order is that of the forms. An extra makes a `GameWords` for the
game that it brings, and adds it by `add_words`.
"""

from collections.abc import Container, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from tracker.core.errors import N_
from tracker.core.house_rules import HOUSE_RULES, HouseRule, Value
from tracker.core.night import Night
from tracker.core.preset import Preset, fits_preset, has_effect, idle_when
from tracker.core.preset_faults import conflicts, follows_ante
from tracker.web.wording.pot_rule_words import POT_RULES
from tracker.web.wording.rule_words import SHARED_RULES, RuleGroup, RuleWords
from tracker.web.wording.texts import gettext as _, ngettext, whole_number, whole_number_from

Rules = Mapping[RuleGroup, Mapping[str, RuleWords]]


class GameWords:
    """The words of one kind of game. Here are those of most score games, which are played in rounds."""

    sentences: tuple[str, ...] = ()
    """What holds in every game of this kind, in English: no house rule changes it."""
    rules: Rules = {}  # noqa: RUF012 - a Mapping
    """The words of the house rules that this game has alone, in the groups and in the order of the forms."""
    has_sheet = True
    """Whether there are printed rules of it."""

    def hand_name(self, _night: Night, hand: int) -> str:
        """Return what a hand is called by its number, from 1; 0 is what comes before the first."""
        return _("Round %(n)s", n=hand) if hand else _("Before the first round")

    def hand_title(self, _night: Night, _hand: int) -> str:
        """Return what a hand was played for, where each is for something else."""
        return ""

    def hands(self, count: int) -> str:
        return ngettext("%(num)s round", "%(num)s rounds", count)

    def reason(self, _change: int) -> str:
        """Return the reason (`REASON_NAMES`) of the points that somebody got in a hand; nothing where none is said."""
        return "taken"

    def rank_note(self, _night: Night, _seat: str) -> str:
        """Return what stands beside somebody's name in the ranking."""
        return ""

    def correction_note(self, _then: Night, _now: Night) -> str:
        """Return what a correction does to later hands, where it is not what one would think."""
        return ""

    def board_lines(self, _preset: Preset) -> tuple[str, ...]:
        """Return what lies on the table, line by line, for the rule card."""
        return ()

    def picture(self) -> str:
        """Return a small picture of the game, as SVG; nothing stands for a hand of cards."""
        return ""


class _PotWords(GameWords):
    rules = POT_RULES

    def hand_name(self, _night: Night, hand: int) -> str:
        return _("Hand %(n)s", n=hand) if hand else _("Before the first hand")

    def hands(self, count: int) -> str:
        return ngettext("%(num)s hand", "%(num)s hands", count)


GAME_WORDS: dict[str, GameWords] = {"pots": _PotWords()}
"""The words of each kind of game, by its name."""


def words_of(preset: Preset) -> GameWords:
    return GAME_WORDS[preset.game]


RULE_WORDS: dict[str, RuleWords] = {}
"""The words of every house rule, by key."""


# House rules


@dataclass(frozen=True)
class FormGroup:
    """House rules that belong together, under one heading."""

    title: str
    keys: tuple[str, ...]


def _in_groups(game: str) -> Rules:
    """Return the words of the house rules of a game, its own before those that others have too."""
    return {**GAME_WORDS[game].rules, **SHARED_RULES}


def add_words(game: str, words: GameWords) -> None:
    """Make the words of a kind of game known, and those of its house rules."""
    GAME_WORDS[game] = words
    for group, rules in _in_groups(game).items():
        for key, one in rules.items():
            RULE_WORDS[key] = replace(one, part=one.part or group.part)
    groups.cache_clear()


@cache
def groups(game: str) -> tuple[FormGroup, ...]:
    """Return the house rules of a kind of game as its forms ask for them."""
    known = (
        (group.title, tuple(key for key in rules if key in HOUSE_RULES[game]))
        for group, rules in _in_groups(game).items()
    )
    return tuple(FormGroup(title, keys) for title, keys in known if keys)


add_words("pots", GAME_WORDS["pots"])


# Words

WORDS_OF_NUMBERS: Mapping[Value, str] = {"any": N_("any number")}
"""What a rule that is a number may be instead."""


def label(key: str) -> str:
    return _(RULE_WORDS[key].label)


def value_words(key: str, value: Value, preset: Preset | None = None) -> str:
    """Return a rule's value in words; a number is itself, a pot has its name on the board of `preset`."""
    words = {**RULE_WORDS[key].choices, **WORDS_OF_NUMBERS}.get(value) if key in RULE_WORDS else None
    if preset and key in HOUSE_RULES[preset.game] and HOUSE_RULES[preset.game][key].names_pot and value in preset.board:
        words = preset.board[str(value)].name
    return _(words) if words else str(value)


def value_choices(preset: Preset, rule: HouseRule) -> tuple[Value, ...]:
    """Return the values that a rule can be chosen from on this board; none for a number."""
    return (*rule.choices, *(preset.board if rule.names_pot else ()))


def hint(game: str, key: str, printed: Preset | None) -> str:
    """Return what a rule's name leaves open, its usual value (printed, or the default), and its source."""
    rule, text = HOUSE_RULES[game][key], RULE_WORDS[key].help
    value = printed[key] if printed else rule.default
    known = rule.source if value == rule.default else ""
    said = (
        _(text) if text else "",
        _("Usually: %(value)s.", value=value_words(key, value, printed)),
        _("Source: %(source)s", source=f"{_(known)}.") if known else "",
    )
    return " ".join(filter(None, said))


def change_words(preset: Preset, key: str, value: Value) -> str:
    """Return a changed rule for the log: what it is called, and what it is now."""
    named = label(key).rstrip("?… ").lstrip("… ") if key in HOUSE_RULES[preset.game] else key
    return f"{named}: {value_words(key, value, preset)}"


def rule_form(preset: Preset, *others: Preset, printed: Preset | None, without: Container[str] = ()) -> dict[str, Any]:
    """Return what a template needs to ask for the house rules that fit a board, or any of the `others`.

    `printed` is the game with the usual values; rules in `without` are not asked for.
    """
    boards = (preset, *others)
    game, newest = preset.game, boards[-1]

    def fits(key: str) -> bool:
        return key not in without and any(fits_preset(one, key) for one in boards)

    found = [replace(group, keys=tuple(filter(fits, group.keys))) for group in groups(game)]
    unused = FormGroup(N_("More rules"), tuple(key for group in found for key in group.keys if is_unused(preset, key)))
    used = (replace(group, keys=tuple(key for key in group.keys if key not in unused.keys)) for group in found)
    return {
        "groups": tuple(group for group in (*used, unused) if group.keys),
        "choices": {key: value_choices(newest, rule) for key, rule in HOUSE_RULES[game].items()},
        "rules": HOUSE_RULES[game],
        "label": label,
        "words": lambda key, value: value_words(key, value, newest),
        "hint": lambda key: hint(game, key, printed),
        "idle": {key for key in HOUSE_RULES[game] if not has_effect(newest, key)},
        "idle_when": lambda key: _conditions(idle_when(newest, key)),
    }


def is_unused(preset: Preset, key: str) -> bool:
    """Return whether a game does without a rule: nothing is said of it, nor of the rules that it belongs to."""
    if lead := RULE_WORDS[key].said_with:
        return is_unused(preset, lead)
    if not has_effect(preset, key):
        return any(is_unused(preset, other) for other in idle_when(preset, key))
    return not sentence(preset, key)


def _conditions(idle: Mapping[str, tuple[Value, ...]]) -> str:
    """Return what makes a rule idle as one word a rule: `dummy=exchange_only,unused`."""
    return " ".join(f"{key}={','.join(map(str, values))}" for key, values in idle.items())


# Sentences of the rule card


def sentence(preset: Preset, key: str) -> str:
    """Return what a rule says at this table; empty when it plays no part there."""
    if not has_effect(preset, key):
        return ""
    words = RULE_WORDS[key]
    chosen = words.sentences.get(preset[key])
    parts = (_(chosen) if chosen else "", words.sentence(preset) if words.sentence else "")
    return " ".join(part for part in parts if part)


def rule_lines(preset: Preset) -> list[str]:
    """Return the rules of a game without its board, a sentence each: what always holds, then the house rules."""
    always = [_(text) for text in GAME_WORDS[preset.game].sentences]
    on_card = (key for key in HOUSE_RULES[preset.game] if not RULE_WORDS[key].said_with)
    return always + [text for key in on_card if (text := sentence(preset, key))]


# What was typed in a form


def rules_typed(
    typed: Mapping[str, str], preset: Preset, now: Preset | Mapping[str, Value], wrong: dict[str, str]
) -> dict[str, Value]:
    """Return the rules that a form gives another value than they have `now`; `wrong` gets the faults by key."""
    found: dict[str, Value] = {}
    for key, rule in HOUSE_RULES[preset.game].items():
        value = rule_value(rule, typed[key].strip()) if key in typed else now[key]
        if value is None:
            wrong[key] = why_not(rule)
        elif value != now[key]:
            found[key] = value
    before = replace(preset, rules={key: now[key] for key in HOUSE_RULES[preset.game]})
    if "ante.each" in found and "ante.dealer" not in found and follows_ante(before):
        found["ante.dealer"] = found["ante.each"]  # where all ante alike, they still do
    for fault in conflicts(before, found):
        wrong.setdefault(str(fault.facts["field"]), _(fault.template).format_map(fault.facts))
    return found


def rule_value(rule: HouseRule, text: str) -> Value | None:
    """Return what a field says for a rule; None when the rule refuses it."""
    if rule.names_pot:
        return None if rule.fault(text) else text
    if rule.choices:
        return next((choice for choice in rule.choices if str(choice) == text), None)
    if rule.word and text in ("", rule.word):
        return rule.word
    number = whole_number(text)
    return None if number is None or rule.fault(number) else number


def why_not(rule: HouseRule) -> str:
    if rule.choices:
        return _("Choose one of these, please.")
    return whole_number_from(rule.low, rule.high)
