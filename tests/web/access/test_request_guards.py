from types import SimpleNamespace

import pytest
from flask import Flask
from flask.testing import FlaskClient
from support.client_phones import HOST, Site

from tracker.web.access import request_guards
from tracker.web.access.permissions import Scripts
from tracker.web.access.roles import BODY_LIMIT

LAN = "192.168.1.23:8000"


@pytest.fixture
def client() -> FlaskClient:
    app = Flask("small", static_folder=None)
    app.config.update(HOST_NAMES=frozenset({"table.local"}), OWN_ADDRESSES=lambda: ["100.64.7.7"])
    app.extensions["access"] = SimpleNamespace(scripts=Scripts())
    request_guards.install(app)
    app.add_url_rule("/", "page", lambda: "page", methods=["GET", "POST"])
    app.add_url_rule("/api/x", "api", lambda: "api", methods=["GET", "POST"])
    return app.test_client(use_cookies=False)


SERVED = """
    192.168.1.23:8000  192.168.1.23  10.0.0.1:8000  172.16.0.9:80  172.31.255.255  127.0.0.1:8000  127.5.5.5
    169.254.3.4:8000  localhost  LOCALHOST:8000  table.local:8000  100.64.7.7:8000
    [::1]:8000  [fe80::1]:8000  [fd12:3456::1]  [::ffff:192.168.1.5]:8000
"""
REFUSED = """
    evil.example  evil.example:8000  192.168.1.23.evil.example  localhost.evil.example  localhost.  user@192.168.1.23
    8.8.8.8  172.32.0.1  192.169.0.1  0.0.0.0:8000  100.64.0.1  127.1  3232235799  0xc0a80117  0300.0250.1.23
    192.168.1.23:0  192.168.1.23:99999  192.168.1.23/  ١٩٢.168.1.1
    [2001:db8::1]:8000  [::]:8000  [::ffff:8.8.8.8]  [fe80::1%25eth0]:8000
"""


def test_an_address_of_the_home_network_or_a_configured_name_is_served_and_no_other(client: FlaskClient) -> None:
    for host in SERVED.split():
        assert client.get("/", headers={"Host": host}).status_code == 200, host
    forwarded = {"X-Forwarded-Host": LAN, "X-Forwarded-For": "127.0.0.1", "Forwarded": f"host={LAN}"}
    for host in (*REFUSED.split(), "", f"{LAN}, evil.example"):
        for path in ("/", "/api/x", "/no/such/page"):
            assert client.get(path, headers={"Host": host, **forwarded}).status_code == 400, (host, path)


def test_an_answer_runs_nothing_inline_and_is_for_no_other_site(client: FlaskClient) -> None:
    headers = client.get("/no/such/page", headers={"Host": LAN}).headers
    assert headers["Content-Security-Policy"].startswith("default-src 'none'; ")
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "Access-Control-Allow-Origin" not in headers


def test_a_wrong_method_hears_which_ones_the_address_has(site: Site) -> None:
    client = site.app.test_client()
    for path, allowed in (("/files", "GET, HEAD"), ("/take-over", "POST"), ("/new", "GET, HEAD, POST")):
        for method in {"GET", "POST", "PUT", "OPTIONS"} - {*allowed.split(", ")}:
            answer = client.open(path, method=method, headers={"Host": HOST, "Origin": f"http://{HOST}"})
            assert (answer.status_code, answer.headers["Allow"]) == (405, allowed), (method, path)


OURS = f"http://{LAN}"
OTHERS = f"""
    null http://192.168.1.23:8001 http://192.168.1.23 https://{LAN} {OURS}/
    http://evil.example {OURS}.evil.example http://evil.example@{LAN}
"""
NOT_FROM_OUR_PAGE: list[dict[str, str]] = [
    {},
    *({"Origin": origin} for origin in ("", *OTHERS.split())),
    *({"Origin": OURS, "Sec-Fetch-Site": site} for site in ("cross-site", "same-site", "none")),
    {"Referer": f"{OURS}/"},
    {"Origin": "http://evil.example", "X-Forwarded-Host": "evil.example"},
    {"Authorization": "Bearer x"},
]


def test_a_post_counts_only_from_our_own_page(client: FlaskClient) -> None:
    for headers in ({"Origin": OURS}, {"Origin": OURS, "Sec-Fetch-Site": "same-origin"}):
        assert client.post("/", headers={"Host": LAN, **headers}).status_code == 200, headers
    for headers in NOT_FROM_OUR_PAGE:
        assert client.post("/", headers={"Host": LAN, **headers}).status_code == 403, headers


def test_a_body_over_the_limit_is_refused_before_it_is_read(client: FlaskClient) -> None:
    headers = {"Host": LAN, "Origin": f"http://{LAN}"}
    assert client.post("/", headers=headers, data=b"x" * BODY_LIMIT).status_code == 200
    assert client.post("/", headers=headers, data=b"x" * (BODY_LIMIT + 1)).status_code == 413
    declared = {"CONTENT_LENGTH": "1000000000"}
    assert client.post("/", headers=headers, environ_overrides=declared).status_code == 413
