"""Board Tracker: the chips of a Michigan Rummy or Michigan Kitty night, kept at a real table."""

__version__ = "1.1.0.dev0"
