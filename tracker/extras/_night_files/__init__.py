"""Nights out of files and codes: read strictly, played, and added to all nights. No extra itself."""
