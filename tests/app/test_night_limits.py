"""A night is recorded up to its limits, and what is left of them at the end is the host's."""

import pytest

from tracker.app.nights import Nights
from tracker.app.open_night import MOST_CORRECTIONS, OpenNight
from tracker.app.seating import sit_down
from tracker.core.errors import NotAllowed
from tracker.core.events import Amend, Amount, Buy, SeatId
from tracker.formats import night_file
from tracker.formats.night_file import MOST, NightLimits

LIMITS = {"events": (30, 24, 30), "work": (200, 32, 38), "bytes": (2500, 17, 22)}
"""Of each limit how much there may be, and how many events there are once players and then the host have filled it."""


def seated(tables: Nights) -> OpenNight:
    table = tables.open("michigan-rummy", name="Friday")
    for name in ("ann", "bob", "cleo"):
        sit_down(table, name.title(), key=f"sit-{name}", by=name)
    return table


def fill(table: OpenNight, by: str) -> None:
    """Record purchases, each of them corrected, until something is refused."""
    while True:
        is_bought = isinstance(table.entries[-1].event, Buy)
        event = Amend(table.head, {"chips": 6}) if is_bought else Buy(SeatId("ann"), Amount(5))
        table.record(event, id=f"{by}-{table.head}", by=by)


@pytest.mark.parametrize("what", LIMITS)
def test_a_night_that_players_have_filled_leaves_room_for_the_host_and_then_is_full(
    tables: Nights, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    most = MOST._replace(**{what: LIMITS[what][0]})
    monkeypatch.setattr(night_file, "MOST", most)
    monkeypatch.setattr(night_file, "MOST_OF_PLAYERS", NightLimits(*(one * 0.8 for one in most)))
    table = seated(tables)
    with pytest.raises(NotAllowed, match="let the host record it"):
        fill(table, "ann")
    by_players = table.head
    with pytest.raises(NotAllowed, match="this night is full"):
        fill(table, "host")
    assert (by_players, table.head) == LIMITS[what][1:]


def test_a_name_is_corrected_so_many_times_by_a_player_and_then_by_the_host(tables: Nights) -> None:
    table = seated(tables)
    for number in range(MOST_CORRECTIONS):
        table.record(Amend(2, {"name": f"Bob {number}"}), id=f"bob-{number}", by="bob")
    with pytest.raises(NotAllowed, match="let the host"):
        table.record(Amend(f"bob-{MOST_CORRECTIONS - 1}", {"name": "Robert"}), id="again", by="bob")
    table.record(Amend(1, {"name": "Anna"}), id="ann", by="ann")
    table.record(Amend(2, {"name": "Robert"}), id="by-host", by="host")
    assert table.night.people["bob"].name == "Robert"
