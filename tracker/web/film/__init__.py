"""The film of a night: frames, player, and one file that plays it without a network. Imports no other feature."""
