"""Events, nights and presets to and from JSON, TOML and share codes, strict about what comes in. Imports `core`."""
