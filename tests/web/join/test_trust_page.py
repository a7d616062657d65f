"""The page that says what can be relied on, in plain words, where people come in."""

from support.client_phones import ClientPhone, Site
from support.sample_nights import visible_text


def test_the_trust_page_says_what_a_home_network_cannot_promise(site: Site, host: ClientPhone, code: str) -> None:
    ben = site.join(code, "Ben")
    lobby = f"/n/{code}/lobby"
    for page in (host.get("/files"), ben.get("/"), site.phone().get("/join"), host.get(lobby), ben.get(lobby)):
        assert 'href="/trust"' in page.text
    for phone in (host, ben, site.phone()):
        said = visible_text(phone.get("/trust"))
        assert "Whoever is on the same Wi-Fi and knows how can read everything" in said
        assert "Whoever runs the table’s machine can change its file." in said
        assert "No entry is deleted while its night is kept." in said  # one night may be erased for good


def test_an_encrypted_table_does_not_say_that_others_read_along(site: Site) -> None:
    phone = site.phone()
    secure = phone.client.get("/trust", base_url="https://192.168.1.23:8000").text
    assert "Nobody on the Wi-Fi can read along" in secure
    assert "Secrecy." not in secure
    assert "Secrecy." in phone.get("/trust").text
