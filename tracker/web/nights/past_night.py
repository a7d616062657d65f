"""A night of the past as a value: who has won it, what it is called, and a small picture."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from markupsafe import Markup

from tracker.archive.night_summary import NightSummary
from tracker.web.drawing.net_chart import net_chart
from tracker.web.wording.dates import day_words
from tracker.web.wording.texts import gettext as _

DOT = "\N{NO-BREAK SPACE}· "


@dataclass(frozen=True)
class PastNight:
    """A night in a list."""

    summary: NightSummary
    note: str = ""

    @property
    def day(self) -> date | None:
        return self.summary.evening

    @property
    def headline(self) -> str:
        """Who won, as the row's first line."""
        names = self.summary.winner_names
        if not self.summary.is_over:
            return _("Not ended")
        if not names:
            return _("The night is over")
        return _("%(name)s won", name=names[0]) if len(names) == 1 else _("A tie")

    @property
    def line(self) -> str:
        """What the night is called, what was played and when, as the row's second line."""
        facts = [self.summary.name]
        if _(self.summary.game_name) != self.summary.name:
            facts.append(_(self.summary.game_name))
        return DOT.join([*facts, day_words(self.day)] if self.day else facts)

    @property
    def picture(self) -> Markup:
        """The small chart of everybody's net."""
        series: Sequence[Sequence[int]] = self.summary.series
        if self.summary.game == "pots" and self.summary.is_over:  # the board was shared out after the last hand
            series = [(*one, seat.net) for one, seat in zip(series, self.summary.seats, strict=True)]
        return net_chart(series, {self.summary.place_of[seat] for seat in self.summary.winners})
