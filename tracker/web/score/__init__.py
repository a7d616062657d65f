"""The table pages of the two score games."""
