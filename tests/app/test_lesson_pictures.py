import json

import numpy as np
import pytest
from tinkerformer.features.lessons.view import LessonsView
from tinkerformer.lessons import pictures, structure
from tinkerformer.lessons.catalog import catalog
from tinkerformer.lessons.changes import begun
from tinkerformer.lessons.format import Picture
from tinkerformer.lessons.markdown.parsing import parse
from tinkerformer.lessons.problem import LessonProblem
from tinkerformer.lessons.reading import read
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.session.state import AppState

LESSONS = catalog().lessons
HEAD = "---\ntitle: A lesson\nminutes: 3\nscenario: phrases\n{}---\n\n## A step\n\n{}"
MANY_BYTES = 40_000


def lesson(picture: str = "", body: str = ""):
    return read(json.loads(json.dumps(parse(HEAD.format(picture, body), "01-a.md"))))


def trace_of(name: str, step: int = 0):
    runner = ForwardPassRunner()
    return runner.trace(begun(LESSONS[name], step, runner))


@pytest.mark.parametrize("name", LESSONS)
def test_the_picture_of_each_lesson_shows_its_own_numbers(name):
    found = LESSONS[name].picture
    assert found is not None
    drawn = pictures.picture(name)
    assert drawn["draw"] == found.draw
    if found.draw == "rows":
        trace = trace_of(name, found.step)
        for path, matrix in zip(found.of, drawn["matrices"], strict=True):
            values = trace[path].value[: pictures.MOST_ROWS, : pictures.MOST_COLUMNS]
            shown = [np.nan if x is None else x for x in matrix["values"]]
            expected = np.where(np.isfinite(values), values, np.nan).ravel()
            assert np.allclose(shown, expected, atol=6e-4, equal_nan=True)
            assert matrix["columns"] == values.shape[1]


def test_ribbons_are_the_weights_of_each_head_with_their_words():
    drawn = pictures.picture("film")
    weights = trace_of("film")["decoder.0.cross_attn.weights"].value
    assert np.allclose(drawn["heads"], weights.reshape(len(weights), -1), atol=6e-4)
    assert drawn["queries"][drawn["row"]] == "chat"
    assert "black" in drawn["keys"]


def test_no_two_lessons_have_the_same_picture():
    shown = [json.dumps(pictures.picture(name)) for name in LESSONS]
    assert sum(map(len, shown)) < MANY_BYTES
    own = [json.dumps(pictures.picture(n)) for n in LESSONS if not LESSONS[n].is_dare]
    assert len(set(own)) == len(own)


@pytest.mark.parametrize(
    ("look", "expected"),
    [
        ("", Picture("rows", ("source.sum",))),
        (
            "part: decoder.0.cross_attn\nfollow: target 2",
            Picture("ribbons", ("decoder.0.cross_attn",), 0, 2),
        ),
        ("part: output\nfollow: target 1", Picture("bars", ("output.probabilities",), 0, 1)),
        ("part: encoder.0.feed_forward", Picture("rows", ("encoder.0.feed_forward.activation",))),
        ("cells:\n  - source.sum[0, 0:3]", Picture("rows", ("source.sum",))),
    ],
)
def test_without_a_declared_picture_the_first_look_decides(look, expected):
    body = f":::{{look}}\n{look}\n:::\n" if look else "A text."
    without = lesson(body=body)
    assert without.picture is None
    assert pictures.of_look(without) == expected
    assert pictures.drawn(without, expected)["draw"] == expected.draw


@pytest.mark.parametrize(
    "fields", ["{draw: rows, of: [nowhere.at_all]}", "{draw: bars, of: [source.sum], row: 99}"]
)
def test_the_check_reports_a_picture_that_cannot_be_drawn(fields):
    wrong = lesson(f"picture: {fields}\n", "A text.")
    [problem] = [p for p in structure.problems(wrong) if "picture" in p.what]
    assert "cannot be drawn" in problem.what


def test_an_unknown_kind_of_picture_is_refused_with_its_line():
    with pytest.raises(LessonProblem, match=r"line 5: .*cloud.* is none of rows"):
        lesson("picture: {draw: cloud, of: [source.sum]}\n", "A text.")


def test_pictures_are_drawn_when_the_list_opens_and_not_before(monkeypatch):
    made = []
    monkeypatch.setattr(
        "tinkerformer.features.lessons.list_view.picture",
        lambda name: made.append(name) or {"draw": "rows", "matrices": []},
    )
    view = LessonsView(AppState())
    assert not made
    view.list_view.show(True)
    assert made == [*LESSONS]
    assert [*view.list_view.list.pictures] == [*LESSONS]
    view.list_view.show(False)
    view.list_view.show(True)
    assert len(made) == len(LESSONS)
