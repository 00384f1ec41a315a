import csv
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import transformer_math as tm
from transformer_math.data.encodings import LATIN, WINDOWS, decode
from transformer_math.data.given import given_pairs, texts_in
from transformer_math.data.pairs import as_csv, pairs, read_csv
from transformer_math.data.report import checked
from transformer_math.data.text_checks import BadLine

NARROW, WIDE = "\u202f", "\u00a0"  # the no-break spaces of French
FRENCH = [
    ("Go!", f"Va{NARROW}!"),
    ("Hi.", "Salut."),
    ("Oh, no!", f"Oh, non{NARROW}!"),
    ('"Who?" he said.', f"«{WIDE}Qui{WIDE}?{WIDE}» dit-il."),
    ("Where is it?", f"Où est-ce{NARROW}?"),
]
CREDIT = "CC-BY 2.0 (France) Attribution: tatoeba.org #2877272 (CM) & #1158250 (Wittydev)"


def lines(separator: str, *more: str) -> str:
    return "".join(separator.join([*pair, *more]) + "\n" for pair in FRENCH)


def written(rows: list[Any], **dialect: Any) -> str:
    text = io.StringIO(newline="")
    csv.writer(text, **dialect).writerows(rows)
    return text.getvalue()


def texts(source: Any, target: Any = None, encoding: str | None = None) -> list[tuple[str, ...]]:
    """Return the rows that are read, and check that no line is skipped."""
    found = given_pairs(source, target, encoding)
    assert found.skipped == ()
    return [row.texts for row in found.rows]


# -- formats and encodings -----------------------------------------------------------------------


def test_files_of_tatoeba_are_read_with_their_attribution() -> None:
    found = given_pairs(lines("\t", CREDIT).encode())
    assert [row.texts for row in found.rows] == FRENCH
    assert (found.format, found.encoding) == ("tab-separated", "UTF-8")
    assert found.ignored == (f"column 3 (“{CREDIT[:16]}…”)",)


def test_files_of_tatoeba_with_numbers_are_read() -> None:
    rows = [(str(100 + n), source, str(7 * n), target) for n, (source, target) in enumerate(FRENCH)]
    data = "".join("\t".join(row) + "\n" for row in rows).encode()
    assert texts(data) == FRENCH
    assert given_pairs(data).columns == ("column 2", "column 4")


def test_numbers_are_texts_if_there_are_no_other_columns() -> None:
    numbers = [("1", "one"), ("2", "two"), ("12", "twelve")]
    assert texts(written(numbers).encode()) == numbers


@pytest.mark.parametrize(
    ("header", "columns", "ignored"),
    [
        ("source,target", ("source", "target"), ()),
        ("SRC , tgt", ("SRC", "tgt"), ()),
        ("input,output", ("input", "output"), ()),
        ("en,fr", ("en", "fr"), ()),
        ("sw,zu", ("sw", "zu"), ()),
        ("eng,deu", ("eng", "deu"), ()),
        ("en-US,pt_BR", ("en-US", "pt_BR"), ()),
        ("eng_Latn,rus_Cyrl", ("eng_Latn", "rus_Cyrl"), ()),
        ("English words/sentences,French", ("English words/sentences", "French"), ()),
        ("source_text,target_text", ("source_text", "target_text"), ()),
        ("id,en,fr,license", ("en", "fr"), ("id", "license")),
        (",input,output", ("input", "output"), ("column 1",)),
        ("en,fr,de", ("en", "fr"), ("de",)),
    ],
)
def test_headers_are_found(header: str, columns: tuple[str, str], ignored: tuple[str, ...]) -> None:
    names = [name.strip() for name in header.split(",")]
    rows = [
        [dict(zip(columns, pair, strict=True)).get(name, "7") for name in names] for pair in FRENCH
    ]
    found = given_pairs((header + "\n" + written(rows)).encode())
    assert [row.texts for row in found.rows] == FRENCH
    assert (found.columns, found.ignored) == (columns, ignored)


def test_a_header_can_name_the_target_first() -> None:
    rows = [("target", "source"), *((target, source) for source, target in FRENCH)]
    assert texts(written(rows).encode()) == FRENCH


@pytest.mark.parametrize("first", ["cat,kat", "the source,the target", "I am in,Rome", "en,en"])
def test_a_pair_is_not_taken_for_a_header(first: str) -> None:
    assert texts(f"{first}\na,b\n".encode())[0] == tuple(first.split(","))


