"""Simulated players: what people at a table might record next, for nights to look at and to practise on.

Imports the core, formats and app. Everything is drawn from a seed, so the same seed plays the same night again.
"""
