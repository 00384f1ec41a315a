"""Texts without a translation, the training data of models with one stack.

A decoder-only model learns the next word of each beginning (GPT). An encoder-only model learns the
words in place of blanks (BERT), or the class of a text. As pairs, the source is the input of the
model, and the target is the complete text or the class.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from transformer_math.arguments import checked
from transformer_math.checks import described, naming
from transformer_math.data.pairs import Lesson, Pairs
from transformer_math.data.text_checks import held_out_count
from transformer_math.data.tokenizer import SPECIAL, Tokenizer, Unit, units
from transformer_math.seeding import generator

MASK = "<mask>"  # the token of a blank
CHARACTER_MASK = "_"  # the token of a blank if tokens are characters
SHARE = 0.15  # share of blanks among the words in training (Devlin et al., 2018, Section 3.1)


@dataclass(frozen=True, eq=False)
class Texts(Pairs):
    """Texts as rows of ids; held-out texts are cut or have blanks already.

    Attributes:
        texts: (train_count, m), the training rows, as ids of the target's tokenizer.
        allowed: the texts that count as right; None if only the original text does.
    """

    texts: np.ndarray
    allowed: frozenset[str] | None

    def is_right(self, right: str, written: str) -> bool:
        return written == right if self.allowed is None else written in self.allowed


@dataclass(frozen=True, eq=False)
class NextWords(Texts):
    """Texts of which a decoder-only model learns each next word.

    Sources are beginnings, targets the whole texts: ``<sos> … <eos> <pad> …``.
    """

    @property
    def kind(self) -> Literal["decoder-only"]:
        return "decoder-only"

    def rows(self, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return beginnings and texts; a beginning's length depends only on the text's number."""
        whole = self.texts[numbers].astype(np.intp)
        tokenizer = self.target_tokenizer
        return _beginnings(whole, tokenizer, numbers % 4, self.source_length), whole

    def lesson(self, source: np.ndarray, target: np.ndarray) -> Lesson:  # noqa: ARG002
        """Return the text for the decoder; the right answer at each position is the next word."""
        return Lesson(None, target[:, :-1], target[:, 1:])


