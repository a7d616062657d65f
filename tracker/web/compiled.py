"""Templates are compiled once per machine rather than once per start: the first page of an evening comes sooner."""

from __future__ import annotations

import gc
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from flask import Flask
from jinja2 import FileSystemBytecodeCache
from jinja2.bccache import Bucket


class Kept(FileSystemBytecodeCache):
    """Keeps compiled templates in a folder; a full or read-only disk is no reason to show no page."""

    def dump_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            super().dump_bytecode(bucket)


def keep_compiled(app: Flask, folder: Path) -> None:
    """Lets the app keep its compiled templates in a folder of this user's own: what lies there is run as code."""
    with suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        app.jinja_env.bytecode_cache = Kept(str(folder))


def load(app: Flask, names: Iterable[str]) -> None:
    """Has templates in memory before somebody waits for them; those that are not kept yet are compiled first."""
    templates, names = app.jinja_env, tuple(names)
    for name in names:
        templates.get_template(name)
    if templates.bytecode_cache and templates.cache is not None:
        # Once more, from what is kept: what compiling leaves behind lies between what stays, and takes 1.5 MB.
        templates.cache.clear()
        gc.collect()
        for name in names:
            templates.get_template(name)
