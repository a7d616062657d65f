"""The token that the command prints for scripts, and what a script sends with it."""

import stat
from contextlib import closing
from pathlib import Path

from support.client_phones import HOST, Site
from support.server_process import run, serve_command

from tracker.extras.api.tokens import register_own_token
from tracker.storage import Store
from tracker.web.access.devices import hash_token


def test_the_scripts_token_is_the_same_every_time_and_for_this_user_only(tmp_path: Path) -> None:
    first, second = run("token", "--data", tmp_path / "new"), run("token", "--data", tmp_path / "new")
    assert first.stdout == second.stdout
    assert len(first.stdout.strip()) >= 43
    (file,) = (tmp_path / "new").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_the_server_knows_the_scripts_token_and_forgets_the_one_before(tmp_path: Path) -> None:
    old = run("token", "--data", tmp_path).stdout.strip()
    with closing(Store(tmp_path / "nights.db")) as store:
        register_own_token(store, tmp_path)
        assert run("token", "--data", tmp_path).stdout.strip() == old
    (tmp_path / "api-token").unlink()
    new = run("token", "--data", tmp_path).stdout.strip()
    with serve_command(tmp_path) as served:
        assert served.stop() == 0
    with closing(Store(tmp_path / "nights.db")) as store:
        device = store.devices.by_token(hash_token(new))
        assert device is not None
        assert (device.role, device.code) == ("host", None)
        assert store.devices.by_token(hash_token(old)) is None


def test_a_script_needs_no_origin_only_with_its_own_token_and_no_cookie(site: Site) -> None:
    code = site.open_night(site.host())
    token, cookie = {"Authorization": f"Bearer {site.script_token(code, 'host')}"}, {"Cookie": "board_1=x"}
    client = site.app.test_client(use_cookies=False)
    for headers, status in (
        (token, 415),  # asked what it sends: it came in
        ({}, 401),
        ({"Authorization": "Basic secret"}, 401),
        (token | cookie, 401),
        (token | cookie | {"Origin": f"http://{HOST}"}, 401),
    ):
        answer = client.post(f"/api/nights/{code}/events", headers={"Host": HOST, **headers})
        assert answer.status_code == status, headers
