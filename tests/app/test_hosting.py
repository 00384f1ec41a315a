"""The page for many visitors: the files of ``assets/hosting``, and the limits of each process."""

import asyncio
import functools
import itertools
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import yaml
from tinkerformer.cli import command
from tinkerformer.cli.command import main
from tinkerformer.components.upload import Opens
from tinkerformer.shell import create_page
from tinkerformer.transport.hosting import systemd
from tinkerformer.transport.runtime import limits
from tinkerformer.transport.security import framing
from tornado.httpclient import HTTPClientError

from tests.app.served import Socket, answer, token
from tests.units import FILES, ROOT, UNIT, Front, Missing, environment, free_ports, house, unit

pytestmark = pytest.mark.thorough

WAITING = "This page opens by itself"


@pytest.fixture(scope="module")
def two():
    """Two processes of the unit behind nginx."""
    try:
        with house(2) as running:
            yield running
    except Missing as missing:
        pytest.skip(str(missing))


@pytest.fixture(scope="module")
def alone():
    """nginx in front of two ports on which no process listens."""
    try:
        with Front(free_ports(2)) as front:
            yield front
    except Missing as missing:
        pytest.skip(str(missing))


# -- nginx ----------------------------------------------------------------------------------------


def test_nginx_accepts_the_file(alone):
    done = subprocess.run([*alone.command, "-t"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "warn" not in done.stderr


@pytest.mark.parametrize("place", ["/", "/main?view=formulas&embed", "/main/ws", "/liveness"])
def test_with_all_processes_down_a_visitor_waits_and_is_not_sent_elsewhere(alone, place):
    status, text, said = answer(alone.port, place)
    assert status == 503
    assert WAITING in text
    assert "Location" not in said
    assert said["Content-Type"] == "text/html"
    assert said["Cache-Control"] == "no-store"


# -- several processes ----------------------------------------------------------------------------


async def test_a_page_of_one_process_can_connect_to_any_other_process(two):
    """The page keeps the id, which leads it to the same process."""
    (one, other), front = two
    for asked, port in ((one, other.port), (other, one.port), (one, front.port)):
        page = answer(asked.port, "/main")[1]
        named = re.search(r'begin\((\{"token":.*?\})\)', page)
        assert named
        given = json.loads(named[1])
        async with Socket.opened(port, given["token"]) as opened:
            _, content = await opened.answer_to(await opened.say("PULL-DOC-REQ", {}))
            assert [root["id"] for root in content["doc"]["roots"]] == [given["port"]]


@pytest.fixture
def small():
    """Two such processes with room for two pages each."""
    try:
        with house(2, **{limits.SESSIONS.variable: "2"}) as running:
            yield running
    except Missing as missing:
        pytest.skip(str(missing))


async def test_a_visitor_is_sent_from_a_full_process_to_another(small):
    (full, free), front = small
    async with AsyncExitStack() as stack:
        for _ in range(2):
            await stack.enter_async_context(Socket.opened(full.port))
        assert answer(full.port, "/main")[0] == 503
        assert answer(full.port, "/liveness?endpoint=/main")[:2] == (200, "ok\n")
        for each in [token(front.port) for _ in range(2)]:
            with pytest.raises(HTTPClientError, match="503"):
                await stack.enter_async_context(Socket.opened(full.port, each))
            await stack.enter_async_context(Socket.opened(front.port, each))
        status, text, _ = answer(front.port, "/main")
        assert status == 503
        assert "All places are taken" in text
        assert answer(free.port, "/main")[0] == 503


def test_a_process_that_hangs_is_skipped_and_ended_and_started_again(two):
    (one, _), front = two
    os.kill(one.process.pid, signal.SIGSTOP)
    # The other process may be slow, too, on a busy machine.
    asked = (answer(front.port, "/liveness")[0] for _ in range(40))
    answered = (each for each in asked if each == 200)
    assert [*itertools.islice(answered, 4)] == [200] * 4
    assert one.starts == 1
    one.watchdog = 0.0
    while one.starts == 1:
        one.is_ready.wait(0.1)
    one.watchdog = 60.0
    assert one.is_ready.wait(60)
    assert answer(one.port, "/liveness")[0] == 200
    assert one.starts == 2
    assert "Fatal Python error: Aborted" in one.log.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["{folder}/told", "@{folder}/told"], ids=["file", "abstract"])
def test_systemd_is_notified_of_the_start_and_as_often_as_it_requires(name, tmp_path, monkeypatch):
    name = name.format(folder=tmp_path)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as hears:
        hears.bind(name.replace("@", "\0"))
        hears.settimeout(60)
        monkeypatch.setenv(systemd.SOCKET, name)
        monkeypatch.setenv(systemd.ALLOWED, "100000")

        async def run():
            systemd.notify_systemd()
            return [await asyncio.to_thread(hears.recv, 100) for _ in range(3)]

        assert asyncio.run(run()) == [b"READY=1", b"WATCHDOG=1", b"WATCHDOG=1"]


@pytest.mark.skipif(sys.platform != "linux", reason="Only Linux tells whose child a process is.")
def test_a_process_has_no_child_processes_that_could_outlive_it(two):
    for each in two[0]:
        threads = Path(f"/proc/{each.process.pid}/task").iterdir()
        assert [(thread / "children").read_text() for thread in threads if thread.exists()]
        assert not "".join((thread / "children").read_text() for thread in threads)


def test_a_port_in_use_is_reported_before_anything_starts():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = subprocess.run(
            [sys.executable, "-m", "tinkerformer", "--no-show", "--port", str(port)],
            capture_output=True,
            text=True,
        )
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr == f"Nothing can listen at localhost, port {port}: Address already in use.\n"


# -- files ----------------------------------------------------------------------------------------


def test_systemd_accepts_the_unit(tmp_path):
    if shutil.which("systemd-analyze") is None:
        pytest.skip("There is no systemd-analyze (Debian: apt-get install systemd).")
    text = UNIT.read_text(encoding="utf-8")
    file = tmp_path / UNIT.name
    file.write_text(text.replace("/opt/tinkerformer/bin/tinkerformer", sys.executable))
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(file)], capture_output=True, text=True
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_systemd_restarts_a_process_that_ends_or_hangs_without_a_limit_of_attempts():
    section = unit()
    assert section["Restart"] == "always"
    assert section["Type"] == "notify"
    assert int(section["WatchdogSec"]) > 0
    assert section["KillMode"] == "control-group"
    assert "StartLimitIntervalSec=0\n" in UNIT.read_text(encoding="utf-8")


