"""The rules of a night as pure functions: events go in, a new state comes out."""
