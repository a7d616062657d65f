"""The rule card: a whole preset as short plain sentences, made from the data, each with a key to compare two cards."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import get_args

from tracker.core.preset import LONGEST_LABEL, SUITS, DirectPayment, Pot, Preset
from tracker.extras.editor.palette import colour_name
from tracker.formats.built_in import printed_game
from tracker.web.wording.game_words import RULE_WORDS, groups, sentence, words_of
from tracker.web.wording.rule_words import CardPart, card_words, chips_count, chips_in_words
from tracker.web.wording.texts import gettext as _

_COURT = frozenset("JQKA")


@dataclass(frozen=True)
class RuleCardLine:
    """One sentence; `was` is what the printed sheet says instead, `is_new` when it says nothing about it."""

    key: str
    text: str
    was: str = ""
    is_new: bool = False
    colour: str = ""
    """The colour of the place that the sentence is about: no rule, so no difference from the sheet."""
    is_silent: bool = False
    """The sheet leaves it open: the sentence, or `was` where the table has changed it, is our default."""

    @property
    def is_changed(self) -> bool:
        return bool(self.was) or self.is_new

    @property
    def is_our_default(self) -> bool:
        """Whether the sentence is as in the printed game, but not said by its sheet."""
        return self.is_silent and not self.is_changed

    @property
    def painted(self) -> str:
        """The colour in words; empty where the place is as the board is."""
        return _("Painted %(colour)s.", colour=colour_name(self.colour)) if self.colour else ""


@dataclass(frozen=True)
class RuleSection:
    """Sentences under one heading."""

    title: str
    lines: tuple[RuleCardLine, ...]


@dataclass(frozen=True)
class RuleCard:
    """A rule card; `dropped` are sentences of the printed sheet that this table leaves out."""

    name: str
    about: str
    source: str
    parts: tuple[RuleSection, ...]
    base: str = ""
    """The name of the printed game that it is compared with; empty when with none."""
    dropped: tuple[str, ...] = ()
    has_sheet: bool = True
    """Whether there is a printed sheet; of a plain score sheet there is none."""

    @property
    def has_defaults(self) -> bool:
        """Whether the mark of our defaults stands anywhere on the card."""
        return any(line.is_our_default for part in self.parts for line in part.lines)

    @property
    def changes(self) -> int:
        return sum(line.is_changed for part in self.parts for line in part.lines) + len(self.dropped)


def card_of(preset: Preset) -> RuleCard:
    """Return a rule card, compared with the printed game that the board comes from."""
    return rule_card(preset, printed_game(preset))


def rule_card(preset: Preset, base: Preset | None = None) -> RuleCard:
    """Return the card of a preset, with what it changes against the printed game `base`."""
    titles, words = _titles(preset), words_of(preset)
    parts = [RuleSection(titles["table"], _table(preset)), RuleSection(titles["board"], _board(preset))]
    for part, keys in card_parts(preset.game):
        said = [RuleCardLine(key, text) for key in keys if (text := sentence(preset, key))]
        always = words.sentences if part == "score" else ()
        lines = (*(RuleCardLine(f"game:{number}", _(text)) for number, text in enumerate(always)), *said)
        parts.append(RuleSection(titles[part], lines))
    shown = tuple(part for part in parts if part.lines)
    card = RuleCard(_(preset.name), _(preset.about), _(preset.source), shown, has_sheet=words.has_sheet)
    return compared(card, rule_card(base), base.silent) if base is not None and base.game == preset.game else card


def card_parts(game: str) -> tuple[tuple[CardPart, tuple[str, ...]], ...]:
    """Return the parts of the rule card, each with the house rules that it says."""
    keys = [key for group in groups(game) for key in group.keys if not RULE_WORDS[key].said_with]
    keys.sort(key=lambda key: RULE_WORDS[key].card_order)
    return tuple((part, tuple(key for key in keys if RULE_WORDS[key].part == part)) for part in get_args(CardPart))


def compared(card: RuleCard, printed: RuleCard, silent: Collection[str] = ()) -> RuleCard:
    """Return a card with its differences from another marked, and what the sheet is `silent` about, by key."""
    before = {line.key: line.text for part in printed.parts for line in part.lines}
    here = {line.key for part in card.parts for line in part.lines}
    parts = tuple(
        RuleSection(part.title, tuple(_marked(line, before, silent) for line in part.lines)) for part in card.parts
    )
    dropped = tuple(text for key, text in before.items() if key not in here and key not in silent)
    return replace(card, parts=parts, base=printed.name, dropped=dropped)


def _marked(line: RuleCardLine, before: dict[str, str], silent: Collection[str]) -> RuleCardLine:
    was = before.get(line.key, "")
    return replace(line, was=was if was != line.text else "", is_new=not was, is_silent=line.key in silent)


def _titles(preset: Preset) -> dict[str, str]:
    return {
        "table": _("The table"),
        "board": _("The board"),
        "deal": _("Before the play"),
        "play": _("The play"),
        "out": _("Out of cards"),
        "poker": _("Poker"),
        "score": _("The score"),
        "end": _("Short of chips, and the end") if preset.is_pot_game else _("The end"),
    }


def _table(preset: Preset) -> tuple[RuleCardLine, ...]:
    seats = preset.seats
    lines = [RuleCardLine("seats", _("For %(min)s to %(max)s people.", min=seats.min, max=seats.max))]
    if preset.stack:
        lines.append(RuleCardLine("stack", _("Everybody starts with %(chips)s.", chips=chips_in_words(preset.stack))))
    if preset.chips:
        lines.append(RuleCardLine("chips", chips_count(preset)))
    return tuple(lines)


def _board(preset: Preset) -> tuple[RuleCardLine, ...]:
    lines = [RuleCardLine(f"pot:{pot.id}", _place(preset, pot), colour=pot.colour) for pot in preset.board.values()]
    lines += [RuleCardLine(f"round:{at}", text) for at, text in enumerate(words_of(preset).board_lines(preset))]
    return (*lines, *(RuleCardLine(f"due:{due.id}", _due(due)) for due in preset.dues))


def _due(due: DirectPayment) -> str:
    return _("Whoever plays the %(card)s gets %(n)s from each.", card=_(due.name), n=chips_in_words(due.chips))


def label_from(cards: Sequence[str]) -> str:
    """Return a label for a place from its cards, as `10`, `KQ` or `7·8·9`."""
    ranks = [card[:-1] if card[-1] in SUITS else card for card in cards]
    return ("" if all(rank in _COURT for rank in ranks) else "·").join(ranks)[:LONGEST_LABEL]


def _place(preset: Preset, pot: Pot) -> str:
    parts = [f"{_(pot.name)}: {_won(pot, has_sets=preset.house_rules.poker_hand == 'sets')}"]
    if pot.label.lower() not in pot.name.lower() and pot.label != label_from(pot.cards):
        parts.append(_("on the board it reads %(label)s", label=pot.label))
    if pot.ante is not None or pot.dealer_ante is not None:
        each, dealer = preset.ante(pot, pot.fed_by, is_dealer=False), preset.ante(pot, pot.fed_by, is_dealer=True)
        if not each and not dealer:
            is_free = preset.house_rules.stakes_budget and pot in preset.stake_places
            parts.append(_("chips are laid there freely") if is_free else _("nobody puts chips in before the deal"))
        elif not each and dealer:
            parts.append(_("the dealer alone puts in %(n)s", n=dealer))
        elif each == dealer:
            parts.append(_("everybody puts in %(n)s", n=each))
        else:
            parts.append(_("everybody puts in %(n)s, the dealer %(dealer)s", n=each, dealer=dealer))
    if pot.fed_by:
        parts.append(_("only player %(n)s from the dealer’s left puts in", n=pot.fed_by))
    if preset.ends_hand(pot):
        parts.append(_("turned up, it ends the hand and the dealer wins"))
    line = "; ".join(parts)
    return line if line.endswith(("!", "?", ".")) else f"{line}."


def _won(pot: Pot, *, has_sets: bool) -> str:
    if pot.won_by == "out":
        return _("whoever is out of cards first")
    if pot.won_by == "poker":
        return _("the best set") if has_sets else _("the best poker hand")
    cards = " ".join(card_words(card) for card in pot.cards)
    if pot.won_by == "side":
        return _("a side bet, won with %(cards)s", cards=cards)
    if pot.is_run:
        return _("%(cards)s of one suit", cards=cards)
    return cards