def test_a_process_sends_pings_more_often_than_the_timeout_of_nginx():
    from bokeh.server.tornado import DEFAULT_KEEP_ALIVE_MS

    text = (FILES / "nginx.conf").read_text(encoding="utf-8")
    found = re.search(r"location ~ /ws\$ \{[^}]*proxy_read_timeout (\d+)s;", text)
    assert found
    assert int(found[1]) > 1.5 * DEFAULT_KEEP_ALIVE_MS / 1000


def test_a_page_that_asks_to_continue_waits_long_enough_for_nginx_to_try_two_processes():
    script = (ROOT / "app" / "shell" / "served" / "connection.js").read_text(encoding="utf-8")
    text = (FILES / "nginx.conf").read_text(encoding="utf-8")
    waits = re.search(r"PROBE = (\d+);", script)
    steps = re.search(r"\(liveness\|metadata\)\$ \{[^}]*proxy_read_timeout (\d+)s;", text)
    assert waits
    assert steps
    assert int(waits[1]) > 2000 * int(steps[1])


@functools.cache
def cluster():
    """Return the objects of the cluster, by their kinds."""
    text = (FILES / "kubernetes.yaml").read_text(encoding="utf-8")
    return {each["kind"]: each for each in yaml.safe_load_all(text)}


def page_of_the_cluster():
    (container,) = cluster()["Deployment"]["spec"]["template"]["spec"]["containers"]
    return container


@pytest.mark.parametrize("given", [environment, lambda: cluster()["ConfigMap"]["data"]])
def test_every_limit_is_set_to_a_valid_value(given, monkeypatch):
    for limit in limits.LIMITS:
        monkeypatch.setenv(limit.variable, given()[limit.variable])
        assert limit.value()
    limits.check()


def test_every_documented_start_of_a_process_is_accepted_by_the_command():
    dockerfile = (FILES / "Dockerfile").read_text(encoding="utf-8")
    image = json.loads(re.search(r"^ENTRYPOINT (.*)$", dockerfile, re.MULTILINE)[1])
    lines = {
        "unit": unit()["ExecStart"].replace("%i", "5006").replace("$TINKERFORMER_OPTIONS", ""),
        "options": f"tinkerformer serve {environment()['TINKERFORMER_OPTIONS']}",
        "image": " ".join(image),
        "cluster": " ".join([*image, *page_of_the_cluster()["args"]]),
    }
    found = {k: command._parser().parse_args(line.split()[1:]) for k, line in lines.items()}
    assert {each.run.__name__ for each in found.values()} == {"serve"}
    assert all(found[name].behind_proxy for name in ("unit", "image", "cluster"))
    assert found["unit"].address == "localhost"
    assert found["image"].address == "0.0.0.0"
    (port,) = page_of_the_cluster()["ports"]
    assert {found["image"].port, port["containerPort"]} == {5006}
    assert "EXPOSE 5006\n" in dockerfile
    assert "http://localhost:5006/liveness" in dockerfile
    nginx = (FILES / "nginx.conf").read_text(encoding="utf-8")
    hosts = {found[name].allow_websocket_origin[0] for name in ("options", "cluster")}
    assert hosts == {re.search(r"server_name (.*);", nginx)[1]}


