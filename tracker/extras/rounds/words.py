"""8 Round Rummy in words: its house rules, its events, what its rounds ask for."""

from math import cos, sin

from tracker.core.errors import N_
from tracker.core.events import Chips
from tracker.core.night import Night
from tracker.core.preset import Preset
from tracker.extras._score.forms import yes_or_no
from tracker.extras.rounds.rules import (
    LAST_ROUND,
    Reverse,
    Round,
    asks_seven_alike,
    next_round,
    rounds_played,
    rounds_won,
)
from tracker.web.drawing import board
from tracker.web.events import correction_form as ask
from tracker.web.events.event_kind import AnyKind, EventKind, MoveForm, Vocabulary, number
from tracker.web.wording.game_words import GameWords, Rules
from tracker.web.wording.rule_words import RuleGroup, RuleWords
from tracker.web.wording.texts import gettext as _, listed, ngettext

_RULES: Rules = {
    RuleGroup(N_("The rounds"), "score"): {
        "rounds": RuleWords(
            N_("How many rounds?"),
            choices={"full": N_("all eight"), "short": N_("four: 2, 4, 6 and 8")},
            sentences={
                "full": N_("All eight rounds are played; the most points win."),
                "short": N_("Rounds 2, 4, 6 and 8 are played; the most points win."),
            },
        ),
        "auto_win": RuleWords(
            N_("Winning without a joker"),
            N_("Seven equal numbers."),
            choices={
                "round_8": N_("wins the game in round 8"),
                "any_round": N_("seven equal numbers win the game in any round"),
            },
            sentences={
                "round_8": N_("Whoever wins round 8 without a joker wins the game at once, whatever the points."),
                "any_round": N_(
                    "Whoever wins round 8 without a joker, or any other with seven equal numbers and no joker, wins "
                    "the game at once, whatever the points."
                ),
            },
        ),
        "tie": RuleWords(
            N_("Equal points at the end"),
            choices={
                "shared": N_("both have won"),
                "round_8": N_("whoever won round 8"),
                "most_cards": N_("whoever won more rounds"),
            },
            sentences={
                "shared": N_("With equal points, both have won."),
                "round_8": N_("With equal points, whoever won round 8 wins."),
                "most_cards": N_("With equal points, more rounds win."),
            },
        ),
    },
}


def _picture() -> str:
    """Return eight round cards in a circle."""
    cards = []
    for at in range(8):
        turn = board.bearing(at, 8)
        cards.append(
            f'<g transform="translate({cos(turn) * 74:.1f} {sin(turn) * 74:.1f}) rotate({45 * at})">'
            '<rect class="t-paper" x="-17" y="-24" width="34" height="48" rx="6"/>'
            f'<text class="t-num{" red" if at % 2 else ""}" y="9">{at + 1}</text></g>'
        )
    return f'<svg class="thumb" viewBox="-104 -104 208 208" aria-hidden="true">{"".join(cards)}</svg>'


class RoundWords(GameWords):
    """The words of 8 Round Rummy."""

    sentences = (
        N_("A round card counts its number; whoever wins the round gets it."),
        N_("Reverse & New Hand changes the direction of play; it costs no points."),
    )
    rules = _RULES

    def hand_name(self, night: Night, hand: int) -> str:
        played = 0 < hand <= len(night.deals)
        return super().hand_name(night, rounds_won(night)[hand - 1].number if played else hand)

    def hand_title(self, night: Night, hand: int) -> str:
        if not 0 < hand <= len(night.deals):
            return ""
        number = rounds_won(night)[hand - 1].number
        return next((_(card.goal) for card in night.preset.round_cards if card.number == number), "")

    def reason(self, _change: int) -> str:
        return ""

    def rank_note(self, night: Night, seat: str) -> str:
        won = [str(one.number) for one in rounds_won(night) if one.winner == seat]
        return _("won round %(rounds)s", rounds=listed(won)) if won else ""

    def correction_note(self, then: Night, now: Night) -> str:
        if now.deals == then.deals[: len(now.deals)] or now.hand >= then.hand:
            return ""
        return _("The later rounds move up by one then, and count as the rounds that they become.")

    def board_lines(self, preset: Preset) -> tuple[str, ...]:
        return tuple(
            _("Round %(n)s: %(goal)s, %(points)s.", n=one.number, goal=_(one.goal), points=_points(one.points))
            for one in rounds_played(preset)
        )

    def picture(self) -> str:
        return _picture()


def _points(count: int) -> str:
    return ngettext("%(num)s point", "%(num)s points", count)


def _round(event: Round, words: Vocabulary) -> str:
    won = next((card for card in reversed(rounds_won(words.after)) if card.winner == event.winner), None)
    name = words.name(event.winner)
    if won is None:
        return name
    sentence = ngettext(
        "%(name)s wins round %(round)s: %(num)s point",
        "%(name)s wins round %(round)s: %(num)s points",
        won.points,
        name=name,
        round=won.number,
    )
    if won.is_automatic and won.number == LAST_ROUND:
        return sentence + ". " + _("No joker in it: that wins the game")
    if won.is_automatic:
        return sentence + ". " + _("Seven equal numbers without a joker: that wins the game")
    return sentence


def _read_round(form: MoveForm) -> Round:
    winner, jokers, alike = [*form.argument.split("/"), "", ""][:3]
    return Round(winner or form.seat, Chips(number(jokers or "0")), seven_alike=alike == "alike")


def _ask_jokers(raw: ask.Raw, night: Night) -> ask.Field | None:
    """Return the question for jokers: of a round that wins the game without one, or that was recorded with some."""
    now = next_round(night)
    is_asked = raw.get("jokers") or (now is not None and now.number == LAST_ROUND)
    return ask.Field("jokers", "number", _("Jokers in it"), raw.get("jokers", 0)) if is_asked else None


_SEVEN_ALIKE = yes_or_no("seven_alike", N_("Seven equal numbers without a joker?"))


def _ask_seven_alike(raw: ask.Raw, night: Night) -> ask.Field | None:
    """Return that question, of a round in which seven equal numbers win, or that was recorded with them."""
    now = next_round(night)
    is_asked = raw.get("seven_alike") or (now is not None and asks_seven_alike(night, now.number))
    return _SEVEN_ALIKE(raw, night) if is_asked else None


ROUND = EventKind(
    event=Round,
    sentence=_round,
    undone=lambda _event, _words: _("Undone: the round is open again"),
    own="winner",
    buttons={"round": _read_round},
    correction=ask.Form(ask.pick("winner", N_("Who won the round?"), ask.at_table), _ask_jokers, _ask_seven_alike),
)


REVERSE = EventKind(
    event=Reverse,
    sentence=lambda _event, _words: _("Play changes direction"),
    undone=lambda _event, _words: _("Undone: the direction turns back"),
    seats=lambda _event, _night: (),  # it moves no points, and whoever sees the card may say so
    icon="turn",
)


KINDS: tuple[AnyKind, ...] = (ROUND, REVERSE)
