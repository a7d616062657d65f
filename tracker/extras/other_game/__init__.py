"""Another game in the lobby, with the same people, as long as no hand has begun."""

from tracker.extras.other_game.pages import bp
from tracker.web.base.extra import Extra

EXTRA = Extra([bp], places={"lobby.game": "other_game/_lobby.html"})
