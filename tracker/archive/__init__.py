"""What is known over many nights: a summary of each, kept beside the logs that it is computed from; and the people.

Imports core, core.queries, formats, storage and app. Summaries are no source of truth: whatever is missing, damaged or
out of date is computed again from the log. Which seats are the same person is in no log: `people` keeps it.
"""
