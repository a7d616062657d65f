"""Addresses that try to leave the folder, and files that cost more to read than to send."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from support.api_scripts import with_command_token
from support.client_phones import Site
from support.uploads import upload_night


@pytest.mark.parametrize(
    "path",
    [
        "/static/../pyproject.toml",
        "/static/%2e%2e/pyproject.toml",
        "/static/..%2fpyproject.toml",
        "/static/..\\pyproject.toml",
        "/static//etc/passwd",
        "/static/%00",
        "/static/vendor/../../pyproject.toml",
        "/static/",
        "/static/.",
        "//etc/passwd",
        "/n/../etc/passwd",
        "/boards/..%2f..%2fetc%2fpasswd",
        "/boards/CON/file",
    ],
)
def test_no_address_leads_out_of_the_folder(site: Site, path: str) -> None:
    host = site.host()
    answer = host.get(path)
    assert answer.status_code in (400, 404, 405), path
    assert "root:" not in answer.text
    assert "[project]" not in answer.text


# Files that are bombs

DEEP = "[" * 5000


@pytest.mark.parametrize(
    "text",
    [
        "a" + ".a" * 4900 + " = 1",
        "a = " + "[" * 4900,
        "a = " + "[" * 2000 + "]" * 2000,
        "a = " + "{a=" * 1500 + "1" + "}" * 1500,
        "\n".join(f"[a{'.b' * n}]" for n in range(90)),
        "a = " + "9" * 9000,
        'a = "' + "\\u0041" * 1400 + '"',
        'id = "x"\x00',
        "[[pots]]\n" * 1000,
        "x" * 39_000,
    ],
)
def test_a_board_that_is_a_bomb_is_refused_in_words(site: Site, text: str) -> None:
    host, kept = site.host(), site.tables.library.own()
    forms: list[dict[str, Any]] = [{"board": (io.BytesIO(text.encode()), "bomb.toml")}, {"code": text}]
    for form in forms:
        answer = host.post("/boards/import", form)
        assert answer.status_code in (413, 422), answer.status_code
    assert site.tables.library.own() == kept


@pytest.mark.parametrize(
    "raw",
    [
        DEEP.encode(),
        (DEEP + "]" * 5000).encode(),
        b'{"a":' * 3000 + b"1" + b"}" * 3000,
        b'{"format": "board-tracker-night", "version": 1, "preset": "michigan-rummy", "events": ' + DEEP.encode(),
        json.dumps({"format": "board-tracker-night", "version": 10**400, "preset": "x", "events": []}).encode(),
        json.dumps(
            {"format": "board-tracker-night", "version": 1, "preset": {"id": ["x"] * 9000}, "events": []}
        ).encode(),
        b'{"format": NaN}',
        b"\x00" * 4000,
        b'"' + b"\\ud800" * 2000 + b'"',
    ],
)
def test_a_night_file_that_is_a_bomb_is_refused_in_words(site: Site, raw: bytes) -> None:
    answer = upload_night(site.host(), raw.decode("latin-1"))
    assert answer.status_code == 422
    assert site.tables.nights() == []
    if len(raw) < 16_000:
        assert with_command_token(site).post("/api/nights", raw).status in (400, 422)
