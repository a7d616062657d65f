"""What is known over many nights: a summary of each, beside its log. An extra that asks has `pages` in its modules."""
