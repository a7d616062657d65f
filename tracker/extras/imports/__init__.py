"""Nights that come in: from files and codes of other tables, and from files of other programs, as plays of BG Stats and
what shared costs come to."""

from flask import Flask

from tracker.extras._night_files.importing import readers
from tracker.extras.imports import night_page, pages
from tracker.web.base.extra import Extra


def begin(app: Flask) -> None:
    app.extensions["error_words"].append(night_page.error_words)


EXTRA = Extra(
    [night_page.bp, pages.bp],
    modules=("tracker.extras._night_summaries.pages",),
    places={"machine.files": "imports/_link.html"},
    begin=begin,
)
readers.append(pages.read)
