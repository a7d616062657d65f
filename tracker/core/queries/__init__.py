"""Read-only questions about a night: what is asked now, what can be undone, what a correction changes."""
