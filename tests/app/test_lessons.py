import dataclasses
import json
import re
import time
from pathlib import Path

import numpy as np
import pytest
from tinkerformer.files.catalog import first
from tinkerformer.lessons import catalog, structure
from tinkerformer.lessons.covering import covered
from tinkerformer.lessons.expressions import FUNCTIONS, Check, CheckError
from tinkerformer.lessons.format import Changes, Do, Look, Predict
from tinkerformer.lessons.judging import is_done, judged, right_answer
from tinkerformer.lessons.markdown.parsing import parse
from tinkerformer.lessons.numbers import LiveNumbers
from tinkerformer.lessons.problem import LessonProblem
from tinkerformer.lessons.reading import read
from tinkerformer.model.inference.forward_pass import ForwardPassRunner

from transformer_math.experiments import Likeliest, single_numbers

ROOT = Path(__file__).parents[2]
HEAD = "---\ntitle: A lesson\nminutes: 3\nscenario: phrases\n---\n\n## A step\n\n"
SCORES = "encoder.0.self_attn.head.0.weights"


def lesson(body: str, head: str = HEAD, file: str = "01-a.md"):
    return read(json.loads(json.dumps(parse(head + body, file))))


@pytest.fixture(scope="module")
def numbers() -> LiveNumbers:
    return LiveNumbers(first("phrases"), ForwardPassRunner())


# -- the format ---------------------------------------------------------------------------------


def test_a_lesson_is_read_with_its_steps_text_and_directives():
    found = lesson(
        "Weights $A$ of [*cat*](cell:source.W_e[6,0]) are "
        "`= value('source.W_e', 6, 0)`, `code`.\n\n"
        ":::{look}\npart: source\ncells:\n  - source.W_e[6, 0:7]\nfollow: source 2\n:::\n\n"
        ':::{predict}\nask: How *many*?\nanswer: length("source")\ntolerance: 0.1\n'
        "hint: Count.\n:::\n\n## Another\n\n- one\n- two\n",
        file="07-feed-forward.md",
    )
    assert (found.name, found.title, found.minutes) == ("feed-forward", "A lesson", 3)
    assert [step.title for step in found.steps] == ["A step", "Another"]
    text, look, predict = found.steps[0].items
    [paragraph] = text
    assert paragraph[1:6] == (
        "Weights ",
        ("math", "A"),
        " of ",
        ("cell", "source.W_e", 6, 0, ("em", "cat")),
        " are ",
    )
    assert ("live", 0) in paragraph
    assert ("code", "code") in paragraph
    assert found.steps[0].live == (Check("value('source.W_e', 6, 0)"),)
    assert isinstance(look, Look)
    assert look.cells == (("source.W_e", 6, 0, 6, 7),)
    assert look.changes.follow == ("encoder", 2)
    assert isinstance(predict, Predict)
    assert predict.ask == ("How ", ("em", "many"), "?")
    assert found.steps[1].items == ((("ul", ("li", ("span", "one")), ("li", ("span", "two"))),),)
    assert structure.problems(found) == []


def test_html_remains_text_and_only_web_links_become_links():
    found = lesson("<b>bold</b> [x](javascript:alert) [y](https://example.org)\n")
    [paragraph] = found.steps[0].items[0]
    assert "<b>bold</b> [x](javascript:alert) " in "".join(
        x for x in paragraph if isinstance(x, str)
    )
    assert ("a", "https://example.org", "y") in paragraph


# -- checks -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os')",
        "open('x')",
        "(1).__class__",
        "[1, 2]",
        "lambda: 1",
        "value.x",
        "x",
        "value(*[1])",
        "value(path='a')",
        "value()",
        "1 if 2 else 3",
        "f'{1}'",
        "b'a'",
        "1 // 2",
        "value('a')[0]",
        "1; 2",
        "(" * 300 + ")" * 300,
        "1 +" * 400 + "1",
        "-" * 400 + "1",
    ],
)
def test_a_check_that_is_not_a_plain_expression_is_refused(text):
    with pytest.raises(CheckError):
        Check(text)


