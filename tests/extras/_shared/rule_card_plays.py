"""What each sentence of a rule card says, played by the core: a sentence is found by its words, its facts in them.

`check(preset, sentence)` plays it at a table with that preset and fails where something else comes out. A sentence
without a play raises LookupError, so that a new one needs a play, or to be listed among those that the table keeps.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, Self

from support.core_nights import CoreNight

from tracker.core.night import DUMMY, HELD, PLAY, POKER, STAKES
from tracker.core.preset import Pot, Preset
from tracker.web.wording.rule_words import card_words

Play = Callable[..., None]
PLAYS: list[tuple[str, Play]] = []
PLACE_PARTS: list[tuple[str, Play]] = []
SEATS = "abcdefghijkl"
NEXT_STAGE = {STAKES: "go-on", DUMMY: "no-sale", HELD: "go-on", POKER: "go-on"}
WITHHELD = {"offence": "withheld-card"}
FACT = re.compile(r"%\(\w+\)s")
NUMBERS = {"n", "step", "dealer", "low", "high", "points"}
NUMBER = r"\d+(?: (?:chips?|points?|deals?))?"


class Table(CoreNight):
    """Ann to Dan as `a` to `d` with plenty of chips, where nothing else is said; `a` deals the first hand."""

    def __init__(self, preset: Preset, seats: str = "abcd", chips: int | None = 500) -> None:
        super().__init__(preset, seats, chips if preset.is_pot_game else None)

    def until(self, phase: str, dealer: str = "a") -> Self:
        """Begin a hand where none goes on, and pass over its stages until `phase`."""
        if self.night.is_between_hands:
            self.record("hand", dealer=dealer)
        while self.night.phase != phase:
            self.record(NEXT_STAGE[self.night.phase])
        return self

    def out(self, seat: str = "b", **cards: int) -> Self:
        """Have a seat go out while the others hold so many cards, none where nothing else is said."""
        deal = self.night.current_deal()
        others = [one for one in deal.seats if one != seat and one not in deal.out_of_cards]
        return self.record("out", seat=seat, cards={one: cards.get(one, 0) for one in others})

    def holding(self, pot: str, chips: int) -> Self:
        """Make a pot hold so many chips, out of the stack of `d`."""
        more = chips - self.pots[pot]
        if more:
            source, target = ("d", pot) if more > 0 else (pot, "d")
            self.record("move", source=source, target=target, chips=abs(more))
        return self

    @property
    def _held(self) -> dict[str, int]:
        return self.stacks | self.pots if self.preset.is_pot_game else self.scores

    def gains(self, kind: str, **fields: Any) -> dict[str, int]:
        """Record an event and return what each account gained by it, without those of whom nothing changed."""
        before = self._held
        self.record(kind, **fields)
        after = self._held
        return {account: after[account] - before[account] for account in after if after[account] != before[account]}


KEPT_OF_GAMES: dict[str, dict[str, str]] = {}
"""By line of the card of a game of an extra: the sentences that only the table can keep, and what can't be seen."""


ABOUT_OF_GAMES: dict[str, tuple[str, ...]] = {}
"""By sentence under the title of a game of an extra: how the lines of its card begin that say it."""


def says(template: str, plays: list[tuple[str, Play]] = PLAYS, **meant: Any) -> Callable[[Play], Play]:
    """Register the play of the sentences that a template makes; its facts are the play's arguments, numbers as such.

    `meant` are further arguments: what those words mean where other words are played alike.
    """

    def register(play: Play) -> Play:
        plays.append((template, partial(play, **meant)))
        return play

    return register


def scripted(scripts: Mapping[str, str | tuple[str, ...]], plays: list[tuple[str, Play]] = PLAYS) -> None:
    """Register the plays of sentences that are written as steps, of which each script begins a table of its own.

    A step is the stage up to which a hand is begun, `7 in POT` for the chips in a place, or an event with what each
    account gains by it: `collect seat=c pot=POT -> c+7 POT-7`, or `-> nothing`, or `-> refused`. A word in capitals is
    one of WORDS, and `n` and `step` are the numbers of the sentence.
    """
    for template, told in scripts.items():
        plays.append((template, partial(_run_scripts, (told,) if isinstance(told, str) else told)))


WORDS: dict[str, Callable[[Preset], Any]] = {
    "POT": lambda preset: money_pot(preset).id,
    "RUN": lambda preset: next(pot.id for pot in preset.won_by("card") if pot.is_run),
    "POOL": lambda preset: preset.won_by("poker")[0].id,
    "SUITED": lambda preset: next(pot.id for pot in preset.won_by("card") if pot.suit),
    "SUIT": lambda preset: next(pot.suit for pot in preset.won_by("card") if pot.suit),
    "SIDE": lambda preset: preset.won_by("side")[0].id,
    "ANTE": lambda preset: preset.ante(money_pot(preset), 2, is_dealer=False),
    "LEAST": lambda preset: preset.house_rules.auction_min,
}
"""What a word of a script stands for: a place that a card, a run, poker or a side bet wins; the least first bid. An
extra adds those of its game."""
STEP = re.compile(r"(?P<kind>[a-z-]+)(?P<fields>(?: \w+=\S+)*)(?: -> (?P<gains>.+))?")
LISTS, NUMBERS_OF_SEATS = {"winners", "seats"}, {"cards", "hands", "points"}


