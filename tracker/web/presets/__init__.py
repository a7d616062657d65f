"""The page of the rules of a night."""
