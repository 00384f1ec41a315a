"""Finds the browser for commands."""

import shutil

NAMES = ("chromium-headless-shell", "chromium", "google-chrome", "chromium-browser")


def installed_browser() -> str | None:
    """The path of an installed Chromium; None leaves the choice to Playwright."""
    return next(filter(None, map(shutil.which, NAMES)), None)