class _Script:
    """One script at its table."""

    def __init__(self, preset: Preset, facts: Mapping[str, Any]) -> None:
        self.table, self.facts = Table(preset), facts

    def step(self, text: str) -> None:
        if text in NEXT_STAGE or text == PLAY:
            self.table.until(text)
        elif text == "claim":  # where a place is taken
            self.table.until(claim_phase(self.table.preset))
        elif text == "settle":  # where the poker pool is won
            in_hand = POKER in self.table.preset.stages
            self.table.until(POKER) if in_hand else self.table.until(PLAY).out("a", b=1, c=1, d=1)
        elif " in " in text:
            chips, _, pot = text.partition(" in ")
            self.table.holding(self.word(pot), int(chips))
        else:
            self.event(text)

    def event(self, text: str) -> None:
        found = STEP.fullmatch(text)
        assert found, text
        given = dict(one.split("=") for one in found["fields"].split())
        fields = {name: self.value(name, value) for name, value in given.items()}
        if found["gains"] == "refused":
            self.table.refusal(found["kind"], **fields)
            return
        gained = self.table.gains(found["kind"], **fields)
        if found["gains"]:
            assert gained == self.gains(found["gains"]), text

    def gains(self, text: str) -> dict[str, int]:
        parts = re.findall(r"(\w+)([+-]\S+)", text)
        return {self.word(account): number for account, chips in parts if (number := self.number(chips))}

    def value(self, name: str, text: str) -> Any:
        if name in LISTS:
            return text.split(",")
        if name in NUMBERS_OF_SEATS:
            return {one[0]: int(one[1:]) for one in text.split(",")}
        if text == "yes":
            return True
        return self.number(text) if name in ("chips", "price") else self.word(text)

    def number(self, text: str) -> int:
        """Return a sum as `n+2step-1`, in the numbers of the sentence."""
        terms = re.findall(r"([+-]?)(\d*)([A-Za-z]*)", text)
        return sum(int(f"{sign}{count or 1}") * (int(self.word(of)) if of else 1) for sign, count, of in terms[:-1])

    def word(self, text: str) -> Any:
        if text in self.facts:
            return self.facts[text]
        return WORDS[text](self.table.preset) if text in WORDS else text


def _run_scripts(scripts: Iterable[str], preset: Preset, pot: Pot | str = "", **facts: Any) -> None:
    named = {one.name: one.id for one in preset.board.values()} | {due.name: due.id for due in preset.dues}
    here = pot.id if isinstance(pot, Pot) else named.get(pot or facts.get("card", ""), "")
    for script in scripts:
        told = _Script(preset, {**facts, "HERE": here})
        for step in script.split("; "):
            told.step(step)


def facts_of(template: str, text: str) -> dict[str, Any] | None:
    """Return the facts of a text that a template makes, by name; None for another text."""
    parts = re.split(r"%\((\w+)\)s", template)
    texts = [re.escape(part) for part in parts[::2]]
    facts = [f"(?P<{name}>{NUMBER if name in NUMBERS else '.+?'})" for name in parts[1::2]] + [""]
    found = re.fullmatch("".join(map("".join, zip(texts, facts, strict=True))), text)
    return {key: _fact(key, value) for key, value in found.groupdict().items()} if found else None


def play_of(text: str, plays: list[tuple[str, Play]]) -> tuple[Play, dict[str, Any]]:
    """Return the play of a text with the facts in it: that of the most words. LookupError without one."""
    found = [(FACT.sub("", template), play, facts_of(template, text)) for template, play in plays]
    fitting = [(len(words), play, facts) for words, play, facts in found if facts is not None]
    if not fitting:
        raise LookupError(f"nothing plays “{text}”")
    _, play, facts = max(fitting, key=lambda one: one[0])
    return play, facts


def _fact(name: str, value: str) -> int | str:
    return int(value.partition(" ")[0]) if name in NUMBERS else value


def sentences(text: str) -> list[str]:
    return re.split(r"(?<=[.]) (?=[A-Z])", text)


def check(preset: Preset, sentence: str) -> None:
    """Play a sentence of the rule card of `preset`."""
    play, facts = play_of(sentence, PLAYS)
    play(preset, **facts)


def check_place(preset: Preset, pot: Pot, text: str) -> None:
    """Play the line of the rule card about a place: how it is won, and what is put in."""
    name, _, rest = text.removesuffix(".").partition(": ")
    assert name == pot.name
    for part in rest.split("; "):
        play, facts = play_of(part, PLACE_PARTS)
        assert facts.get("cards", "").split() == [card_words(one) for one in pot.cards if "cards" in facts]
        play(preset, pot, **facts)


def claim_phase(preset: Preset) -> str:
    return HELD if preset["claim"] == "held" else PLAY


def money_pot(preset: Preset) -> Pot:
    """Return a place that a card wins, one alone where there is such, and that ends no hand."""
    return min((pot for pot in preset.won_by("card") if not pot.ends_hand), key=lambda pot: len(pot.cards))


def short_seat(preset: Preset) -> tuple[str, int]:
    """Return a seat that owes an ante, with how much: one at the dealer's left, where not only the dealer puts in."""
    antes = Table(preset).gains("hand", dealer="a")
    seat = "b" if antes.get("b") else "a"
    return seat, -antes[seat]


def poor(preset: Preset, seat: str, chips: int) -> Table:
    return Table(preset).record("move", source=seat, target="c", chips=500 - chips)


def scored(preset: Preset) -> Table:
    """Return a score sheet after a round of 5, 1, 3 and 3 points."""
    return Table(preset).record("scores", points={"a": 5, "b": 1, "c": 3, "d": 3})
