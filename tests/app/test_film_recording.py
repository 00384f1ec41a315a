"""``tinkerformer film`` writes a video that a browser plays, or pictures, or an error."""

import shutil
from pathlib import Path

import pytest
from tinkerformer.cli.command import main

pytestmark = pytest.mark.thorough

pytest.importorskip("playwright")
NAMES = ("chromium-headless-shell", "chromium", "google-chrome", "chromium-browser")

LESSON = """---
title: A film
minutes: 1
scenario: phrases
---

## A step

:::{play}
label: Not this one
cell: source.W_e[6,0]
:::

:::{film}
scenes:
  - {say: One., seconds: 1, parts: [input], follow: source 1}
  - {say: Two., seconds: 1, swing: "source.embedding[1,0]"}
:::
"""
PLAYED = """async () => {
  const video = document.querySelector("video");
  video.pause();
  video.currentTime = 1e6;
  await new Promise((done) => { video.onseeked = done; });
  return [video.videoWidth, video.videoHeight, video.currentTime];
}"""


@pytest.fixture
def lesson(tmp_path: Path) -> Path:
    file = tmp_path / "mine.md"
    file.write_text(LESSON, encoding="utf-8")
    return file


def test_a_film_is_written_as_a_video(lesson, tmp_path):
    from playwright.sync_api import sync_playwright

    out = tmp_path / "out.webm"
    main(["film", str(lesson), "--record", str(out), "--rate", "4", "--size", "640x480"])
    with sync_playwright() as playwright:
        found = next(filter(None, map(shutil.which, NAMES)), None)
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(out.as_uri())
        width, height, seconds = page.evaluate(PLAYED)
        browser.close()
    assert (width, height) == (640, 480)
    assert 3 < seconds < 7, "two seconds, and two of its last picture"


def test_a_film_is_written_as_pictures(lesson, tmp_path, capsys):
    out = tmp_path / "pictures"
    main(["film", str(lesson), "--record", str(out), "--rate", "2", "--theme", "dark"])
    pictures = sorted(out.iterdir())
    assert [picture.name for picture in pictures] == [f"{k:05}.png" for k in range(4)]
    assert len({picture.read_bytes() for picture in pictures}) == 4
    assert "4 pictures of 1280 × 720" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--record", "out.mp4"], "A film is written as .webm"),
        (["--record", "{}"], "is there already"),
        (["{}", "--record", "out.webm"], "mine.md has no film"),
    ],
)
def test_a_failed_recording_ends_in_one_sentence(lesson, arguments, said):
    lesson.write_text(LESSON.partition(":::{film}")[0], encoding="utf-8")
    with pytest.raises(SystemExit, match=said):
        main(["film", *(each.format(lesson) for each in arguments)])


@pytest.mark.parametrize("option", [("--size", "17x9"), ("--size", "641x480"), ("--rate", "0")])
def test_sizes_and_rates_have_limits(option, capsys):
    with pytest.raises(SystemExit):
        main(["film", "--record", "out.webm", *option])
    assert "is no" in capsys.readouterr().err
