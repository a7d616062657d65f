"""Encrypted connections: `board-tracker --cert FILE --key FILE`, for a household whose phones trust its certificate."""

from pathlib import Path

from click import Option, Path as PathType

from tracker.web.base.extra import Extra

FILE = PathType(path_type=Path, dir_okay=False)
EXTRA = Extra(
    options=[
        Option(["--cert"], type=FILE, help="Encrypt: a certificate (PEM) for this machine's address."),
        Option(["--key"], type=FILE, help="The key that belongs to the certificate."),
    ]
)
