"""Before the data file is opened: whether the disk has room for a night."""

from collections.abc import Mapping
from pathlib import Path

import click

from tracker.cli import say
from tracker.cli.data_folder import place_of
from tracker.cli.listen_address import ListenAddress
from tracker.extras.nearly_full.room import DiskNearlyFull, check_disk_space


def listening(address: ListenAddress, options: Mapping[str, object]) -> ListenAddress:
    """Return the address as it is. Raises ClickException on a nearly full disk; with `--full-disk` only warns.

    Who serves nights of no data folder is asked for nothing.
    """
    folder = options.get("data_folder")
    if isinstance(folder, Path) and isinstance(place_of(folder), Path):
        try:
            check_disk_space(folder)
        except DiskNearlyFull as error:
            if not options.get("full_disk"):
                raise click.ClickException(str(error)) from None
            say(f"Warning: the disk is nearly full, {error.free / 1e6:.1f} MB are left", err=True)
    return address