def test_a_check_computes_and_compares(numbers):
    assert Check("2 * 3 - 1 / 4 + 2 ** 3")(numbers) == 13.75
    assert Check("1 < 2 <= 2 and not 3 == 4 or 1 > 2")(numbers) is True
    assert Check("-abs(-2)")(numbers) == -2
    assert Check("given > right")(numbers, given=2, right=1)
    for wrong in (
        "9 ** 9 ** 9",
        "'a' * 9",
        "1 / 0",
        "given",
        "value('nothing')",
        "word(99)",
        "value('source.W_e', 99, 0)",
        "tokens('both')",
        "value('source.W_e', 0.5, 0)",
        "argmax_row('source.W_e', -1)",
        "setting('name')",
        "probability('ours', 0)",
        "value(5)",
        "value(swings(), 0, 0)",
        "gradient(5)",
        "rows(5)",
        "columns(1.5)",
        "argmax_row(tokens('source'), 0)",
        "argmax_column(tokens('source'), 0)",
        "sum_row(5, 0)",
    ):
        with pytest.raises(CheckError):
            Check(wrong)(numbers)


def test_every_function_of_checks_returns_numbers_of_the_pass(numbers):
    trace, scenario = numbers.trace, numbers.scenario
    probabilities = trace["output.probabilities"].value
    changed = numbers.with_scenario(scenario.with_value("source.W_e", (6, 0), 3.5), numbers.runner)
    live = dataclasses.replace(changed, start=LiveNumbers(scenario, ForwardPassRunner()))
    own = float(numbers.trace["source.W_e"].value[6, 0])
    asked = {
        "value": ("value('source.W_e', 6, 0)", 3.5),
        "at_start": ("at_start(value('source.W_e', 6, 0)) == 3.5", False),
        "edited": ("edited('source')", 1),
        "farthest": (f"abs(farthest() - {3.5 - own}) < 1e-6", True),
        "argmax_row": (f"argmax_row('{SCORES}', 3)", 3),
        "rows": (f"rows('{SCORES}')", 7),
        "columns": ("columns('source.W_e')", 8),
        "length": ("length('target')", 9),
        "position": ("position('chat', 'target')", 2),
        "parameters": ("parameters()", scenario.config.parameter_count()),
        "setting": ("setting('heads')", 2),
        "dropout": ("dropout()", False),
        "writes": ("writes('noir') and not writes('noire')", True),
        "right": ("right()", True),
        "held_out_right": ("held_out_right()", 0.0),
        "written": ("written()", "le chat noir est assis sur le tapis"),
    }
    for name, (text, expected) in asked.items():
        of = live if name in ("value", "at_start", "edited", "farthest") else numbers
        assert Check(text)(of) == expected, name
    assert Check("word(2)")(numbers) == "noir"
    noir = scenario.output_vocabulary.index("noir")
    assert Check("probability('noir', 2)")(numbers) == pytest.approx(probabilities[2, noir])
    assert Check(f"sum_row('{SCORES}', 2)")(numbers) == pytest.approx(1, abs=1e-6)
    assert Check("loss()")(numbers) == pytest.approx(float(trace["output.loss"].value))
    one = trace["encoder.0.self_attn.weights"].value[1, 2, 3]
    assert Check("attention('encoder.0.self_attn', 1, 2, 3)")(numbers) == pytest.approx(one)
    gradient = numbers.runner.with_gradients(scenario)["source.W_e"].grad
    assert Check("gradient('source.W_e', 6, 0)")(numbers) == pytest.approx(gradient[6, 0])
    assert all(hasattr(LiveNumbers, f"_{name}") for name in FUNCTIONS)