@pytest.mark.parametrize(
    ("codec", "name"),
    [
        ("utf-8", "UTF-8"),
        ("utf-8-sig", "UTF-8 with a byte order mark"),
        ("utf-16", "UTF-16"),
        ("utf-16-le", "UTF-16"),
        ("utf-16-be", "UTF-16"),
        ("utf-32", "UTF-32"),
        ("cp1252", WINDOWS),
        ("latin-1", LATIN),
    ],
)
def test_encodings_are_recognized(codec: str, name: str) -> None:
    more = [] if codec == "latin-1" else [("three euros", "trois €")]
    rows = [
        (source, target.replace(NARROW, WIDE)) for source, target in [*FRENCH, *more, ("é", "è")]
    ]
    data = written(rows, delimiter="\t").encode(codec)
    assert texts(data) == rows
    assert given_pairs(data).encoding == name


def test_an_encoding_can_be_given() -> None:
    rows = [("hello", "привет"), ("yes", "да")]
    data = written(rows).encode("cp1251")
    assert texts(data) != rows
    assert texts(data, None, "cp1251") == rows
    for name, sentence in (
        ("utf-8", "The file is not in utf-8: its byte 7 fits no character."),
        ("hex", "There is no encoding of texts called 'hex'."),
        ("no\0thing", "There is no encoding of texts called 'no\\x00thing'."),
    ):
        with pytest.raises(ValueError, match=r"^The|There") as caught:
            given_pairs(data, None, name)
        assert str(caught.value) == sentence


