"""The preset library's pages: list, editor, rule card, sharing."""
