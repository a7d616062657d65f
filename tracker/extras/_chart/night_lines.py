"""One night hand by hand: everybody's net after each hand, as lines to draw and as the rows of a table."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from markupsafe import Markup

from tracker.core import payment_list
from tracker.extras._chart import rounds_before
from tracker.extras._chart.line_chart import ChartLine, line_chart
from tracker.extras._story import story_of_night
from tracker.web.settlement.report_view import SettlementReport
from tracker.web.wording.texts import gettext as _, signed


@dataclass(frozen=True)
class NightLines:
    """A night's hands, as the reports of it list them. In score games the sums are points."""

    report: SettlementReport

    @cached_property
    def picture(self) -> Markup:
        """The chart, described in words for those who can't see it; nothing before the first hand is finished."""
        ends = ", ".join(f"{one.face.name} {signed(one.values[-1])}" for one in self.series)
        title = _("What everybody had won or lost after each hand")
        return line_chart(self.series, self.moments, title=title, desc=_("At the end: %(ends)s", ends=ends))

    @cached_property
    def moments(self) -> list[str]:
        names = [_("start"), *map(str, self.report.hands)]
        return [*names, _("end")] if self._has_end else names

    @property
    def times(self) -> list[str]:
        """How long each hand took, in words, in the order of `moments`."""
        known = dict(enumerate(story_of_night(self.report).hand_times, 1))
        return ["", *(known.get(hand, "") for hand in self.report.hands), ""]

    @property
    def _has_end(self) -> bool:
        return self.report.is_pots and self.report.night.is_over and bool(self.report.hands)

    @cached_property
    def series(self) -> list[ChartLine]:
        """Everybody's net after each hand: bought chips are no gain, so lines of late buyers don't jump.

        A line begins with the first hand or round that its person has played, in a score game at the points before it.
        """
        states = [self.report.history.before_end(hand) for hand in self.report.hands]
        states += [self.report.night] if self._has_end else []
        points = [payment_list.totals(state) for state in states]
        values = {seat: (0, *(one.get(seat, 0) for one in points)) for seat in self.report.night.all_seats}
        return [
            ChartLine(self.report.faces[seat], of_seat, self._first(seat, of_seat), self._away(seat))
            for seat, of_seat in values.items()
        ]

    def _away(self, seat: str) -> frozenset[int]:
        """Return the moments of the hands and rounds that `seat` did not play because it had left the table."""
        states = [self.report.history.before_end(hand) for hand in self.report.hands]
        played = self._dealt_in if self.report.is_pots else [one.there for one in self.report.night.deals]
        return frozenset(
            at
            for at, (state, there) in enumerate(zip(states, played, strict=False), start=1)
            if seat in state.people and not state.people[seat].is_here and seat not in there
        )

    def _first(self, seat: str, values: Sequence[int]) -> int:
        """Return how many hands or rounds there were before the first that `seat` played, or that changed its net."""
        if not self.report.is_pots:
            return rounds_before(self.report.night, seat)
        played = (seat in there or values[at] for at, there in enumerate(self._dealt_in, start=1))
        return next((at for at, has_begun in enumerate(played) if has_begun), len(self.report.hands))

    @cached_property
    def _dealt_in(self) -> list[tuple[str, ...]]:
        """Pot games: who played each hand."""
        deals = [self.report.history.deal_of(hand) for hand in self.report.hands]
        return [deal.seats if deal else () for deal in deals]
