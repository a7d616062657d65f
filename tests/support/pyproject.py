"""What pyproject.toml says of the project."""

import tomllib
from typing import Any

from support.paths import ROOT


def project() -> dict[str, Any]:
    """Return the table `project`: name, dependencies and extras."""
    table: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return table
