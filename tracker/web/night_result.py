"""How a night has ended, or would end now: who wins, who pays whom, and its best moments. Needs no request."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from markupsafe import Markup, escape

from tracker.app.log_history import History
from tracker.core.events import Paid
from tracker.core.night import Night
from tracker.core.queries import payment_list, summary
from tracker.core.settlement import has_money
from tracker.web.drawing.player_token import PlayerToken, player_tokens
from tracker.web.log_sentences import HandLine, hand_line
from tracker.web.wording.texts import amount, listed, ngettext, signed
from tracker.web.wording.texts import gettext as _


@dataclass(frozen=True)
class PaymentRow:
    """A payment to be made: who to whom, as a sum to read, and whether it is ticked off."""

    debtor: PlayerToken | None
    creditor: PlayerToken | None
    amount: str
    event: Paid
    """What notes that it was made."""
    is_paid: bool


@dataclass(frozen=True)
class NightResult:
    """The result of a night, as if it ended now or as it has."""

    history: History

    @property
    def night(self) -> Night:
        return self.history.night

    @property
    def is_pots(self) -> bool:
        return self.night.preset.game == "pots"

    @cached_property
    def faces(self) -> Mapping[str, PlayerToken]:
        return player_tokens(self.night)

    @cached_property
    def nets(self) -> dict[str, int]:
        return payment_list.nets(self.night)

    @cached_property
    def winners(self) -> list[PlayerToken]:
        return [self.faces[seat] for seat in summary.leaders(self.night)]

    @property
    def headline(self) -> str:
        """Who wins the night, as a sentence."""
        names = [face.name for face in self.winners]
        if not names:
            return _("The night is over")
        if len(names) > 1:
            return _("%(names)s share the night", names=listed(names))
        return _("%(name)s wins the night", name=names[0])

    # Payments

    @property
    def has_money(self) -> bool:
        return has_money(self.night)

    @cached_property
    def cents(self) -> dict[str, int]:
        """The nets in cents, rounded to the smallest coin; nothing when chips are worth nothing."""
        return payment_list.nets_in_cents(self.night)

    @cached_property
    def dues(self) -> list[PaymentRow]:
        """The fewest payments that settle the night: in money, or in points, or what IOUs left open in chips."""
        return [self._due(one) for one in payment_list.payment_list(self.night)]

    def dues_for(self, seat: str | None) -> list[PaymentRow]:
        """Return the payments with those of this seat first."""
        return sorted(self.dues, key=lambda due: seat is None or seat not in (due.event.source, due.event.target))

    def dues_of(self, seat: str) -> list[PaymentRow]:
        """Return the payments that this seat makes or gets."""
        return [due for due in self.dues if seat in (due.event.source, due.event.target)]

    def _due(self, one: payment_list.ListedPayment) -> PaymentRow:
        event = one.event
        shown = amount(event.cents) if self.has_money else str(event.cents)
        return PaymentRow(self.faces.get(event.source), self.faces.get(event.target), shown, event, one.is_made)

    @property
    def rounding(self) -> str:
        """A sentence about the smallest coin where a sum was rounded to it; empty where none was."""
        rules = self.night.house_rules
        exact = {seat: net * rules.money_cents for seat, net in self.nets.items()}
        if not self.cents or all(self.cents[seat] * rules.money_chips == sum_ for seat, sum_ in exact.items()):
            return ""
        return _("Every sum is rounded to the smallest coin, %(coin)s.", coin=amount(rules.money_coin))

    # What people will talk about

    @cached_property
    def best_moments(self) -> tuple[Markup, ...]:
        """The richest place, the best hand and who was out first most often (or won most rounds), a sentence each."""
        hands = [hand_line(self.history, hand) for hand in self.history.hands if hand]
        return tuple(Markup(said) for said in self._moments(hands))  # noqa: S704  names are escaped in _bold

    def _moments(self, hands: list[HandLine]) -> Iterator[str]:
        taken = [
            (chips, takers[0], pot, one.hand) for one in hands for pot, takers, chips in one.taken if len(takers) == 1
        ]
        if taken:
            chips, face, pot, hand = max(taken, key=lambda one: one[0])
            facts = {"name": _bold(face), "chips": _number(chips), "place": escape(_(pot.name)), "hand": hand}
            yield _("Richest place: %(name)s took %(chips)s from %(place)s in hand %(hand)s", **facts)
        gains = [(change, face, one.hand) for one in hands for face, change in one.changes if change > 0]
        if gains and self.is_pots:
            change, face, hand = max(gains, key=lambda one: one[0])
            facts = {"name": _bold(face), "chips": _number(signed(change)), "hand": hand}
            yield _("Best hand: %(name)s, %(chips)s in hand %(hand)s", **facts)
        won = Counter(one.winner for one in hands if one.winner).most_common(2)
        if won and won[0][1] > max([1, *(times for _face, times in won[1:])]):
            yield self._most_often(*won[0])

    def _most_often(self, face: PlayerToken, times: int) -> str:
        name = _bold(face)
        if self.is_pots:
            return ngettext(
                "%(name)s was out first %(num)s time", "%(name)s was out first %(num)s times", times, name=name
            )
        return ngettext("%(name)s won %(num)s round", "%(name)s won %(num)s rounds", times, name=name)


def _bold(face: PlayerToken) -> Markup:
    return Markup("<b><bdi>{}</bdi></b>").format(face.name)


def _number(text: object) -> Markup:
    return Markup('<b class="num">{}</b>').format(text)
