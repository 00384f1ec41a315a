"""The film: its captions agree with the computed numbers, and it restores the page."""

import re
from pathlib import Path

import pytest
from tinkerformer.explain.opening_row import decisive_swing, opening_row
from tinkerformer.features.film.view import FilmView
from tinkerformer.files import catalog as models
from tinkerformer.film import checking, opening
from tinkerformer.film.prepared import prepare
from tinkerformer.from_python.program_page import address_of
from tinkerformer.lessons.catalog import catalog
from tinkerformer.lessons.format import Film
from tinkerformer.lessons.live_text import written
from tinkerformer.lessons.numbers import LiveNumbers
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.session.address import page_address
from tinkerformer.session.state import AppState
from tinkerformer.shell.page import create_page

from tests.app.test_lessons import lesson
from transformer_math import sweep

SCENE = ":::{{film}}\nscenes:\n  - say: {}\n    seconds: {}\n{}:::\n"
DO = (
    ":::{film}\nscenes:\n  - {say: First it is black., seconds: 2}\n"
    "  - {say: Now it is white., seconds: 2, do: {text: the white cat sat on the mat}}\n"
    "  - {say: And large., seconds: 2, do: {set: {'source.W_e[6,0]': 3}}}\n:::\n"
)


def numbers(name: str, **settings: object) -> LiveNumbers:
    scenario = models.first(name)
    for setting, value in settings.items():
        scenario = scenario.with_setting(setting, value)
    return LiveNumbers(scenario, ForwardPassRunner())


def scenes(at: LiveNumbers):
    film = opening.opening_film()
    assert film is not None
    return prepare(film, at, ForwardPassRunner(beside=at.runner))


def captions(at: LiveNumbers) -> list[str]:
    return [checking.plain(scene.caption) for scene in scenes(at)]


def opened():
    state = AppState()
    view = FilmView(state)
    view.player.receive({"type": "ask"})
    return state, view


@pytest.mark.parametrize("name", ["phrases", "dates"])
def test_captions_state_the_computed_numbers(name):
    at = numbers(name)
    trace, scenario = at.trace, at.scenario
    found = opening_row(scenario, trace)
    row, read_at = found.writes.position, found.read.position
    shares = trace["output.probabilities"].value[row]
    said = scenario.output_vocabulary[int(shares.argmax())]
    word = scenario.source[read_at]
    heads = trace["encoder.0.self_attn.weights"].value[:, read_at]
    own, own_head = heads.max(axis=0), 1 + int(heads.max(axis=1).argmax())
    heads = trace["decoder.0.cross_attn.weights"].value[:, row]
    across, across_head = heads.max(axis=0), 1 + int(heads.max(axis=1).argmax())
    told = captions(at)
    assert told[0] == f"How did this model come to write {said}?"
    looked = f"{word} becomes its own {scenario.settings.d_model} numbers"
    assert told[1].startswith(looked)
    heard = scenario.source[int(own.argmax())]
    weight = written(round(float(own.max()), 2))
    assert told[2].endswith(f"most at {heard}: weight {weight} in head {own_head}.")
    units = trace["encoder.0.feed_forward.activation"].shape[-1]
    assert f"a small network of {units} units" in told[3]
    assert int(across.argmax()) == read_at
    loudest = f"Head {across_head} looks most at {word}, with weight {across.max():.2g}"
    assert told[5].startswith(loudest)
    assert f"{said} gets the largest probability, {shares.max():.2g}, and" in told[6]


@pytest.mark.parametrize("name", ["phrases", "dates", "sandbox"])
def test_the_oscillating_number_changes_the_written_word(name):
    at = numbers(name)
    found = decisive_swing(at.scenario, at.trace)
    row = opening_row(at.scenario, at.trace).writes.position
    now = at.trace["output.probabilities"].value[row]
    index = (found.cell.row, found.cell.column)
    moved = sweep(at.trace, found.cell.path, index, [found.far])
    there = moved["output.probabilities"].value[0, row]
    assert abs(found.far - found.number) == pytest.approx(found.amplitude)
    assert there[now.argmax()] == pytest.approx(found.probability, abs=1e-4)
    assert int(there.argmax()) == found.word
    # An untrained model writes the same word, but with less certainty.
    assert found.word != now.argmax() if name != "sandbox" else there.max() < now.max()
    least = written(round(found.probability, 2))
    other = at.scenario.output_vocabulary[found.word]
    falls = f"{least}, below {other}," if found.word != now.argmax() else f"{least},"
    assert f"falls to {falls} and comes back" in captions(at)[-1]
    assert captions(at)[-1].startswith(f"If number d{found.cell.column} of ")


def test_every_model_has_a_film_with_the_scenes_that_it_can_show():
    whole = scenes(numbers("phrases"))
    assert sum(scene.scene.seconds for scene in whole) == 40
    assert opening.button(numbers("phrases")) == "Watch one word cross it · 40 s"
    deep = scenes(numbers("sandbox", encoder_layers=2, decoder_layers=2))
    assert deep[2].parts == ("encoder.0.self_attn", "encoder.1.self_attn")
    for stacks in ({"decoder_layers": 0}, {"encoder_layers": 0}):
        at = numbers("sandbox", **stacks)
        found = scenes(at)
        assert 4 <= len(found) < len(whole)
        assert all(scene.word is None or scene.parts or scene.scene.writes for scene in found[1:])
        assert opening.button(at).startswith("Watch one word cross it · ")


