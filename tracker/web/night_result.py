"""How a night has ended, or would end now: who wins, who pays whom. No request is needed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tracker.app.log_history import History
from tracker.app.seating import names_of_leavers, seated_names
from tracker.core import payment_list
from tracker.core.events import Paid
from tracker.core.ledger import BANK
from tracker.core.night import Night
from tracker.core.payment_list import nets_in_cents
from tracker.core.queries import summary
from tracker.core.settlement import has_money, kept_board
from tracker.web.base.context import get_story
from tracker.web.drawing.player_token import PlayerToken, player_tokens
from tracker.web.wording.texts import amount, gettext as _, listed


def kept_for_next(night: Night) -> dict[str, Any]:
    """Return what the form for the next night needs: chips on the board, if any who was there, money in the box."""
    kept = sum(kept_board(night).values())
    money = nets_in_cents(night).get(BANK, 0) if kept else 0
    shown = amount(money, night.house_rules.money_decimals) if money > 0 else ""
    people, gone = (seated_names(night), names_of_leavers(night)) if kept else ([], [])
    return {"kept": kept, "people": people, "gone": gone, "money": shown}


@dataclass(frozen=True)
class PaymentRow:
    """A payment to be made: who to whom, as a sum to read, and whether it is ticked off."""

    debtor: PlayerToken | None
    creditor: PlayerToken | None
    amount: str
    event: Paid
    """What notes that it was made."""
    is_paid: bool
    nth: int
    """Which of several equal payments it is."""


@dataclass(frozen=True)
class NightResult:
    """The result of a night, as if it ended now or as it has."""

    history: History

    @property
    def night(self) -> Night:
        return self.history.night

    @property
    def is_pots(self) -> bool:
        return self.night.preset.is_pot_game

    @cached_property
    def faces(self) -> Mapping[str, PlayerToken]:
        return player_tokens(self.night)

    @cached_property
    def nets(self) -> dict[str, int]:
        return payment_list.nets(self.night)

    @cached_property
    def totals(self) -> dict[str, int]:
        """What stands beside each name: net chips, or in a score game the points."""
        return payment_list.totals(self.night)

    @cached_property
    def winners(self) -> list[PlayerToken]:
        return [self.faces[seat] for seat in summary.leaders(self.night)]

    @property
    def ranking(self) -> list[summary.Ranked]:
        """Everybody of the night by seat and place, those who have left too, the best first."""
        return summary.ranking(self.night)

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

    def amount(self, cents: int) -> str:
        """Return a sum of the night's money, to read."""
        return amount(cents, self.night.house_rules.money_decimals)

    @cached_property
    def dues(self) -> list[PaymentRow]:
        """The fewest payments that settle the night: in money, or in points, or what IOUs left open in chips."""
        return [self._due(one) for one in payment_list.payment_list(self.night)]

    def dues_for(self, seat: str | None) -> list[PaymentRow]:
        """Return the payments with those of this seat first."""
        return sorted(self.dues, key=lambda due: seat is None or seat not in (due.event.source, due.event.target))

    def dues_of(self, seat: str) -> list[PaymentRow]:
        return [due for due in self.dues if seat in (due.event.source, due.event.target)]

    def _due(self, one: payment_list.ListedPayment) -> PaymentRow:
        event = one.event
        shown = self.amount(event.cents) if self.has_money else str(event.cents)
        return PaymentRow(
            self.faces.get(event.source), self.faces.get(event.target), shown, event, one.is_made, one.nth
        )

    @property
    def rounding(self) -> str:
        """A sentence about the smallest coin where a sum was rounded to it; empty where none was."""
        rules = self.night.house_rules
        exact = {seat: net * rules.money_cents for seat, net in self.nets.items()}
        if not self.cents or all(self.cents[seat] * rules.money_chips == sum_ for seat, sum_ in exact.items()):
            return ""
        return _("Every sum is rounded to the smallest coin, %(coin)s.", coin=self.amount(rules.money_coin))

    # What people will talk about

    @cached_property
    def story(self) -> Any:
        """What an extra tells of the night; None without one."""
        tell: Callable[[NightResult], Any] | None = get_story()
        return tell and tell(self)
