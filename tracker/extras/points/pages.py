"""The page of a score sheet: everybody's points of a round, on one pad or on their own phones."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial

from flask import Blueprint, abort

from tracker.app.open_night import OpenNight
from tracker.app.settings import HandDraft
from tracker.core.events import Event, Score
from tracker.core.game import game_of
from tracker.core.house_rules import MOST_CHIPS
from tracker.core.night import PAUSES, PLAYS, Night
from tracker.extras._score.moves import COUNTED, restore
from tracker.extras._score.pages import DealPages
from tracker.extras._score.view import STOCK, Counted, DealView, ScoreView
from tracker.extras.points.rules import Scores, asks_completed, is_odd_sum, pausing, rules
from tracker.extras.points.words import KINDS, PointWords
from tracker.web.access.answered_forms import Form
from tracker.web.access.consent import check_may_speak_for
from tracker.web.access.devices import Identity
from tracker.web.drawing.player_token import PlayerToken
from tracker.web.table.game_pages import add_game
from tracker.web.table.pages import viewer_of
from tracker.web.wording.texts import gettext as _


@dataclass(frozen=True)
class PointsView(DealView):
    """Everything on the page of a score sheet for one viewer: a deal in which everybody is asked."""

    least_in_hand, most_in_hand = -MOST_CHIPS, MOST_CHIPS

    may_any_seat_end = True

    @classmethod
    def taken_back(cls, event: Event, _night: Night) -> Counted | None:
        if not isinstance(event, Scores):
            return None
        said_of = {**dict.fromkeys(event.points, PLAYS), **dict.fromkeys(event.sits_out, PAUSES)}
        return Counted(None, STOCK, dict(event.points), said_of)

    @cached_property
    def dealer(self) -> PlayerToken | None:
        """Who deals the present round, where the page says so."""
        seat = game_of(self.night).dealer(self.night)
        return self.faces[seat] if seat and not self.is_over else None

    @cached_property
    def odd_sum(self) -> int | None:
        """What everybody's points of the round come to, where the house rule says another sum."""
        is_odd = self.settled is not None and is_odd_sum(self.night, self.hands)
        return sum(self.hands.values()) if is_odd else None

    @property
    def whole_sum(self) -> int | None:
        total = rules(self.night).points_sum
        return total if isinstance(total, int) and total > 0 and self.do_fewest_win else None

    @cached_property
    def hands(self) -> Mapping[str, int]:
        """The points that were said; the last person's are what is left of the sum, as long as nobody says others."""
        said = {seat: self.counts[seat] for seat in self.asked if seat in self.counts}
        waiting = (*said, *self.paused, *self.night.newcomers)
        total, left = rules(self.night).points_sum, [seat for seat in self.asked if seat not in waiting]
        if len(left) != 1 or not isinstance(total, int):
            return said
        rest = total - sum(said.values())
        return {**said, left[0]: rest} if total == 0 or 0 <= rest < total else said

    @cached_property
    def paused(self) -> tuple[str, ...]:
        return tuple(seat for seat in pausing(self.night, self.said_of) if seat not in self.counts)

    @property
    def may_pause(self) -> bool:
        """Whether two still play a round in which one more pauses."""
        return len(self.night.seats) > 2

    @property
    def closing(self) -> Event:
        return Scores({seat: Score(points) for seat, points in self.hands.items()}, self.paused)


class PointPages(DealPages[PointsView]):
    """The pages of a score sheet."""

    kind = PointsView
    own, person = "points/_own.html", "points/_person.html"

    def where(self, view: PointsView) -> str:
        if view.moment == "play" and view.dealer:
            if view.dealer.seat in view.paused:
                return _("%(name)s deals and pauses", name=view.dealer.name)
            return _("%(name)s deals", name=view.dealer.name)
        return super().where(view)

    def leaving(self, view: ScoreView, name: str, seat: str) -> str:
        preset = view.night.preset
        if not preset["money.cents"]:
            return super().leaving(view, name, seat)
        if preset["points.pay"] == "winner":
            return _(
                "%(name)s pays the winner for the rounds that both have played, nothing for having done better, and "
                "can’t win the night any more.",
                name=name,
            )
        return _(
            "%(name)s settles the rounds so far with those who played them, and can’t win the night any more.",
            name=name,
        )

    def leavers(self, view: ScoreView) -> str:
        if view.night.preset["points.entry"] == "winner":
            return _("Somebody pauses or leaves")
        return super().leavers(view)


def _pause(table: OpenNight, identity: Identity, said: str, form: Form) -> None:
    """Keep that somebody pauses in the round that is counted, or plays it after all."""
    seat = form.get("seat", "")
    check_may_speak_for(table, identity, seat)
    restore(table, identity)
    table.night.require_seated(seat)
    table.change_draft(partial(_paused, seat, PAUSES if said == PAUSES else PLAYS), form.get("claim", ""))


def _paused(seat: str, said: str, draft: HandDraft) -> HandDraft:
    counts = {one: points for one, points in draft.counts.items() if one != seat}
    return replace(draft, cover={**draft.cover, seat: said}, counts=counts)


def _took_all(table: OpenNight, identity: Identity, _said: str, form: Form) -> None:
    """Keep that one person took all the points of the round, which gives them to each other one."""
    view = PAGES.view(table, viewer_of(table, identity))
    players = [one for one in view.asked if one not in (*view.paused, *view.night.newcomers)]
    taker = form.get("seat", "")
    if view.whole_sum is None or taker not in players:
        abort(400)
    for seat in players:
        check_may_speak_for(table, identity, seat)
    restore(table, identity)
    for seat in players:
        table.set_draft_value(seat, 0 if seat == taker else view.whole_sum, form.get("claim", ""))


PAGES = PointPages()
bp = Blueprint("points", __name__)
bp.add_app_template_global(asks_completed)
add_game("points", PointWords(), KINDS, PAGES, {**COUNTED, "pause": _pause, "all": _took_all})
