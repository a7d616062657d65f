"""A clock that counts down on all pages of a table: of a hand, or of a turn."""

from tracker.extras.clock.pages import begin, bp, carry_on, keep_clock
from tracker.web.base.extra import Extra

EXTRA = Extra(
    [bp],
    places={"settings.fields": "clock/_choice.html"},
    begin=begin,
    settings_form=keep_clock,
    next_night=carry_on,
)
