"""Michigan Rummy with the snake in words: its house rules and its events."""

from dataclasses import replace
from typing import Any

from tracker.core import events
from tracker.core.errors import N_
from tracker.core.night import Night
from tracker.core.preset import Preset
from tracker.extras._score.forms import points_left, read_payment, yes_or_no
from tracker.extras.rum.rules import Rummy, StockOut, hand_points, rules
from tracker.formats.codec import event_to
from tracker.web.events import correction_form as ask, hand
from tracker.web.events.event_kind import AnyKind, EventKind, Vocabulary
from tracker.web.wording.game_words import GameWords, Rules
from tracker.web.wording.rule_words import RuleGroup, RuleWords
from tracker.web.wording.texts import gettext as _, ngettext, signed


def _faults(preset: Preset) -> str:
    cost = int(preset["fault.points"])
    if preset["fault.to"] == "winner":
        return ngettext(
            "A wrong Rummy or an unused purchase costs %(num)s point; the winner of the deal gets it.",
            "A wrong Rummy or an unused purchase costs %(num)s points; the winner of the deal gets them.",
            cost,
        )
    if preset["fault.to"] == "each":
        return ngettext(
            "A wrong Rummy or an unused purchase costs %(num)s point to every other player.",
            "A wrong Rummy or an unused purchase costs %(num)s points to every other player.",
            cost,
        )
    return ngettext(
        "A wrong Rummy or an unused purchase costs %(num)s point, off the sheet.",
        "A wrong Rummy or an unused purchase costs %(num)s points, off the sheet.",
        cost,
    )


_RULES: Rules = {
    RuleGroup(N_("What cards count"), "score"): {
        "ace_high_seq": RuleWords(
            N_("An ace above the king"),
            choices={1: N_("counts 1"), 15: N_("counts 15")},
            sentences={
                1: N_("The ace counts 1 in queen, king, ace."),
                15: N_("The ace counts 15 in queen, king, ace."),
            },
        ),
        "joker": RuleWords(
            N_("Jokers"),
            choices={0: N_("none"), 20: N_("count 20 in the hand"), 25: N_("count 25 in the hand")},
            sentences={
                20: N_("A joker left in the hand counts 20."),
                25: N_("A joker left in the hand counts 25."),
                0: N_("There are no jokers."),
            },
        ),
        "one_turn": RuleWords(
            N_("Out in one turn"),
            choices={1: N_("is paid like any other"), 2: N_("is paid double")},
            sentences={2: N_("Going out in one turn is paid double.")},
        ),
        "stock_out": RuleWords(
            N_("The stock is used up"),
            choices={"full": N_("the others pay their whole hand"), "difference": N_("the others pay the difference")},
            sentences={
                "full": N_("When the stock is used up, fewest points win, and the others pay their whole hand."),
                "difference": N_("When the stock is used up, fewest points win, and the others pay the difference."),
            },
        ),
    },
    RuleGroup(N_("Faults"), "score"): {
        "fault.points": RuleWords(
            N_("A fault costs"),
            N_("A wrong Rummy, or a bought card not laid down."),
            sentence=_faults,
        ),
        "fault.to": RuleWords(
            N_("Who gets that?"),
            choices={
                "winner": N_("the winner of the deal"),
                "each": N_("every other player"),
                "sheet": N_("nobody: it goes on the sheet"),
            },
            said_with="fault.points",
        ),
        "fault.own": RuleWords(
            N_("If the offender wins the deal"),
            choices={
                "reduce": N_("the others pay that much less"),
                "sheet": N_("it goes on the sheet"),
                "ignore": N_("it is forgiven"),
            },
            sentences={
                "reduce": N_("If the offender wins, the others pay that much less."),
                "sheet": N_("If the offender wins, the fault stays on the sheet."),
                "ignore": N_("If the offender wins, the fault is forgiven."),
            },
        ),
    },
}


class RumWords(GameWords):
    """The words of the snake game."""

    sentences = (
        N_("To buy is to draw a card: it costs no points."),
        N_(
            "Whoever goes out is paid every other hand in full, figures still held included. "
            "What lies on the table does not count."
        ),
        N_("King, queen and jack count 10, the ace 15, the others their number. In a sequence the ace counts 1."),
    )
    rules = _RULES

    def hand_name(self, _night: Night, hand: int) -> str:
        return _("Deal %(n)s", n=hand) if hand else _("Before the first deal")

    def hands(self, count: int) -> str:
        return ngettext("%(num)s deal", "%(num)s deals", count)

    def reason(self, change: int) -> str:
        return "won" if change > 0 else "lost"


def _penalty(event: events.Penalty, words: Vocabulary) -> str:
    name, points = words.name(event.seat), rules(words.after).fault_points
    if event.offence == "false-rummy":
        return _("%(name)s called Rummy wrongly: %(points)s", name=name, points=points)
    return _("%(name)s bought a card and did not meld it: %(points)s", name=name, points=points)


def _offences(_night: Night) -> tuple[ask.Option, ...]:
    rummy, purchase = _("Called Rummy wrongly"), _("Bought a card, did not meld it")
    return (ask.Option("false-rummy:", rummy), ask.Option("unused-purchase:", purchase))


PENALTY = replace(
    hand.PENALTY,
    sentence=_penalty,
    short=_penalty,
    undone=lambda _event, _words: _("Undone: the fault is gone"),
    correction=hand.penalty_form(_offences),
)


def _rummy(event: Rummy, words: Vocabulary) -> str:
    change = words.after.deals[-1].change.get(event.seat, 0)
    return _("%(name)s goes out: %(points)s", name=words.name(event.seat), points=signed(change))


def _undone_payment(_event: events.Event, _words: Vocabulary) -> str:
    return _("Undone: nothing is paid for this deal yet")


def _with_points(event: Rummy | StockOut, before: Night) -> dict[str, Any]:
    """Return an event's raw values with hands of cards as the points that they count."""
    points = {seat: hand_points(before, hand) for seat, hand in event.hands.items()}
    return {**event_to(event), "hands": points}


RUMMY = EventKind(
    event=Rummy,
    sentence=_rummy,
    undone=_undone_payment,
    own="seat",
    buttons={"pay": read_payment},
    correction=ask.Form(
        ask.pick("seat", N_("Who went out?"), ask.at_table),
        points_left,
        ask.only_if("one_turn", 2, yes_or_no("one_turn", N_("All cards in one turn?"))),
        to_form=_with_points,
        from_form=ask.without_winners("hands"),
    ),
)


def _stock_out(_event: StockOut, words: Vocabulary) -> str:
    winners = words.after.deals[-1].winners
    return _("The stock is used up. Fewest points: %(names)s", names=words.names(winners))


STOCK_OUT = EventKind(
    event=StockOut,
    sentence=_stock_out,
    undone=_undone_payment,
    correction=ask.Form(points_left, to_form=_with_points),
)

KINDS: tuple[AnyKind, ...] = (RUMMY, STOCK_OUT, PENALTY)
