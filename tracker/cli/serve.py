"""`board-tracker serve`: open the store, listen, say where phones find the table, and serve until Ctrl-C."""

import os
import shutil
import subprocess
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from pathlib import Path
from typing import Any, TextIO

import click
from qrcode.main import QRCode

from tracker import extras
from tracker.app.known_nights import KnownNights
from tracker.app.nights import Nights
from tracker.cli import data_option, say
from tracker.cli.data_folder import (
    CHECKED_AT_ONCE,
    DATA_FILE,
    REPLACED,
    AlreadyServed,
    is_larger,
    open_store,
    place_of,
)
from tracker.cli.listen_address import EVERY_ADDRESS, ListenAddress
from tracker.storage import NotRead, Store
from tracker.streaming.hub import StreamHub
from tracker.web.access.permissions import Access
from tracker.web.access.public_address import Addresses
from tracker.web.app import create_app

DELAY_SECONDS, LARGE_FILE_DELAY_SECONDS = 1.5, 4.5
"""From the start to the check of hashes and the replay, which the first pages of a large file would feel."""
PAUSE_SECONDS = 0.005
"""After each night that is read: the first pages need the processor too."""


@dataclass(frozen=True)
class ServeOptions:
    """What was given on the command line."""

    port: int
    host: str
    folder: Path
    without: frozenset[str]
    no_browser: bool
    of_extras: Mapping[str, object]
    """By its name, what was given for the option of an extra; the folder as `data_folder`."""


def checked_extras(_context: click.Context, _option: click.Parameter, given: str) -> frozenset[str]:
    """Return the names of extras in an option, which are separated by commas. Raises BadParameter."""
    wanted = {name.strip() for name in given.split(",") if name.strip()}
    if unknown := wanted.difference(extras.names()):
        raise click.BadParameter(f"there is no {', '.join(sorted(unknown))}; there are {', '.join(extras.names())}")
    return frozenset(wanted)


@click.command()
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True, help="Or the next free one.")
@click.option("--host", default=EVERY_ADDRESS, help="Be reached at this address of the machine only.")
@click.option(
    "--without", metavar="NAMES", default="", callback=checked_extras, help="Leave out extras, as film,webhooks."
)
@click.option("--no-browser", is_flag=True, help="Do not open the host's page.")
@data_option
def serve(**options: Any) -> None:
    """Serve the table until Ctrl-C."""
    of_extras = {str(one.name): options.pop(str(one.name)) for extra in extras.load() for one in extra.options}
    of_extras["data_folder"] = options["folder"]
    given = ServeOptions(**options, of_extras=of_extras)
    extras.forget_games(given.without)
    address = ListenAddress(given.host)
    for module in extras.modules("listening", given.without):
        address = module.listening(address, of_extras)
    try:
        damaged_at = serve_until_stopped(given, address, given.port)
        if damaged_at:  # the check of a large file goes on after the start: repair it and be there again
            serve_until_stopped(replace(given, no_browser=True), address, damaged_at, checked_at_once=inf)
    except AlreadyServed as running:
        if running.address and not given.no_browser:  # who started it twice wants to see it
            open_browser(running.address)
        raise
    say("Stopped. Everything that was recorded is saved.")


serve.params += [option for extra in extras.load() for option in extra.options]


def serve_until_stopped(
    given: ServeOptions, address: ListenAddress, port: int, *, checked_at_once: float = CHECKED_AT_ONCE
) -> int | None:
    """Serve until a signal, or until a large file is found damaged after the start: then return the server's port."""
    folder = given.folder
    is_checked_later = is_larger(place_of(folder), checked_at_once)
    with open_store(place_of(folder), is_repaired=True, checked_at_once=checked_at_once) as store, ExitStack() as ended:
        hub = StreamHub(limit=address.most_streams)
        nights = Nights(store, hub)
        addresses = Addresses(address.hosts, public=address.public, likely=address.likely_hosts)
        access = Access(nights, addresses)
        app = create_app(nights, access=access, without=given.without, options=given.of_extras)
        sock = ended.enter_context(address.listen(port))
        server = address.new_server(app, sock, end_streams=hub.stop, body_limit=access.body_limit)
        addresses.port, own_url = server.port, address.own_url(server.port)
        if store.file:
            store.file.publish_address(own_url)
        damaged = threading.Event()

        def stop_to_repair() -> None:
            damaged.set()
            server.stop()

        known = app.extensions["known_nights"]
        check = partial(check_after_start, store, known, stop_to_repair, is_file_checked=not is_checked_later)
        terminal = TerminalOutput(check, address, own_url, port, access, app.extensions["links"])
        server.stop_on_signals()  # before the terminal says that Ctrl-C stops it
        threading.Thread(target=terminal.run, args=(not given.no_browser,), daemon=True).start()
        with ExitStack() as jobs:
            for job in app.extensions["jobs"]:
                jobs.enter_context(job())
            server.run()
        if store.file and not store.file.is_in_place():
            raise click.ClickException(f"{folder / DATA_FILE} {REPLACED}")
        return server.port if damaged.is_set() else None


def check_after_start(
    store: Store,
    known: KnownNights,
    stop_to_repair: Callable[[], None],
    warn: Callable[[str], None],
    *,
    is_file_checked: bool,
) -> None:
    """Test writing, check the file while it is served, and replay what was not replayed yet; `warn` of each fault.

    Calls `stop_to_repair` when the data file is damaged. `is_file_checked` tells that its hashes were checked before
    the start.
    """
    with suppress(RuntimeError, NotRead):  # RuntimeError: the store is closed, since the server has ended
        time.sleep(DELAY_SECONDS if is_file_checked else LARGE_FILE_DELAY_SECONDS)
        if not is_file_checked and store.faults(PAUSE_SECONDS):
            warn("the data file is damaged: the table stops for a moment to repair it")
            stop_to_repair()
            return
        if trouble := store.probe():
            warn(f"nights can be looked at, not played: {trouble}")
        for fault in known.replay_faults(PAUSE_SECONDS):
            warn(fault)


# What is printed: addresses, links and warnings


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
    """Makes the links that make one browser the host."""
    links: Sequence[tuple[str, Callable[[], str]]]
    """What extras print before the host's link: a sentence, and what returns the path of a link."""

    def run(self, is_browser_wanted: bool) -> None:
        """Print addresses and the host's link, open the browser, and print another link for each Enter."""
        port = self.own_url.rpartition(":")[2]
        if int(port) != self.wanted_port:
            say(f"Port {self.wanted_port} is in use, so this table is at port {port}.")
        self.print_addresses(port)
        link = self.host_link()
        for sentence, path in self.links:
            self.print_link(port, sentence, path())
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

    def print_link(self, port: str, sentence: str, path: str) -> None:
        """Print a link that other people can open, also as a QR code."""
        phones = self.address.phone_addresses()
        near = f"{self.address.scheme}://{phones[0].ip}:{port}" if phones else self.own_url
        start = self.address.public or near
        say(f"\n{sentence}\n  {start}{path}")
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
