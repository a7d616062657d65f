"""What to do where the chips do not go round: with a box of 96 pieces, or with too few to start with."""

from tracker.extras.box.advice import bp
from tracker.web.base.extra import Extra

EXTRA = Extra(
    [bp],
    places={
        "lobby.below": "box/_lobby.html",
        "night_options.chips": "box/_settings.html",
        "night_options.styles": "box/_styles.html",
    },
)