def test_damaged_bytes_in_one_line_do_not_change_the_others() -> None:
    data = "œuf,ägg\nété,été\n".encode() + b"na\xefve,x\n"
    found = given_pairs(data)
    read, report = checked(found, "character")
    assert (found.encoding, read) == ("UTF-8", (("œuf", "ägg"), ("été", "été")))
    assert [(line.line, line.kind) for line in report.skipped] == [(3, "characters of the source")]


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"PK\3\4\x14\0xl/worksheets", "The file is a zip archive: unpack it first, or save "),
        (b"\x1f\x8b\x08\0", "The file is a gzip archive: unpack it first, or save "),
        (b"\x89PNG\r\n\x1a\n", "The file is a picture "),
        (b"%PDF-1.7", "The file is a PDF document, which is no text."),
        (bytes(range(256)) * 9, "The file is no text: it has bytes that are no characters."),
        (b"caf\x81,x\n", "The encoding of the file is not known: save it as UTF-8, or "),
    ],
)
def test_files_that_are_not_text_are_refused(data: bytes, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{sentence}"):
        decode(data)


# Letters, digits, marks, every kind of space, and the signs of a table; no control characters.
CHARACTERS = st.characters(exclude_categories=["C", "Zl", "Zp"])
TEXT = st.text(CHARACTERS | st.sampled_from(",;\"' " + NARROW + WIDE), min_size=1, max_size=9)
SIDE = TEXT.filter(lambda text: text.strip() and not text.startswith(" "))
ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1252", "latin-1"]


def encodes(text: str, codec: str) -> bool:
    """Return whether a codec encodes a text, and not to bytes that happen to be UTF-8."""
    try:
        data = text.encode(codec)
        return codec not in ("cp1252", "latin-1") or data.isascii() or not decodes(data)
    except UnicodeEncodeError:
        return False


def decodes(data: bytes) -> bool:
    return "\ufffd" not in data.decode("utf-8", "replace")


@given(
    rows=st.lists(st.tuples(SIDE, SIDE), min_size=1, max_size=12),
    separator=st.sampled_from(",;\t"),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
    header=st.sampled_from([("source", "target"), ("src", "tgt"), ("en", "fr"), ("xh", "yo")]),
    extra=st.none() | TEXT,
    codec=st.sampled_from(ENCODINGS),
)
def test_every_table_with_a_header_is_read_as_it_was_written(
    rows: list[tuple[str, str]],
    separator: str,
    quoting: int,
    end: str,
    header: tuple[str, str],
    extra: str | None,
    codec: str,
) -> None:
    table: list[tuple[str, ...]] = [header, *rows]
    if extra is not None:
        table = [("note", *header), *((extra, *row) for row in rows)]
    text = written(table, delimiter=separator, quoting=quoting, lineterminator=end)
    assume(encodes(text, codec))
    found = given_pairs(text.encode(codec))
    assert [row.texts for row in found.rows] == rows
    assert (found.skipped, found.columns) == ((), header)
    assert found.ignored == (("note",) if extra is not None else ())


@given(
    rows=st.lists(st.tuples(SIDE, SIDE), min_size=1, max_size=12),
    separator=st.sampled_from(",;\t"),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_tables_without_a_header_are_read_as_they_were_written(
    rows: list[tuple[str, str]], separator: str, quoting: int, end: str
) -> None:
    """In a sentence, a comma or semicolon is followed by a space."""

    def sentence(text: str) -> str:
        return text.replace(",", ", ").replace(";", "; ")

    rows = [(sentence(source), sentence(target)) for source, target in rows]
    text = written(rows, delimiter=separator, quoting=quoting, lineterminator=end)
    assert texts(text.encode()) == rows


def test_quotation_marks_in_tables_with_tabs_are_text_unless_all_are_well_formed() -> None:
    rows = [('"Go!" he said.', "x"), ('She said "no"', 'y "z"'), ('"Who?"', '"Qui ?"')]
    literal = "".join("\t".join(row) + "\n" for row in rows).encode()
    assert texts(literal) == rows
    assert texts(written(rows, delimiter="\t").encode()) == rows


def test_a_quoted_text_with_a_line_break_is_one_record() -> None:
    data = b'a,b\n"two\nlines",c\nd,e\n'
    read, report = checked(given_pairs(data))
    assert read == (("a", "b"), ("d", "e"))
    (skipped,) = report.skipped
    assert skipped.message == (
        "The source of line 2 has U+000A as its character 4, which is no text."
    )


@pytest.mark.parametrize(
    ("table", "first"),
    [
        ("Hi, Tom;Salut\nNo, Tom;Non\n", ("Hi, Tom", "Salut")),
        ("Hi; then\tSalut\n", ("Hi; then", "Salut")),
        ("1,5 km\t0,9 mi\tby hand\n", ("1,5 km", "0,9 mi")),
        ("Oh,no\tOh non\n", ("Oh,no", "Oh non")),
        ("1,5 km;0,9 mi\n", ("1,5 km", "0,9 mi")),
        ("a;b,c;d\ne,f;g\nh,i\n", ("a;b", "c;d")),
        ("a, 1\n b, 2\n", ("a", "1")),
        ("a;b\nc,d;e\nf,g;h\ni,j;k;l\n", ("a", "b")),
        ("Oh,no;x\nA,b,c;y\nD,e;z\n", ("Oh,no", "x")),
    ],
)
def test_the_separator_is_the_one_outside_of_sentences(table: str, first: tuple[str, str]) -> None:
    assert given_pairs(table.encode()).rows[0].texts == first


# -- JSON ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "record",
    [
        lambda en, fr: {"translation": {"en": en, "fr": fr}},
        lambda en, fr: {"id": "7", "translation": {"en": en, "fr": fr}},
        lambda en, fr: {"source": en, "target": fr},
        lambda en, fr: {"tgt": fr, "src": en, "score": 0.5},
        lambda en, fr: {"en": en, "fr": fr},
        lambda en, fr: {"n": 3, "question": en, "answer": fr},
        lambda en, fr: [en, fr],
    ],
    ids=["hugging face", "with an id", "source", "src", "languages", "other names", "lists"],
)
def test_json_lines_and_documents_are_read(record: Any) -> None:
    records = [record(*pair) for pair in FRENCH]
    as_lines = "".join(json.dumps(each, ensure_ascii=False) + "\r\n" for each in records)
    assert texts(as_lines.encode()) == FRENCH
    for document in (records, {"version": 1, "data": records}):
        for indent in (None, 2):
            assert texts(json.dumps(document, indent=indent).encode()) == FRENCH
    assert texts(records) == FRENCH


def test_a_json_document_can_be_one_pair() -> None:
    assert texts(b'["a", "b"]') == [("a", "b")]
    assert given_pairs(b'["a", "b", "c"]').rows == ()


def test_invalid_json_lines_are_skipped() -> None:
    data = b'{"en": "a", "fr": "b"}\n{"en": "c"}\n{broken\n{"en": "d", "fr": null}\n"text"\n'
    found = given_pairs(data + b'{"en": "e", "fr": "f"}')
    assert [row.texts for row in found.rows] == [("a", "b"), ("e", "f")]
    assert [line.message for line in found.skipped] == [
        "Line 2 has no text as its “fr”.",
        "Line 3 is no JSON.",
        "Line 4 has no text as its “fr”.",
        "Line 5 is no pair of two texts.",
    ]


@pytest.mark.parametrize("data", [b"[" * 100_000, b'{"a":' * 100_000, b'[1, "' + b"9" * 9999])
def test_incomplete_json_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"^Line 1 .*\.$"):
        pairs(data)


