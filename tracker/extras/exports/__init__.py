"""What other programs, messages and paper get: tables, the play for BG Stats, the result as text, one page to print."""

from tracker.extras.exports import one_night, result_text
from tracker.web.base.extra import Extra

EXTRA = Extra(
    [one_night.bp, result_text.bp],
    modules=("tracker.extras._night_summaries.pages",),
    places={
        "all_nights.below": "exports/_all_nights.html",
        "files.rows": "exports/_files.html",
        "log.bar": "exports/_log_bar.html",
        "menu.this_night": "exports/_menu.html",
        "result.bar": "exports/_result_bar.html",
        "result.send": "exports/_send.html",
        "result.text": "exports/_result_text.html",
        "result.links": "exports/_result_links.html",
    },
    commands={"export": ("tracker.extras.exports.command", "export")},
)