def test_a_check_counts_the_numbers_that_can_change_a_word_alone(numbers):
    token = numbers.scenario.output_vocabulary.index("blanc")
    model = numbers.runner.model(numbers.scenario)
    found = single_numbers(model, Likeliest(2, token), numbers.trace).found
    assert Check("alone('blanc', 2)")(numbers) == len(found) > 50
    assert Check("farthest()")(numbers) == 0
    for wrong in ("alone('noir', 2)", "alone('zebra', 2)", "alone('blanc', 99)"):
        with pytest.raises(CheckError):
            Check(wrong)(numbers)
    dates = LiveNumbers(first("dates"), ForwardPassRunner())
    with pytest.raises(CheckError, match="too large"):
        Check("alone('z', 1)")(dates)


def test_a_check_reads_the_progress_of_a_training_run(numbers):
    trained = numbers.scenario.trained(None, 120)
    now = numbers.with_scenario(trained, ForwardPassRunner())
    here = dataclasses.replace(now, training=True, held_out=(30, 120))
    assert Check("training() and steps_taken() == 120")(here) is True
    assert Check("at_start(steps_taken())")(here) == numbers.scenario.steps_taken
    assert Check("held_out_right()")(here) == 0.25
    other = numbers.scenario.with_writing(False).with_tokens("target", ["le", "chat"])
    assert Check("right()")(numbers.with_scenario(other, ForwardPassRunner())) is False


@pytest.mark.parametrize(
    ("model", "show", "what"),
    [
        ("phrases", "train: 0", "is not"),
        ("phrases", "train: 5000", "is not"),
        ("phrases", "train: true", "is not"),
        ("sandbox", "train: 30", "not trained on the page"),
    ],
)
def test_a_training_that_the_model_cannot_do_is_refused(model, show, what):
    body = f":::{{do}}\ndo: It.\nuntil: steps_taken() == 7\nshow: {{{show}}}\n:::\n"
    try:
        said = [
            str(each) for each in structure.problems(lesson(body, HEAD.replace("phrases", model)))
        ]
    except LessonProblem as problem:
        said = [str(problem)]
    assert what in said[0], said


def test_a_check_reads_the_reader_s_place(numbers):
    from tinkerformer.model.matrices.address import CellAddress

    here = dataclasses.replace(
        numbers,
        selection=CellAddress("source.W_e", 6, 0),
        swings=True,
        follows=("encoder", 2),
        view="formulas",
        training=True,
    )
    for text in (
        "selected('source.W_e')",
        "selected('source.W_e', 6)",
        "swings()",
        "follows('source', 2)",
        "view() == 'stages'",
        "training()",
        "selected('source.W_e', 6, 0)",
    ):
        assert Check(text)(here) is True
        assert Check(text)(numbers) is False
    assert Check("selected('source.W_e', 6, 1)")(here) is False


def test_invalid_expressions_are_not_evaluated(numbers):
    for until in ("value(5) > 0", "argmax_row(tokens('source'), 0) == 1"):
        do = Do(("It.",), Check(until), Changes())
        assert is_done(do, numbers) is False


# -- answers ------------------------------------------------------------------------------------


def test_an_answer_is_judged_by_the_present_numbers_with_a_hint_that_depends_on_it(numbers):
    found = lesson(
        ":::{predict}\nask: At which?\n"
        f'choices: tokens("source")\nanswer: argmax_row("{SCORES}", 1)\n'
        "hints:\n  - when: given > right\n    say: Further left.\nhint: Further right.\n:::\n"
    )
    [predict] = found.steps[0].items
    aside = ForwardPassRunner()
    assert right_answer(predict, numbers, aside).value == 1
    assert judged(predict, 1, numbers, aside).is_right
    assert judged(predict, 2, numbers, aside) == (False, ("Further left.",))
    assert judged(predict, 0, numbers, aside) == (False, ("Further right.",))
    override = numbers.scenario.with_value("encoder.0.self_attn.weights", (0, 1, 5), 0.9)
    other = numbers.with_scenario(override, ForwardPassRunner())
    assert judged(predict, 5, other, aside).is_right
    assert not judged(predict, 1, other, aside).is_right


