"""The data file: one SQLite database that a process holds alone. The only user of sqlite-utils."""
