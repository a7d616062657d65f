from typing import Any

import pytest
from project.audit import IGNORED, judged, reasons

CLEAN = {"name": "flask", "version": "3.1.3", "vulns": []}
FAULT: dict[str, Any] = {"id": "PYSEC-2026-1", "aliases": ["CVE-2026-1"], "fix_versions": ["3.2"], "description": ""}
FAULTY = {"name": "waitress", "version": "3.0.0", "vulns": [FAULT]}
SKIPPED = {"name": "babel", "skip_reason": "Dependency not found on PyPI and could not be audited: babel (2.18.0)"}


def test_a_known_vulnerability_fails_and_says_what_mends_it() -> None:
    verdict = judged([CLEAN, FAULTY], {})
    assert verdict.is_failed
    assert "waitress 3.0.0: PYSEC-2026-1, mended in 3.2" in verdict.says


@pytest.mark.parametrize("name", ["PYSEC-2026-1", "CVE-2026-1"])
def test_with_a_written_reason_it_stays(name: str) -> None:
    verdict = judged([CLEAN, FAULTY], {name: "only in a part that we do not use"})
    assert not verdict.is_failed
    assert verdict.says == ("2 packages audited, 0 known vulnerabilities without a reason",)


def test_a_package_that_could_not_be_audited_is_never_called_clean() -> None:
    verdict = judged([SKIPPED], {})
    assert not verdict.is_failed
    assert [line.split(",")[0] for line in verdict.says] == ["not measured: 1 of 1 packages"]
    both = judged([SKIPPED, FAULTY], {})
    assert both.is_failed
    assert any(line.startswith("not measured: 1 of 2") for line in both.says)


def test_a_reason_is_asked_for() -> None:
    assert reasons("# why\n\nCVE-2026-1 only in the part that draws PDF files\n") == {
        "CVE-2026-1": "only in the part that draws PDF files"
    }
    for text in ("CVE-2026-1", "CVE-2026-1  no"):
        with pytest.raises(ValueError, match="has no reason"):
            reasons(text)
    reasons(IGNORED.read_text("utf-8"))