def test_a_film_is_prepared_with_the_page_and_after_a_change():
    state = AppState()
    view = FilmView(state)
    assert len(view.player.value) == 8
    assert [scene["acts"] for scene in view.player.value] == [False] * 7 + [True]
    state.change(
        state.scenario.with_tokens("source", ["the", "white", "cat", "sat", "on", "the", "mat"])
    )
    assert view.player.value == []
    view.player.receive({"type": "ask"})
    assert view.player.opened == 1
    assert view.player.value[0]["caption"][1] == ["em", "blanc"]
    state.undo()
    assert view.player.value[0]["caption"][1] == ["em", "noir"], "it is open, and goes on"


def test_a_film_follows_its_word_and_oscillates_a_number_and_leaves_no_step_of_undo():
    state = AppState()
    view = FilmView(state)
    place, before, steps = state.location, state.scenario, len(state.history.past)
    view.player.receive({"type": "begin"})
    assert [*state.location.followed] == view.player.value[0]["lane"]
    swing = view.player.value[7]["swing"]
    view.player.receive({"type": "scene", "scene": 7})
    assert state.oscillation.on
    assert [*state.selection] == swing
    view.player.receive({"type": "leave"})
    assert not state.oscillation.on
    assert (state.selection, state.location, state.scenario) == (None, place, before)
    assert len(state.history.past) == steps


def test_changes_of_scenes_add_up_and_are_undone_at_the_end():
    [film] = opening.films(lesson(DO))
    state = AppState()
    view = FilmView(state)
    before = state.scenario
    view.open(film)
    assert [scene["acts"] for scene in view.player.value] == [False, True, True]
    view.player.receive({"type": "scene", "scene": 2})
    assert "blanc" in state.scenario.target
    assert state.scenario.edits
    view.player.receive({"type": "scene", "scene": 1})
    assert not state.scenario.edits
    assert state.snapshots.take().scenario == before, "a reload brings back the page's own"
    view.player.receive({"type": "leave"})
    assert state.scenario == before
    assert not state.history.past


def test_changes_by_the_user_during_a_film_remain():
    [film] = opening.films(lesson(DO))
    state = AppState()
    view = FilmView(state)
    view.open(film)
    view.player.receive({"type": "scene", "scene": 1})
    changed = state.scenario.with_value("source.W_e", (4, 0), 2.0)
    state.change(changed)
    now = state.scenario
    view.player.receive({"type": "leave"})
    assert state.scenario == now


def test_messages_about_missing_scenes_change_nothing():
    state, view = opened()
    before = state.scenario
    for scene in (8, 99, -2):
        view.player.receive({"type": "scene", "scene": scene})
    view.player.receive({"type": "scene", "scene": "7"})
    assert (state.scenario, state.selection) == (before, None)


def test_an_address_opens_the_film_paused():
    page = create_page(address=page_address("view=film&embed"))
    [player] = page.regions["film"]
    assert (player.opened, player.waits, len(player.value)) == (1, True, 8)
    assert page.state.location.view == "picture"
    assert not page_address("view=film").problems
    assert address_of("film", ["tokens"], False).film


@pytest.mark.parametrize(
    ("body", "what"),
    [
        (SCENE.format("It is short.", 5, "    parts: [nothing]\n"), "there is no part nothing"),
        (SCENE.format("word " * 40, 20, ""), "characters, of at most 140"),
        (SCENE.format("One sentence that is read.", 1, ""), "are not read in 1 seconds"),
        (SCENE.format("It.", 5, "    follow: source 40\n"), "no token 40"),
        (SCENE.format("It is `= value('source.nothing')`", 5, ""), "nothing"),
        (SCENE.format("It.", 5, "    swing: source.W_e[400,0]\n"), "400"),
    ],
)
def test_lesson_check_says_what_a_film_cannot_show(body, what):
    [found] = checking.problems(lesson(body))
    assert what in found.what
    assert found.what.startswith("scene 1: ")


def test_the_film_of_the_first_view_is_right():
    found = catalog().lessons["film"]
    assert checking.problems(found) == []
    assert isinstance(opening.opening_film(), Film)


def test_the_film_that_the_documentation_shows_is_right():
    text = (Path(__file__).parents[2] / "assets/docs/lessons.md").read_text(encoding="utf-8")
    [block] = re.findall(r"```markdown\n(:::\{film\}.*?)```", text, re.DOTALL)
    found = lesson(block)
    assert checking.problems(found) == []
    assert len(opening.films(found)[0].scenes) == 4


def test_a_word_that_the_user_follows_during_a_film_stays_followed_after_it():
    state, view = opened()
    state.follow(["decoder", 5])
    view.player.receive({"type": "leave"})
    assert state.location.followed == ("decoder", 5)
