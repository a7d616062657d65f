"""The tokens of scripts: the machine's own, which `board-tracker token` prints, and those that scripts are given."""

import secrets
from contextlib import suppress
from pathlib import Path
from typing import cast

import click
from flask import Request, abort

from tracker.app.event_rows import now
from tracker.cli import data_option, say
from tracker.cli.data_folder import not_writable
from tracker.storage import BadRow, DeviceRow, NotSaved, Store
from tracker.storage.files import undo_new, write_file
from tracker.web.access.devices import NOBODY, SCRIPT, Identity, hash_token
from tracker.web.access.permissions import Scripts, get_access, is_own_night
from tracker.web.access.rate_limits import GuessLimit, PostRateLimit
from tracker.web.access.request_guards import sender

TOKEN_FILE = "api-token"  # noqa: S105 - a name
OWN_SCRIPTS = "scripts"
"""The label of the machine's own token, which scripts have for all nights."""
SCRIPTS = frozenset({SCRIPT, OWN_SCRIPTS})
"""The labels of tokens that are sent as bearer tokens, and of no others: a browser's token is none."""
MOST_KNOWN = 10_000
IS_COUNTED = "tracker.token_is_counted"
"""In the environment of a request: whoever asks is looked up more than once."""


class Tokens(Scripts):
    """Who asks by a bearer token at an address for scripts. Any thread may call any method."""

    def __init__(self, store: Store) -> None:
        self._table = store.devices
        self._known: set[bytes] = set()
        self.pace = PostRateLimit(3000, 500)
        self.unknown = GuessLimit(20, 300)

    def has_token(self, asked: Request) -> bool:
        """Return whether this is a call of the JSON API with a bearer token, which no browser adds by itself."""
        bearer = asked.headers.get("Authorization", "").lower().startswith("bearer ")
        return bearer and is_for_scripts(asked) and "Cookie" not in asked.headers

    def identify(self, asked: Request, code: str | None) -> Identity | None:
        """Return who a bearer token stands for; one without a night may enter every night of the house."""
        if not self.has_token(asked):
            return None
        authorization = asked.headers["Authorization"]
        self._check_unknown(asked, authorization)
        row = self._by_bearer(authorization)
        if row is None or row.code not in (None, code) or (row.code is None and row.role != "host"):
            return NOBODY
        if code and row.code is None and not is_own_night(code):
            return NOBODY
        return Identity(role=row.role, seat=row.seat, device=row.id, name=row.name, code=code)

    def is_house(self, authorization: str) -> bool:
        """Return whether a header has the machine's own token."""
        row = self._by_bearer(authorization)
        return row is not None and row.code is None and row.role == "host"

    def _check_unknown(self, asked: Request, authorization: str) -> None:
        """Answer 429 to a token that nobody is known to have, from a sender that has tried many of them."""
        if IS_COUNTED in asked.environ or hash_token(bearer_token(authorization)) in self._known:
            return
        asked.environ[IS_COUNTED] = True
        if not self.unknown.take(sender()):
            abort(429)
        if self._by_bearer(authorization):
            self.unknown.give_back(sender())

    def _by_bearer(self, authorization: str) -> DeviceRow | None:
        """Return the device of a script's token; None for any other text, also for a browser's token."""
        token = bearer_token(authorization)
        row = self._table.by_token(hash_token(token)) if token else None
        if row is None or row.label not in SCRIPTS:
            self._known.discard(hash_token(token))
            return None
        if len(self._known) < MOST_KNOWN:
            self._known.add(hash_token(token))
        return row

    def issue(self, code: str, role: str, *, seat: str | None = None, name: str = "") -> str:
        """Make a device for a script and return its token, which nobody can look up again."""
        token = secrets.token_urlsafe(32)
        self._table.add(hash_token(token), code=code, role=role, at=now(), seat=seat, name=name, label=SCRIPT)
        return token


def get_tokens() -> Tokens:
    return cast(Tokens, get_access().scripts)


def bearer_token(authorization: str) -> str:
    return authorization[len("Bearer ") :].strip()


def is_for_scripts(asked: Request) -> bool:
    """Return whether the address is one for scripts, which have tokens and no cookies."""
    return asked.path.startswith("/api/")


# The machine's own token


def own_device(store: Store, token_hash: bytes) -> DeviceRow:
    """Return the device of the machine's own token, added if it is new."""
    if known := store.devices.by_token(token_hash):
        return known
    try:
        return store.devices.add(token_hash, code=None, role="host", at=now(), label=OWN_SCRIPTS)
    except BadRow:
        if added := store.devices.by_token(token_hash):
            return added
        raise


def register_own_token(store: Store, folder: Path) -> None:
    """Give the folder's token the role of host in every night, and revoke the former token."""
    try:
        row = own_device(store, hash_token(read_token(folder)))
        for device in store.devices.of(None) if store.file else ():  # elsewhere there may be those of other folders
            if device.label == OWN_SCRIPTS and device.id != row.id:
                store.devices.revoke(device.id)
    except (OSError, NotSaved) as error:
        say(f"Warning: scripts can't use the API: {error}", err=True)


@click.command()
@data_option
def token(folder: Path) -> None:
    """Print the bearer token for scripts that use the API.

    It is the same whether or not a server runs.
    """
    try:
        click.echo(read_token(folder))
    except OSError as error:
        raise not_writable(folder, error) from None


def read_token(folder: Path) -> str:
    """Return the token of a data folder, creating its file, which only this user can read."""
    file, unfinished = folder / TOKEN_FILE, folder / f"{TOKEN_FILE}.{secrets.token_hex(4)}"
    undo = undo_new(unfinished)
    try:
        if not file.exists():
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_file(unfinished, f"{secrets.token_urlsafe(32)}\n".encode())
            # A hard link makes the first of two concurrent programs win, and both read its token; on a file system
            # without links (as on some phones) the last one wins.
            with suppress(FileExistsError):
                try:
                    file.hardlink_to(unfinished)
                except FileExistsError:
                    raise
                except OSError:
                    unfinished.rename(file)
            unfinished.unlink(missing_ok=True)
    except OSError:
        undo()
        raise
    return file.read_text(encoding="ascii").strip()