# -- files and lists -----------------------------------------------------------------------------


def test_two_parallel_files_are_read(tmp_path: Path) -> None:
    english, french = tmp_path / "train.en", tmp_path / "train.fr"
    english.write_text("".join(f"{source}\n" for source, _ in FRENCH), "utf-8")
    french.write_text("".join(f"{target}\n" for _, target in FRENCH) + "\n \n", "utf-16")
    found = given_pairs(english, str(french))
    assert [row.texts for row in found.rows] == FRENCH
    assert (found.columns, found.encoding) == (("en", "fr"), "UTF-8 and UTF-16")
    assert texts(french, english) == [(target, source) for source, target in FRENCH]
    notes = tmp_path / "notes.txt"
    notes.write_bytes(french.read_bytes())
    assert given_pairs(english, notes).columns == ("en", "notes.txt")
    french.write_text("Va !\n", "utf-8")
    with pytest.raises(ValueError, match=r"^There are 5 sources and 1 targets; each source has "):
        given_pairs(english, french)


def test_blank_lines_of_parallel_files_are_reported_by_number() -> None:
    found = given_pairs(b"a\n\nc\n", b"x\ny\nz\n")
    assert found.columns == ("source", "target")
    _, report = checked(found)
    assert [line.message for line in report.skipped] == ["The source of line 2 is empty."]


class Frame:
    """The part of a data frame that is used."""

    columns = ("en", "fr")

    def to_dict(self, orient: str) -> list[dict[str, str]]:
        assert orient == "records"
        return [dict(zip(self.columns, pair, strict=True)) for pair in FRENCH]


@pytest.mark.parametrize(
    "given_as",
    [
        FRENCH,
        tuple(FRENCH),
        [list(pair) for pair in FRENCH],
        (pair for pair in FRENCH),
        dict(FRENCH).items(),
        np.array(FRENCH),
        Frame(),
        [{"source": source, "target": target} for source, target in FRENCH],
    ],
    ids=["list", "tuple", "lists", "iterator", "dict", "array", "frame", "dicts"],
)
def test_lists_are_read(given_as: Any) -> None:
    assert texts(given_as) == FRENCH


