"""Where the templates and static files are, in a checkout as in an installed wheel."""

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent


def templates_dir() -> Path:
    return _folder("templates")


def static_dir() -> Path:
    return _folder("static")


def _folder(name: str) -> Path:
    installed = PACKAGE / name
    # A wheel carries the folder inside the package; a checkout and an editable install have it next to it.
    return installed if installed.is_dir() else PACKAGE.parent / name