def test_the_objects_of_the_cluster_refer_to_one_another():
    every, container = cluster(), page_of_the_cluster()
    labels = every["Deployment"]["spec"]["template"]["metadata"]["labels"]
    assert every["Deployment"]["spec"]["selector"]["matchLabels"] == labels
    assert every["Service"]["spec"]["selector"] == labels
    assert every["Service"]["spec"]["ports"][0]["targetPort"] == container["ports"][0]["name"]
    (rule,) = every["Ingress"]["spec"]["rules"]
    backend = rule["http"]["paths"][0]["backend"]["service"]
    assert backend["name"] == every["Service"]["metadata"]["name"]
    assert backend["port"]["name"] == every["Service"]["spec"]["ports"][0]["name"]
    assert rule["host"] in container["args"]
    assert container["envFrom"][0]["configMapRef"]["name"] == every["ConfigMap"]["metadata"]["name"]
    for name in ("startupProbe", "livenessProbe", "readinessProbe"):
        asked = container[name]["httpGet"]
        assert (asked["path"], asked["port"]) == ("/liveness", container["ports"][0]["name"])


def test_all_files_of_the_container_image_exist():
    lines = (FILES / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    kept = [line[1:] for line in lines if line.startswith("!")]
    assert len(kept) > 5
    assert all([*ROOT.glob(each)] for each in kept)


def test_each_file_is_named_in_the_documentation():
    told = (ROOT / "assets" / "docs" / "hosting.md").read_text(encoding="utf-8")
    named = set(re.findall(r"literalinclude\} \.\./hosting/(\S+)", told))
    assert named == {file.name for file in FILES.iterdir()}


# -- options --------------------------------------------------------------------------------------


@pytest.mark.parametrize("sites", ['x"; return 200 "', "a;b", "a,b", "{", "\\", "'unsafe-inline'"])
def test_sites_with_a_path_or_other_parts_are_refused(sites, monkeypatch):
    monkeypatch.delenv(framing.VARIABLE, raising=False)
    with pytest.raises(SystemExit, match="Sites are given as"):
        main(["serve", "--frame-ancestors", sites])
    assert framing.VARIABLE not in os.environ


# -- limits ---------------------------------------------------------------------------------------


def test_pages_are_counted(monkeypatch):
    monkeypatch.delenv(limits.SESSIONS.variable, raising=False)
    assert limits.has_room(limits.SESSIONS.usual - 1)
    assert not limits.has_room(limits.SESSIONS.usual)
    monkeypatch.setenv(limits.SESSIONS.variable, "3")
    assert limits.has_room(2)
    assert not limits.has_room(3)


@pytest.mark.skipif(sys.platform != "linux", reason="Only Linux tells what a process holds.")
def test_a_process_without_free_memory_accepts_no_page(monkeypatch):
    monkeypatch.setenv(limits.MEMORY.variable, "1")
    assert not limits.has_room(0)
    monkeypatch.setenv(limits.MEMORY.variable, "1000000")
    assert limits.has_room(0)


@pytest.mark.parametrize("limit", limits.LIMITS, ids=lambda limit: limit.variable)
@pytest.mark.parametrize("raw", ["0", "-1", "many", "1.5"])
def test_an_invalid_limit_is_refused_before_anything_starts(monkeypatch, limit, raw):
    monkeypatch.setenv(limit.variable, raw)
    with pytest.raises(ValueError, match=f"{limit.variable} is a whole number from 1"):
        limits.check()


def test_each_control_accepts_files_up_to_the_owner_s_limit(monkeypatch):
    monkeypatch.setenv(limits.UPLOAD.variable, "2")
    page = create_page()

    async def open_learn():  # opening this view starts a task that looks for examples
        page.state.go("view", "train")

    asyncio.run(open_learn())
    todo = [each for region in page.regions.values() for each in region]
    for placed in todo:
        todo += getattr(placed, "objects", None) or []
    takers = [each for each in todo if isinstance(each, Opens)]
    subclasses = Opens.__subclasses__()
    classes = [each for each in subclasses if each.__module__.startswith("tinkerformer.")]
    assert len(takers) == len(classes)
    assert {type(each) for each in takers} == {*classes}
    assert {each.limit for each in takers} == {2 << 20}
