"""The browser of the tests: the machine's own Chromium, without a window."""

import shutil

# The headless shell is the same engine without windows, tabs and toolbars around each page: ten pages in it cost
# 2 seconds of a processor instead of 9. Any other Chromium does as well.
PROGRAMS = ("chromium-headless-shell", "/usr/bin/chromium", "chromium", "google-chrome", "chromium-browser")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


def program() -> str | None:
    """Return where this machine's own browser is, or None."""
    found = (shutil.which(name) for name in PROGRAMS)
    return next((path for path in found if path), None)
