"""The JSON API for scripts."""
