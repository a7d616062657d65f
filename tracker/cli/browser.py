"""Opens a page in the browser of this machine."""

from __future__ import annotations

import shutil
import subprocess
import webbrowser


def open_browser(url: str) -> None:
    """Open a page, if there is a browser with a window; never one that would take over this very terminal."""
    if opener := shutil.which("termux-open-url"):
        subprocess.run([opener, url], check=False)  # noqa: S603 - our own address
        return
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return
    if type(browser) is not webbrowser.GenericBrowser:
        browser.open(url)
