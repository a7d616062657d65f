"""The command `board-tracker` in this process."""

from pathlib import Path

from click.testing import CliRunner, Result

from tracker.cli import main


def run(*arguments: str | Path, text: str | None = None, **environment: str) -> Result:
    """Run a subcommand, with `text` typed into it, and return what it printed and its exit status."""
    return CliRunner(env=environment).invoke(main, [str(one) for one in arguments], input=text)
