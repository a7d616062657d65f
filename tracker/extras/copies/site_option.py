"""The site that runs the tracker in a browser, for links to it."""

import re

from click import BadParameter, Context, Option, Parameter

SITE = re.compile(r"https?://[a-zA-Z0-9.\[\]:-]+(/[a-zA-Z0-9._~/-]*)?")


def read_site(_context: Context, _option: Parameter, typed: str) -> str:
    """Return the address of a site, with a slash at its end. Raises BadParameter for what is no such address."""
    if typed and not SITE.fullmatch(typed):
        raise BadParameter(f"{typed!r} is no address of a site: give one such as https://cards.example/")
    return f"{typed.rstrip('/')}/" if typed else ""


pages_option = Option(
    ["--pages"],
    metavar="URL",
    default="",
    envvar="BOARD_TRACKER_PAGES",
    callback=read_site,
    help="The site made by `board-tracker pages`: codes and links of nights open there.",
)