def test_a_list_has_no_header() -> None:
    assert texts([("en", "fr"), ("a", "b")]) == [("en", "fr"), ("a", "b")]


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (3, "Pairs are the path of a file, a list of pairs of a source and a target, or a list "),
        (["a b", "c d"], "A list of texts has no targets: give a list of pairs, (source, target)"),
        ([("a", 1.5), ("b", "c")], "Pair 1 has no text as its “column 2”."),
        ([("a", "b"), 5], "Pair 2 is no pair of two texts."),
        ([("a", "b", "c"), ("d", "e")], "Pair 1 has 3 columns, and most have 2."),
        ([("a",), ("b",)], "Pair 1 has 1 column and needs 2: a source and its target."),
        ([], "There are no pairs: a line is a source, a comma and its target."),
        (b"", "There are no pairs: a line is a source, a comma and its target."),
        (b"\xef\xbb\xbf\r\n \n", "There are no pairs: a line is a source, a comma and its target."),
        (b"x,y\n", "There are no pairs: a line is a source, a comma and its target."),
        *(
            (given, "There is only one source; two different ones are needed at least")
            for given in ([("a", "b")], b"a,b\na,b\n", b"a,b\na,c\n")
        ),
        ("a,b\nc,d\n", "The path of a file is wanted, not its content, which begins 'a,b"),
    ],
)
def test_files_without_pairs_are_refused(data: Any, sentence: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the sentence is compared below
        pairs(data)
    assert str(caught.value).startswith(sentence)
    assert str(caught.value).endswith(".")


def test_a_path_is_not_read_as_content() -> None:
    for path in ("my.csv", " data/train.fr-en.tsv\n", r"C:\pairs\my.txt"):
        with pytest.raises(ValueError, match=r" is the path of a file, and read_csv reads its "):
            read_csv(path)
    with pytest.raises(FileNotFoundError, match="nowhere"):
        pairs("nowhere.csv")


def test_lists_train_a_model() -> None:
    rows = [(f"the {a}", f"le {b}") for a, b in zip("abcdef", "uvwxyz", strict=True)]
    config = tm.config_for(rows, d_model=8, heads=2, d_ff=8)
    assert (config.source_vocabulary, config.target_vocabulary) == (10, 10)
    model = tm.Transformer.create(config, 0)
    trainer = tm.Trainer(model, rows, tm.Recipe(steps=3, batch=2, warmup=1))
    assert [np.isfinite(progress.loss) for progress in trainer] == [True] * 3
    assert trainer.pairs.name == "own pairs"
    assert tm.exact_matches(trainer.model, rows)[1] == 1
    with pytest.raises(ValueError, match=r"^A list of texts has no targets"):
        tm.Trainer(model, ["a b", "c d"])


# -- the report ----------------------------------------------------------------------------------


def test_the_report_has_numbers_and_examples() -> None:
    text = "en\tfr\tby\n" + lines("\t", CREDIT) + "\nx\t\t\nalone\n" + "w " * 65 + "\ty\tz\n"
    report = pairs(text.encode("utf-16")).report
    assert (report.count, report.unit, report.different) == (5, "word", (10, 12))
    assert report.longest == FRENCH[3]
    assert report.first == tuple(FRENCH[:3])
    assert (report.columns, report.ignored) == (("en", "fr"), ("by",))
    assert [line.line for line in report.skipped] == [8, 9, 10]
    assert report.sentences() == [
        "5 pairs with 10 and 12 different words.",
        "Read as tab-separated, UTF-16; en → fr; without by.",
        f"Longest (3 and 5 words): “{FRENCH[3][0]}” → “{FRENCH[3][1]}”.",
        f"First: “Go!” → “Va{NARROW}!”; “Hi.” → “Salut.”; “Oh, no!” → “Oh, non{NARROW}!”.",
        "Skipped 3 lines. The target of line 8 is empty. "
        "Line 9 has 1 column and needs 3: a source, a tab and its target. "
        "The source of line 10 has 65 words; at most 64 are read.",
    ]


def test_skipped_lines_of_one_kind_are_counted() -> None:
    report = pairs(b"a,b\nc,d\n" + b"alone\n" * 7 + b"e,\n").report
    assert report.sentences()[-1] == (
        "Skipped 8 lines. Line 3 has 1 column and needs 2: a source, a comma and its target. "
        "(6 more like this.) The target of line 10 is empty."
    )


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ("", "is empty."),
        ("w " * 65, "has 65 words; at most 64 are read."),
        ("w" * 25, f"has a word of 25 characters, '{'w' * 24}…'; at most 24 are read."),
    ],
)
def test_a_bad_target_is_not_reported_as_a_bad_source(bad: str, reason: str) -> None:
    report = pairs(f"a b,b\nc d,d\n{bad},e\ne e,{bad}\n".encode(), unit="word").report
    assert report.sentences()[-1] == (
        f"Skipped 2 lines. The source of line 3 {reason} The target of line 4 {reason}"
    )


@pytest.mark.parametrize("form", ["lines", "JSON", "list"])
def test_pairs_above_the_limit_are_counted(form: str) -> None:
    rows = [(f"a{i}", "b") for i in range(20_123)]
    files = {"lines": written(rows).encode(), "JSON": json.dumps(rows).encode()}
    found = pairs(files.get(form, rows))
    assert (found.report.count, found.report.unread) == (20_000, 123)
    assert found.report.sentences()[-1] == (
        "Not read: 123 more lines; at most 20,000 can be learned."
    )


def test_the_unit_is_the_unit_of_most_sources() -> None:
    assert pairs([("a b", "c"), ("d", "e")]).unit == "word"
    assert pairs([("a b", "c"), ("d", "e"), ("f", "g")]).unit == "character"
    assert pairs([("a b", "c"), ("d", "e")], unit="character").unit == "character"


