"""The built-in presets, one TOML file each, as data; `tracker.formats.built_in` reads them."""
