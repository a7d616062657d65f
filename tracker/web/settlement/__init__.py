"""Counting chips, ending a night, the settlement, and what is printed of it."""
