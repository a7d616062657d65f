"""The JSON API: what a script may do, with the same rights and the same rules as a phone. See docs/api.md."""