SCORE = "encoder.0.self_attn.head.1.raw_scores"
CONTEXT = "decoder.0.cross_attn.head.1.context"
GONE = "decoder.0.cross_attn.head.7.context"


@pytest.mark.parametrize(
    ("written", "cells"),
    [
        (f'answer: value("{SCORE}", 2, 3)', [(SCORE, 2, 3, 2, 3)]),
        (
            'answer: attention("encoder.0.self_attn", 1, 2, position("sat", "source"))',
            [("encoder.0.self_attn.head.1.weights", 2, 3, 2, 3)],
        ),
        ('answer: probability("noir", 2)', [("output.probabilities", 2, 8, 2, 8)]),
        # The same number in the joined matrix of all heads.
        (
            f'answer: value("{CONTEXT}", 2, 1)',
            [(CONTEXT, 2, 1, 2, 1), ("decoder.0.cross_attn.concat", 2, 5, 2, 5)],
        ),
        # No cover: it must be read in the picture, or computed from several numbers.
        (f'answer: value("{SCORE}", 2, 3)\ncover: false', []),
        (f'answer: 2 * value("{SCORE}", 2, 3)', []),
        (f'answer: sum_row("{SCORE}", 2)', []),
        # No cover: after the change, the number differs.
        (f'answer: value("{SCORE}", 2, 3)\nthen: {{dropout: true}}', []),
        (f'answer: 3\ncover: ["{SCORE}[1:2, 3]"]', [(SCORE, 1, 3, 2, 3)]),
        # The reader may have chosen fewer heads.
        (f'answer: 3\ncover: ["{GONE}[1, 2]"]', [(GONE, 1, 2, 1, 2)]),
    ],
)
def test_a_question_covers_the_number_that_it_asks_for(numbers, written, cells):
    found = lesson(f":::{{predict}}\nask: What?\n{written}\ntolerance: 0.1\nhint: No.\n:::\n")
    [predict] = found.steps[0].items
    assert covered(predict, numbers) == tuple(cells)


def test_a_cell_that_the_reader_must_click_is_not_covered(numbers):
    found = lesson(
        f":::{{predict}}\nask: Which?\nmatrix: {SCORE}\nrow: 2\nanswer: 3\nhint: No.\n:::\n"
    )
    assert covered(found.steps[0].items[0], numbers) == ()


def test_an_answer_that_is_too_large_for_a_float_is_refused(numbers):
    predict = Predict(("How much?",), Check("9" * 400), tolerance=1.0)
    with pytest.raises(CheckError, match="too large"):
        right_answer(predict, numbers, ForwardPassRunner())


def test_a_prediction_is_about_the_numbers_after_the_change(numbers):
    found = lesson(
        ":::{predict}\nask: Which word?\nchoices: [le, la]\nanswer: word(0)\n"
        "then: {text: the black mouse sat on the mat}\nhint: No.\n:::\n"
    )
    [predict] = found.steps[0].items
    assert right_answer(predict, numbers, ForwardPassRunner()).value == 1
    assert Check("word(0)")(numbers) == "le"


# -- the lessons of the page --------------------------------------------------------------------

NAMES = list(catalog.catalog().lessons)


def test_all_lessons_are_read():
    assert catalog.catalog().problems == ()
    assert NAMES[0] == "film"


@pytest.mark.parametrize("name", NAMES)
def test_every_lesson_works_with_its_own_numbers(name):
    found = catalog.catalog().lessons[name]
    assert [str(problem) for problem in structure.problems(found)] == []
    predictions = [x for step in found.steps for x in step.items if isinstance(x, Predict)]
    assert found.is_dare or len(predictions) >= 2


