"""Ask whether anything we ship or test with has a known vulnerability: `python tests/project/audit.py`.

One that stays needs a line in `.ci/audit-ignored`: its id and the reason. Where the database of advisories can't be
reached nothing is failed and nothing is claimed: it says "not measured", and why.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
LOCKS = (*(f"requirements{use}.lock" for use in ("", "-test", "-build", "-node")), "release/requirements.lock")
IGNORED = ROOT / ".ci/audit-ignored"
AUDITOR = "pip-audit==2.10.1"


@dataclass(frozen=True)
class Verdict:
    """What an audit came to; `is_failed` when something is known that nobody has given a reason for."""

    says: tuple[str, ...]
    is_failed: bool = False


def reasons(text: str) -> dict[str, str]:
    """Return the vulnerabilities that stay, by id, with the reason; ValueError for one without."""
    found = {}
    for line in text.splitlines():
        name, _, reason = line.strip().partition(" ")
        if name and not name.startswith("#"):
            if len(reason.strip()) < 20:
                raise ValueError(f"{IGNORED.name}: {name} has no reason")
            found[name] = reason.strip()
    return found


def judged(dependencies: Sequence[Mapping[str, Any]], ignored: Mapping[str, str]) -> Verdict:
    """Return what the auditor's list of packages comes to."""
    known = {
        (one["name"], one["version"], fault["id"], tuple(fault.get("fix_versions", ())))
        for one in dependencies
        for fault in one.get("vulns", ())
        if fault["id"] not in ignored and not set(fault.get("aliases", ())) & set(ignored)
    }
    names = {one["name"] for one in dependencies}
    skipped = {one["name"]: one["skip_reason"] for one in dependencies if one.get("skip_reason")}
    says = [
        f"{name} {version}: {fault}, mended in {', '.join(fixes) or 'nothing yet'}"
        for name, version, fault, fixes in known
    ]
    if skipped:
        says.append(f"not measured: {len(skipped)} of {len(names)} packages, as {next(iter(skipped.values()))!r}")
    if len(skipped) < len(names):
        says.append(
            f"{len(names) - len(skipped)} packages audited, {len(known)} known vulnerabilities without a reason"
        )
    return Verdict(tuple(sorted(says)), bool(known))


def audit(folder: Path) -> Verdict:
    """Run the auditor, which is put into a folder of its own, over what the lock files pin."""
    install = [sys.executable, "-m", "pip", "install", "-q", "--target", str(folder), AUDITOR]
    if subprocess.run(install, capture_output=True, check=False).returncode:
        return Verdict((f"not measured: {AUDITOR} can't be installed here",))
    files = [argument for lock in LOCKS for argument in ("-r", str(ROOT / lock))]
    options = ["--no-deps", "--disable-pip", "--format", "json", "--progress-spinner", "off"]
    command = [sys.executable, "-m", "pip_audit", *files, *options]
    there = {**os.environ, "PYTHONPATH": str(folder)}
    asked = subprocess.run(command, capture_output=True, encoding="utf-8", check=False, env=there)
    try:
        dependencies = json.loads(asked.stdout)["dependencies"]
    except (ValueError, KeyError):
        last = (asked.stderr.strip().splitlines() or ["no answer"])[-1]
        return Verdict((f"not measured: {last[:200]}",))
    return judged(dependencies, reasons(IGNORED.read_text("utf-8")))


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        verdict = audit(Path(folder))
    for line in verdict.says:
        print(f"audit: {line}")  # noqa: T201
    return int(verdict.is_failed)


if __name__ == "__main__":
    sys.exit(main())
