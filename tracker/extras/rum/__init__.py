"""Michigan Rummy with the snake: what everybody still holds is counted and paid, with the table's faults."""

from tracker.web.base.extra import Extra

EXTRA = Extra(
    modules=("tracker.extras.rum.pages", "tracker.extras.rum.faults"),
    places={"ending.questions": "rum/_faults.html", "score.styles": "rum/_styles.html"},
)