def test_a_lesson_is_checked_without_a_page():
    found = lesson(
        "[no](cell:source.W_e[99,0]) `= value('nothing')`\n\n"
        ":::{do}\ndo: It.\nuntil: length('source') == 7\nshow: {text: the cat sat}\n:::\n\n"
        ":::{do}\ndo: It.\nuntil: length('source') == 2\nshow: {text: the cat sat}\n:::\n\n"
        ":::{predict}\nask: It?\nanswer: word(99)\nchoices: [a, b]\nhint: No.\n:::\n\n"
        ":::{compare}\nchange: {view: stages}\n:::\n"
    )
    said = [problem.what for problem in structure.problems(found)]
    assert len(said) == 6
    for line, what in zip(
        said,
        ("no cell 99", "done before", "does not make", "no row 99", "as before", "nothing"),
        strict=True,
    ):
        assert what in line
    assert isinstance(found.steps[0].items[1], Do)


def test_a_teacher_s_folder_is_listed_too_and_a_broken_file_is_reported(tmp_path, monkeypatch):
    monkeypatch.delenv(catalog.FOLDERS, raising=False)
    (tmp_path / "mine.md").write_text(HEAD + "Text.\n", encoding="utf-8")
    (tmp_path / "broken.md").write_text(HEAD + ":::{look}\nx: 1\n:::\n", encoding="utf-8")
    (tmp_path / "film.md").write_text(HEAD + "Text.\n", encoding="utf-8")
    (tmp_path / "raw.md").write_bytes(b"\xff\xfe")
    monkeypatch.setenv(catalog.FOLDERS, "")  # restored afterward
    try:
        catalog.add_folders([tmp_path])
        found = catalog.catalog()
        assert list(found.lessons) == [*NAMES, "mine"]
        broken, same, raw = found.problems
        assert broken.startswith("broken.md, line 10: ")
        assert "same name" in same
        assert raw.startswith("raw.md, line 1: ")
        with pytest.raises(ValueError, match="no folder"):
            catalog.add_folders([tmp_path / "none"])
    finally:
        monkeypatch.undo()
        catalog.catalog.cache_clear()


DO = ":::{{do}}\ndo: {}\nuntil: dropout()\nshow: {{dropout: true}}\n:::\n"


DARE = (
    ":::{dare}\ndare: Make it white.\ngoal: writes('blanc')\nmay: parameters\n"
    "measure: distance\nbest: 0.25\n:::\n"
)


def of_scene(field: str) -> str:
    return f":::{{film}}\nscenes:\n  - say: It.\n    seconds: 5\n    {field}\n:::\n"


def of_head(fields: str) -> str:
    return HEAD.replace("phrases\n", f"phrases\n{fields}")


