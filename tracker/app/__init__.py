"""The use cases: an open night, all nights, the presets of a data folder, drafts, what a form expected."""
