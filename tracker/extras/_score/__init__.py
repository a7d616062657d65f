"""What score games have in common: a deal written down, its page, what is said while it is counted.

No extra by itself: the extras that bring score games import it, and it goes with the last of them.
"""
