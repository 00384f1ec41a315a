"""The data of the phrase translator: ``the black cat sat on the mat`` becomes ``le chat noir est
assis sur le tapis``.

A phrase is a noun phrase, a verb, a preposition and another noun phrase; a noun phrase is an
article, an optional adjective, and a noun. There are three things to learn: in French, black and
white follow the noun, while small and big precede it; article, adjective and ``assis`` agree with
the gender of the noun, which English does not show; and ``sat`` is translated by two words. No
word begins with a vowel, which would elide the French article or turn ``a`` into ``an``.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from transformer_math.arguments import checked
from transformer_math.data.pairs import StoredPairs
from transformer_math.data.text_checks import held_out_count
from transformer_math.data.texts import Blanks, NextWords, blanks, next_words
from transformer_math.data.tokenizer import SPECIAL, Tokenizer, shown
from transformer_math.seeding import generator

MASCULINE, FEMININE = 0, 1  # indices of the pairs of French forms below
ARTICLES = {"the": ("le", "la"), "a": ("un", "une")}
BEFORE_NOUN = {"small": ("petit", "petite"), "big": ("grand", "grande")}
AFTER_NOUN = {"black": ("noir", "noire"), "white": ("blanc", "blanche")}
ADJECTIVES = BEFORE_NOUN | AFTER_NOUN
ANIMALS = {
    "cat": ("chat", MASCULINE),
    "dog": ("chien", MASCULINE),
    "rabbit": ("lapin", MASCULINE),
    "mouse": ("souris", FEMININE),
    "hen": ("poule", FEMININE),
}
PLACES = {
    "mat": ("tapis", MASCULINE),
    "bed": ("lit", MASCULINE),
    "box": ("boîte", FEMININE),
    "car": ("voiture", FEMININE),
    "house": ("maison", FEMININE),
}
VERBS = {
    "sat": (("est", "assis"), ("est", "assise")),
    "sleeps": (("dort",), ("dort",)),
    "runs": (("court",), ("court",)),
}
PREPOSITIONS = {"on": "sur", "in": "dans", "under": "sous"}
EXAMPLES = (
    ("the black cat sat on the mat", "le chat noir est assis sur le tapis"),
    ("the black cat sat on the small mat", "le chat noir est assis sur le petit tapis"),
    ("a white hen sat on the black car", "une poule blanche est assise sur la voiture noire"),
    ("the big dog sleeps in a small house", "le grand chien dort dans une petite maison"),
    ("a small mouse runs under the bed", "une petite souris court sous le lit"),
)
# Beginnings to continue, and texts with blanks to fill in.
NEXT_WORD_EXAMPLES = (
    "the black cat sat",
    "the black cat sat on the small",
    "a white hen",
    "the big dog sleeps in",
    "a",
)
BLANK_EXAMPLES = (
    "la petite <mask> dort sous le lit",
    "<mask> petite souris court sous le lit",
    "le chat noir est <mask> sur le tapis",
    "une poule <mask> est assise sur la voiture noire",
    "le <mask> chien dort dans une <mask> maison",
)

_ADJECTIVE_OR_NONE = ("", *ADJECTIVES)
_SLOTS: tuple[tuple[str, ...], ...] = (
    *(tuple(ARTICLES), _ADJECTIVE_OR_NONE, tuple(ANIMALS)),
    *(tuple(VERBS), tuple(PREPOSITIONS)),
    *(tuple(ARTICLES), _ADJECTIVE_OR_NONE, tuple(PLACES)),
)


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase, as its English words; a missing adjective is ``""``."""

    article: str
    adjective: str
    animal: str
    verb: str
    preposition: str
    place_article: str
    place_adjective: str
    place: str

    @property
    def english(self) -> tuple[str, ...]:
        """The 6 to 8 English words."""
        words = (
            *(self.article, self.adjective, self.animal, self.verb),
            *(self.preposition, self.place_article, self.place_adjective, self.place),
        )
        return tuple(filter(None, words))

    @property
    def french(self) -> tuple[str, ...]:
        """The 6 to 9 French words."""
        return tuple(word for word, _ in self.aligned)

    @property
    def aligned(self) -> tuple[tuple[str, int], ...]:
        """The French words, each with the index of the English word that it translates."""
        gender = ANIMALS[self.animal][1]
        subject = _noun_phrase(self.article, self.adjective, ANIMALS[self.animal], 0)
        verb = len(subject)
        place = _noun_phrase(self.place_article, self.place_adjective, PLACES[self.place], verb + 2)
        return (
            *subject,
            *((word, verb) for word in VERBS[self.verb][gender]),
            (PREPOSITIONS[self.preposition], verb + 1),
            *place,
        )


def _noun_phrase(
    article: str, adjective: str, noun: tuple[str, int], first: int
) -> tuple[tuple[str, int], ...]:
    """Return French words, each with the index of its English word, counted from ``first``."""
    french, gender = noun
    start = (ARTICLES[article][gender], first)
    if not adjective:
        return start, (french, first + 1)
    agreeing = (ADJECTIVES[adjective][gender], first + 1)
    last = (french, first + 2)
    return (start, agreeing, last) if adjective in BEFORE_NOUN else (start, last, agreeing)


