"""Commands for nights: `nights` lists them, `import` adds those of files, `replay` prints where one ends."""

from tracker.web.base.extra import Extra

EXTRA = Extra(
    commands={
        "nights": ("tracker.extras.commands.list_nights", "nights"),
        "replay": ("tracker.extras.commands.replay", "replay"),
        "import": ("tracker.extras.commands.import_files", "import_"),
    }
)
