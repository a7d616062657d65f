"""A night of a score game in a real app, with its phones: what tests of these pages begin with."""

from collections.abc import Mapping
from typing import Any

from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage
from support.of_extras import needs_preset

from tracker.app.open_night import OpenNight
from tracker.core.night import Night

OWN_FIELDS = ("key", "head", "hand", "hands")


class ScoreNight:
    """Ruth is the host and sits first; the others have phones of their own."""

    def __init__(
        self,
        site: Site,
        preset: str,
        people: tuple[str, ...] = ("Ben", "Mia"),
        rules: Mapping[str, Any] | None = None,
    ) -> None:
        needs_preset(preset)
        self.site = site
        self.host = site.host()
        chosen = {key: str(value) for key, value in (rules or {}).items()}
        answer = self.host.post("/new", {"preset": preset, "host": "Ruth", "full": "1", **chosen})
        assert answer.status_code == 303, answer.text
        self.code = answer.location.split("/")[2]
        self.phones: dict[str, ClientPhone] = {"ruth": self.host}
        for name in people:
            self.phones[name.lower()] = site.join(self.code, name)

    @property
    def table(self) -> OpenNight:
        return self.site.tables.get(self.code)

    @property
    def night(self) -> Night:
        return self.table.night

    @property
    def points(self) -> dict[str, int]:
        return dict(self.night.points)

    def page(self, phone: str = "ruth") -> str:
        answer = self.phones[phone].get(f"/n/{self.code}")
        assert answer.status_code == 200
        return answer.text

    def form(self, phone: str = "ruth") -> dict[str, str]:
        """What the page of a phone would send with any of its buttons."""
        fields = HtmlPage(self.page(phone)).root.select("[name][value]")
        found = {field.get("name"): field.get("value") for field in reversed(fields)}
        return {name: found[name] for name in OWN_FIELDS if name in found}

    def tap(self, do: str, phone: str = "ruth", form: Mapping[str, str] | None = None, **fields: str) -> int:
        """Tap a button on a phone, on a fresh page unless `form` is an older one; returns the answer's status."""
        sent = {**(form or self.form(phone)), "do": do, **fields}
        return self.phones[phone].post(f"/n/{self.code}/record", dict(sent), HX_Request="true").status_code

    def sheet(self, path: str = "", phone: str = "ruth") -> str:
        answer = self.phones[phone].get(f"/n/{self.code}/sheet{path}")
        assert answer.status_code == 200
        return answer.text
