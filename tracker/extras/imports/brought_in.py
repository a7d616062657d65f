"""Nights of other apps: which of a file are here already, those that come in together, and all of them taken back."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from tracker.app.event_rows import new_id
from tracker.app.known_people import KnownPeople
from tracker.app.nights import Nights
from tracker.app.settings import DELETED, NightSettings, Setting
from tracker.archive.night_summary import NightSummary
from tracker.archive.summaries import Summaries
from tracker.extras.imports.other_night import COSTS, OtherFile, OtherNight


class ImportSettings(NightSettings):
    """What is kept of a night that came in from another app."""

    brought_with = Setting("brought-with", "", str)
    """What the nights have in common that came in together."""
    came_from = Setting("came-from", "", str)
    """What tells a night from all others of its app: it comes in once."""
    replaced_with = Setting("replaced-with", "", str)
    """With which nights the one came in that has replaced this one: taken back with them, this one is here again."""


class BroughtIn:
    """What has come in from other apps to the nights that somebody sees; deleted ones don't count."""

    def __init__(self, nights: Nights, summaries: Summaries) -> None:
        self._nights, self._summaries = nights, summaries

    def new_ones(self, found: Iterable[OtherNight]) -> list[OtherNight]:
        """Return the nights of a file that are not here: shared costs are always new, as more has been spent since."""
        here = {one.code: self._settings(one.code).came_from for one in self._summaries.all()}
        marks = Counter(here.values())
        new = []
        for night in found:
            is_costs = night.mark.startswith(COSTS)
            if night.code in here or (not is_costs and marks[night.mark] > 0):
                marks[night.mark] -= 1
            else:
                new.append(night)
        return new

    def replaced_by(self, night: OtherNight) -> NightSummary | None:
        """Return the newest night of the same people's costs that came in before; None for none, and for a play."""
        if not night.mark.startswith(COSTS):
            return None
        names = {name.casefold() for name in night.points}
        for one in self._summaries.all():
            before = {seat.name.casefold() for seat in one.seats}
            is_same_group = len(names & before) > 1 and (names <= before or before <= names)
            if is_same_group and self._settings(one.code).came_from == night.mark:
                return one
        return None

    def bring(self, new: Sequence[OtherNight], names: str, batch: str, replaced: Collection[str] = ()) -> list[str]:
        """Add all these nights, or none, and return their codes; the `replaced` ones are deleted.

        One without a name is called `names`, with its currency. Raises UnreadableError, TableError and NotSaved.
        """
        named = [replace(one, name=one.name or f"{names} ({one.currency})") if one.currency else one for one in new]
        keys = ImportSettings.brought_with.key, ImportSettings.came_from.key
        files = [(one.file(), dict(zip(keys, (batch, one.mark), strict=True))) for one in named]
        codes = self._nights.import_together(files, names)
        for one in self._summaries.of(replaced):
            settings = self._settings(one.code)
            if settings.came_from.startswith(COSTS):
                settings.replaced_with, settings.put_away = batch, DELETED
        return codes

    def undo(self, batch: str, people: KnownPeople) -> list[str]:
        """Delete all nights that came in together, bring back what they replaced, and return the deleted codes."""
        taken = []
        for row in self._nights.nights() if batch else ():
            settings = self._settings(row.code)
            if settings.brought_with == batch:
                settings.put_away = DELETED
                for seat in self._nights.get(row.code).night.all_seats:
                    people.unlink(row.code, seat)
                taken.append(row.code)
            elif settings.replaced_with == batch:
                settings.replaced_with, settings.put_away = "", ""
        return taken

    def _settings(self, code: str) -> ImportSettings:
        return ImportSettings(self._nights.store, code)


def in_wholes(nights: Sequence[OtherNight]) -> list[OtherNight]:
    """Return nights of money whose sums were read as cents, and are wholes."""
    return [
        replace(one, points={name: cents * 10**one.decimals for name, cents in one.points.items()}) for one in nights
    ]


def add_new(nights: Nights, file: OtherFile) -> Iterator[str]:
    """Bring in what is new of a file, and yield what came in, what is here and what stays out."""
    brought = BroughtIn(nights, Summaries(nights))
    new = brought.new_ones(file.nights)
    replaced = [one.code for one in map(brought.replaced_by, new) if one]
    codes = brought.bring(new, "Shared costs", new_id(), replaced)
    for code in codes:
        row = nights.store.night(code)
        yield f"{code}  {row.name if row else ''}, from {file.app}"
    for code in replaced:
        yield f"{code}  replaced: it is with the deleted nights"
    if known := len(file.nights) - len(new):
        yield f"{known} already here"
    yield from map(str, file.remarks)
    if file.has_unit:
        yield "Whole numbers were taken as cents: 100 is 1.00."
    for one in file.left_out:
        yield f"stays out: {one.day} {one.game}: {one.why}"
