import pytest
from flask import Flask
from flask.testing import FlaskClient
from support.client_phones import HOST, Site

from tracker.web.access import request_guards

LAN = "192.168.1.23:8000"


@pytest.fixture
def client() -> FlaskClient:
    app = Flask("small", static_folder=None)
    app.config.update(HOST_NAMES=frozenset({"table.local"}), OWN_ADDRESSES=lambda: ["100.64.7.7"])
    request_guards.install(app)
    app.add_url_rule("/", "page", lambda: "page", methods=["GET", "POST"])
    app.add_url_rule("/api/x", "api", lambda: "api", methods=["GET", "POST"])
    return app.test_client(use_cookies=False)


@pytest.mark.parametrize(
    "host",
    [
        "192.168.1.23:8000",
        "192.168.1.23",
        "10.0.0.1:8000",
        "172.16.0.9:80",
        "172.31.255.255",
        "127.0.0.1:8000",
        "127.5.5.5",
        "169.254.3.4:8000",
        "localhost",
        "LOCALHOST:8000",
        "table.local:8000",
        "[::1]:8000",
        "[fe80::1]:8000",
        "[fd12:3456::1]",
        "[::ffff:192.168.1.5]:8000",
        "100.64.7.7:8000",
    ],
)
def test_an_address_of_the_home_network_or_a_configured_name_is_served(client: FlaskClient, host: str) -> None:
    assert client.get("/", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example",
        "evil.example:8000",
        "192.168.1.23.evil.example",
        "localhost.evil.example",
        "localhost.",
        "8.8.8.8",
        "172.32.0.1",
        "192.169.0.1",
        "0.0.0.0:8000",
        "100.64.0.1",
        "[2001:db8::1]:8000",
        "[::]:8000",
        "[::ffff:8.8.8.8]",
        "3232235799",
        "0xc0a80117",
        "0300.0250.1.23",
        "127.1",
        "192.168.1.23:0",
        "192.168.1.23:99999",
        "192.168.1.23:8000, evil.example",
        "user@192.168.1.23",
        "192.168.1.23/",
        "[fe80::1%25eth0]:8000",
        "١٩٢.168.1.1",
    ],
)
def test_any_other_host_is_refused_on_every_path(client: FlaskClient, host: str) -> None:
    for path in ("/", "/api/x", "/no/such/page"):
        assert client.get(path, headers={"Host": host}).status_code == 400, path


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "PROPFIND"])
@pytest.mark.parametrize("path", ["/", "/api/x", "/no/such/page"])
def test_only_get_head_and_post_are_answered(client: FlaskClient, method: str, path: str) -> None:
    answer = client.open(path, method=method, headers={"Host": LAN})
    assert answer.status_code == 405
    assert answer.headers["Allow"] == "GET, HEAD, POST"


def test_a_wrong_method_hears_which_ones_the_address_has(site: Site) -> None:
    client = site.app.test_client()
    for path, allowed in (("/statistics", "GET, HEAD"), ("/take-over", "POST"), ("/people", "GET, HEAD, POST")):
        for method in {"GET", "POST", "PUT", "OPTIONS"} - {*allowed.split(", ")}:
            answer = client.open(path, method=method, headers={"Host": HOST, "Origin": f"http://{HOST}"})
            assert (answer.status_code, answer.headers["Allow"]) == (405, allowed), (method, path)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": f"http://{LAN}"}, 200),
        ({"Origin": f"http://{LAN}", "Sec-Fetch-Site": "same-origin"}, 200),
        ({}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": ""}, 403),
        ({"Origin": "http://192.168.1.23:8001"}, 403),
        ({"Origin": "http://192.168.1.23"}, 403),
        ({"Origin": f"https://{LAN}"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": f"http://{LAN}.evil.example"}, 403),
        ({"Origin": f"http://evil.example@{LAN}"}, 403),
        ({"Origin": f"http://{LAN}/"}, 403),
        ({"Origin": f"http://{LAN}", "Sec-Fetch-Site": "cross-site"}, 403),
        ({"Origin": f"http://{LAN}", "Sec-Fetch-Site": "same-site"}, 403),
        ({"Origin": f"http://{LAN}", "Sec-Fetch-Site": "none"}, 403),
        ({"Referer": f"http://{LAN}/"}, 403),
        ({"Origin": "http://evil.example", "X-Forwarded-Host": "evil.example"}, 403),
        ({"Authorization": "Bearer x"}, 403),
    ],
)
def test_a_post_counts_only_from_our_own_page(client: FlaskClient, headers: dict[str, str], status: int) -> None:
    assert client.post("/", headers={"Host": LAN, **headers}).status_code == status


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Authorization": "Bearer secret"}, 200),
        ({}, 403),
        ({"Authorization": "Basic secret"}, 403),
        ({"Authorization": "Bearer secret", "Cookie": "board_1=x"}, 403),
        ({"Authorization": "Bearer secret", "Cookie": "board_1=x", "Origin": f"http://{LAN}"}, 200),
    ],
)
def test_a_script_needs_no_origin_only_with_its_own_token_and_no_cookie(
    client: FlaskClient, headers: dict[str, str], status: int
) -> None:
    assert client.post("/api/x", headers={"Host": LAN, **headers}).status_code == status


def test_a_body_over_the_limit_is_refused_before_it_is_read(client: FlaskClient) -> None:
    headers = {"Host": LAN, "Origin": f"http://{LAN}"}
    assert client.post("/", headers=headers, data=b"x" * request_guards.BODY_LIMIT).status_code == 200
    assert client.post("/", headers=headers, data=b"x" * (request_guards.BODY_LIMIT + 1)).status_code == 413
    declared = {"CONTENT_LENGTH": "1000000000"}
    assert client.post("/", headers=headers, environ_overrides=declared).status_code == 413


@pytest.mark.parametrize("path", ["/", "/no/such/page"])
def test_every_answer_carries_the_headers(client: FlaskClient, path: str) -> None:
    answer = client.get(path, headers={"Host": LAN})
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert answer.headers["Referrer-Policy"] == "same-origin"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert answer.headers["Cache-Control"] == "no-store"
    assert "Access-Control-Allow-Origin" not in answer.headers


def test_headers_of_proxies_are_ignored(client: FlaskClient) -> None:
    forwarded = {"X-Forwarded-Host": LAN, "X-Forwarded-For": "127.0.0.1", "Forwarded": f"host={LAN}"}
    assert client.get("/", headers={"Host": "evil.example", **forwarded}).status_code == 400


def test_every_page_that_takes_a_larger_body_is_there(site: Site) -> None:
    """A misspelt endpoint would silently have the limit of a small form."""
    posts = {rule.endpoint for rule in site.app.url_map.iter_rules() if "POST" in (rule.methods or ())}
    assert set(request_guards.BODY_LIMITS) <= posts
    imports = {
        site.app.url_map.bind("").match(path, "POST")[0]
        for path in (request_guards.IMPORT_PATH, request_guards.ELSEWHERE_PATH, request_guards.API_IMPORT_PATH)
    }
    assert imports == {"files.take", "files.take_elsewhere", "api_nights.take"}
    assert max(request_guards.BODY_LIMITS.values()) <= request_guards.IMPORT_LIMIT
    small = [limit for page, limit in request_guards.BODY_LIMITS.items() if page not in imports]
    assert max(small) < request_guards.SERVER_LIMIT
