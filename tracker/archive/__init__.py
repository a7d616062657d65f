"""What is known over many nights: a summary of each, beside the log from which it can be computed again."""
