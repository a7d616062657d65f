"""A night as one code, which another phone scans: the whole log, as a link where there is a site that takes it."""

import re
from dataclasses import dataclass

import click
from flask import Blueprint, current_app

from tracker.app.open_night import OpenNight
from tracker.extras._night_files.codes import code_text
from tracker.web.base.snapshot import snapshot_of
from tracker.web.drawing.qr_code import QrCode, qr_code

bp = Blueprint("night_code", __name__)

PAGES = re.compile(r"https?://[a-zA-Z0-9.\[\]:-]+(/[a-zA-Z0-9._~/-]*)?")
LONGEST_IN_QR = 2500
"""Signs: a code of 137 squares a side, which a phone still reads from another phone."""


@dataclass(frozen=True)
class NightCode:
    """A night as a code."""

    text: str
    """What to copy and to paste: the link, or the code."""
    qr: QrCode | None
    """None for a night that is too long for one still code."""


@bp.app_template_global()
def night_code(table: OpenNight) -> NightCode:
    """Return a night as a code, made once for each state of it. Needs the app's context, and no request."""

    def make() -> NightCode:
        code = code_text(table)
        text = site_link(code) or code
        return NightCode(text, qr_code(text, is_dense=True) if len(text) <= LONGEST_IN_QR else None)

    return snapshot_of(table).cached("night-code", make)


def site_link(fragment: str) -> str:
    """Return the link that opens what is behind `#` in the site that this app names, if any; no request is needed."""
    site = current_app.config["OPTIONS"].get("pages")
    return f"{site}#{fragment}" if site else ""


def read_pages(_context: click.Context, _option: click.Parameter, typed: str) -> str:
    """Return the address of a site, with a slash at its end. Raises BadParameter for what is no such address."""
    if typed and not PAGES.fullmatch(typed):
        raise click.BadParameter(f"{typed!r} is no address of a site: give one such as https://cards.example/")
    return f"{typed.rstrip('/')}/" if typed else ""


PAGES_OPTION = click.Option(
    ["--pages"],
    metavar="URL",
    default="",
    envvar="BOARD_TRACKER_PAGES",
    callback=read_pages,
    help="The site made by `board-tracker pages`: codes and links of nights open there.",
)
