"""What is made when it is first asked for: two processes that start at once on a new database have the same."""

from contextlib import closing

from tracker.app.nights import Nights
from tracker.extras.processes.options import Postgres
from tracker.storage import Store
from tracker.streaming.hub import StreamHub
from tracker.web.access.links import Invites


def test_two_new_processes_show_the_same_codes(database: str) -> None:
    with closing(Store(Postgres(database))) as one, closing(Store(Postgres(database))) as other:
        assert not other.settings(None).get("invite-secret")  # the other one has looked, and found none
        invites, others = Invites(one), Invites(other)
        code = Nights(one, StreamHub()).open("michigan-rummy").code
        invites.renew(code)
        shown = others.shown(code)
        assert shown == invites.shown(code)
        assert shown
        assert others.night_of_token(shown[0]) == code
