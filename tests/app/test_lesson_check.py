"""``lesson check`` finds invalid formulas, and words that the model does not know."""

import json
import shutil

import pytest
from tinkerformer.cli import formulas as engines
from tinkerformer.cli import lesson as command
from tinkerformer.cli.command import main
from tinkerformer.features.lessons.about import about
from tinkerformer.lessons import catalog, structure
from tinkerformer.lessons.formulas import Formula, formulas
from tinkerformer.lessons.markdown.parsing import parse
from tinkerformer.lessons.reading import read

HEAD = "---\ntitle: A lesson\nminutes: 3\nscenario: phrases\n{}---\n\n## A step\n\n"
ASK = (
    ":::{{predict}}\nask: Which $d_k$?\nanswer: {}\ntolerance: 0.1\n"
    "hint: Look at $\\frac{{1}}{{2$.\n:::\n"
)


def lesson(body: str, head: str = ""):
    return read(json.loads(json.dumps(parse(HEAD.format(head) + body, "01-a.md"))))


def problems(body: str, head: str = "") -> list[tuple[int, str]]:
    return [(each.line, each.what) for each in structure.problems(lesson(body, head))]


def test_formulas_are_found_in_texts_and_in_every_part_of_a_directive():
    found = formulas(lesson("The $Q$ of it.\n\n$$K^\\top$$\n\n" + ASK.format("1 + 1")))
    assert found == [
        Formula(9, "Q", False),
        Formula(11, "K^\\top", True),
        Formula(13, "d_k", False),
        Formula(13, "\\frac{1}{2", False),
    ]


@pytest.fixture(params=["node", "browser"])
def engine(request, monkeypatch):
    """Return each program that can run KaTeX, if it is installed."""
    if request.param == "node":
        if not shutil.which("node"):
            pytest.skip("Node is not installed.")
    else:
        pytest.importorskip("playwright")
        monkeypatch.setattr(engines.shutil, "which", lambda name: _browsers.get(name))
    return request.param


_browsers = {
    name: shutil.which(name)
    for name in ("chromium-headless-shell", "chromium", "google-chrome", "chromium-browser")
}


def test_a_formula_that_katex_cannot_read_is_reported_with_its_line(engine, tmp_path, capsys):
    file = tmp_path / "a.md"
    file.write_text(
        HEAD.format("") + "Good: $\\sqrt{d_k}$, $`$, and\n\nbad: $\\frac{1$ and $\\nobody$.\n",
        encoding="utf-8",
    )
    told: list[str] = []
    assert command.checked(file, told.append) is None
    assert len(told) == 2
    assert told[0].startswith(
        "a.md, line 11: $\\frac{1$ cannot be typeset: Unexpected end of input"
    )
    assert told[1].startswith(
        "a.md, line 11: $\\nobody$ cannot be typeset: Undefined control sequence"
    )
    assert engine


def test_the_command_reports_that_no_program_can_run_katex(monkeypatch, tmp_path):
    def none(_formulas):
        raise engines.NoEngine

    monkeypatch.setattr(command, "wrong_formulas", none)
    file = tmp_path / "a.md"
    file.write_text(HEAD.format("") + "A formula: $\\frac{1$.\n", encoding="utf-8")
    told: list[str] = []
    assert command.checked(file, told.append) is not None
    assert told == [
        "a.md: 1 formula could not be read: that takes Node, or Playwright and a browser.",
        "a.md: 1 step, right on their own numbers.",
    ]


LOOK = ":::{{look}}\n{}\n:::\n"


@pytest.mark.parametrize(
    ("body", "line", "word"),
    [
        (LOOK.format("text: the pizza sat on the mat"), 9, "pizza"),
        (LOOK.format("target: <sos> le zèbre"), 9, "zèbre"),
        (ASK.format('1 * writes("zebra")'), 9, "zebra"),
        (ASK.format('1 * (word(2) == "nior")'), 9, "nior"),
        (ASK.format('1 * ("nior" == word(2))'), 9, "nior"),
    ],
)
def test_a_word_that_the_model_does_not_know_is_reported_with_its_line(body, line, word):
    said = (line, f"the model does not know {word!r}; name it under “unknown” if it is meant")
    assert said in problems(body)
    assert said not in problems(body, f"unknown: [{word}]\n")


