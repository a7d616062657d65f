"""What other programs and paper get: tables for spreadsheets, the play for BG Stats, one page to print."""

from tracker.extras.exports.one_night import bp
from tracker.web.base.extra import Extra

EXTRA = Extra(
    [bp],
    places={
        "all_nights.below": "exports/_all_nights.html",
        "files.tables": "exports/_files_tables.html",
        "files.paper": "exports/_files_paper.html",
        "log.bar": "exports/_log_bar.html",
        "menu.this_night": "exports/_menu.html",
        "result.bar": "exports/_result_bar.html",
        "result.send": "exports/_result_send.html",
        "result.links": "exports/_result_links.html",
    },
    commands={"export": ("tracker.extras.exports.command", "export")},
)
