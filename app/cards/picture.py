"""Draws the picture of a link: both sentences, their changes, and the words as numbers.

The size of the picture is fixed, the text is cut to fit, and the fonts are stored beside this file.
A link cannot refer to a file or an address.
"""

import functools
import io
import itertools
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

from .. import theme
from ..session.title import NAME, short
from .card import Card, changes, first_card

WIDTH, HEIGHT = 1200, 630
MARGIN = 64
SIZES = (60, 52, 44, 36, 30, 25)  # font sizes of the sentences, in pixels
LINES = 2  # maximum lines of each sentence
MOST_LETTERS = 24  # maximum characters of one word
SMALL, MARK = 26, 34
STRIP = 14  # height of a word's numbers
TOP, BOTTOM = 116, 528  # vertical limits of the sentences
LABEL, AFTER = 20, 34  # size of a sentence's label, and space below the sentence
CUT = "…"
FONTS = Path(__file__).parent / "fonts"
SCRIPTS = ("latin", "latin-ext", "greek", "cyrillic")
SUBTITLE = "a whole Transformer, small enough to touch: you can move every number of it"
# The logo of the page: the signs of nine numbers.
TILES = ("+-+", "0+0", "-0+")

_INK = theme.COLORS["light"]
_HEAT = theme.HEATMAPS["blue-red"]["light"]
_TILE = {"+": _HEAT["positive"], "-": _HEAT["negative"], "0": _INK["line"]}
ARROW = "→"
_UNKNOWN = "\uffff"  # not a character, so each font draws its glyph for missing characters

Font = ImageFont.FreeTypeFont


class _Word(NamedTuple):
    """A word to draw, which is unchanged, ``new`` or ``gone``, with the numbers of its row."""

    text: str
    kind: str = ""
    numbers: tuple[float, ...] = ()