def test_a_model_without_words_of_its_own_knows_all_of_its_texts():
    text = HEAD.replace("phrases", "sandbox").format("") + LOOK.format("text: a pizza")
    assert structure.problems(read(json.loads(json.dumps(parse(text, "a.md"))))) == []
    body = LOOK.format("text: the white cat sat on the mat") + ASK.format('1 * writes("blanc")')
    assert problems(body) == []  # the model knows these words


# -- fields of the head ---------------------------------------------------------------------------


def test_the_head_names_level_goals_author_and_license():
    head = (
        "level: beginner\ngoals:\n  - Read a score.\n  - Say why.\n"
        "author: A teacher\nlicense: CC BY 4.0\n"
    )
    found = lesson("Text.", head)
    assert (found.level, found.author, found.license) == ("beginner", "A teacher", "CC BY 4.0")
    assert about(found) == {
        "about": "",
        "goals": ["Read a score.", "Say why."],
        "facts": ["beginner", "3 min"],
        "source": "by A teacher · CC BY 4.0",
    }
    assert about(lesson("Text."))["source"] == ""


def test_every_lesson_of_the_page_has_all_fields_of_the_head():
    for each in catalog.catalog().lessons.values():
        assert each.level, each.file
        assert each.goals, each.file
        assert each.author, each.file
        assert each.license == "BSD-3-Clause", each.file


WRONG = """---
title: A lesson
minutes: none
scenario: phrases
color: red
---

## A step

:::{look}
parts: 3
selct: x
:::

:::{predict}
ask: What?
answer: value("nowhere
:::

:::{nothing}
a: 1
:::

## Another

Only _text_.
"""


def checked(tmp_path, text):
    file = tmp_path / "a.md"
    file.write_text(text, encoding="utf-8")
    told: list[str] = []
    return command.checked(file, told.append), told


def lines(told):
    return [int(each.partition("line ")[2].partition(":")[0]) for each in told]


def test_all_problems_are_reported_at_once_with_their_lines(tmp_path):
    found, told = checked(tmp_path, WRONG)
    assert found is None
    assert lines(told) == [3, 5, 11, 12, 17, 20]
    assert told[0] == "a.md, line 3: minutes: “none” are no minutes."
    assert "the front matter has no “color”" in told[1]
    assert "look has no “parts”" in told[2]
    assert told[4] == "a.md, line 17: answer: 'value(\"nowhere' is no expression."
    assert "there is no directive “nothing”" in told[5]


def test_problems_of_the_syntax_and_of_the_meaning_are_reported_together(tmp_path):
    """YAML that cannot be read, and in another step a path that the model lacks."""
    text = HEAD.format("") + (
        ":::{look}\npart: [\n:::\n\n## Another\n\n" + ASK.format('value("nowhere", 0, 0)')
    ).replace("{{", "{").replace("}}", "}").replace("$\\frac{1}{2$", "it")
    found, told = checked(tmp_path, text)
    assert found is None
    assert "is not YAML" in told[0]
    assert "There is no tensor nowhere" in told[1]
    assert lines(told) == [11, 15]


SEEN = """:::{predict}
ask: Which number?
answer: value("source.embedding", 2, 0)
tolerance: 0.1
%shint: Look.
:::

:::{predict}
ask: What follows?
answer: '"chat"'
choices: [chat, %s]
hint: Look.
:::
"""


def test_an_answer_that_is_visible_before_it_is_given_is_noted(tmp_path):
    found, told = checked(tmp_path, HEAD.format("") + SEEN % ("cover: false\n", "souris"))
    assert found is not None  # a note is not an error
    assert told[:2] == [
        "a.md, line 9: the number that it asks for is in sight: cover does not hide "
        "source.embedding[2, 0] (a note).",
        "a.md, line 17: the answer is in sight: “chat” is the only choice among the written words "
        "(a note).",
    ]


KEY = 'argmax_row("decoder.0.cross_attn.head.1.weights", 2)'
SHOWN = """
:::{look}
view: %s
:::

:::{predict}
ask: Which?
choices: tokens("source")
answer: %s
hint: Look.
:::
"""


