"""The clock of a night: chosen in its settings, and shown on its pages."""

from collections.abc import Mapping
from typing import NamedTuple

from flask import Blueprint, Flask
from markupsafe import Markup

from tracker.app.open_night import OpenNight
from tracker.app.settings import NightSettings, record
from tracker.core.night import ENDED, LOBBY, SHOWDOWN
from tracker.extras._durations import duration_words
from tracker.web.base.context import get_table
from tracker.web.wording.texts import gettext as _

bp = Blueprint("clock", __name__)


class TableClock(NamedTuple):
    """A clock of a `hand`, or of a `turn`, which begins with every entry."""

    kind: str
    seconds: int

    def text(self) -> str:
        """Return what a form calls it."""
        return f"{self.kind} {self.seconds}"

    def words(self) -> str:
        """Return what it is called in the list."""
        time = duration_words(self.seconds)
        return _("%(time)s for a hand", time=time) if self.kind == "hand" else _("%(time)s for a turn", time=time)


CLOCKS = (
    *(TableClock("hand", 60 * minutes) for minutes in (5, 10, 15, 20)),
    *(TableClock("turn", seconds) for seconds in (30, 60, 120)),
)
"""What a table may choose from."""


class ClockSettings(NightSettings):
    """The settings of a night, with its clock."""

    clock = record("clock", TableClock, None)
    """The clock that the table wants, or None."""


def settings_of(table: OpenNight) -> ClockSettings:
    return table.settings.declared_by(ClockSettings)


def begin(app: Flask) -> None:
    app.extensions["clocks"].append(clock_of)


def clock_of(table: OpenNight) -> str | None:
    """Return the attributes of the clock that a table wants, with its end while a hand is played; None without one."""
    if (clock := ClockSettings(table.settings.store, table.code).clock) is None:
        return None
    entries, _undone, _steps, night, draft = table.snapshot()
    number = draft.state.began if clock.kind == "hand" else len(entries)
    start = table.moment(number) if night.phase not in (LOBBY, SHOWDOWN, ENDED) else None
    if start is None:
        return ""
    return Markup('data-ends="{}" data-over="{}"').format(int(start) + clock.seconds, _("Time!"))


@bp.app_template_global()
def clock_choices(table: OpenNight) -> list[tuple[TableClock, bool]]:
    """Return the clocks that a table may choose from, and whether it has chosen each."""
    chosen = settings_of(table).clock
    return [(one, one == chosen) for one in CLOCKS]


def keep_clock(form: Mapping[str, str], code: str) -> None:
    """Keep the clock that the settings of a night say; none for one that is not in the list."""
    if "clock" in form:
        settings_of(get_table(code)).clock = next((one for one in CLOCKS if one.text() == form["clock"]), None)


def carry_on(old: OpenNight, new: OpenNight) -> None:
    """Give a night the clock of the one before it."""
    settings_of(new).clock = settings_of(old).clock
