"""What score games have in common: a deal written down, its page, what is said while it is counted. No extra itself."""