@dataclass(frozen=True, eq=False)
class Blanks(Texts):
    """Texts with blanks, whose words an encoder-only model learns.

    Attributes:
        share: the probability of each word to be a blank in training; each text has at least one.
    """

    share: float

    @property
    def kind(self) -> Literal["encoder-only"]:
        return "encoder-only"

    @property
    def mask(self) -> int:
        """The id of a blank, the last token before the special tokens."""
        return self.source_tokenizer.start - 1

    def rows(self, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return texts with one blank each; its position depends only on the text's number."""
        whole = self.texts[numbers].astype(np.intp)
        return with_one_blank(whole, self.source_tokenizer, numbers), whole

    def batch(self, step: int, size: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
        """Draw a batch as for all pairs, with new random blanks in each step."""
        _, whole = super().batch(step, size, seed)
        random = generator(seed, f"blanks {step}")
        chosen = random.random(whole.shape) < self.share
        words = whole != self.source_tokenizer.pad
        chosen |= _one_of(random.random(size), words)
        return np.where(chosen & words, self.mask, whole), whole

    def lesson(self, source: np.ndarray, target: np.ndarray) -> Lesson:
        """Return the text with its blanks for the encoder; only the blanks have right answers."""
        labels = np.where(source == self.mask, target, self.source_tokenizer.pad)
        return Lesson(source, None, labels)


@dataclass(frozen=True, eq=False)
class Classes(Texts):
    """Texts whose class an encoder-only model learns, as the word at ``<sos>``, the first position.

    Sources are texts, framed; targets are the words of their classes, one each.

    Attributes:
        classes: (train_count, 1), the classes of the texts.
    """

    classes: np.ndarray

    @property
    def kind(self) -> Literal["encoder-only"]:
        return "encoder-only"

    def rows(self, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return self.texts[numbers].astype(np.intp), self.classes[numbers].astype(np.intp)

    def lesson(self, source: np.ndarray, target: np.ndarray) -> Lesson:
        """Return the text for the encoder; only the first position has an answer, the class."""
        labels = np.full(source.shape, self.source_tokenizer.pad)
        labels[:, :1] = target
        return Lesson(source, None, labels)


@checked()
def next_words(  # noqa: PLR0913 - the settings of the data, by keyword
    texts: Sequence[str],
    *,
    unit: Unit = "word",
    held_out: int | None = None,
    seed: int = 0,
    name: str = "next words",
    tokens: Sequence[str] | None = None,
    allowed: Collection[str] | None = None,
) -> NextWords:
    """Return texts for learning each next word or character.

    Args:
        texts: the texts.
        unit: ``word`` or ``character``.
        held_out: the number of held-out texts; by default a tenth, at most 1,000.
        seed: seed of the choice of held-out texts.
        name: the name of the data.
        tokens: the words, in the order of their ids; by default those of the texts.
        allowed: the texts that count as right in a test; by default only the original.

    Raises:
        ValueError: there are fewer than two texts, or no text is left for training.
    """
    tokenizer, rows, order, apart = _learned(texts, unit, held_out, seed, tokens, framed=True)
    whole = rows[order[:apart]].astype(np.intp)
    length = max(whole.shape[1] - 2, 1)
    plain = Tokenizer(tokenizer.tokens, unit, framed=False)
    return NextWords(
        name=name,
        source_tokenizer=plain,
        target_tokenizer=tokenizer,
        train_count=len(rows) - apart,
        held_out_source=_beginnings(whole, tokenizer, np.arange(apart) % 4, length),
        held_out_target=whole,
        texts=rows[np.sort(order[apart:])],
        allowed=None if allowed is None else frozenset(allowed),
    )


@checked()
def blanks(  # noqa: PLR0913 - the settings of the data, by keyword
    texts: Sequence[str],
    *,
    unit: Unit = "word",
    share: float = SHARE,
    held_out: int | None = None,
    seed: int = 0,
    name: str = "fill in",
    tokens: Sequence[str] | None = None,
    allowed: Collection[str] | None = None,
) -> Blanks:
    """Return texts with blanks to fill in; see ``next_words`` for the other settings.

    A blank is the token ``<mask>``, or ``_`` if tokens are characters.

    Args:
        texts: the texts.
        unit: ``word`` or ``character``.
        share: the probability of each word to be a blank in training.
        held_out: the number of held-out texts; by default a tenth, at most 1,000.
        seed: seed of the choice of held-out texts, and of their blanks.
        name: the name of the data.
        tokens: the words, in the order of their ids, without the blank.
        allowed: the texts that count as right in a test.

    Raises:
        ValueError: there are fewer than two texts, no text is left for training, or the share is
            not in [0, 1).
    """
    if not 0 <= share < 1:
        raise ValueError(f"The share of blanks lies from 0 to below 1, not {share!r}.")
    mask = MASK if unit == "word" else CHARACTER_MASK
    found = _tokens(texts, unit) if tokens is None else tokens
    if mask in found:
        raise ValueError(f"The texts have {mask}, which stands for a blank.")
    learned = _learned(texts, unit, held_out, seed, (*found, mask), framed=False)
    tokenizer, rows, order, apart = learned
    whole = rows[order[:apart]].astype(np.intp)
    return Blanks(
        name=name,
        source_tokenizer=tokenizer,
        target_tokenizer=tokenizer,
        train_count=len(rows) - apart,
        held_out_source=with_one_blank(whole, tokenizer, np.arange(apart)),
        held_out_target=whole,
        texts=rows[np.sort(order[apart:])],
        allowed=None if allowed is None else frozenset(allowed),
        share=share,
    )


@checked()
def classes(
    examples: Sequence[tuple[str, str]],
    *,
    unit: Unit = "word",
    held_out: int | None = None,
    seed: int = 0,
    name: str = "classes",
) -> Classes:
    """Return texts with one class each, a word that the model predicts at ``<sos>``.

    Args:
        examples: text and class.
        unit: ``word`` or ``character``, in which case a class is a character.
        held_out: the number of held-out texts; by default a tenth, at most 1,000.
        seed: seed of the choice of held-out texts.
        name: the name of the data.

    Raises:
        ValueError: there are fewer than two texts, no text is left for training, or a class is not
            one token.
    """
    with naming("examples"):
        for example in examples:
            if len(example) != 2 or not all(isinstance(part, str) for part in example):
                raise ValueError(f"An example is a text and its class, not {described(example)}.")
            if len(units(example[1], unit)) != 1 or example[1] in SPECIAL:
                raise ValueError(f"A class is one {unit}, not {described(example[1])}.")
        tokens = _tokens([part for example in examples for part in example], unit)
    texts = [text for text, _ in examples]
    tokenizer, rows, order, apart = _learned(texts, unit, held_out, seed, tokens, framed=True)
    ids = {token: at for at, token in enumerate(tokenizer.tokens)}
    answers = np.array([[ids[answer.strip()]] for _, answer in examples], rows.dtype)
    rest = np.sort(order[apart:])
    return Classes(
        name=name,
        source_tokenizer=tokenizer,
        target_tokenizer=Tokenizer(tokenizer.tokens, unit, framed=False),
        train_count=len(rest),
        held_out_source=rows[order[:apart]].astype(np.intp),
        held_out_target=answers[order[:apart]].astype(np.intp),
        texts=rows[rest],
        allowed=None,
        classes=answers[rest],
    )


def with_one_blank(whole: np.ndarray, tokenizer: Tokenizer, numbers: np.ndarray) -> np.ndarray:
    """Return rows (K, n) with one blank each, whose position depends only on the row's number."""
    words = whole != tokenizer.pad
    shares = np.array([generator(int(n), "blank").random() for n in numbers])
    return np.where(_one_of(shares, words), tokenizer.start - 1, whole)


def _one_of(shares: np.ndarray, words: np.ndarray) -> np.ndarray:
    """Return one word of each row, chosen by a share (K,) of its words, as a mask (K, n)."""
    counts = words.sum(1)
    chosen = np.minimum((shares * counts).astype(np.intp), counts - 1)
    found: np.ndarray = np.arange(words.shape[1]) == chosen[:, None]
    return found


def _beginnings(
    whole: np.ndarray, tokenizer: Tokenizer, words: np.ndarray, length: int
) -> np.ndarray:
    """Return the first ``words + 1`` words of framed rows (K, m) after ``<sos>``: (K, length)."""
    own = (whole < tokenizer.start).sum(1)
    count = np.clip(words + 1, 1, np.maximum(own - 1, 1))
    text = whole[:, 1 : length + 1]
    return np.where(np.arange(length) < count[:, None], text, tokenizer.pad)


def _learned(
    texts: Sequence[str],
    unit: Unit,
    held_out: int | None,
    seed: int,
    tokens: Sequence[str] | None,
    framed: bool,
) -> tuple[Tokenizer, np.ndarray, np.ndarray, int]:
    """Return the tokenizer, the rows, a random order of them, and the number of held-out rows."""
    if len(texts) < 2:
        raise ValueError("Two texts are needed at least, one to learn from and one to hold out.")
    apart = held_out_count(len(texts), held_out)
    known = _tokens(texts, unit) if tokens is None else tokens
    with naming("tokens"):
        tokenizer = Tokenizer((*known, *SPECIAL), unit, framed)
    length = max(len(units(text, unit)) for text in texts) + tokenizer.special_count
    with naming("tokens"):
        ids = [tokenizer.encode(text, length) for text in texts]
    rows = np.array(ids, np.min_scalar_type(tokenizer.size))
    return tokenizer, rows, generator(seed, "held-out texts").permutation(len(texts)), apart


def _tokens(texts: Sequence[str], unit: Unit) -> tuple[str, ...]:
    """Return the words or characters of texts, sorted."""
    return Tokenizer.of_texts(texts, unit).tokens[: -len(SPECIAL)]
