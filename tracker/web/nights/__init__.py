"""The first page, a new night, its settings, rules, files and backups."""
