"""Splits a session into the two parts that a tab keeps: the session itself, and its model's file.

The file is large and does not change with the session, so it is sent and stored once.
"""

from typing import Any

from .session_json import SavedSession, json_text, to_dict


def parted(saved: SavedSession) -> tuple[str, dict[str, Any] | None]:
    """Split a session into its JSON and the file of its model; None if the model has no file."""
    data = to_dict(saved, with_weights=True, with_file=True)
    file: dict[str, Any] | None = data.pop("file", None)
    if file is not None:
        data["opened"] = file["name"]  # to name the missing file if the tab cannot keep it
    return json_text(data), file


def joined(session: str, file: str | None) -> str:
    """Return the session as JSON, with the file that a tab kept."""
    return f'{{"file":{file},{session[1:]}' if file else session
