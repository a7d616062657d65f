"""Events and presets to and from JSON and TOML, strict about what comes in; nights as files. Imports `core`."""
