"""What every page of a night says while something is wrong: it can't be recorded, or the file was damaged."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, g, request
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from tracker.web.here import readable, see_night, tables, the_table
from tracker.web.language import language

bp = Blueprint("trouble", __name__)
bp.record_once(lambda setup: setup.app.add_template_global(notice))


@dataclass(frozen=True)
class Notice:
    """A sentence for everybody; with `goes_on_at` also a button by which the host lets the night go on."""

    text: str
    goes_on_at: str = ""
    """The address that the button posts to; empty where there is none."""


def notice(code: str = "") -> Notice | None:
    """Return what is wrong with a night (of this request), or with the disk it is on; None when all is well."""
    code = code or str((request.view_args or {}).get("code", ""))
    table = readable(code) if code else None
    if table and (hurt := table.hurt):
        number, seen = hurt.events, hurt.seen
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
        return Notice(text, f"/n/{code}/go-on" if g.who.role == "host" else "")
    if reason := tables().disk.trouble:
        return Notice(f"{sentences()[reason]} {_('The table can only be read. All that was recorded is safe.')}")
    if g.who.role == "host" and tables().disk.is_nearly_full:
        return Notice(_("The disk is nearly full, and the last reserve is in use: make some room."))
    return None


def notice_for(code: str) -> Notice | None:
    """Return the same, looked up once for all readers of a kind whose pages are drawn now."""
    known: dict[tuple[str, str | None, str], Notice | None] = g.setdefault("notices", {})
    kind = code, g.who.role, language()
    if kind not in known:
        known[kind] = notice(code)
    return known[kind]


def sentences() -> dict[str, str]:
    """Return why nothing can be recorded, in the reader's language, by the store's reasons."""
    return {
        "full": _("The host's disk is full: make some room."),
        "read-only": _("The host's data folder can't be written."),
        "busy": _("Another program on the host's machine holds the data file."),
        "damaged": _("The data file is damaged: start the tracker again."),
        "disk": _("The host's disk reports errors."),
    }


@bp.post("/n/<code>/go-on")
def go_on(code: str) -> ResponseReturnValue:
    """Let a night that was damaged go on from the last entry that could be read."""
    the_table(code).go_on()
    return see_night(code)
