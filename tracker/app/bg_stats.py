"""A night as a link that BG Stats, an app that logs plays of games, opens as a play to keep."""

import json
from datetime import UTC
from urllib.parse import quote

from tracker.app.open_night import OpenNight
from tracker.core.payment_list import totals
from tracker.core.queries.summary import leaders
from tracker.formats.evening import moment_of

ADDRESS = "https://app.bgstatsapp.com/createPlay.html?data="
LONGEST_LINK = 8000
"""Signs; longer ones don't arrive there."""


def play_link(table: OpenNight) -> str:
    """Return the link of a night that is over; empty for one with too many long names."""
    night, moment = table.night, moment_of(table.began_at)
    points, winners = totals(night), leaders(night)
    is_low = night.preset.game == "points" and night.house_rules.points_wins == "low"
    play = {
        "sourceName": "Board Tracker",
        "sourcePlayId": table.code,
        "playDate": f"{moment.astimezone(UTC):%Y-%m-%d %H:%M:%S}" if moment else "",
        "game": {"name": night.preset.name, "sourceGameId": night.preset.id, "highestWins": not is_low},
        "players": [
            {
                "name": night.people[seat].name,
                "sourcePlayerId": seat,
                "score": str(points[seat]),
                "winner": seat in winners,
                "startPlayer": False,  # it is never recorded who plays the first card; the field must be there
            }
            for seat in night.all_seats
        ],
    }
    link = ADDRESS + quote(json.dumps(play, ensure_ascii=False, separators=(",", ":")))
    return link if len(link) < LONGEST_LINK else ""
