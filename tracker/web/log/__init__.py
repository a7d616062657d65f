"""The log's pages: reading, undoing and correcting what was recorded."""
