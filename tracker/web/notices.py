"""What every page of a night says beside the game: what is wrong with the disk or the file, what extras announce."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from flask import Blueprint, current_app, g, request
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from tracker.app.open_night import OpenNight
from tracker.web.access.admission import PhoneQuestions
from tracker.web.access.devices import Identity
from tracker.web.access.roles import HOST, may
from tracker.web.base.context import get_nights, get_table, readable_night, redirect_to_night
from tracker.web.wording.texts import gettext as _

bp = Blueprint("notices", __name__)
bp.record_once(lambda setup: setup.app.add_template_global(notices_here))


@dataclass(frozen=True)
class Notice:
    """A sentence for everybody; with `action` also a button."""

    text: str
    action: str = ""
    """The address that the button posts to; empty where there is none."""
    announcement: str = ""
    """The id of what is announced, which the button takes away; empty for trouble."""


NoticeOf = Callable[[OpenNight, Identity], Notice | None]
"""Returns what an extra announces to a viewer of a night, or None."""


@dataclass(frozen=True)
class Messages:
    """What one viewer is told beside the game."""

    asked: PhoneQuestions
    notices: Sequence[Notice]
    refusal: str = ""
    """Why the form was refused that this answers."""
    note: str = ""
    """What else is to be said about the form that this answers."""
    hint: str = ""
    """In a rehearsal: what to tap next (HTML)."""


def notices_here() -> Sequence[Notice]:
    """Return what whoever asks for a page is told beside the game."""
    code = str((request.view_args or {}).get("code", ""))
    return notices_for(readable_night(code) if code else None, g.identity)


def notices_for(table: OpenNight | None, identity: Identity) -> Sequence[Notice]:
    """Return what one viewer is told beside the game: what is wrong first; nothing on most days."""
    more: Iterable[NoticeOf] = current_app.extensions["notices"]
    found = [trouble_for(table, identity.role), *(one(table, identity) for one in more if table)]
    return [one for one in found if one]


def trouble_for(table: OpenNight | None, role: str | None) -> Notice | None:
    """Return what somebody in this role is told to be wrong with a night, or with the disk it is on."""
    if table and (truncation := table.settings.truncation):
        number, seen = table.head, truncation.seen
        text = (
            _(
                "The data file was damaged. %(n)s of %(of)s entries could be read, and each was checked.",
                n=number,
                of=seen,
            )
            if seen > number
            else _(
                "The data file was damaged. All %(n)s entries that are left were checked; later ones may be lost.",
                n=number,
            )
        )
        return Notice(text, f"/n/{table.code}/go-on" if role == "host" else "")
    disk = get_nights().disk
    if reason := disk.trouble:
        return Notice(f"{sentences()[reason]} {_('The table can only be read. All that was recorded is safe.')}")
    said = disk.warning() if role == "host" else ""
    return Notice(said) if said else None


def sentences() -> dict[str, str]:
    """Return why nothing can be recorded, in the reader's language, by the store's reasons."""
    return {
        "full": _("The host’s disk is full: make some room."),
        "read-only": _("The host’s data folder can’t be written."),
        "busy": _("Another program on the host’s machine holds the data file."),
        "replaced": _(
            "Another program has deleted or replaced the data file: stop the tracker, it says where the copy is."
        ),
        "damaged": _("The data file is damaged: start the tracker again."),
        "disk": _("The host’s disk reports errors."),
        **{reason: words() for reason, words in current_app.extensions["troubles"].items()},
    }


def clock_of(table: OpenNight) -> tuple[Markup] | None:
    """Return the attributes of the clock of a night's pages, the first that an extra has; None without one."""
    for one in current_app.extensions["clocks"]:
        if (attributes := one(table)) is not None:
            return (Markup(attributes),)  # noqa: S704  an extra's own
    return None


@bp.post("/n/<code>/go-on")
@may(HOST)
def go_on(code: str) -> ResponseReturnValue:
    """Let a night that was damaged go on from the last entry that could be read."""
    get_table(code).settings.truncation = None
    return redirect_to_night(code)
