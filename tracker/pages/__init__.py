"""The tracker in one browser: what its worker calls. May import every other folder; none imports it."""