def test_characters_keep_every_kind_of_space_and_words_are_separated_by_them() -> None:
    rows = [("a", f"b{NARROW}!"), ("c", f"d{WIDE}!")]
    characters, words = pairs(rows, unit="character"), pairs(rows, unit="word")
    assert {NARROW, WIDE} < set(characters.target_tokenizer.tokens)
    assert words.target_tokenizer.tokens[:3] == ("!", "b", "d")


def test_the_error_for_too_many_words_suggests_a_limit_that_works() -> None:
    rows = [(f"w{i} x", "y z") for i in range(5_100)]
    with pytest.raises(ValueError, match=r"most_words=5000 would keep 4,999 of 5,100") as caught:
        pairs(rows)
    assert str(caught.value).startswith("The sources have 5,101 different words; at most 5,000 ")
    report = pairs(rows, most_words=5_000).report
    assert (report.count, report.different) == (4_999, (5_000, 2))
    assert report.skipped[0].message == (
        "Pair 5,000 is left out: 'w4999' is not among the 5,000 most frequent words."
    )


@given(
    st.lists(st.tuples(*[st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=4)] * 2)),
    st.integers(1, 8),
)
def test_the_most_frequent_words_are_kept(words: list[tuple[list[str], ...]], most: int) -> None:
    rows = [(" ".join(source), " ".join(target)) for source, target in words]
    given_rows = given_pairs(rows)
    every, kept = checked(given_rows, "word"), checked(given_rows, "word", most_words=most)
    assert all(count <= most for count in kept.report.different)
    assert len(kept.rows) + len(kept.report.skipped) == len(every.rows)
    if all(count <= most for count in every.report.different):
        assert kept == every
    for side in (0, 1):
        known = {word for row in kept.rows for word in row[side].split()}
        counts = {w: sum(row[side].split().count(w) for row in every.rows) for w in "abcdefgh"}
        rarer = [sum(counts[other] > counts[word] for other in counts) for word in known]
        assert all(more < most for more in rarer)


@given(st.lists(st.tuples(SIDE, SIDE), max_size=9))
def test_the_stored_content_is_read_as_the_same_rows(rows: list[tuple[str, str]]) -> None:
    """Even if the first row looks like a header, and with every separator in texts."""
    rows = [("en", "fr"), ("Y", "x;y"), *rows, (" a", "\ufeffb")]
    text = as_csv(rows)
    assert texts(text.encode()) == rows
    with_numbers = [("1", "2"), *rows]
    assert texts(as_csv(with_numbers).encode()) == with_numbers


@given(st.binary() | st.text().map(str.encode) | st.text('a,;"\t{[]}:\n\r ').map(str.encode))
def test_any_bytes_are_read_or_refused_in_one_sentence(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    for read in (pairs, texts_in, lambda _: read_csv(text), lambda _: read_csv(text, unit="word")):
        try:
            read(data)
        except ValueError as error:
            said = str(error)
            assert said.endswith(".")
            assert said.isprintable()
            assert not isinstance(error, BadLine) or f"ine {error.line}" in said  # noqa: PT017


# -- right answers to a source -------------------------------------------------------------------


@given(
    rows=st.lists(st.tuples(st.text("ab ", max_size=4), st.text("cd", max_size=3)), min_size=1),
    unit=st.sampled_from(["character", "word"]),
)
def test_the_right_answers_to_a_source_are_its_targets(
    rows: list[tuple[str, str]], unit: Any
) -> None:
    rows = [(source, target) for source, target in rows if source.split() and target]
    assume(len({" ".join(source.split()) for source, _ in rows}) > 1)
    found = pairs(rows, unit=unit)
    for source, _ in rows:
        text = found.source_tokenizer.decode(found.source_tokenizer.encode(source))
        beside = {
            target
            for other, target in rows
            if found.source_tokenizer.decode(found.source_tokenizer.encode(other)) == text
        }
        row = found.source_tokenizer.encode(source, found.source_length)
        is_learned = bool((found.source == row).all(axis=1).any())
        answers = found.answers(source)
        # Not all targets of an unseen source may be held out.
        assert set(answers) == beside if is_learned else set(answers) <= beside
        assert len(set(answers)) == len(answers)
    assert found.answers("b" * 99) == found.answers("é") == ()
