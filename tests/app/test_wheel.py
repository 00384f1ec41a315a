import os
import subprocess
import sys
import time
import urllib.request
import zipfile

import pytest

from tests.app.building import ROOT, built
from tests.units import free_ports

pytestmark = pytest.mark.thorough

NOT_OF_ASSETS = {
    *("screenshots", "pictures", "notebooks", "examples", "course_pages", "docs", "hosting")
}
# Folder -> the place of its files after installation.
PACKAGES = {
    "app": "tinkerformer",
    "assets": "tinkerformer/assets",
    "transformer_math": "transformer_math",
}


@pytest.fixture(scope="module")
def wheel():
    return built().wheel


def _is_left_out(parts: tuple[str, ...]) -> bool:
    """Return whether a file of the assets is needed only in the repository."""
    return parts[0] == "assets" and bool(NOT_OF_ASSETS & set(parts))


def test_every_file_of_the_packages_is_in_the_wheel(wheel):
    inside = set(zipfile.ZipFile(wheel).namelist())
    for package, installed in PACKAGES.items():
        for path in (ROOT / package).rglob("*"):
            parts = path.relative_to(ROOT).parts
            if path.is_file() and "__pycache__" not in parts and not _is_left_out(parts):
                assert f"{installed}/{path.relative_to(ROOT / package).as_posix()}" in inside
    assert not [name for name in inside if _is_left_out(tuple(name.split("/")[1:]))]
    tops = {name.split("/")[0] for name in inside if ".dist-info" not in name}
    assert tops == {"tinkerformer", "transformer_math"}


def test_the_installed_page_is_served_from_an_empty_folder(wheel, tmp_path):
    site = tmp_path / "site"
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(site)]
    subprocess.run([*command, str(wheel)], check=True, capture_output=True)
    empty = tmp_path / "empty"
    empty.mkdir()
    [port] = free_ports(1)
    process = subprocess.Popen(
        [sys.executable, "-m", "tinkerformer", "--no-show", "--port", str(port)],
        cwd=empty,
        env={**os.environ, "PYTHONPATH": str(site)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        page = _get(f"http://localhost:{port}/")
        assert "Skip to the numbers" in page
        assert "KaTeX_Main-Regular.woff2" in page
        font = page.partition('rel="preload" href="')[2].partition('"')[0]
        assert urllib.request.urlopen(f"http://localhost:{port}/{font}").status == 200
    finally:
        process.terminate()
        process.wait(10)


def _get(url):
    for _ in range(200):
        try:
            with urllib.request.urlopen(url, timeout=30) as answer:
                return answer.read().decode()
        except OSError:
            time.sleep(0.1)
    raise AssertionError("The installed page did not answer.")