# The words by kind, in the order of a phrase, so that words of one kind have neighboring rows.
ENGLISH_KINDS: dict[str, tuple[str, ...]] = {
    "article": tuple(ARTICLES),
    "adjective": tuple(ADJECTIVES),
    "noun, animal": tuple(ANIMALS),
    "verb": tuple(VERBS),
    "preposition": tuple(PREPOSITIONS),
    "noun, place": tuple(PLACES),
}
FRENCH_KINDS: dict[str, tuple[str, ...]] = {
    "article": tuple(itertools.chain(*ARTICLES.values())),
    "adjective": tuple(itertools.chain(*ADJECTIVES.values())),
    "noun, animal": tuple(noun for noun, _ in ANIMALS.values()),
    "verb": tuple(dict.fromkeys(itertools.chain(*itertools.chain(*VERBS.values())))),
    "preposition": tuple(PREPOSITIONS.values()),
    "noun, place": tuple(noun for noun, _ in PLACES.values()),
}
ENGLISH = Tokenizer((*itertools.chain(*ENGLISH_KINDS.values()), *SPECIAL), "word", framed=False)
FRENCH = Tokenizer((*itertools.chain(*FRENCH_KINDS.values()), *SPECIAL), "word")
SOURCE_LENGTH = 8  # a phrase with both adjectives
TARGET_LENGTH = 11  # with a verb of two words and two special tokens


def parse(text: str) -> Phrase:
    """Return the phrase of an English text.

    Raises:
        ValueError: a word is unknown, or the text does not follow the grammar; the message has
            the place.
    """
    words = text.split()
    for word in words:
        if word not in ENGLISH.tokens[: ENGLISH.start]:
            raise ValueError(
                f"The word {shown(word)} is not among these: "
                f"{', '.join(ENGLISH.tokens[: ENGLISH.start])}."
            )
    found: list[str] = []
    at = 0
    wanted: list[str] = []  # the words that the grammar allows next
    for slot in _SLOTS:
        wanted += filter(None, slot)
        if at < len(words) and words[at] in slot:
            found.append(words[at])
            at, wanted = at + 1, []
        elif "" in slot:
            found.append("")
        else:
            raise ValueError(_grammar_error(words, at, wanted))
    if at < len(words):
        raise ValueError(f"The phrase has ended before {shown(words[at])}.")
    return Phrase(*found)


def _grammar_error(words: list[str], at: int, wanted: list[str]) -> str:
    """Return the message for a text that violates the grammar at a word, with the allowed words."""
    choices = f"{', '.join(wanted[:-1])} or {wanted[-1]}"
    if not words:
        return f"There is no phrase; it begins with {choices}."
    if at == len(words):
        return f"The phrase breaks off after {shown(words[-1])}; it goes on with {choices}."
    before = f"After {shown(words[at - 1])}" if at else "At the start"
    return f"{before} stands {shown(words[at])}, where the grammar has {choices}."


def translate(text: str) -> str:
    """Return the French translation of an English phrase such as ``the black cat sat on the mat``.

    Raises:
        ValueError: the text does not follow the grammar; see ``parse``.
    """
    return " ".join(parse(text).french)


def alignment(text: str) -> tuple[int, ...]:
    """Return, for each word of the translation, the index of the translated English word.

    Raises:
        ValueError: the text does not follow the grammar; see ``parse``.
    """
    return tuple(at for _, at in parse(text).aligned)


@checked()
def phrases(seed: int = 0, held_out: int | None = None) -> StoredPairs:
    """Return all 22,500 phrases, a random sample of which is held out.

    Args:
        seed: seed of the sample.
        held_out: the number of phrases held out; by default 1,000.

    Raises:
        ValueError: held_out leaves no phrase to test or no phrase to train on.
    """
    every = [Phrase(*words) for words in itertools.product(*_SLOTS)]
    count = held_out_count(len(every), held_out)
    source = _rows(ENGLISH, SOURCE_LENGTH, [phrase.english for phrase in every])
    target = _rows(FRENCH, TARGET_LENGTH, [phrase.french for phrase in every])
    order = generator(seed, "held-out phrases").permutation(len(every))
    apart, train = order[:count], np.sort(order[count:])
    return StoredPairs(
        name="phrases",
        source_tokenizer=ENGLISH,
        target_tokenizer=FRENCH,
        train_count=len(train),
        held_out_source=source[apart].astype(np.intp),
        held_out_target=target[apart].astype(np.intp),
        source=source[train],
        target=target[train],
    )


def english_texts() -> list[str]:
    """Return all 22,500 English phrases."""
    return [" ".join(Phrase(*words).english) for words in itertools.product(*_SLOTS)]


def french_texts() -> list[str]:
    """Return all 22,500 French phrases, in the order of the English phrases."""
    return [" ".join(Phrase(*words).french) for words in itertools.product(*_SLOTS)]


def next_word_phrases() -> NextWords:
    """Return the English phrases, of which a decoder-only model learns each next word.

    A continuation is right if the whole text is one of the phrases.
    """
    texts = english_texts()
    words = ENGLISH.tokens[: ENGLISH.start]
    return next_words(texts, name="next-word", tokens=words, allowed=texts)


def blank_phrases() -> Blanks:
    """Return the French phrases with blanks, which an encoder-only model learns to fill in.

    The phrases are French, because their words depend on one another: article, adjective and
    participle agree with the gender of the noun. The words that a model fills in are right if the
    whole text is one of the phrases.
    """
    texts = french_texts()
    words = FRENCH.tokens[: FRENCH.start]
    return blanks(texts, name="blanks", tokens=words, allowed=texts)


def _rows(tokenizer: Tokenizer, length: int, texts: list[tuple[str, ...]]) -> np.ndarray:
    """Return the ids (K, length) of texts, as bytes."""
    return np.array([tokenizer.encode(" ".join(words), length) for words in texts], dtype=np.uint8)
