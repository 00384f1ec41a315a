"""Many processes behind nginx: what nginx is told, and what each process takes on."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tinkerformer.cli.command import main
from tinkerformer.components.upload import Opens
from tinkerformer.hosting import host
from tinkerformer.hosting.nginx import configuration
from tinkerformer.page import create_page
from tinkerformer.runtime import framing, limits

FOLDER = Path("/tmp/somewhere")


def test_every_process_has_a_room_and_the_next_one_takes_its_visitors():
    text = configuration([7001, 7002, 7003], "0.0.0.0:80", FOLDER)
    assert "listen 0.0.0.0:80;" in text
    for room, port in enumerate((7001, 7002, 7003)):
        assert f"location /room-{room}/ {{\n      proxy_pass http://127.0.0.1:{port};" in text
        assert f"rewrite ^/room-{room}/(.*)$ /room-{(room + 1) % 3}/$1 redirect;" in text
    assert text.count("33.33% room-") == 2
    assert "* room-0;" in text


def test_one_process_is_a_house_of_one_room():
    text = configuration([7001], "127.0.0.1:8080", FOLDER)
    assert "%" not in text.partition("split_clients")[2].partition("}")[0]


@pytest.mark.parametrize("sites", ['x"; return 200 "', "a;b", "a,b", "{", "\\", "'unsafe-inline'"])
@pytest.mark.parametrize("command", ["host", "serve"])
def test_sites_that_are_more_than_sites_are_refused(sites, command, monkeypatch):
    monkeypatch.delenv(framing.VARIABLE, raising=False)
    with pytest.raises(SystemExit, match="Sites are given as"):
        main([command, "--frame-ancestors", sites])
    assert framing.VARIABLE not in os.environ


def test_without_nginx_a_sentence_says_how_to_get_it(monkeypatch):
    monkeypatch.setattr(host.shutil, "which", lambda name: None)
    with pytest.raises(SystemExit, match="apt-get install nginx-light"):
        main(["host"])


@pytest.mark.parametrize(("arguments", "said"), [(["--processes", "0"], "serve nobody")])
def test_what_cannot_be_is_said(arguments, said):
    with pytest.raises(SystemExit, match=said):
        main(["host", *arguments])


# -- limits ---------------------------------------------------------------------------------------


def test_without_limits_there_is_room():
    assert limits.has_room(10_000)


def test_pages_are_counted(monkeypatch):
    monkeypatch.setenv(limits.SESSIONS.variable, "3")
    assert limits.has_room(2)
    assert not limits.has_room(3)


@pytest.mark.skipif(sys.platform != "linux", reason="Only Linux tells what a process holds.")
def test_memory_is_looked_at(monkeypatch):
    monkeypatch.setenv(limits.MEMORY.variable, "1")
    assert not limits.has_room(0)
    monkeypatch.setenv(limits.MEMORY.variable, "1000000")
    assert limits.has_room(0)


@pytest.mark.parametrize("limit", limits.LIMITS, ids=lambda limit: limit.variable)
@pytest.mark.parametrize("raw", ["0", "-1", "many", "1.5"])
def test_a_limit_that_is_none_is_refused_before_anything_starts(monkeypatch, limit, raw):
    monkeypatch.setenv(limit.variable, raw)
    with pytest.raises(ValueError, match=f"{limit.variable} is a whole number from 1"):
        limits.check()


def test_the_command_says_its_limits():
    done = subprocess.run(
        [sys.executable, "-m", "tinkerformer", "host", "--help"], capture_output=True, text=True
    )
    assert all(limit.variable in done.stdout for limit in limits.LIMITS)


def test_each_control_that_takes_files_takes_no_more_than_the_owner_lets_in(monkeypatch):
    monkeypatch.setenv(limits.UPLOAD.variable, "2")
    page = create_page()

    async def open_learn():  # which looks for examples, in a task
        page.state.go("view", "learn")

    asyncio.run(open_learn())
    todo = [each for region in page.regions.values() for each in region]
    for placed in todo:
        todo += getattr(placed, "objects", None) or []
    takers = [each for each in todo if isinstance(each, Opens)]
    assert len(takers) == 3
    assert {each.limit for each in takers} == {2 << 20}
