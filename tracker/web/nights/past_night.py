"""A night of the past as a value: who has won it, and what it is called."""

from dataclasses import dataclass
from datetime import date
from typing import Generic, TypeVar

from tracker.app.known_nights import KnownNight
from tracker.web.wording.dates import day_words
from tracker.web.wording.texts import gettext as _

N = TypeVar("N", bound=KnownNight)
DOT = "\N{NO-BREAK SPACE}· "


@dataclass(frozen=True)
class PastNight(Generic[N]):
    """A night in a list."""

    summary: N
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
