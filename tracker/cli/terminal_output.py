"""What `board-tracker serve` prints: addresses, links and warnings."""

import os
import shutil
import subprocess
import sys
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass
from typing import TextIO

import click
from qrcode.main import QRCode

from tracker.cli.listen_address import ListenAddress
from tracker.web.access.permissions import Access


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


OTHER_NETWORK = "join a Wi-Fi or open a hotspot, and the host's page shows the address there"


def say(text: str, *, err: bool = False) -> None:
    """Print a text; a stream that can't be written to, on a full disk or into a closed pipe, is not used again.

    The table goes on without it.
    """
    try:
        click.echo(text, err=err)
    except OSError:
        setattr(sys, "stderr" if err else "stdout", None)


def print_warning(sentence: object) -> None:
    say(f"Warning: {sentence}", err=True)


@dataclass(frozen=True)
class TerminalOutput:
    """Prints addresses, links and warnings to the terminal that started the server."""

    check_start: Callable[[Callable[[object], None]], None]
    """Checks what is served, and calls its argument with a warning for each fault."""
    address: ListenAddress
    own_url: str
    """The server's address on this machine."""
    wanted_port: int
    access: Access
    """Makes the links that make one browser the host, and has the club's link."""

    def run(self, is_browser_wanted: bool) -> None:
        """Print addresses and the host's link, open the browser, and print another link for each Enter."""
        port = self.own_url.rpartition(":")[2]
        if int(port) != self.wanted_port:
            say(f"Port {self.wanted_port} is in use, so this table is at port {port}.")
        self.print_addresses(port)
        link = self.host_link()
        if self.access.club:
            self.print_club_link(port, f"/club/link/{self.access.club.token}")
        say(f"\nThe host's page, for one browser, within ten minutes:\n  {link}\n")
        is_terminal = is_a_terminal(sys.stdin)
        say("Ctrl-C stops the table." + (" Enter makes another host's link." if is_terminal else ""))
        if fault := self.address.fault():
            print_warning(fault)
        if is_browser_wanted:
            open_browser(link)
        self.check_start(print_warning)
        for _ in sys.stdin if is_terminal else ():
            say(f"  {self.host_link()}")

    def host_link(self) -> str:
        """Return a new link that makes one browser the host."""
        return (self.address.public or self.own_url) + self.access.mint_host_link()

    def print_addresses(self, port: str) -> None:
        """Print the addresses for phones, the likeliest first and as a QR code."""
        if self.address.public:
            say(f"People open\n  {self.address.public}/")
            print_qr_code(f"{self.address.public}/")
            return
        if self.address.is_loopback:
            say(f"Only this machine can open the table at {self.address.host}: leave --host out, and phones can.")
            return
        addresses = self.address.phone_addresses()
        if not addresses:
            say(f"This machine is in no network: {OTHER_NETWORK}.")
            return
        first, *others = (f"{self.address.scheme}://{phone.ip}:{port}/" for phone in addresses)
        say(f"Phones on the same Wi-Fi open\n  {first}")
        print_qr_code(first)
        if addresses[0].is_unlikely:
            say(f"They may not reach it ({addresses[0].why}): {OTHER_NETWORK}.")
        if others:
            say("If a phone can't open that, try")
        for url, phone in zip(others, addresses[1:], strict=True):
            say(f"  {url}  ({phone.why})")

    def print_club_link(self, port: str, path: str) -> None:
        """Print the link by which people become hosts of the club, also as a QR code."""
        phones = self.address.phone_addresses()
        near = f"{self.address.scheme}://{phones[0].ip}:{port}" if phones else self.own_url
        start = self.address.public or near
        say(f"\nThe club's link: whoever opens it may open tables here\n  {start}{path}")
        print_qr_code(start + path)


def is_a_terminal(stream: TextIO | None) -> bool:
    """Return whether somebody may look at a stream or type into it; Python has None for one that is closed."""
    return stream is not None and stream.isatty()


def print_qr_code(url: str) -> None:
    """Print a QR code if standard output is a terminal that has the characters for it."""
    if not is_a_terminal(sys.stdout):
        return
    try:
        "▄▀█".encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        say("  (this terminal can't draw the code to scan)")
        return
    if sys.platform == "win32":
        import colorama  # noqa: PLC0415 - only there

        colorama.just_fix_windows_console()  # or it shows escape codes as text
    is_plain = os.environ.get("TERM") == "dumb" or "NO_COLOR" in os.environ
    code = QRCode(border=2)
    code.add_data(url)
    code.print_ascii(tty=not is_plain, invert=True)
