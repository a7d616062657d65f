"""Names, cards, sums, dates and house rules in the reader's language."""