BODIES = [
    (":::{guess}\nask: what\n:::\n", 9, "no directive"),
    (":::{look}\nwhere: there\n:::\n", 10, "no “where”"),
    (":::{look}\npart: source\ncells:\n  - source.W_e\n:::\n", 11, "no cell"),
    (":::{look}\n- a\n:::\n", 10, "name: value"),
    (":::{look}\npart: [a\n:::\n", 11, "not YAML"),
    (
        "\n:::{do}\ndo: It.\nuntil: __import__('os').system('x')\nshow: {dropout: true}\n:::\n",
        12,
        "no function",
    ),
    (":::{do}\ndo: It.\nshow: {dropout: true}\n:::\n", 9, "do: it has no field “until”"),
    (":::{predict}\nask: What?\nanswer: 1 +\ntolerance: 1\nhint: No.\n:::\n", 11, "expression"),
    (":::{predict}\nask: What?\nanswer: 1\nhint: No.\n:::\n", 9, "tolerance"),
    (":::{predict}\nask: What?\nanswer: 1\ntolerance: 1\n:::\n", 9, "hint"),
    ("a [cell](cell:source.W_e) here\n", 9, "no cell"),
    ("one\n`= nothing(1)` here\n", 10, "no function nothing"),
    ("# A title\n", 9, "front matter"),
    (
        ":::{predict}\nask: It?\nanswer: 1\ncover: true\ntolerance: 1\nhint: No.\n:::\n",
        12,
        "cover",
    ),
    ("In [Nowhere](view:nowhere) it is.\n", 9, "no view called"),
    (
        ":::{do}\ndo: It.\nhints: &h\n  - when: 1\n    say: *h\nuntil: 1\n:::\n",
        13,
        "no aliases",
    ),
    (DO.format("[" * 140 + "]" * 140), 10, "deep"),
    (DO.format("[" * 90_000), 10, "characters"),
    (DO.format("[1, 2]"), 10, "no text"),
    (DO.format("[[live]]"), 10, "no text"),
    (DO.format("[[a, 'javascript:x', y]]"), 10, "no text"),
    (
        ":::{do}\ndo: It.\nhints:\n  - when: 1\n    say: [[live]]\nuntil: 1\n:::\n",
        11,
        "no text",
    ),
    ("Text.\n\n" + "*" * 2000 + "\n", 11, "300 of the marks"),
    ("*a\n" * 400, 9, "300 of the marks"),
    (DO.format("'" + "[" * 400 + "'"), 10, "300 of the marks"),
    (DO.format('"' + "\\x2a" * 400 + '"'), 10, "300 of the marks"),
    ("word " * 1000 + "\n", 9, "3,000 characters"),
    ("*" * 1400 + "a" + "*" * 1400 + "\n", 9, "300 of the marks"),
    (DO.format(f"'{'*' * 200}a{'*' * 200}'"), 10, "300 of the marks"),
    (":::{look}\nview: [a]\n:::\n", 10, "no view"),
    (":::{look}\nview: {a: 1}\n:::\n", 10, "no view"),
    (":::{look}\nset: {'source.W_e[0, 0]': " + "9" * 400 + "}\n:::\n", 10, "large"),
    (":::{look}\nset: {'a[0, 0]': 0x" + "f" * 5000 + "}\n:::\n", 10, "characters"),
    (
        ":::{predict}\nask: What?\nanswer: 1\ntolerance: " + "9" * 400 + "\nhint: No.\n:::\n",
        12,
        "large",
    ),
    (of_scene("lifts: true"), 10, "follows one"),
    (of_scene("camera: moon"), 10, "camera"),
    (of_scene("follow: nobody"), 10, "follow"),
    (of_scene("seconds: 100"), 10, "seconds"),
    (DARE.replace("distance", "steps"), 13, "of parameters, distance or numbers is measured"),
    (DARE.replace("may: parameters", "may: nothing"), 12, "it is one of parameters, attention"),
    (DARE.replace("best: 0.25", "best: 0"), 14, "not greater than 0"),
    (DARE.replace("writes('blanc')", "open('x')"), 11, "there is no function"),
    (
        DARE.replace("parameters", "silences\nmost: 2").replace("distance", "silenced"),
        13,
        "there is no most",
    ),
]
HEADS = [
    ("## A step\n", 1, "no front matter"),
    ("---\ntitle: A\nminutes: 3: 4\n---\n\n## A\n", 3, "not YAML"),
    ("---\nminutes: 3\nscenario: phrases\n---\n\n## A\n", 2, "no field “title”"),
    ("---\ntitle: A\nminutes: long\nscenario: phrases\n---\n\n## A\n", 3, "no minutes"),
    ("---\ntitle: A\nminutes: 3\nscenario: phases\n---\n\n## A\n", 4, "no model"),
    (
        "---\ntitle: A\nminutes: 3\n"
        "scenario: {model: phrases, settings: {heads: 99}}\n---\n\n## A\n",
        4,
        "heads",
    ),
    ("---\ntitle: A\nminutes: 3\nscenario: phrases\nview: x\n---\n\n## A\n", 5, "no view"),
    ("---\ntitle: A\nminutes: 3\nscenario: phrases\n---\n\ntext\n", 7, "begins with"),
    (HEAD.replace("scenario", "about: 2026-02-30\nscenario"), 4, "cannot be read"),
    (HEAD.replace("scenario", "about: 2026-02-03\nscenario"), 4, "no text"),
    (HEAD.replace("minutes: 3", "minutes: 0b_"), 3, "cannot be read"),
    (HEAD.replace("scenario", "show: &a {text: *a}\nscenario"), 4, "no aliases"),
    (of_head("level: easy\n"), 5, "no level"),
    (of_head("goals: []\n"), 5, "1 to 6 sentences"),
    (of_head("goals: Read it.\n"), 5, "goals"),
    (of_head("author: ''\n"), 5, "characters"),
]
WRONG = [*((HEAD + body, line, what) for body, line, what in BODIES), *HEADS]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(catalog.FOLDERS, str(tmp_path))
    monkeypatch.setattr(catalog, "own_files", lambda: [])
    catalog.catalog.cache_clear()
    yield tmp_path
    catalog.catalog.cache_clear()


