"""The page about the night file names every kind of event and every one of its fields."""

from __future__ import annotations

from dataclasses import fields

import pytest
from support.paths import ROOT

from tracker.core.events import KINDS

PAGE = (ROOT / "docs" / "night-file.md").read_text("utf-8")


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_event_is_on_the_page_with_its_fields(kind: str) -> None:
    rows = [row for row in PAGE.splitlines() if row.startswith("|") and f"`{kind}`" in row.split("|")[1]]
    assert rows, kind
    named = "".join(row.split("|")[2] for row in rows)
    assert [one.name for one in fields(KINDS[kind]) if one.name != "cover" and f"`{one.name}`" not in named] == []
