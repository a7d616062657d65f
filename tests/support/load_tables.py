"""Many tables with their people and phones, in a data folder, before a server serves it."""

import json
import secrets
from dataclasses import asdict, dataclass, field
from pathlib import Path

from tracker.app.event_rows import from_row, new_id, now
from tracker.app.nights import Nights
from tracker.cli.data_folder import DATA_FILE
from tracker.core.events import Amount, Buy, Event, Hand, Name, NoSale, Penalty, SeatId, Sit
from tracker.core.log import Entry
from tracker.storage import DataPlace, Store
from tracker.streaming.hub import StreamHub
from tracker.web.access.devices import hash_token

NAMES = ("ann", "bob", "cara", "dan", "eve", "finn", "gus", "hal")
PENALTY = "penalty:wrong-lead"
CHIPS = 9000
TABLES_FILE = "tables.json"


@dataclass(frozen=True)
class LoadTable:
    """A table in play: its code, its seats, and the cookies of their phones and of those who only watch."""

    code: str
    seats: list[str]
    cookies: list[str]
    watchers: list[str] = field(default_factory=list)


def new_tables(
    folder: Path, tables: int, phones: int, watchers: int, *, place: DataPlace | None = None
) -> list[LoadTable]:
    """Create so many tables in a data folder, or in the database at `place`; the first one has the watchers.

    Writes them down in the folder, too.
    """
    store = Store(place or folder / DATA_FILE)
    try:
        nights = Nights(store, StreamHub())
        made = [_new_table(nights, phones, 0 if number else watchers) for number in range(tables)]
    finally:
        store.close()
    (folder / TABLES_FILE).write_text(json.dumps([asdict(one) for one in made]), encoding="utf-8")
    return made


def read_tables(folder: Path) -> list[LoadTable]:
    """Return the tables that were created in a data folder before."""
    return [LoadTable(**one) for one in json.loads((folder / TABLES_FILE).read_text(encoding="utf-8"))]


def _new_table(nights: Nights, phones: int, watchers: int) -> LoadTable:
    seats = [SeatId(name) for name in NAMES[: max(3, phones)]]
    events: list[Event] = [Sit(seat, Name(seat.capitalize())) for seat in seats]
    events += [Buy(seat, Amount(CHIPS)) for seat in seats]
    events += [Hand(seats[0]), NoSale()]
    entries = [Entry(number, event, new_id(), now(), "host") for number, event in enumerate(events, 1)]
    code = nights.open("michigan-rummy", name="Load", entries=entries).code

    def device(role: str, seat: str | None = None) -> str:
        token = secrets.token_urlsafe(32)
        nights.store.devices.add(hash_token(token), code=code, role=role, seat=seat, at=now(), name=seat or "")
        return f"board_{nights.store.instance}_{code}={token}"

    names = [str(seat) for seat in seats[:phones]]
    return LoadTable(
        code, names, [device("seat", seat) for seat in names], [device("watcher") for _ in range(watchers)]
    )


def recorded_penalties(place: Path | DataPlace, tables: list[LoadTable]) -> int:
    """Return how many of the taps stand in a data folder, or in another place."""
    store = Store(place / DATA_FILE if isinstance(place, Path) else place, read_only=True)
    try:
        return sum(isinstance(from_row(row).event, Penalty) for table in tables for row in store.events(table.code))
    finally:
        store.close()
