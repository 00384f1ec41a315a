"""Training data: pairs of a source and a target, drawn in reproducible batches."""

from __future__ import annotations

import csv
import io
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from transformer_math import arguments
from transformer_math.checks import check_whole
from transformer_math.data.given import given_pairs, given_table
from transformer_math.data.report import Report, checked, too_many_words
from transformer_math.data.tables import table_of_text
from transformer_math.data.text_checks import MAX_PAIRS, MAX_WORDS, SIDES, BadLine, held_out_count
from transformer_math.data.tokenizer import Tokenizer, Unit, shown, units
from transformer_math.seeding import generator

# A single line that looks like the path of a file.
_PATH = re.compile(r"\s*[^\t\n,;]*[\w/\\]\.[A-Za-z]\w{0,5}\s*")


class Lesson(NamedTuple):
    """The inputs of a model for a batch, and the right answers.

    Attributes:
        source: (B, n), the input of the encoder; None without an encoder.
        target: (B, m), the input of the decoder; None without a decoder.
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
        """Return a lesson by teacher forcing: at each position the decoder reads the correct tokens
        so far, instead of its own predictions, and predicts the next token.
        """
        return Lesson(source, target[:, :-1], target[:, 1:])

    def is_right(self, right: str, written: str) -> bool:
        """Return whether the text that a model has written counts as right."""
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
        """Return a batch drawn uniformly with replacement: ids (size, n) and (size, m).

        The batch depends only on seed, step and size, so that a resumed run draws the same batches
        as an uninterrupted one.

        Raises:
            ValueError: the size is below 1.
        """
        if size < 1:
            raise ValueError(f"A batch has at least one pair, not {size}.")
        return self.rows(generator(seed, f"batch {step}").integers(self.train_count, size=size))

    @abstractmethod
    def rows(self, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return ids (B, n) and (B, m) of the training pairs with numbers (B,)."""