@pytest.mark.parametrize(
    ("view", "answer", "said"),
    [
        ("idea:arrows", KEY, "a picture of an idea shows its numbers"),
        ("picture", KEY, ""),  # the reader finds it in the picture, which does not state it
        ("idea:arrows", "2", ""),
        ("picture", '1 * writes("chat")', "the page shows what the model writes"),
    ],
)
def test_an_answer_that_a_view_states_is_noted(tmp_path, view, answer, said):
    found, told = checked(tmp_path, HEAD.format("") + SHOWN % (view, answer))
    assert found is not None
    notes = [each for each in told if each.endswith("(a note).")]
    expected = [f"a.md, line 14: the answer is in sight: {said}; ask with then (a note)."]
    assert notes == (expected if said else [])


def test_a_covered_answer_and_one_of_several_written_words_are_not_noted(tmp_path):
    _, told = checked(tmp_path, HEAD.format("") + SEEN % ("", "le"))
    assert told == ["a.md: 1 step, right on their own numbers."]


ALL_KINDS = """---
title: A lesson
minutes: many
scenario: phrases
levl: beginner
unknown: [zebra]
---

## A step

:::{look}
text: the pizza and the zebra sat on the mat
colour: red
:::

A formula: $\\frac{1$, and a number: `=value("nowhere", 0, 0)`.

:::{predict}
ask: Which?
answer: nosuch("x")
:::

:::{foo}
x: 1
:::

## Another

:::{do}
do: this
until: value("nowhere", 0, 0) > 3
:::

:::{do}
do: this
until: value("nowhere", 0, 0) > 3
show:
  text: the elephant
:::
"""


def test_all_kinds_of_problems_are_reported_in_one_round(tmp_path):
    """Fields of the head and of directives, words, formulas, expressions and paths."""
    _, told = checked(tmp_path, ALL_KINDS)
    said = "\n".join(told)
    for part in (
        "minutes",
        "levl",
        "'pizza'",
        "colour",
        "cannot be typeset",
        "'value(\"nowhere\", 0, 0)' cannot be computed",
        "no function nosuch",
        "no directive “foo”",
        "do: it has no field “show”",
        "'elephant'",
    ):
        assert part in said
    assert lines(told) == sorted(lines(told))
    assert "zebra" not in said  # valid fields of the head are used


@pytest.fixture
def no_other_lessons(monkeypatch):
    monkeypatch.setenv(catalog.FOLDERS, "")
    yield
    catalog.catalog.cache_clear()


@pytest.mark.usefixtures("no_other_lessons")
def test_a_broken_lesson_is_not_built(tmp_path, capsys):
    (tmp_path / "lessons").mkdir()
    (tmp_path / "lessons" / "a.md").write_text(ALL_KINDS, encoding="utf-8")
    _, told = checked(tmp_path, ALL_KINDS)
    with pytest.raises(SystemExit, match="Nothing was built, because lessons have the problems"):
        main(["build", str(tmp_path / "site"), "--lessons", str(tmp_path / "lessons")])
    assert capsys.readouterr().out.splitlines() == told
    assert not (tmp_path / "site").exists()


@pytest.mark.usefixtures("no_other_lessons")
def test_a_lesson_with_the_name_of_an_existing_lesson_is_not_built(tmp_path, capsys):
    (tmp_path / "lessons").mkdir()
    (tmp_path / "lessons" / "film.md").write_text(HEAD.format("") + "A text.\n", encoding="utf-8")
    with pytest.raises(SystemExit, match="Nothing was built"):
        main(["build", str(tmp_path / "site"), "--lessons", str(tmp_path / "lessons")])
    assert "has the same name in addresses" in capsys.readouterr().out


def test_the_loss_of_guessing_is_in_sight_in_train(tmp_path):
    asked = (SHOWN % ("train", 'log(length("vocabulary"))')).replace(
        'choices: tokens("source")', "tolerance: 0.01"
    )
    _, told = checked(tmp_path, HEAD.format("") + asked)
    assert any("Train shows the loss of guessing" in each for each in told)
