"""The page of the snake game: what everybody still holds, card by card, and what it costs."""

from dataclasses import dataclass
from functools import cache
from math import atan2, cos, degrees, sin

from tracker.app.open_night import OpenNight
from tracker.core.events import Chips, Event, Penalty
from tracker.core.log import Entry
from tracker.core.night import Night
from tracker.extras._score.moves import COUNTED, restore
from tracker.extras._score.pages import DealPages, save_deal_ending
from tracker.extras._score.view import ONE_TURN, STOCK, Counted, DealView, ScoreView
from tracker.extras.rum.rules import CardPoints, Rummy, StockOut, card_points, hand_points, may_pay_double, owed_for
from tracker.extras.rum.words import KINDS, RumWords
from tracker.web.access.answered_forms import Form
from tracker.web.access.consent import check_may_speak_for
from tracker.web.access.devices import Identity
from tracker.web.table.game_pages import add_game
from tracker.web.wording.texts import gettext as _, ngettext, plain

SNAKE = ("7C", "KH", "3S", "10D", "QC", "5H", "JS", "2D", "9C", "AH", "8S")


@cache
def snake() -> str:
    """Return the discards of the snake game as they lie on the table, 200 wide and 124 high."""
    drawn = []
    for at, card in enumerate(SNAKE):
        x, y = 26 + at * 14.8, 62 + 17 * sin(at * 0.63 + 0.4)
        turn = degrees(atan2(17 * 0.63 * cos(at * 0.63 + 0.4), 14.8))
        red = " red" if card[-1] in "HD" else ""
        drawn.append(
            f'<g class="snake{red}" transform="translate({x:.1f} {y:.1f}) rotate({turn:.0f})">'
            f'<rect x="-12" y="-17" width="24" height="34" rx="3"/><text x="-7.5" y="-8">{card[:-1]}</text>'
            f'<use href="#suit-{card[-1]}" x="-10.4" y="-6" width="6" height="6"/>'
            f'<use href="#suit-{card[-1]}" x="-2.5" y="-1" width="12" height="12"/></g>'
        )
    return "".join(drawn)


@dataclass(frozen=True)
class RumView(DealView):
    """Everything on the page of the snake game for one viewer."""

    @classmethod
    def taken_back(cls, event: Event, night: Night) -> Counted | None:
        if not isinstance(event, Rummy | StockOut):
            return None
        winner = event.seat if isinstance(event, Rummy) else None
        how = STOCK if isinstance(event, StockOut) else ONE_TURN if event.one_turn else ""
        return Counted(winner, how, {seat: hand_points(night, hand) for seat, hand in event.hands.items()})

    first_picture = snake()

    @property
    def card_keys(self) -> tuple[CardPoints, ...]:
        """What each card counts that can still be in a hand."""
        return card_points(self.night)

    @property
    def one_turn(self) -> bool:
        return self.how == ONE_TURN

    @property
    def closing(self) -> Event:
        """The event that pays this deal, with the hands that are known."""
        hands = {seat: Chips(points) for seat, points in self.hands.items()}
        if self.is_stock_out:
            return StockOut(hands)
        return Rummy(str(self.winner), hands, one_turn=self.one_turn)

    @property
    def so_far(self) -> int:
        """What the hands that are known cost together, in points."""
        return owed_for(self.night, sum(self.hands.values()), one_turn=self.one_turn)

    @property
    def asks_one_turn(self) -> bool:
        """Whether it matters that the winner went out in one turn, and the viewer may say so."""
        may_say = self.records_for_all or self.my_seat == self.winner
        return may_pay_double(self.night) and not self.is_stock_out and may_say

    def unpaid_faults(self, seat: str) -> list[Entry]:
        """Return the entries of the faults of one person that this deal has not paid yet."""
        found = []
        for entry in reversed(self.snapshot.entries):
            if entry.number in self.snapshot.undone:
                continue
            if entry.event.ends_deal:
                break
            if isinstance(entry.event, Penalty) and entry.event.seat == seat:
                found.append(entry)
        return found[::-1]


class RumPages(DealPages[RumView]):
    """The pages of the snake game."""

    kind = RumView
    own, person = "rum/_own.html", "rum/_person.html"

    def deal_name(self, view: RumView) -> str:
        return _("Deal %(n)s", n=view.deal_number)

    def counting(self, view: RumView) -> str:
        if view.is_stock_out:
            return _("The stock is used up")
        return _("%(name)s: Rummy!", name=view.night.name(str(view.winner)))

    def where(self, view: RumView) -> str:
        rules, n = view.night.house_rules, view.deal_number
        if view.moment == "ended":
            return ngettext("%(num)s deal", "%(num)s deals", len(view.deals))
        if view.moment == "count":
            return _("Points left in each hand")
        if rules.game == "deals":
            return _("Deal %(n)s of %(most)s", n=n, most=rules.game_deals)
        if rules.game == "target":
            return ngettext("Deal %(n)s, to %(num)s point", "Deal %(n)s, to %(num)s points", rules.game_target, n=n)
        return self.deal_name(view) if view.viewer.role == "seat" else _(view.night.preset.name)

    def paying(self, view: RumView) -> str:
        """Return what the button that pays the deal says."""
        assert view.settled is not None
        won = view.settled.winners
        if len(won) == 1:
            paid = plain(view.settled.change[won[0]])
            return _("Pay %(name)s %(n)s", name=view.night.name(won[0]), n=paid)
        return _("All equal: next deal") if len(won) == len(view.night.seats) else _("Pay the winners")

    def fault(self, offence: str) -> str:
        return _("wrong Rummy") if offence == "false-rummy" else _("unused card")

    def leaving(self, _view: ScoreView, name: str, _seat: str) -> str:
        return _(
            "%(name)s pays or gets what the deals so far have brought, and can’t win the night any more.", name=name
        )

    def leaving_now(self, view: ScoreView, seat: str) -> str:
        return _("The points of the fault are paid with this deal.") if view.faults(seat) else ""

    def menu_note(self) -> str:
        return _("A fault, or leaving the table: tap the person.")

    def leavers(self, _view: ScoreView) -> str:
        return ""


def _one_turn(table: OpenNight, identity: Identity, choice: str, __: Form) -> None:
    check_may_speak_for(table, identity, table.draft.winner or "")
    restore(table, identity)
    save_deal_ending(table, ONE_TURN if choice == "on" else "")


add_game("rum", RumWords(), KINDS, RumPages(), {**COUNTED, "one-turn": _one_turn})
