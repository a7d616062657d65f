"""Yaniv on the pages: its words, its event, and the page on which a round is called and everybody's hand is said."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from tracker.core.errors import N_
from tracker.core.events import Chips, Event
from tracker.core.night import Night
from tracker.extras._score.forms import points_left, read_payment
from tracker.extras._score.moves import COUNTED
from tracker.extras._score.pages import DealPages
from tracker.extras._score.view import Counted, DealView
from tracker.extras.yaniv.rules import GAME, LIMIT, Yaniv, players
from tracker.web.events import correction_form as ask
from tracker.web.events.event_kind import EventKind, Vocabulary
from tracker.web.table.game_pages import add_game
from tracker.web.wording.game_words import GameWords
from tracker.web.wording.rule_words import RuleGroup, RuleWords
from tracker.web.wording.texts import gettext as _, ngettext


class YanivWords(GameWords):
    """The words of Yaniv."""

    sentences = (
        N_("Whoever calls with the least points takes none; all others take the points of their hands."),
        N_("Above 100 one is out, and the last one left wins."),
    )
    rules: Mapping[RuleGroup, Mapping[str, RuleWords]] = {
        RuleGroup(N_("The call"), "score"): {
            "yaniv.penalty": RuleWords(
                N_("Calling without the least points costs"),
                N_("In points, besides the own hand."),
                sentence=lambda preset: ngettext(
                    "Whoever calls without having the least points takes %(num)s point more than the own hand.",
                    "Whoever calls without having the least points takes %(num)s points more than the own hand.",
                    int(preset["yaniv.penalty"]),
                ),
            ),
            "yaniv.halved": RuleWords(
                N_("A sum of exactly 50 or 100"),
                choices={"on": N_("is halved"), "off": N_("stays")},
                sentences={"on": N_("A sum of exactly 50 or 100 is halved.")},
            ),
            "yaniv.equal": RuleWords(
                N_("Somebody else has as few"),
                choices={"caller": N_("the call is good"), "others": N_("the call has failed")},
                sentences={"others": N_("If somebody else has as few points, the call has failed.")},
            ),
        }
    }


def _sentence(event: Yaniv, words: Vocabulary) -> str:
    name, points = words.name(event.seat), event.hands[event.seat]
    if event.seat in words.after.deals[-1].winners:
        return _("%(name)s calls Yaniv with %(points)s", name=name, points=points)
    others = words.names(words.after.deals[-1].winners)
    return _("%(name)s calls Yaniv with %(points)s. Fewest points: %(names)s", name=name, points=points, names=others)


YANIV = EventKind(
    event=Yaniv,
    sentence=_sentence,
    undone=lambda _event, _words: _("Undone: the points of this round are asked for again"),
    own="seat",
    buttons={"pay": read_payment},
    correction=ask.Form(ask.pick("seat", N_("Who called?"), ask.at_table), points_left),
)


@dataclass(frozen=True)
class YanivView(DealView):
    """Everything on the page of Yaniv for one viewer; the winner of a round that is counted is who called it."""

    @classmethod
    def taken_back(cls, event: Event, _night: Night) -> Counted | None:
        return Counted(event.seat, "", dict(event.hands)) if isinstance(event, Yaniv) else None

    @cached_property
    def asked(self) -> tuple[str, ...]:
        return tuple(seat for seat in self.night.clockwise_from(self.winner) if seat in players(self.night))

    @property
    def closing(self) -> Event:
        return Yaniv(str(self.winner), {seat: Chips(points) for seat, points in self.hands.items()})


class YanivPages(DealPages[YanivView]):
    """The pages of Yaniv."""

    kind = YanivView
    own = "yaniv/_own.html"

    def counting(self, view: YanivView) -> str:
        return _("%(name)s: Yaniv!", name=view.night.name(str(view.winner)))

    def where(self, view: YanivView) -> str:
        return self.counting(view) if view.moment == "count" else super().where(view)

    def seat_note(self, view: YanivView, seat: str) -> str:
        return _("out of the game") if GAME.is_out(view.night, seat) else super().seat_note(view, seat)

    def hand_note(self, view: YanivView, seat: str) -> str:
        if view.settled is None:
            return ""
        total = view.night.points.get(seat, 0) + view.settled.change[seat]
        return _("%(n)s: out", n=total) if total > LIMIT else _("comes to %(n)s", n=total)


add_game("yaniv", YanivWords(), (YANIV,), YanivPages(), COUNTED)
