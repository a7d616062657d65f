"""The command `import` takes the files of other programs, as the page does."""

from pathlib import Path

from extras.imports import program_files as apps
from support.night_commands import run
from support.of_extras import needs

from tracker.cli.data_folder import DATA_FILE


def test_what_the_page_takes_the_command_takes(tmp_path: Path) -> None:
    """The files of other apps, once however often, and what stays out with its reason."""
    needs("commands")
    plays, costs = tmp_path / "export.json", tmp_path / "costs.csv"
    plays.write_text(apps.bg_stats(apps.HEARTS, apps.SKAT, apps.play([(3, "5")])), encoding="utf-8")
    costs.write_bytes(apps.spliit().encode())
    first = run("import", plays, costs, "--data", tmp_path / "data")
    assert first.exit_code == 0, first.output
    assert [line.split("  ")[1] for line in first.stdout.splitlines() if "from" in line] == [
        "Hearts, from BG Stats",
        "Skat, from BG Stats",
        "Shared costs (EUR), from Spliit",
    ]
    assert "stays out: 2026-01-05 Hearts: played alone" in first.stdout
    again = run("import", plays, costs, "--data", tmp_path / "data")
    assert "2 already here" in again.stdout
    assert "replaced: it is with the deleted nights" in again.stdout
    assert run("import", tmp_path / "data" / DATA_FILE, "--data", tmp_path / "data").exit_code == 2
