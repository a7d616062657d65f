"""The page that says what can be relied on, what nobody can promise, and who is responsible for guests' data."""

from support.client_phones import CLIENT, HOST, PUBLIC, ClientPhone, PublicPhone, Site
from support.html_page import HtmlPage
from support.sample_nights import visible_text

from tracker.app.nights import Nights
from tracker.extras._responsible import Responsible, ResponsibleSettings
from tracker.storage import Store


def test_the_trust_page_says_what_a_home_network_cannot_promise(site: Site, host: ClientPhone, code: str) -> None:
    ben, lobby = site.join(code, "Ben"), f"/n/{code}/lobby"
    for page in (host.get("/files"), ben.get("/"), site.phone().get("/join"), host.get(lobby), ben.get(lobby)):
        assert 'href="/trust"' in page.text
    said = visible_text(site.phone().get("/trust"))
    assert "Whoever is on the same Wi-Fi and knows how can read everything" in said
    assert "Whoever runs the table’s machine can change its file." in said
    assert "No entry is deleted while its night is kept." in said  # one night may be erased for good


def test_an_encrypted_table_does_not_say_that_others_read_along(site: Site) -> None:
    phone = site.phone()
    secure = phone.client.get("/trust", base_url=f"https://{HOST}").text
    assert "Nobody on the Wi-Fi can read along" in secure
    assert ["Secrecy." in page for page in (secure, phone.get("/trust").text)] == [False, True]


def test_the_trust_page_names_who_is_responsible_or_how_that_is_set(site: Site, host: ClientPhone) -> None:
    guest, form = site.phone(), {"name": " Ruth  Weiß ", "contact": "ruth@cards.example"}
    assert "Whoever runs this house is responsible for it. The name is set on" in visible_text(guest.get("/trust"))
    assert not HtmlPage(guest.get("/trust").text).has("main form")
    assert HtmlPage(host.get("/trust").text).has("form[action='/trust']")
    assert guest.post("/trust", {**form}).status_code == 403
    assert host.post("/trust", {**form}).location == "/trust"
    said = visible_text(guest.get("/trust"))
    assert "Responsible for it: Ruth Weiß, ruth@cards.example." in said
    assert "Whoever runs this house" not in said
    refused = host.post("/trust", {"name": "x" * 101, "contact": ""})
    assert refused.status_code == 422
    assert "at most 100 characters" in refused.text
    host.post("/trust", {"name": "", "contact": "nobody"})
    assert "Whoever runs this house" in visible_text(guest.get("/trust"))


def test_at_a_public_address_it_is_not_said_that_nothing_leaves_the_network(tables: Nights) -> None:
    public = Site(tables, public=PUBLIC)
    assert "Nothing leaves this network" not in PublicPhone(public.app, CLIENT).get("/trust").text


def test_who_was_responsible_by_an_earlier_version_is_read(store: Store) -> None:
    settings = ResponsibleSettings(store)
    settings.responsible = Responsible("Ruth", "ruth@cards.example")
    assert settings.texts()["responsible"] == '{"name":"Ruth","contact":"ruth@cards.example"}'
    settings.write("responsible", "Ruth\nruth@cards.example")
    assert settings.responsible == Responsible("Ruth", "ruth@cards.example")
