"""The edition that runs in one browser: a site for any web host, with which one phone runs the table by itself."""

from tracker.web.base.extra import Extra

EXTRA = Extra(
    modules=("tracker.extras._night_summaries.pages",),
    places={"head": "one_phone/_head.html"},
    commands={"pages": ("tracker.extras.one_phone.site", "pages")},
)
