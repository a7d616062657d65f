"""The rehearsal: a table of pretend guests for whoever wants to try it, with hints what to tap.

Imports what every feature of the web may.
"""
