"""Groups: people who play together under a name. A group is the nights that bear it; each bears one at most."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from flask import Blueprint, abort, request
from flask.typing import ResponseReturnValue

from tracker.app.event_rows import new_id
from tracker.app.open_night import OpenNight
from tracker.app.person_names import BadName, clean_name, comparison_key
from tracker.app.settings import NightSettings
from tracker.extras._night_lists import groups_of_nights, nights_line
from tracker.extras._night_summaries.night_summary import NightSummary
from tracker.extras._night_summaries.pages import get_summaries
from tracker.formats.text import name_order
from tracker.storage import Store
from tracker.storage.database import EVERYTHING
from tracker.storage.rows import set_setting
from tracker.web.access.permissions import is_house
from tracker.web.access.roles import HOST, may
from tracker.web.base.context import form_page, get_nights, is_running, readable_night, redirect_to
from tracker.web.night_result import kept_for_next
from tracker.web.wording.texts import gettext as _, listed, refusal

bp = Blueprint("groups", __name__)


@dataclass(frozen=True)
class Group:
    """A group with its nights, the one that was played last first; there is one at least."""

    name: str
    nights: Sequence[NightSummary]

    @property
    def people(self) -> str:
        """Who sat at the newest night."""
        return listed(seat.name for seat in self.nights[0].seats)

    @property
    def line(self) -> str:
        return nights_line([one.day for one in self.nights])

    @property
    def goes_on(self) -> bool:
        return is_running(self.nights[0])

    @property
    def year(self) -> int:
        """The year of its newest night; 0 where nobody knows it."""
        evening = self.nights[0].evening
        return evening.year if evening else 0


def groups_of(nights: Iterable[NightSummary]) -> list[Group]:
    """Return the groups of these nights, which are the newest first, the one that played last first."""
    names, found = groups_of_nights(), defaultdict[str, list[NightSummary]](list)
    for one in nights:
        if one.code in names:
            found[names[one.code]].append(one)
    return [Group(name, played) for name, played in found.items()]


def group_typed(typed: str, chosen: str) -> str:
    """Return the group that a form names: what was typed, as the group that reads like it is written, or was chosen.

    Raises BadName.
    """
    known = {comparison_key(name): name for name in groups_of_nights().values()}
    name = clean_name(typed) if typed.strip() else chosen
    return known.get(comparison_key(name), name if typed.strip() else "")


@bp.app_template_global()
def groups_to_play_again(nights: Iterable[NightSummary]) -> list[Group]:
    """Return the groups of these nights for the first page, where there are several."""
    found = groups_of(nights)
    return found if len(found) > 1 else []


@bp.app_template_global()
def group_choice(night: str) -> tuple[str, list[str]]:
    """Return the group of a night, and the names of all groups in their order."""
    groups = groups_of_nights()
    return groups.get(night, ""), sorted({*groups.values()}, key=name_order)


def keep_group(form: Mapping[str, str], night: str) -> None:
    """Keep the group that the form of a night's options names. Raises BadName."""
    if is_house() and "group" in form:
        NightSettings(get_nights().store, night).group = group_typed(form.get("new-group", ""), form["group"])


def carry_on(old: OpenNight, new: OpenNight) -> None:
    """Have a night be of the group of the one that the same people played before it."""
    new.settings.group = old.settings.group


@bp.get("/group")
@may(HOST)
def page(name: str = "", wrong: str = "", typed: str = "") -> ResponseReturnValue:
    """Show a group: a new night of its people, its figures and open payments, its name."""
    name = name or request.args.get("name", "")
    group = next((one for one in groups_of(get_summaries().all()) if one.name == name), None) or abort(404)
    newest = readable_night(group.nights[0].code)
    return form_page(
        "groups/group.html",
        wrong,
        group=group,
        code=group.nights[0].code,
        key=new_id(),
        typed=typed or name,
        **(kept_for_next(newest.night) if newest else {}),
    )


@bp.post("/group/name")
@may(HOST)
def rename() -> ResponseReturnValue:
    """Call a group otherwise."""
    old, typed = request.form.get("group", ""), request.form.get("name", "")
    others = {comparison_key(name) for name in groups_of_nights().values() if name != old}
    try:
        name = clean_name(typed)
    except BadName as bad:
        return page(old, refusal(bad), bad.name)
    if comparison_key(name) in others:
        return page(old, _("There is a group of that name."), name)
    rename_in_nights(get_nights().store, old, name)
    return redirect_to("groups.page", name=name)


@bp.post("/group/remove")
@may(HOST)
def remove() -> ResponseReturnValue:
    """Remove a group; its nights stay."""
    rename_in_nights(get_nights().store, request.form.get("group", ""), None)
    return redirect_to("home.index")


def rename_in_nights(store: Store, old: str, name: str | None) -> None:
    """Put the nights of a group into another one, or with None into none, in one transaction."""
    key = NightSettings.group.key
    with store.connection.write(EVERYTHING) as db:
        for row in [*db.table("setting").rows_where("code <> '' AND key = ? AND value = ?", [key, old])]:
            set_setting(db, row["code"], key, name)
