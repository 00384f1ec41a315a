"""Training data: pairs of a source and a target, drawn in reproducible batches."""

from __future__ import annotations

import csv
import io
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from transformer_math.data.tokenizer import SPECIAL, Tokenizer, Unit, shown, units
from transformer_math.seeding import generator

MAX_PAIRS = 20_000
MAX_LENGTH = 64  # characters, or words, on each side
MAX_WORD = 24  # characters of a word
MAX_WORDS = 5_000  # different words on each side
MAX_HELD_OUT = 1_000
SIDES = ("source", "target")
HEADERS = {("source", "target"), ("x", "y"), ("input", "output")}
_MAX_LINE = 10_000  # characters, quotation marks and spaces included
# Control characters, line and paragraph separators, and unpaired surrogates.
_NO_TEXT = re.compile("[\0-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


class BadLine(ValueError):
    """A line of a file is not a pair.

    Attributes:
        line: the number of the line, from 1.
    """

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


class Lesson(NamedTuple):
    """What a model reads of a batch, and what it should answer.

    Attributes:
        source: (B, n), what the encoder reads; None without an encoder.
        target: (B, m), what the decoder reads; None without a decoder.
        labels: the right token at each position of the output; padding does not count.
    """

    source: np.ndarray | None
    target: np.ndarray | None
    labels: np.ndarray


@dataclass(frozen=True, eq=False)
class Pairs(ABC):
    """Training pairs and held-out pairs, as rows of ids: ``<sos> … <eos> <pad> …``.

    Texts of a tokenizer that is not ``framed`` have neither ``<sos>`` nor ``<eos>``.

    Attributes:
        name: the name of the data set.
        source_tokenizer: the tokenizer of sources.
        target_tokenizer: the tokenizer of targets.
        train_count: the number of training pairs.
        held_out_source: (K, n), the sources of pairs that are not trained on.
        held_out_target: (K, m), their targets.
    """

    name: str
    source_tokenizer: Tokenizer
    target_tokenizer: Tokenizer
    train_count: int
    held_out_source: np.ndarray
    held_out_target: np.ndarray

    def __post_init__(self) -> None:
        self.held_out_source.flags.writeable = False
        self.held_out_target.flags.writeable = False

    @property
    def kind(self) -> Literal["encoder-decoder", "encoder-only", "decoder-only"]:
        """The kind of model that learns from these pairs."""
        return "encoder-decoder"

    def lesson(self, source: np.ndarray, target: np.ndarray) -> Lesson:
        """Teacher forcing: at each position the decoder reads the correct tokens so far, whatever
        it would have written itself, and predicts the next one.
        """
        return Lesson(source, target[:, :-1], target[:, 1:])

    def is_right(self, right: str, written: str) -> bool:
        """Whether what a model has written counts as right."""
        return written == right

    @property
    def unit(self) -> Unit:
        """Whether a token is a character or a word."""
        return self.source_tokenizer.unit

    @property
    def source_length(self) -> int:
        """n, the number of ids in a row of the source, special tokens included."""
        return int(self.held_out_source.shape[1])

    @property
    def target_length(self) -> int:
        """m, the number of ids in a row of the target, special tokens included."""
        return int(self.held_out_target.shape[1])

    @property
    def longest_source(self) -> int:
        """The number of characters or words of the longest source."""
        return self.source_length - self.source_tokenizer.special_count

    @property
    def longest_target(self) -> int:
        """The number of characters or words of the longest target."""
        return self.target_length - self.target_tokenizer.special_count

    @property
    def source_count(self) -> int:
        """The number of different characters or words in the sources."""
        return self.source_tokenizer.start

    @property
    def target_count(self) -> int:
        """The number of different characters or words in the targets."""
        return self.target_tokenizer.start

    def batch(self, step: int, size: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
        """A batch drawn uniformly with replacement: ids (size, n) and (size, m).

        It depends only on seed, step and size, so that a resumed run draws the same batches as an
        uninterrupted one.

        Raises:
            ValueError: the size is below 1.
        """
        if size < 1:
            raise ValueError(f"A batch has at least one pair, not {size}.")
        return self.rows(generator(seed, f"batch {step}").integers(self.train_count, size=size))

    @abstractmethod
    def rows(self, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The ids (B, n) and (B, m) of training pairs, given numbers (B,) below ``train_count``."""


@dataclass(frozen=True, eq=False)
class StoredPairs(Pairs):
    """Pairs whose ids are stored.

    Attributes:
        source: (train_count, n).
        target: (train_count, m).
    """

    source: np.ndarray
    target: np.ndarray

    def rows(self, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return self.source[numbers].astype(np.intp), self.target[numbers].astype(np.intp)


def read_csv(text: str, seed: int = 0, unit: Unit = "character") -> Pairs:
    """Pairs from CSV text, each line of which is a source, a comma and a target.

    A text that contains a comma or starts with a space is quoted, and quotation marks in it are
    doubled; spaces at the start of unquoted texts are ignored, as are blank lines. A first line
    ``source,target``, ``x,y`` or ``input,output``, in any case, is a header.

    A tenth of the distinct pairs is held out, at least 1 and at most 1,000; none of their sources
    is trained on. Each side has a tokenizer of its own.

    If the unit is ``word``, words are separated by any number of spaces, and sources are not
    framed by special tokens.

    Args:
        text: the content of the file.
        seed: seed of the choice of held-out sources.
        unit: ``character`` or ``word``.

    Raises:
        BadLine: a line is not two texts of 1 to 64 characters without control characters; or, by
            words, of 1 to 64 words of at most 24 characters.
        ValueError: there are more than 20,000 pairs, fewer than two different sources, or more
            than 5,000 different words on a side.
    """
    pairs = list(_pairs(text, unit))
    if not pairs:
        raise ValueError("There are no pairs: a line is a source, a comma and its target.")
    held_out, sources_held_out = _held_out(list(dict.fromkeys(pairs)), seed)
    train = [pair for pair in pairs if pair[0] not in sources_held_out]

    sides = list(zip(*pairs, strict=True))
    tokenizers = [
        Tokenizer.of_texts(side, unit, framed=unit == "character" or name == "target")
        for name, side in zip(SIDES, sides, strict=True)
    ]
    if unit == "word":
        for name, tokenizer in zip(SIDES, tokenizers, strict=True):
            check_words(name, tokenizer)
    lengths = [
        max(len(units(text, unit)) for text in side) + tokenizer.special_count
        for side, tokenizer in zip(sides, tokenizers, strict=True)
    ]
    held_out_source, held_out_target = _encoded(held_out, tokenizers, lengths)
    source, target = (
        # The smallest type that fits, to save memory; ``rows`` converts them.
        ids.astype(np.min_scalar_type(len(tokenizer)))
        for ids, tokenizer in zip(_encoded(train, tokenizers, lengths), tokenizers, strict=True)
    )
    return StoredPairs(
        name="own pairs",
        source_tokenizer=tokenizers[0],
        target_tokenizer=tokenizers[1],
        train_count=len(train),
        held_out_source=held_out_source,
        held_out_target=held_out_target,
        source=source,
        target=target,
    )


def check_words(name: str, tokenizer: Tokenizer) -> None:
    """Check that there are not too many different words.

    Raises:
        ValueError: there are.
    """
    if tokenizer.start > MAX_WORDS:
        raise ValueError(
            f"The {name}s have {tokenizer.start:,} different words; "
            f"at most {MAX_WORDS:,} can be learned."
        )


def _held_out(distinct: list[tuple[str, str]], seed: int) -> tuple[list[tuple[str, str]], set[str]]:
    """The pairs held out, and all sources that are excluded from training."""
    targets: dict[str, list[str]] = {}
    for source, target in distinct:
        targets.setdefault(source, []).append(target)
    if len(targets) < 2:
        raise ValueError(
            "There is only one source; two different ones are needed at least, "
            "one to learn from and one to hold out."
        )
    count = min(max(len(distinct) // 10, 1), MAX_HELD_OUT)
    order = generator(seed, "held-out pairs").permutation(len(targets))
    sources = list(targets)
    pairs: list[tuple[str, str]] = []
    drawn: set[str] = set()
    for i in order[:-1]:  # the last one is left to learn from, however many targets the others have
        if len(pairs) >= count:
            break
        drawn.add(sources[i])
        pairs += [(sources[i], target) for target in targets[sources[i]]]
    return pairs[:count], drawn


def _encoded(
    pairs: Iterable[tuple[str, str]], tokenizers: Sequence[Tokenizer], lengths: Sequence[int]
) -> list[np.ndarray]:
    """The ids of the sources (K, n) and of the targets (K, m)."""
    return [
        np.array([tokenizer.encode(text, length) for text in side], dtype=np.intp)
        for side, tokenizer, length in zip(
            zip(*pairs, strict=True), tokenizers, lengths, strict=True
        )
    ]


def _pairs(text: str, unit: Unit) -> Iterator[tuple[str, str]]:
    """The pairs of a file in order, without the header; duplicates are kept."""
    count, first = 0, True
    # Lines end with \n, \r or \r\n; str.splitlines would also split at form feeds.
    for line, content in enumerate(io.StringIO(text.removeprefix("\ufeff"), newline=None), 1):
        if not content.strip():
            continue
        pair = _pair(line, content.removesuffix("\n"), unit)
        header = first and tuple(side.strip().lower() for side in pair) in HEADERS
        first = False
        if header:
            continue
        count += 1
        if count > MAX_PAIRS:
            raise ValueError(f"There are more pairs than the {MAX_PAIRS:,} that can be read.")
        yield pair


def _pair(line: int, content: str, unit: Unit) -> tuple[str, str]:
    """The pair of one line, parsed by itself, so that an unclosed quotation mark ends with it."""
    check_text(line, content, unit, " on each side")
    try:
        sides = next(csv.reader([content], strict=True, skipinitialspace=True))
    except csv.Error:
        raise BadLine(
            line,
            f"Line {line} has a quotation mark that is not closed, or text after the closing one.",
        ) from None
    if len(sides) != 2:
        columns = "1 column" if len(sides) == 1 else f"{len(sides)} columns"
        raise BadLine(
            line, f"Line {line} has {columns} and needs 2: a source, a comma and its target."
        )
    for name, side in zip(SIDES, sides, strict=True):
        check_side(line, name, units(side, unit), unit)
    if unit == "word":  # blanks between words do not count
        sides = [" ".join(side.split()) for side in sides]
    return sides[0], sides[1]


def check_text(line: int, content: str, unit: Unit, where: str = "") -> None:
    """Check the length and the characters of one line; ``where`` is said of the length.

    Raises:
        BadLine: it is too long, or has a control character.
    """
    if len(content) > _MAX_LINE:
        most = f"{MAX_LENGTH}" if unit == "character" else f"{MAX_LENGTH} words"
        raise BadLine(
            line,
            f"Line {line} has {len(content):,} characters; at most {most}{where} are read.",
        )
    if found := _NO_TEXT.search(content):
        what, at = shown(found[0]), found.start() + 1
        raise BadLine(line, f"Line {line} has {what} as its character {at}, which is no text.")


def check_side(line: int, name: str, found: Sequence[str], unit: Unit) -> None:
    """Check the characters or words of one side of a line.

    Raises:
        BadLine: there are none or too many, or a word is too long or a special token.
    """
    if not "".join(found).strip():
        raise BadLine(line, f"The {name} of line {line} is empty.")
    if len(found) > MAX_LENGTH:
        raise BadLine(
            line,
            f"The {name} of line {line} has {len(found):,} {unit}s; at most {MAX_LENGTH} are read.",
        )
    for word in found if unit == "word" else ():
        if len(word) > MAX_WORD:
            raise BadLine(
                line,
                f"The {name} of line {line} has a word of {len(word):,} characters, "
                f"{shown(word)}; at most {MAX_WORD} are read.",
            )
        if word in SPECIAL:
            raise BadLine(
                line,
                f"The {name} of line {line} has the word {word}, which stands for a special token.",
            )
