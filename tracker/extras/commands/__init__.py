"""Two commands for files of nights: `import` adds them to a data folder, `replay` prints where one ends."""

from tracker.web.base.extra import Extra

EXTRA = Extra(
    commands={
        "replay": ("tracker.extras.commands.replay", "replay"),
        "import": ("tracker.extras.commands.import_files", "import_"),
    }
)
