"""What phones keep of a night: every line of its log with a seal, so that any phone that was there can hand it over."""

from flask import Blueprint, Response, current_app, jsonify, request

from tracker.app.night_transfer import SealedLine, head_of, last_seal, sealed
from tracker.app.open_night import OpenNight
from tracker.formats.codec import preset_to
from tracker.formats.night_file import night_to
from tracker.formats.text import file_name
from tracker.web.context import get_table, site_link
from tracker.web.wording.dates import day_of
from tracker.web.wording.texts import gettext as _, whole_number

bp = Blueprint("phone_backup", __name__)


@bp.get("/n/<code>/copy")
def copy(code: str) -> Response:
    """Give the lines after those that a phone has (`after`), and the seal of the last that it has."""
    table = get_table(code)
    lines = lines_of(table)
    after = whole_number(request.args.get("after", "")) or 0
    return jsonify(
        name=table.name,
        file=f"{file_name(f'{table.name} {day_of(table.began_at)}')}.json",
        frame=night_to(preset_to(table.preset), table.options, [], table.name),
        night=head_of(table),
        site=site_link(""),
        known=last_seal(table.row, lines[:after]) if after <= len(lines) else "",
        lines=[line.text for line in lines[after:]],
        seal=last_seal(table.row, lines),
        words=words(),
    )


def lines_of(table: OpenNight) -> list[SealedLine]:
    """Return every entry with its seal; worked out once, and again only from where the log is another."""
    known: dict[str, list[SealedLine]] = current_app.extensions.setdefault("backup_lines", {})
    known[table.code] = lines = sealed(table, known.get(table.code, ()))
    return list(lines)


def words() -> dict[str, str]:
    """Return what the phone says about its copy, in its language: it has to say it when there is no server to ask."""
    return {
        "gone": _("The table is out of reach. This phone has kept the night."),
        "on": _("The table’s computer is gone? One phone goes on, the others say what happens."),
        "here": _("Go on"),
        "other": _("The log of this night is not the one this phone saw."),
        "lost": _("This phone has kept a night that is not here any more."),
        "save": _("Save this night as a file"),
        "keep": _("Save"),
        "go": _("Go on without it"),
        "later": _("Put this away"),
    }
