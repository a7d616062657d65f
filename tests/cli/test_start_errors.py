"""Why the command does not start, or no phone can join: one sentence with the cause and the remedy."""

import os
import re
import shutil
import socket
import subprocess
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result
from support.paths import ROOT
from support.polling import read_until
from support.server_process import command, run, run_command, serve_command

from tracker.cli import commands, default_folder, main
from tracker.cli.serve import OTHER_NETWORK

DROPPED = "-net_bind_service,-dac_override,-dac_read_search"
"""Capabilities by which root may use any port and write any folder."""


def run_as_user(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run the command without the rights of root."""
    drop = ["setpriv", f"--bounding-set={DROPPED}", f"--inh-caps={DROPPED}"] if os.geteuid() == 0 else []
    if drop and not shutil.which("setpriv"):
        pytest.skip("not on this machine: setpriv")
    started = [*drop, *command(*arguments)]
    return subprocess.run(started, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=60, check=False)


def run_alone(addresses: str, *arguments: str | Path) -> str:
    """Return what `serve` prints before it waits, in a network of its own that has these addresses."""
    if not (shutil.which("unshare") and shutil.which("ip")):
        pytest.skip("not on this machine: unshare, ip")
    setup = f"ip link set lo up && {addresses}"
    alone = ["unshare", "--user", "--map-root-user", "--net", "sh", "-c"]
    if subprocess.run([*alone, setup], capture_output=True, check=False).returncode:
        pytest.skip("this system allows no networks of one's own")
    served = [*alone, f'{setup} && exec "$@"', "sh", *command("serve", "--no-browser", *arguments)]
    with subprocess.Popen(served, cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8") as program:
        said = read_until(program, "The host's page")
        program.terminate()
    return said


def refusal(result: subprocess.CompletedProcess[str] | Result) -> str:
    """Return the one sentence of a command that was refused."""
    assert (result.exit_code if isinstance(result, Result) else result.returncode) == 1
    assert result.stdout == ""
    assert re.fullmatch(r"Error: [^\n]+\n", result.stderr), result.stderr
    return result.stderr.removeprefix("Error: ").rstrip()


@pytest.mark.parametrize(
    ("older", "said"),
    [
        ("import sys\nsys.version_info = (3, 10, 13, 'final', 0)\n", "Python 3.11 or newer, this is 3.10"),
        (
            "import sqlite3\nsqlite3.sqlite_version_info = (3, 36, 0)\n",
            "SQLite 3.37 or newer, this Python has 3.36.0",
        ),
    ],
    ids=["python", "sqlite"],
)
def test_a_python_or_an_sqlite_that_is_too_old_is_named_with_the_one_that_is_needed(
    older: str, said: str, tmp_path: Path
) -> None:
    """The real module by this Python, which is told that it is an older one."""
    (tmp_path / "sitecustomize.py").write_text(older, encoding="utf-8")
    told = refusal(run_command("serve", "--no-browser", "--data", tmp_path, PYTHONPATH=str(tmp_path)))
    assert told.startswith(f"Board Tracker needs {said}: start it with ")


def test_an_address_that_is_none_of_this_machine_is_refused_with_the_own_ones(tmp_path: Path) -> None:
    for host in ("::", "::1", "fe80::1"):
        said = refusal(run("serve", "--no-browser", "--data", tmp_path, "--host", host))
        assert said.startswith(f"{host} is an IPv6 address, and the tracker is reached by IPv4 only")
    for host in ("203.0.113.7", "no-such-name.invalid"):
        said = refusal(run("serve", "--no-browser", "--data", tmp_path, "--host", host))
        assert said.startswith(f"can't listen on {host} (")
        assert "leave --host out, or give it one of this machine's addresses, " in said
        assert said.endswith("127.0.0.1")


def test_the_readme_installs_the_program_before_what_needs_a_newer_python() -> None:
    """pip then names the Python that is needed; a package of the lock would be called missing."""
    lines = (ROOT / "README.md").read_text("utf-8").splitlines()
    started = next(line for line in lines if line.endswith("/board-tracker"))
    assert started.index("-e .") < started.index("-r requirements.lock")


def test_a_port_that_is_not_allowed_is_not_called_busy(tmp_path: Path) -> None:
    first = Path("/proc/sys/net/ipv4/ip_unprivileged_port_start")
    if not first.exists() or int(first.read_text(encoding="utf-8")) <= 443:
        pytest.skip("every user may have every port here")
    said = refusal(run_as_user("serve", "--no-browser", "--data", tmp_path, "--port", "443"))
    assert said.startswith("port 443 is not allowed for this user")
    assert said.endswith("choose another one, for example --port 8000")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_an_address_that_only_this_machine_reaches_is_kept_to_and_offered_to_no_phone(
    host: str, tmp_path: Path
) -> None:
    with serve_command(tmp_path, "--host", host) as served:
        for_phones, _, for_host = served.said.partition("The host's page")
        assert f"Only this machine can open the table at {host}: leave --host out" in for_phones
        assert "http" not in for_phones
        assert f"http://{host}:{served.port}/host/" in for_host
        with socket.socket() as probe:
            probe.bind(("127.0.0.2", served.port))


def test_a_machine_in_no_network_says_what_to_do(tmp_path: Path) -> None:
    said = run_alone("true", "--data", tmp_path)
    assert said.startswith(f"This machine is in no network: {OTHER_NETWORK}.\n")


@pytest.mark.parametrize(
    ("address", "why"), [("169.254.7.7/16", "no address was given to this machine"), ("100.70.1.2/10", "VPN")]
)
def test_an_address_that_phones_hardly_reach_is_said_to_be_one(address: str, why: str, tmp_path: Path) -> None:
    network = f"ip link add tun0 type veth peer name other && ip addr add {address} dev tun0 && ip link set tun0 up"
    said = run_alone(network, "--data", tmp_path)
    assert f"http://{address.partition('/')[0]}:8000/" in said
    (warning,) = re.findall(r"They may not reach it \(([^)]+)\): (.+)\.\n", said)
    assert why in warning[0]
    assert warning[1] == OTHER_NETWORK


@pytest.mark.parametrize("place", ["in a folder that can't be written", "in a file", "one that is there"])
def test_a_data_folder_that_can_not_be_written_is_named_with_the_option_for_another(place: str, tmp_path: Path) -> None:
    folder = tmp_path / "closed"
    if place == "in a file":
        folder.write_text("a file in the way", encoding="utf-8")
    else:
        folder.mkdir(mode=0o555)
    folder = folder if place == "one that is there" else folder / "nights"
    said = refusal(run_as_user("serve", "--no-browser", "--data", folder))
    assert said.startswith(f"the data folder {folder} can't be written")
    assert said.endswith(": keep the nights in another one with --data FOLDER")
    assert "Errno" not in said


def test_the_help_names_the_data_folder_and_cuts_nothing_off() -> None:
    context = click.Context(main)
    groups = {name: found for name in commands() if isinstance(found := main.get_command(context, name), click.Group)}
    inner = [[name, one] for name, group in groups.items() for one in group.list_commands(context)]
    for name in ([], *([one] for one in commands()), *inner):
        said = CliRunner(env={"COLUMNS": "80"}).invoke(main, [*name, "--help"], prog_name="board-tracker").output
        assert not re.search(r"(?<!\])(?<! FILES)\.\.\.", said), name  # usage lines have [ARGS]... and FILES...
        if ("--data" in said and name[:1] not in [[one] for one in groups]) or not name:
            assert "".join(str(default_folder()).split()) in "".join(said.split()), name


def test_a_folder_whose_name_is_too_long_is_refused_in_one_sentence(tmp_path: Path) -> None:
    answer = run("serve", "--data", tmp_path / ("x" * 300))
    assert answer.exit_code == 2
    assert "the data folder can't be used: File name too long" in answer.stderr
