"""The people over all nights: who they are, what is kept about them, and forgetting them."""
