"""Encodes a saved session as the fragment of a URL: compressed JSON in base64url characters."""

import base64
import binascii
import re
import zlib
from typing import Any, NamedTuple

from ..files.opened_file import MAX_NUMBERS as MAX_FILE_NUMBERS
from ..model.scenario import model_names
from ..model.scenario.scenario import Scenario
from .session_json import SavedSession, from_json, json_text, to_dict

# Maximum number of characters of a link; RFC 9110, Section 4.1, recommends that all recipients
# support this length. Longer sessions need a file.
MAX_LINK_LENGTH = 8_000
MAX_CODE_LENGTH = 500_000
MAX_TEXT_LENGTH = 4_000_000
MAX_NUMBERS = MAX_LINK_LENGTH * 3 // 4 // 4  # of 4 bytes each; 4 characters encode 3 bytes

_ALPHABET = re.compile(r"[A-Za-z0-9_-]*\Z")
# Parts that a link may have, in words.
_PARTS = {
    "pairs": "your own pairs or texts",
    "weights": "the trained weights",
    "edits": "the numbers that were set",
    "silenced": "the silenced parts",
    "baseline": "the pinned baseline",
}


class Shared(NamedTuple):
    """A session as a link and as a file."""

    code: str | None  # None if no link can contain the session
    about: str  # sentences on the content of the link, or on the reason why there is none
    text: str  # the content of the file


def encode(saved: SavedSession) -> str:
    """Encode a session as text of the characters A–Z, a–z, 0–9, - and _.

    The text includes trained weights if the link stays short enough, otherwise the training that
    produced the weights.
    """
    return _encoded(saved)[0]


def shared(saved: SavedSession) -> Shared:
    """Return the link and the file of a session, and the sentences about them for the user."""
    code, about = shared_link(saved)
    data = to_dict(saved.for_others(), with_weights=True, with_file=True, most=MAX_FILE_NUMBERS)
    if code is None:
        about = f"{about} {_about_file(saved, data)}"
    return Shared(code, about, json_text(data))


def _about_file(saved: SavedSession, data: dict[str, Any]) -> str:
    """Return a sentence on the options of a user who cannot share a link."""
    scenario = saved.scenario
    if scenario.data is not None and scenario.data.given is not None:
        return "Nor can a file: share the program."
    if scenario.weights is not None and not {"file", "weights"} & set(data):
        return "Export the model instead, and share that file."
    return "Save a file instead, which holds everything exactly."


def shared_link(saved: SavedSession) -> tuple[str | None, str]:
    """Return the code of a session's link, or None, and the sentences about it for the user."""
    missing = _missing(saved)
    if missing is not None:
        return None, f"A link cannot hold {missing}."
    code, data = _encoded(saved)
    if len(code) > MAX_LINK_LENGTH:
        sizes = {part: len(_packed(data[part])) for part in _PARTS if part in data}
        longest = max(sizes, key=sizes.__getitem__, default="")
        most = f", most of them for {_PARTS[longest]}" if longest else ""
        return (
            None,
            f"A link holds {MAX_LINK_LENGTH:,} characters, and these are {len(code):,}{most}.",
        )
    held = [words for part, words in _PARTS.items() if part in data]
    parts = ", ".join(["its text and settings", *held, "and what you look at"])
    about = [f"The link opens this model with {parts}."]
    if saved.scenario.trained_with is not None and "trained" in data and "weights" not in data:
        about = [_as_trained(saved.scenario, parts)]
    if "checksum" in data:
        about.append(
            "The link holds the training of this model in place of its weights: recipe, seed, "
            f"data and {data['trained']:,} steps. The page that opens it trains it again and "
            "compares it with a checksum."
        )
    if saved.baseline is not None and "baseline" not in data:
        about.append("The pinned baseline is not in the link, as its weights were trained.")
    return code, " ".join(about)


def _as_trained(scenario: Scenario, parts: str) -> str:
    """Describe a link that contains the training of a model instead of its weights."""
    was = scenario.as_trained
    changed = [*scenario.settings.changes_from(was.settings)]
    changed += scenario.recipe.changes_from(was.recipe)
    if scenario.training != was.training:
        changed.append("dropout on" if scenario.training else "dropout off")
    said = "; ".join(changed)
    return (
        f"The link opens this model as it was trained, with {parts}; without what you changed "
        f"after the training ({said}). A file holds both."
    )


def _missing(saved: SavedSession) -> str | None:
    """Name the data that the session needs but a link cannot contain; None if there are none."""
    scenario = saved.scenario
    data, weights = scenario.data, scenario.weights
    if data is not None and data.given is not None:
        return "the data that a program gave to this model"
    may_be_of_file = scenario.model in (model_names.FILE, model_names.SANDBOX)
    if may_be_of_file and weights is not None and not scenario.descents:
        return f"the {sum(array.size for array in weights.arrays.values()):,} weights of a file"
    return None


def _encoded(saved: SavedSession) -> tuple[str, dict[str, Any]]:
    """Return the code of a session and the plain data in it."""
    saved = saved.for_others()
    data = to_dict(saved, with_weights=True, most=MAX_NUMBERS)
    code = _packed(data)
    if len(code) > MAX_LINK_LENGTH:
        data = to_dict(saved)
        code = _packed(data)
    return code, data


def _packed(data: Any) -> str:
    packed = zlib.compress(json_text(data).encode(), 9)
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


def decode(code: str) -> SavedSession:
    """Decode a session that ``encode`` wrote; ``ValueError`` with one sentence if it is invalid."""
    return from_json(unpacked(code))


def unpacked(code: str, most: int = MAX_TEXT_LENGTH) -> str:
    """Decompress a link to its JSON text of at most ``most`` bytes.

    Raise ``ValueError`` with one sentence if the link is malformed or too large.
    """
    if len(code) > MAX_CODE_LENGTH:
        raise ValueError(f"It has {len(code):,} characters; at most {MAX_CODE_LENGTH:,} are read.")
    if not _ALPHABET.match(code):
        raise ValueError("It is damaged: it contains characters that no link has.")
    try:
        packed = base64.urlsafe_b64decode(code + "=" * (-len(code) % 4))
        unpacking = zlib.decompressobj()
        written = unpacking.decompress(packed, most)
        if unpacking.unconsumed_tail:
            raise ValueError(f"It unpacks to more than {most:,} characters.")
        if not unpacking.eof:
            raise ValueError("It is damaged: its end is missing.")
        return written.decode()
    except (binascii.Error, zlib.error, UnicodeDecodeError):
        raise ValueError("It is damaged: it cannot be unpacked.") from None
