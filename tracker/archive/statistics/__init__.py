"""Statistics over many nights, computed from their summaries: pure functions of values.

Imports core and archive. Only what the logs say is counted, and nothing is rated: luck decides.
"""
