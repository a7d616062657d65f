"""The page that asks what of another program's file comes in: who is who is chosen, all come in at once, and all are
taken back at once."""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from tracker.app.event_rows import new_id
from tracker.app.nights import Nights
from tracker.app.settings import DELETED, NightSettings, Setting
from tracker.core.errors import TableError
from tracker.extras._night_files.importing import FORM_LIMIT, import_together
from tracker.extras._night_files.json_text import UnreadableError, json_value
from tracker.extras._night_summaries.night_summary import NightSummary
from tracker.extras._night_summaries.pages import get_summaries
from tracker.extras._night_summaries.summaries import Summaries
from tracker.extras._people import People, get_people, show_again
from tracker.extras.imports.other_apps import nights_in
from tracker.extras.imports.other_night import COSTS, OtherFile, OtherNight
from tracker.formats.records import made, plain
from tracker.formats.text import UNREADABLE
from tracker.web.access.answered_forms import id_from_key
from tracker.web.access.roles import HOST, may
from tracker.web.base.context import get_nights, redirect_to
from tracker.web.wording.dates import day_words
from tracker.web.wording.texts import amount, gettext as _, reason, refusal


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
        codes = import_together(self._nights, files, names)
        for one in self._summaries.of(replaced):
            settings = self._settings(one.code)
            if settings.came_from.startswith(COSTS):
                settings.replaced_with, settings.put_away = batch, DELETED
        return codes

    def undo(self, batch: str, people: People) -> list[str]:
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


bp = Blueprint("imports", __name__, url_prefix="/import/elsewhere")

MOST_LISTED = 300
"""Plays that stay out, each on a line."""


@dataclass(frozen=True)
class FileOfProgram:
    """What a file of another program holds, of which nothing has come in yet."""

    file: OtherFile

    def page(self) -> ResponseReturnValue:
        """Return the page that asks what of it comes in."""
        return ask_who(self.file)

    def add(self, nights: Nights) -> Iterator[str]:
        """Add what is new of it, and yield a sentence for each night."""
        return add_new(nights, self.file)


def read(raw: bytes) -> FileOfProgram | None:
    """Return what another program's file holds; None for a night file. Raises UnreadableError."""
    file = nights_in(raw)
    return FileOfProgram(file) if file else None


def names_in(nights: Sequence[OtherNight]) -> list[str]:
    """Return everybody's name, once."""
    return list(dict.fromkeys(name for night in nights for name in night.points))


def brought_in() -> BroughtIn:
    return BroughtIn(get_nights(), get_summaries())


def ask_who(file: OtherFile) -> str:
    """Return the page that says what of a file comes in, and asks who of its people is who; nobody is chosen before."""
    new = brought_in().new_ones(file.nights)
    replaced = [one for one in map(brought_in().replaced_by, new) if one]
    return _page(
        file=file,
        nights=new,
        known=len(file.nights) - len(new),
        replaced=[(one.code, day_words(one.evening) if one.evening else one.name) for one in replaced],
        names=names_in(new),
        people=[person for person in get_people().all() if not person.is_hidden],
        packed=json.dumps([*map(plain, new)], ensure_ascii=False),
    )


def _page(**facts: object) -> str:
    shown = {"file": None, "nights": (), "known": 0, "replaced": (), "names": (), "people": (), "packed": ""}
    own = {"wrong": "", "done": "", "reason": reason, "day_of": day_shown, "listed": MOST_LISTED, "amount": amount}
    return render_template("imports/elsewhere.html", **{**shown, **own, **facts})


def day_shown(day: str) -> str:
    """Return a day of a file in the reader's words; empty for none."""
    return day_words(date.fromisoformat(day)) if day else ""


@bp.post("")
@may(HOST, most_bytes=FORM_LIMIT)
def take() -> ResponseReturnValue:
    """Add all nights of the form that are not here yet, or none, and link the people that were chosen."""
    form, batch = request.form, id_from_key(request.form)
    try:
        nights: Sequence[OtherNight] = made(tuple[OtherNight, ...], json_value(form.get("nights", "")))
        chosen = {name: get_people().get(form.get(f"who-{place}", "")) for place, name in enumerate(names_in(nights))}
        nights = brought_in().new_ones(in_wholes(nights) if form.get("unit") == "whole" else nights)
        codes = brought_in().bring(nights, _("Shared costs"), batch, form.getlist("replaced"))
    except (UnreadableError, TableError) as error:
        return _page(wrong=refusal(error)), 422
    except UNREADABLE:
        return _page(wrong=_("The nights came damaged: choose the file again.")), 422
    for code, night in zip(codes, nights, strict=True):
        for number, name in enumerate(night.points, 1):
            if person := chosen[name]:
                get_people().link(code, f"p{number}", person.id)
    return _page(nights=nights, done=batch)


@bp.post("/undo")
@may(HOST)
def undo() -> ResponseReturnValue:
    """Take back all nights that came in together: they are deleted as a night is, and nobody is linked to them."""
    show_again(brought_in().undo(request.form.get("batch", ""), get_people()))
    return redirect_to("home.index")
