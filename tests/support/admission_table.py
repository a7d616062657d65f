"""A night in its first hand with a phone in each role, for tests of who may let whom in."""

from dataclasses import dataclass

from support.client_phones import ClientPhone, Site

from tracker.storage import DeviceRow
from tracker.web.access.devices import hash_token


@dataclass
class Table:
    """A night in its first hand: two phones of Ruth, who runs it, and of Ben, one of Mia; one watches, one waits."""

    site: Site
    code: str
    host: ClientPhone
    host_too: ClientPhone
    """Another phone at the host's seat, which is no host."""
    ben: ClientPhone
    ben_too: ClientPhone
    mia: ClientPhone
    watcher: ClientPhone
    waiting: ClientPhone

    @property
    def base(self) -> str:
        return f"/n/{self.code}"

    def devices(self) -> dict[int, tuple[str, str | None, bool]]:
        """Return the devices that are good now: role, seat, and whether it was admitted."""
        rows = self.site.access.devices.devices_of(self.code)
        answered = self.site.tables.store.settings(self.code)
        return {row.id: (row.role, row.seat, f"let-in.{row.id}" in answered) for row in rows}

    def device(self, phone: ClientPhone) -> DeviceRow:
        """Return the row behind a phone's cookie."""
        name = f"{self.site.access.devices.cookie_name}_{self.code}"
        row = self.site.tables.store.devices.by_token(hash_token(phone.cookies[name]))
        assert row
        return row

    def admit(self, phone: ClientPhone) -> None:
        assert self.host.post(f"{self.base}/knocks/{self.device(phone).id}/in").status_code == 303
        assert phone.post(f"{self.base}/enter").status_code == 303
        assert phone.get(self.base).status_code == 200


def new_table(site: Site) -> Table:
    host = site.host()
    code = site.open_night(host)
    ben, mia = site.join(code, "Ben"), site.join(code, "Mia")
    host.post(f"/n/{code}/seats", {"name": "Tom"})
    watcher = site.request_join(code, watch="1")
    site.start_first_hand(host, code)
    host_too, ben_too = site.request_join(code, seat="ruth"), site.request_join(code, seat="ben")
    sam, waiting = site.request_join(code, name="Sam"), site.request_join(code, name="Zoe")
    table = Table(site, code, host, host_too, ben, ben_too, mia, watcher, waiting)
    for phone in (host_too, ben_too, sam):
        table.admit(phone)
    return table
