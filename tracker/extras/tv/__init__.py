"""A TV, or any big screen: the code to join, the board with everybody's chips, and the end of the night."""

from tracker.extras.tv import scanned
from tracker.extras.tv.pages import begin, bp
from tracker.web.base.extra import Extra

EXTRA = Extra(
    [bp, scanned.bp],
    places={
        "again.comes_along": "tv/_again.html",
        "code.card": "tv/_code_card.html",
        "code.buttons": "tv/_code_button.html",
        "house.screen": "tv/_house.html",
        "join.watch": "tv/_join.html",
        "lobby.dock": "tv/_lobby_dock.html",
        "menu.people": "tv/_menu.html",
    },
    begin=begin,
)
