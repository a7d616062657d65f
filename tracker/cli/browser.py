"""Open a page in this machine's browser."""

import shutil
import subprocess
import webbrowser


def open_browser(url: str) -> None:
    """Open a page in a graphical browser, if there is one; never in a text browser in this terminal."""
    if opener := shutil.which("termux-open-url"):
        subprocess.run([opener, url], check=False)  # noqa: S603 - the URL is our own
        return
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return
    if type(browser) is not webbrowser.GenericBrowser:
        browser.open(url)
