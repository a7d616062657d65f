"""What is known over many nights: a summary of each, kept beside the logs that it is computed from.

Imports core, core.queries, formats, storage and app. Nothing here is a source of truth: whatever is missing, damaged or
out of date is computed again from the log.
"""