@pytest.mark.parametrize("at", range(len(WRONG)))
def test_a_broken_lesson_is_reported_with_its_line_and_the_others_open(folder, at):
    text, line, what = WRONG[at]
    (folder / "broken.md").write_text(text, encoding="utf-8")
    (folder / "right.md").write_text(HEAD + "Text.\n", encoding="utf-8")
    found = catalog.catalog()
    assert list(found.lessons) == ["right"]
    [problem] = found.problems
    assert problem.startswith(f"broken.md, line {line}: ")
    assert re.search(what, problem)


def test_the_slowest_possible_file_is_read_within_seconds(folder):
    worst = "\n\n".join("*[" * 145 + "a " * 300 for _ in range(100))
    text = (HEAD + worst)[: catalog.MAX_BYTES - 1]
    began = time.process_time()
    parse(text, "worst.md")
    assert time.process_time() - began < 10
    (folder / "large.md").write_text(HEAD + "a\n\n" * 50_000, encoding="utf-8")
    [problem] = catalog.catalog().problems
    assert problem == "large.md, line 1: it has more than 100,000 bytes."


def test_an_error_in_one_lesson_does_not_affect_the_others(folder, monkeypatch):
    def broken(data):
        if data["file"] == "first.md":
            raise AttributeError("none thought of it")
        return read(data)

    monkeypatch.setattr(catalog, "read", broken)
    for name in ("first.md", "second.md"):
        (folder / name).write_text(HEAD + "Text.\n", encoding="utf-8")
    assert list(catalog.catalog().lessons) == ["second"]
    [problem] = catalog.catalog().problems
    assert problem == "first.md, line 1: it cannot be read: none thought of it."


def test_lessons_can_be_stored_as_plain_data():
    for data in catalog.parsed():
        again = read(json.loads(json.dumps(data)))
        known = catalog.catalog().lessons[again.name]
        assert again.steps == known.steps
        assert np.array_equal(again.scenario.source, known.scenario.source)


def test_the_example_lesson_of_the_manual_works():
    text = (ROOT / "assets/docs/lessons.md").read_text(encoding="utf-8")
    example = text.partition("```markdown\n")[2].partition("\n```\n")[0]
    found = read(json.loads(json.dumps(parse(example + "\n", "a.md"))))
    assert structure.problems(found) == []


def test_help_and_the_last_lesson_recommend_the_same_reading():
    """The addresses are only written; nothing is loaded from them."""
    help_text = (ROOT / "app" / "shell" / "help.html").read_text(encoding="utf-8")
    text = (ROOT / "assets" / "lessons" / "14-cost.md").read_text(encoding="utf-8")
    _, _, read_on = text.partition("To read on:")
    told = re.findall(r"\]\((http[^)]+)\)", read_on.partition(":::")[0])
    assert re.findall(r'href="(http[^"]+)"', help_text) == told
    assert len(told) == 14


@pytest.mark.parametrize(
    ("view", "called"), [("encoder.0.self_attn", None), ("source.W_e", "matrix:source.W_e")]
)
def test_a_lesson_opens_the_same_views_as_an_address(view, called):
    """Also a single stage or matrix, by the same names."""
    head = HEAD.replace("scenario: phrases", f"scenario: phrases\nview: {view}")
    assert lesson("Look.", head).view == (called or view)