@dataclass(frozen=True, eq=False)
class StoredPairs(Pairs):
    """Pairs whose ids are stored.

    Attributes:
        source: (train_count, n).
        target: (train_count, m).
        report: the report on pairs that were read from a file or a list.
    """

    source: np.ndarray
    target: np.ndarray
    report: Report | None = None

    def rows(self, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return self.source[numbers].astype(np.intp), self.target[numbers].astype(np.intp)

    def answers(self, source: str) -> tuple[str, ...]:
        """Return the distinct targets of a source, those of training pairs first; may be empty."""
        try:
            row = self.source_tokenizer.encode(source, self.source_length)
        except ValueError:
            return ()
        sides = (self.source, self.target), (self.held_out_source, self.held_out_target)
        found = [target for rows, targets in sides for target in targets[(rows == row).all(axis=1)]]
        return tuple(dict.fromkeys(map(self.target_tokenizer.decode, found)))


@arguments.checked()
def pairs(
    source: Any,
    target: Any = None,
    *,
    unit: Unit | None = None,
    seed: int = 0,
    most_words: int | None = None,
    encoding: str | None = None,
) -> StoredPairs:
    """Return training pairs from a file or a list.

    A file has a pair on each line: its columns are separated by tabs, commas or semicolons, with or
    without a header such as ``source,target`` or ``en,fr``; or it has JSON lines with the fields
    ``source`` and ``target``, or with a ``translation``. Two files are parallel, line by line.
    Lines that are no pairs are skipped. The ``report`` of the result lists them and the format.

    A tenth of the distinct pairs is held out, at least 1 and at most 1,000; none of their sources
    is trained on. Each side has a separate tokenizer. If tokens are words, every kind of space
    separates words, and sources are not framed by special tokens; else spaces are characters.

    Args:
        source: a path, the content of a file as bytes, or an iterable of pairs, of objects with
            the fields of a pair, or a data frame; with ``target``, any of these for sources alone.
        target: the targets, if they are in a separate file or list.
        unit: ``character`` or ``word``; None for words if most sources have several words.
        seed: seed of the choice of held-out sources.
        most_words: keep only pairs whose words are among this many most frequent words of their
            side; None for all pairs.
        encoding: the encoding of files, as Python names it; None to find it.

    Raises:
        OSError: a file cannot be read.
        ValueError: there are no pairs, fewer than two different sources, or more than 5,000
            different words on a side; or a file is no text.
    """
    if most_words is not None:
        check_whole("most_words", most_words, 1)
    given = given_pairs(source, target, encoding)
    found, report = checked(given, unit, most_words=most_words)
    if len({source for source, _ in found}) < 2 and report.skipped:
        raise BadLine(*report.skipped[0])
    if report.unit == "word" and (problem := too_many_words(report)):
        kept = checked(given, unit, most_words=MAX_WORDS).report.count
        raise ValueError(
            f"{problem[:-1]}, so that most_words={MAX_WORDS} would keep {kept:,} of "
            f"{report.count:,} pairs."
        )
    return stored_pairs(found, report, seed)


@arguments.checked()
def read_csv(text: str, seed: int = 0, unit: Unit = "character") -> StoredPairs:
    """Return the pairs in the content of a file, in any format of ``pairs``; skip no line.

    Args:
        text: the content of the file, not its path.
        seed: seed of the choice of held-out sources.
        unit: ``character`` or ``word``.

    Raises:
        BadLine: a line is not two texts of 1 to 64 characters without control characters; or, if
            tokens are words, of 1 to 64 words of at most 24 characters.
        ValueError: there are more than 20,000 pairs, fewer than two different sources, or more
            than 5,000 different words on a side; or the text is the path of a file.
    """
    if _PATH.fullmatch(text):
        raise ValueError(
            f"{shown(text)} is the path of a file, and read_csv reads its content: pairs(path) "
            "opens the file."
        )
    found, report = checked(given_table(table_of_text(text)), unit)
    if report.unread:
        raise ValueError(f"There are more pairs than the {MAX_PAIRS:,} that can be read.")
    if report.skipped:
        raise BadLine(*report.skipped[0])
    if unit == "word" and (problem := too_many_words(report)):
        raise ValueError(problem)
    return stored_pairs(found, report, seed)


def as_csv(rows: Iterable[Sequence[str]]) -> str:
    """Return the content of a file from which ``read_csv`` reads these pairs."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerows([SIDES, *rows])
    return text.getvalue()


def as_pairs(given: Any) -> Pairs:
    """Return training data unchanged if they are ``Pairs``, or else read by ``pairs``.

    Raises:
        OSError: a file cannot be read.
        ValueError: as for ``pairs``.
    """
    return given if isinstance(given, Pairs) else pairs(given)


def stored_pairs(rows: Sequence[Sequence[str]], report: Report, seed: int = 0) -> StoredPairs:
    """Return the pairs of rows of a source and a target, some of them held out.

    Raises:
        ValueError: there are fewer than two different sources.
    """
    if not rows:
        raise ValueError("There are no pairs: a line is a source, a comma and its target.")
    unit = report.unit
    found = [(source, target) for source, target in rows]
    held_out, sources_held_out = _held_out(list(dict.fromkeys(found)), seed)
    train = [pair for pair in found if pair[0] not in sources_held_out]
    sides = list(zip(*found, strict=True))
    tokenizers = [
        Tokenizer.of_texts(side, unit, framed=unit == "character" or name == "target")
        for name, side in zip(SIDES, sides, strict=True)
    ]
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
        report=report,
    )


def _held_out(distinct: list[tuple[str, str]], seed: int) -> tuple[list[tuple[str, str]], set[str]]:
    """Return the pairs held out, and all sources that are excluded from training."""
    targets: dict[str, list[str]] = {}
    for source, target in distinct:
        targets.setdefault(source, []).append(target)
    if len(targets) < 2:
        raise ValueError(
            "There is only one source; two different ones are needed at least, "
            "one to learn from and one to hold out."
        )
    count = held_out_count(len(distinct))
    order = generator(seed, "held-out pairs").permutation(len(targets))
    sources = list(targets)
    pairs: list[tuple[str, str]] = []
    drawn: set[str] = set()
    for i in order[:-1]:  # the last source is always left for training
        if len(pairs) >= count:
            break
        drawn.add(sources[i])
        pairs += [(sources[i], target) for target in targets[sources[i]]]
    return pairs[:count], drawn


def _encoded(
    pairs: Iterable[tuple[str, str]], tokenizers: Sequence[Tokenizer], lengths: Sequence[int]
) -> list[np.ndarray]:
    """Return the ids of the sources (K, n) and of the targets (K, m)."""
    return [
        np.array([tokenizer.encode(text, length) for text in side], dtype=np.intp)
        for side, tokenizer, length in zip(
            zip(*pairs, strict=True), tokenizers, lengths, strict=True
        )
    ]
