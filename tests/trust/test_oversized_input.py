"""Addresses that try to leave the folder."""

import pytest
from support.client_phones import Site


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
