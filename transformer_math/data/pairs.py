"""Training material: pairs of a source and a target, in batches that a resumed run sees again."""

from __future__ import annotations

import csv
import io
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from transformer_math.data.tokenizer import SPECIAL, Tokenizer, Unit, shown, units
from transformer_math.seeding import generator

MAX_PAIRS = 20_000
MAX_LENGTH = 64  # characters, or words, on each side
MAX_WORD = 24  # characters of a word
MAX_WORDS = 5_000  # different ones on each side
MAX_HELD_OUT = 1_000
SIDES = ("source", "target")
HEADERS = {("source", "target"), ("x", "y"), ("input", "output")}
_MAX_LINE = 10_000  # with quotation marks and spaces; no more is handed to the csv module
# Control characters, ends of a line or paragraph, halves of a surrogate pair.
_NO_TEXT = re.compile("[\0-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


class BadLine(ValueError):
    """A line that holds no pair.

    Attributes:
        line: its number in the file, from 1.
    """

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True, eq=False)
class Pairs(ABC):
    """Pairs to train on and pairs held out, as rows of ids: ``<sos> … <eos> <pad> …``.

    Where sources are not framed, their rows have neither ``<sos>`` nor ``<eos>``.

    Attributes:
        name: what the pairs are called.
        train_count: how many pairs batches are drawn from.
        held_out_source: (K, n), pairs that no batch holds.
        held_out_target: (K, m).
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
    def unit(self) -> Unit:
        """What one token is: a character or a word."""
        return self.source_tokenizer.unit

    @property
    def source_length(self) -> int:
        """n, ids in a row of the source, special tokens included."""
        return int(self.held_out_source.shape[1])

    @property
    def target_length(self) -> int:
        """m, ids in a row of the target, special tokens included."""
        return int(self.held_out_target.shape[1])

    @property
    def longest_source(self) -> int:
        """How many characters or words the longest source has."""
        return self.source_length - self.source_tokenizer.frame

    @property
    def longest_target(self) -> int:
        """How many characters or words the longest target has."""
        return self.target_length - self.target_tokenizer.frame

    @property
    def source_count(self) -> int:
        """How many different characters or words the sources have."""
        return self.source_tokenizer.start

    @property
    def target_count(self) -> int:
        """How many different characters or words the targets have."""
        return self.target_tokenizer.start

    def batch(self, step: int, size: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
        """Training pairs drawn uniformly, with replacement: (size, n) and (size, m) ids.

        The draw depends on seed, step and size alone, so that a resumed run sees what an
        uninterrupted one would have seen.

        Raises:
            ValueError: the size is below 1.
        """
        if size < 1:
            raise ValueError(f"A batch has at least one pair, not {size}.")
        return self.rows(generator(seed, f"batch {step}").integers(self.train_count, size=size))

    @abstractmethod
    def rows(self, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The training pairs of these numbers, each from 0 to below ``train_count``.

        (B,) -> (B, n) and (B, m) ids.
        """


@dataclass(frozen=True, eq=False)
class StoredPairs(Pairs):
    """Pairs whose ids are kept: (train_count, n) and (train_count, m)."""

    source: np.ndarray
    target: np.ndarray

    def rows(self, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return self.source[numbers].astype(np.intp), self.target[numbers].astype(np.intp)


def read_csv(text: str, seed: int = 0, unit: Unit = "character") -> Pairs:
    """A student's own pairs: one on each line, source and target with a comma between.

    A side with a comma or with spaces at its start stands in quotation marks, and a mark inside
    them is doubled; unquoted, spaces at the start of a side are left out. Blank lines are
    skipped. The first other line is a header, and left out, if it reads ``source,target``,
    ``x,y`` or ``input,output``, in any case.

    A tenth of the distinct pairs is held out, at least 1 and at most 1,000. The seed draws
    their sources, and what is trained on has none of these. Each side has the tokenizer of its
    own characters, and rows as long as its longest text and two special tokens.

    Read by words, a side is the words between its blanks, however many blanks there are, and
    the rows of its source have no special tokens but padding.

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
        _check_words(tokenizers)
    lengths = [
        max(len(units(text, unit)) for text in side) + tokenizer.frame
        for side, tokenizer in zip(sides, tokenizers, strict=True)
    ]
    held_out_source, held_out_target = _encoded(held_out, tokenizers, lengths)
    source, target = (
        # Ids of a small alphabet take a byte each; a batch widens them.
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


def _check_words(tokenizers: Sequence[Tokenizer]) -> None:
    for name, tokenizer in zip(SIDES, tokenizers, strict=True):
        if tokenizer.start > MAX_WORDS:
            raise ValueError(
                f"The {name}s have {tokenizer.start:,} different words; "
                f"at most {MAX_WORDS:,} can be learned."
            )


def _held_out(distinct: list[tuple[str, str]], seed: int) -> tuple[list[tuple[str, str]], set[str]]:
    """The pairs held out, and the sources that training has not."""
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
    return [
        np.array([tokenizer.encode(text, length) for text in side], dtype=np.intp)
        for side, tokenizer, length in zip(
            zip(*pairs, strict=True), tokenizers, lengths, strict=True
        )
    ]


def _pairs(text: str, unit: Unit) -> Iterator[tuple[str, str]]:
    """The pairs of a file in order, doubles included, the header left out."""
    count, first = 0, True
    # Only \n, \r and \r\n end a line here; str.splitlines takes form feeds for ends, too.
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
    """One line read alone, so that a quotation mark left open spoils no other line."""
    if len(content) > _MAX_LINE:
        most = f"{MAX_LENGTH}" if unit == "character" else f"{MAX_LENGTH} words"
        raise BadLine(
            line,
            f"Line {line} has {len(content):,} characters; at most {most} on each side are read.",
        )
    if found := _NO_TEXT.search(content):
        what, at = shown(found[0]), found.start() + 1
        raise BadLine(line, f"Line {line} has {what} as its character {at}, which is no text.")
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
        _check_side(line, name, units(side, unit), unit)
    if unit == "word":  # blanks between words do not count
        sides = [" ".join(side.split()) for side in sides]
    return sides[0], sides[1]


def _check_side(line: int, name: str, found: Sequence[str], unit: Unit) -> None:
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
