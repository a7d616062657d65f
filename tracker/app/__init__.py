"""The use cases: an open night, all nights, the presets of a data folder, drafts, what a form expected.

Imports `core`, `formats`, `storage` and `streaming`.
"""
