"""The addresses of the pages of people, once somebody of a night is a person."""

from support.browser_phones import BrowserNight


def pages_of_people(night: BrowserNight, name: str) -> tuple[str, ...]:
    """Make everybody of a name one person in the host's browser, and return the addresses of all pages of people."""
    host = night.host
    host.page.goto(f"{host.origin}/people/names?name={name}")
    host.page.click(".dock .btn.act")
    host.page.wait_for_selector(".swatches")
    person = host.page.url.removeprefix(host.origin)
    return ("/people", "/people/names?name=Ruth", person, f"{person}/kept", f"{person}/forget")
