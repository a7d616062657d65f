"""8 Round Rummy: one winner a round, the round cards, and the game that is won at once."""

from tracker.web.base.extra import Extra

EXTRA = Extra(modules=("tracker.extras.rounds.pages",), places={"score.styles": "rounds/_styles.html"})
