"""`board-tracker serve`: open the store, listen, say where phones find the table, and serve until Ctrl-C."""

from __future__ import annotations

import socket
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import click

from tracker.backups import FOLDER, Backups
from tracker.cli import data_option
from tracker.cli.scripts import read_token
from tracker.cli.store import open_store
from tracker.cli.where import EVERY_ADDRESS, Where, certificate_of, option
from tracker.disk import NearlyFull, check_room
from tracker.live import Live
from tracker.server import Server, listen
from tracker.store import NotRead, NotSaved, Store
from tracker.tables import Tables, unsound
from tracker.web.access import Door
from tracker.web.addresses import Addresses
from tracker.web.devices import hashed, now
from tracker.web.opening import opening

SCRIPTS = "scripts"
CHECK_SECONDS = 1.0
RESERVE = "reserve"
"""A file in the data folder that holds nothing: the room in it is for the day when the disk is full."""


@click.command()
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True, help="Or the next free one.")
@click.option("--host", default=EVERY_ADDRESS, help="Be reached at this address of the machine only.")
@option("--cert", "Encrypt: a certificate (PEM) for this machine's address.")
@option("--key", "The key that belongs to the certificate.")
@click.option("--full-disk", is_flag=True, help="Start although the disk is nearly full.")
@click.option("--no-browser", is_flag=True, help="Do not open the host's page.")
@data_option
def serve(
    port: int, host: str, cert: Path | None, key: Path | None, folder: Path, *, no_browser: bool, full_disk: bool
) -> None:
    """Serve the table until Ctrl-C."""
    where = Where(host, certificate_of(cert, key))
    look_for_room(folder, is_told_to_go_on=full_disk)
    with open_store(folder, mend=True) as store, listening(host, port) as sock:
        live = Live()
        backups = Backups(store, folder / FOLDER, tell=lambda why: click.echo(f"Warning: {why}", err=True))
        tables = Tables(store, live, backups, folder / RESERVE)
        door = Door(tables, Addresses(where.hosts))
        app = opening(tables, door, folder / "templates")
        let_scripts_in(store, folder)
        server = Server(app, sock, end_streams=live.stop, certificate=where.certificate)
        here = where.here(server.port)
        store.tell_address(here)
        host_desk = Desk(store, where, here, port, make_link=lambda: here + door.mint_host_link())
        server.stop_on_signals()  # before anybody reads how to stop it
        threading.Thread(target=host_desk.open, args=(not no_browser,), daemon=True).start()
        app.load_when_quiet()
        server.run()
        backups.stop()
    click.echo("Stopped. Everything that was recorded is saved.")


def look_for_room(folder: Path, *, is_told_to_go_on: bool) -> None:
    """End with one sentence when the disk is nearly full; only warn whoever has asked to play on in what is left."""
    try:
        check_room(folder)
    except NearlyFull as full:
        if not is_told_to_go_on:
            raise click.ClickException(str(full)) from None
        click.echo(f"Warning: the disk is nearly full, {full.free / 1e6:.1f} MB are left", err=True)


def listening(host: str, port: int) -> socket.socket:
    """Return a listening socket, or end with one sentence."""
    try:
        return listen(host, port)
    except OSError as error:
        raise click.ClickException(f"can't listen on {host}: {error.strerror or error}") from None


def let_scripts_in(store: Store, folder: Path) -> None:
    """Make the folder's token a host of every night, and end any that was in its place before."""
    try:
        token_hash = hashed(read_token(folder))
        row = store.device(token_hash) or store.add_device(token_hash, code=None, role="host", at=now(), label=SCRIPTS)
        for other in store.devices(None):
            if other.label == SCRIPTS and other.id != row.id:
                store.revoke(other.id)
    except (OSError, NotSaved) as error:
        click.echo(f"Warning: scripts can't use the API: {error}", err=True)


@dataclass(frozen=True)
class Desk:
    """What the terminal shows to whoever started the server."""

    store: Store
    where: Where
    here: str
    """This machine's own address of the server."""
    wanted_port: int
    make_link: Callable[[], str]
    """Makes a new link by which one browser becomes the host."""

    def open(self, is_browser_wanted: bool) -> None:
        """Print it all, open the host's page, and make a new link to it whenever Enter is pressed."""
        port = self.here.rpartition(":")[2]
        if int(port) != self.wanted_port:
            click.echo(f"Port {self.wanted_port} is in use, so this table is at port {port}.")
        self.tell_addresses(port)
        link = self.make_link()
        click.echo(f"\nThe host's page, for one browser, within ten minutes:\n  {link}\n")
        is_terminal = sys.stdin.isatty()
        click.echo("Ctrl-C stops the table." + (" Enter makes another host's link." if is_terminal else ""))
        if fault := self.where.fault():
            click.echo(f"Warning: {fault}", err=True)
        if is_browser_wanted:
            from tracker.cli.browser import open_browser  # noqa: PLC0415 - after the first answer

            open_browser(link)
        self.check()
        for _ in sys.stdin if is_terminal else ():
            click.echo(f"  {self.make_link()}")

    def tell_addresses(self, port: str) -> None:
        """Print where phones reach the table, the likeliest address first and as a code to scan."""
        found = self.where.phones()
        if not found:
            click.echo("This machine is in no network: join the Wi-Fi, or open a hotspot, and start again.")
            return
        first, *others = (f"{self.where.scheme}://{one.ip}:{port}/" for one in found)
        click.echo(f"Phones on the same Wi-Fi open\n  {first}")
        print_code(first)
        if others:
            click.echo("If a phone can't open that, try")
        for url, one in zip(others, found[1:], strict=True):
            click.echo(f"  {url}  ({one.why})")

    def check(self) -> None:
        """Write for nothing and play every night through, when the first answers are out; print what is wrong."""
        time.sleep(CHECK_SECONDS)
        with suppress(RuntimeError, NotRead):  # the store is closed: the server has ended already
            if trouble := self.store.probe():
                click.echo(f"Warning: nights can be looked at, not played: {trouble}", err=True)
            for fault in unsound(self.store):
                click.echo(f"Warning: {fault}", err=True)


def print_code(url: str) -> None:
    """Print a QR code in a terminal, dark on light whatever its colours; nothing where it can't be drawn."""
    if not sys.stdout.isatty():
        return
    from qrcode.main import QRCode  # noqa: PLC0415 - after the first answer

    code = QRCode(border=2)
    code.add_data(url)
    try:
        code.print_ascii(tty=True)
    except UnicodeEncodeError:
        click.echo("  (this terminal can't draw the code to scan)")