def drawn(card: Card) -> bytes:
    """Return the picture of a card, as PNG."""
    image = Image.new("RGB", (WIDTH, HEIGHT), _INK["paper"])
    draw = ImageDraw.Draw(image)
    _head(draw)
    read = [_Word(word) for word in card.read]
    if card.numbers:
        read = [w._replace(numbers=x) for w, x in zip(read, card.numbers, strict=True)]
    parts = [("READS", read), ("WRITES", _changed(card))]
    shown = [(label, words) for label, words in parts if words]
    gap = 0.42 if card.joint else 0.02  # between two words, relative to the font size
    size = next((s for s in SIZES if all(_fits(words, s, gap) for _, words in shown)), SIZES[-1])
    heights = [_height(words, size, gap) for _, words in shown]
    y = TOP + max(0.0, BOTTOM - TOP - sum(heights)) / 2
    for (label, words), height in zip(shown, heights, strict=True):
        _write(draw, (MARGIN, y + LABEL), label, LABEL, _INK["muted"])
        _sentence(draw, y + LABEL * 1.4, words, size, gap)
        y += height
    _foot(draw, card)
    data = io.BytesIO()
    # A fast choice of few colors: speed matters more than the size of this small file.
    image.quantize(64, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(
        data, "PNG", compress_level=6
    )
    return data.getvalue()


@functools.cache
def general() -> bytes:
    """Return the picture of the page in its initial state."""
    return drawn(first_card()._replace(news=""))


def can_be_drawn(card: Card) -> bool:
    """Return whether the fonts have all characters of the sentences."""
    return all(_script(letter) for word in (*card.read, *card.written) for letter in _plain(word))


# -- parts of the picture ------------------------------------------------------------------------


def _head(draw: ImageDraw.ImageDraw) -> None:
    tile = MARK / 3
    for i, row in enumerate(TILES):
        for j, sign in enumerate(row):
            x, y = MARGIN + j * tile, 62 + i * tile
            draw.rectangle((x, y, x + tile - 1, y + tile - 1), fill=_TILE[sign])
    _write(draw, (MARGIN + MARK + 18, 62 + MARK - 5), NAME, MARK, _INK["ink"])


def _foot(draw: ImageDraw.ImageDraw, card: Card) -> None:
    draw.line((MARGIN, BOTTOM, WIDTH - MARGIN, BOTTOM), fill=_INK["line"], width=2)
    text, room = card.news or SUBTITLE, WIDTH - 2 * MARGIN
    while len(text) > 1 and _length(text, SMALL) > room:
        text = short(text, len(text) - 1)
    _write(draw, (MARGIN, HEIGHT - 42), text, SMALL, _INK["ink"])


def _changed(card: Card) -> list[_Word]:
    """Return the written words, together with the words that they replaced."""
    found = []
    for kind, i, j, k, m in changes(card.before, card.written):
        if kind == "equal":
            found += [_Word(word) for word in card.written[k:m]]
        else:
            found += [_Word(word, "gone") for word in card.before[i:j]]
            found += [_Word(word, "new") for word in card.written[k:m]]
    return found


def _line(words: Sequence[_Word], size: int) -> float:
    """Return the height of one line of a sentence."""
    strip = STRIP + 12 if any(word.numbers for word in words) else 0
    return size * 1.32 + strip


def _height(words: Sequence[_Word], size: int, gap: float) -> float:
    """Return the height of a sentence with its label and the space below it."""
    lines = 1 + max(line for line, _, _ in _placed(words, size, gap))
    return LABEL * 1.4 + lines * _line(words, size) + AFTER


def _sentence(
    draw: ImageDraw.ImageDraw, y: float, words: Sequence[_Word], size: int, gap: float
) -> None:
    """Draw a sentence from its upper edge."""
    for line, x, word in _placed(words, size, gap):
        base = y + line * _line(words, size) + size
        width = _length(word.text, size)
        _word(draw, (x, base), word, width, size)
        color = _INK["muted" if word.kind == "gone" else "ink"]
        _write(draw, (x, base), word.text, size, color)
        if word.kind == "gone":
            middle = base - size * 0.28
            draw.line((x - 3, middle, x + width + 3, middle), fill=color, width=max(2, size // 16))


def _word(
    draw: ImageDraw.ImageDraw, at: tuple[float, float], word: _Word, width: float, size: int
) -> None:
    """Draw the dotted underline of a new word, and the numbers of a word."""
    x, base = at
    if word.kind == "new":
        dot, y = max(3, size // 14), base + size * 0.2
        for k in range(int(width / (2 * dot)) + 1):
            draw.ellipse((x + 2 * k * dot, y, x + (2 * k + 1) * dot, y + dot), fill=_INK["ink"])
    top = base + size * 0.34
    for k, number in enumerate(word.numbers):
        left, right = (x + width * each / len(word.numbers) for each in (k, k + 1))
        draw.rectangle((left, top, right - 1, top + STRIP), fill=_shade(number))


def _shade(share: float) -> tuple[int, ...]:
    """Return the color of a number from −1 to 1 on the page's scale."""
    zero, end = _rgb(_HEAT["zero"]), _rgb(_HEAT["positive" if share > 0 else "negative"])
    part = abs(share) ** 0.6
    return tuple(round(a + (b - a) * part) for a, b in zip(zero, end, strict=True))


def _rgb(color: str) -> tuple[int, ...]:
    return tuple(int(color[k : k + 2], 16) for k in (1, 3, 5))


# -- lines of words --------------------------------------------------------------------------------


def _placed(words: Sequence[_Word], size: int, gap: float) -> list[tuple[int, float, _Word]]:
    """Return each word's line and left edge; an ellipsis replaces words that do not fit."""
    found: list[tuple[int, float, _Word]] = []
    line, x = 0, float(MARGIN)
    right = WIDTH - MARGIN
    for word in words:
        each = word._replace(text=_plain(word.text))
        width = _length(each.text, size)
        if x + width > right and x > MARGIN:
            line, x = line + 1, float(MARGIN)
        if line == LINES:
            _, x, last = found.pop()
            # The ellipsis follows the last word if there is room, or else replaces it.
            beside = x + _length(last.text, size) + gap * size
            if beside + size <= right:
                found.append((LINES - 1, x, last))
                x = beside
            found.append((LINES - 1, x, _Word(CUT)))
            break
        found.append((line, x, each))
        x += width + gap * size
    return found


def _fits(words: Sequence[_Word], size: int, gap: float) -> bool:
    """Return whether a whole sentence fits at a size."""
    placed = _placed(words, size, gap)
    inside = all(x + _length(word.text, size) <= WIDTH - MARGIN for _, x, word in placed)
    return inside and len(placed) == len(words) and placed[-1][2].text != CUT


# -- glyphs ----------------------------------------------------------------------------------------


def _plain(word: str) -> str:
    return short(unicodedata.normalize("NFC", word), MOST_LETTERS) or " "


@functools.lru_cache(maxsize=64)
def _font(size: int, script: str = SCRIPTS[0]) -> Font:
    place = FONTS / f"NotoSans-{script}.woff"
    return ImageFont.truetype(place, size, layout_engine=ImageFont.Layout.BASIC)


@functools.lru_cache(maxsize=4096)
def _script(letter: str) -> str:
    """Return the script of the font that has a character; empty if no font has it."""
    for script in SCRIPTS:
        font = _font(20, script)
        if letter == " " or bytes(font.getmask(letter)) != bytes(font.getmask(_UNKNOWN)):
            return script
    return ""


def _runs(text: str) -> Iterator[tuple[str, str]]:
    """Yield runs of one font, and of arrows; unknown characters are replaced by dots."""
    known = [letter if letter == ARROW or _script(letter) else "·" for letter in text]
    for script, letters in itertools.groupby(known, lambda x: ARROW if x == ARROW else _script(x)):
        yield "".join(letters), script


def _length(text: str, size: int) -> float:
    return sum(
        size * 0.9 * len(part) if script == ARROW else _font(size, script).getlength(part)
        for part, script in _runs(text)
    )


def _write(
    draw: ImageDraw.ImageDraw, at: tuple[float, float], text: str, size: int, color: str
) -> None:
    """Draw a text on its baseline."""
    x, base = at
    for part, script in _runs(text):
        if script == ARROW:
            for k in range(len(part)):
                _arrow(draw, x + k * size * 0.9, base - size * 0.28, size, color)
        else:
            draw.text((x, base), part, fill=color, font=_font(size, script), anchor="ls")
        x += _length(part, size)


def _arrow(draw: ImageDraw.ImageDraw, x: float, y: float, size: int, color: str) -> None:
    end, thick = x + size * 0.78, max(2, size // 14)
    draw.line((x + size * 0.1, y, end, y), fill=color, width=thick)
    barb = size * 0.22
    draw.line(
        [(end - barb, y - barb), (end, y), (end - barb, y + barb)],
        fill=color,
        width=thick,
        joint="curve",
    )
