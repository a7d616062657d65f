"""Pages and files go out small, a file's address changes with its content; so many bytes before the table stands."""

import gzip
import re
from contextlib import closing
from pathlib import Path

import pytest
from flask import Flask, url_for
from flask.testing import FlaskClient
from support.client_phones import ClientPhone, Site
from support.paths import ROOT
from support.sample_nights import SampleNight

from tracker.core import events
from tracker.web import compression

TEXT = "body{color:red}" * 200


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared/site.css").write_text(TEXT, encoding="utf-8")
    (tmp_path / "tiny.css").write_text("a{}", encoding="utf-8")
    app = Flask(__name__, static_folder=str(tmp_path), static_url_path="/static")
    compression.install(app)
    app.add_url_rule("/page", "page", view_func=lambda: "word " * 1000)
    app.add_url_rule(
        "/stream", "stream", view_func=lambda: (iter(["data: 1\n\n"] * 900), {"Content-Type": "text/event-stream"})
    )
    return app


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


def test_a_page_is_gzipped_where_gzip_is_accepted_and_neither_a_stream_nor_a_tiny_file(client: FlaskClient) -> None:
    gzips = {"Accept-Encoding": "gzip"}
    answer = client.get("/page", buffered=True, headers=gzips)
    assert answer.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(answer.data) == b"word " * 1000
    assert int(answer.headers["Content-Length"]) == len(answer.data)
    plain = client.get("/page", buffered=True)
    assert "Content-Encoding" not in plain.headers
    assert plain.data == b"word " * 1000
    assert "Content-Encoding" not in client.get("/stream", buffered=True, headers=gzips).headers, (
        "it would be held back"
    )
    assert client.get("/static/tiny.css", buffered=True, headers=gzips).data == b"a{}"


def test_a_stamped_file_is_kept_and_its_address_follows_its_content(app: Flask, client: FlaskClient) -> None:
    with app.test_request_context():
        address = url_for("static", filename="shared/site.css")
    assert "?v=" in address
    answer = client.get(address, buffered=True, headers={"Accept-Encoding": "gzip"})
    assert "immutable" in answer.headers["Cache-Control"]
    assert gzip.decompress(answer.data).decode() == TEXT
    assert "immutable" not in client.get("/static/shared/site.css", buffered=True).headers.get("Cache-Control", "")


def test_a_font_named_in_a_style_sheet_has_an_address_that_follows_its_content(app: Flask, tmp_path: Path) -> None:
    (tmp_path / "vendor").mkdir()
    addresses, contents = set(), set()
    for font in (b"old", b"new"):
        (tmp_path / "vendor/font.woff2").write_bytes(font)
        (tmp_path / "shared/fonts.css").write_text("@font-face { src: url(../vendor/font.woff2) }", encoding="utf-8")
        compression._fingerprint.cache_clear()
        with app.test_request_context():
            address = url_for("static", filename="shared/fonts.css")
        sent = app.test_client().get(address, buffered=True)
        stamp = re.search(r"url\(\.\./vendor/font\.woff2\?v=([0-9a-f]{10})\)", sent.text)
        assert stamp, sent.text
        file = app.test_client().get(f"/static/vendor/font.woff2?v={stamp[1]}", buffered=True)
        assert "immutable" in file.headers["Cache-Control"]
        addresses.add(address)
        contents.add(sent.text)
    assert len(addresses) == len(contents) == 2


OWN = sorted(path for path in (ROOT / "static").rglob("*") if compression.is_own_source(str(path)))


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.name)
def test_scripts_and_styles_go_out_without_the_comments_that_people_read(path: Path) -> None:
    """Compare what is sent with the source line by line: it lacks comments and nothing else."""
    text = path.read_bytes()
    sent = compression.without_comments(text)
    assert len(gzip.compress(sent)) < len(gzip.compress(text))
    left = iter(line.strip() for line in sent.splitlines())
    is_comment, now = False, next(left, b"")
    for line in filter(None, map(bytes.strip, text.splitlines())):
        while not now:
            now = next(left)
        is_comment = is_comment or line.startswith((b"//", b"/*"))
        is_beside = now != line and line.startswith(now) and line[len(now) :].lstrip().startswith(b"//")
        if not is_comment or line == now:
            assert line == now or is_beside
            now = next(left, b"")
        elif line.startswith(b"//") or line.endswith(b"*/"):
            is_comment = False
    assert "vendor" not in path.parts, "third-party files are sent unchanged"
    assert all(line.count(b"`") % 2 == 0 for line in text.splitlines()), "indentation would be lost inside a text"


def test_what_is_sent_has_no_comments_whether_the_browser_unpacks_or_not(app: Flask, tmp_path: Path) -> None:
    script = 'f();  // why\n// whole\n  g("  // no comment");\n' + "h();\n" * 200
    (tmp_path / "shared/app.js").write_text(script, encoding="utf-8")
    sent = [
        app.test_client().get("/static/shared/app.js", buffered=True, headers={"Accept-Encoding": encoding}).data
        for encoding in ("identity", "gzip")
    ]
    assert sent[0] == gzip.decompress(sent[1])
    assert sent[0].startswith(b'f();\ng("  // no comment");\nh();\n')


# What a phone loads before the table stands, as it crosses the network, in an English page


MOST_BYTES = 80_000
LATER_BYTES = 15_000
FONT = re.compile(r"url\(\.\.(/vendor/[^)]*)\)")
ENGLISH = re.compile(r"/(besley|atkinson|atkinson-bold)\.woff2")


def size(phone: ClientPhone, address: str) -> int:
    with closing(phone.get(address, Accept_Encoding="gzip")) as answer:
        return len(answer.data)


def text(phone: ClientPhone, address: str) -> str:
    with closing(phone.get(address)) as answer:
        return answer.text


def test_a_phone_loads_80_kilobytes_before_the_table_stands_and_little_after_that_in_its_order(site: Site) -> None:
    night = SampleNight(site).record(events.Hand(events.SeatId("ruth")))
    phone, address = night.ben, night.base
    page = text(phone, address)
    parts = set(re.findall(r'(?:href|src)="(/static/[^"]+)"', page))
    fonts = {f"/static{one}" for part in parts if ".css" in part for one in FONT.findall(text(phone, part))}
    loaded = {one: size(phone, one) for one in (address, *parts, *filter(ENGLISH.search, fonts))}
    assert sum("woff2" in one for one in loaded) == 3
    assert sum(loaded.values()) <= MOST_BYTES, sorted(loaded.items(), key=lambda part: -part[1])
    later = re.findall(r'data-later="([^"]*)"', page)[0].split()
    assert sum(size(phone, one) for one in later) <= LATER_BYTES
    names = [name for one in later for name in re.findall(r"/table/([\w-]+)\.js", one)]
    assert names == ["others-count", "cards-left", "drag", "sheets", "keys"]
