import json
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from tinkerformer.files import catalog
from tinkerformer.film import checking, opening
from tinkerformer.film.prepared import prepare
from tinkerformer.lessons.numbers import LiveNumbers
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.scenario.scenario import Scenario

from tests.browser.conftest import open_first_page
from tests.browser.student import at_rest, violations

PHRASES = catalog.first("phrases")
OPEN = "document.documentElement.dataset.film !== undefined"
PAUSED = "document.documentElement.dataset.film === 'paused'"
PLAYS = "document.documentElement.dataset.film === 'plays'"
CLOSED = "document.documentElement.dataset.film === undefined"
OSCILLATES = "window.tinkerformer.oscillating()"
CAMERA = "(({x, y, zoom}) => [x, y, zoom])(window.tinkerformer.look())"
STATE = """(() => {
  const { scenario, selection, look } = window.tinkerformer;
  const { following, isAll, unfolded } = look();
  return [scenario(), selection(), following, isAll, unfolded];
})()"""


def scenes(scenario: Scenario = PHRASES) -> list[Any]:
    runner = ForwardPassRunner()
    film = opening.opening_film()
    assert film is not None
    return prepare(film, LiveNumbers(scenario, runner), ForwardPassRunner(beside=runner))


def film_of(page: Page) -> Locator:
    return page.get_by_role("region", name="Film", exact=True)


def watch(page: Page) -> Locator:
    """Start the film by its button in the first view."""
    page.get_by_role("button", name="Watch one word cross it · 40 s").click()
    page.wait_for_function(OPEN)
    return film_of(page)


def press(page: Page, film: Locator, name: str) -> None:
    film.get_by_role("button", name=name).click()


def go_to(film: Locator, seconds: float) -> None:
    film.get_by_role("slider", name="Time in the film").fill(str(seconds))


def begins(told: list[Any]) -> list[float]:
    return [sum(each.scene.seconds for each in told[:k]) for k in range(len(told))]


def look_through(page: Page, film: Locator, told: list[Any]) -> None:
    """Go through all scenes; check the caption, the swing and the visible row of each."""
    page.wait_for_function(PAUSED)
    for begin, scene in zip(begins(told), told, strict=True):
        go_to(film, begin + 0.7 * scene.scene.seconds)
        expect(film.locator(".caption")).to_have_text(checking.plain(scene.caption))
        if scene.swing is not None:
            page.wait_for_function(OSCILLATES)
            check_swing(page, scene)
        elif scene.parts and scene.scene.camera == "row":
            check_row(page, scene)


def check_row(page: Page, scene: Any) -> None:
    """Check that the row of the scene's word is visible and large enough to read."""
    at_rest(page, CAMERA)
    word = page.locator(f".word.strong[data-row='{scene.word.position}']").first
    view, box = page.locator(".whole").bounding_box(), word.bounding_box()
    assert view["y"] < box["y"] < view["y"] + view["height"] - box["height"]
    assert page.evaluate("window.tinkerformer.look().zoom") > 1


def check_swing(page: Page, scene: Any) -> None:
    """Check that the bars over the picture agree with its numbers."""
    row = scene.word.position
    said = at_rest(
        page,
        "document.querySelector('[data-region=main] .carried').shadowRoot"
        ".querySelector('.film-bars').textContent",
    )
    best = page.evaluate(f"window.tinkerformer.likeliest({row}, 1).best[0]")
    assert f"{best['word']}{best['p']:.2f}".replace("0.", ".") in said


@pytest.mark.parametrize(
    ("width", "height", "scheme"), [(1440, 900, "light"), (1024, 768, "dark"), (420, 860, "light")]
)
def test_every_scene_agrees_with_the_model(new_context, server, width, height, scheme) -> None:
    size = {"width": width, "height": height}
    page = open_first_page(new_context(viewport=size, color_scheme=scheme), server)
    before = page.evaluate(STATE)
    film = watch(page)
    press(page, film, "Pause")
    look_through(page, film, scenes())
    assert not violations(page, {"include": ["#film"]})
    go_to(film, 40)
    page.wait_for_function(f"!{OSCILLATES}")
    film.get_by_role("button", name="Your turn").click()
    page.wait_for_function(CLOSED)
    page.wait_for_function(
        f"before => JSON.stringify({STATE}) === before",
        arg=json.dumps(before, separators=(",", ":"), ensure_ascii=False),
    )
    assert page.get_by_role("button", name="Undo", exact=False).first.is_disabled()


# Returns the words of the picture that the film's bars or number cover.
COVERED = """() => {
  const root = document.querySelector("[data-region=main] .carried").shadowRoot;
  const boxOf = (el) => el.getBoundingClientRect();
  const isSeen = (el) => el.checkVisibility({opacityProperty: true, visibilityProperty: true});
  const over = [...root.querySelectorAll(".film-bars, .film-number")].filter(isSeen);
  const words = [...root.querySelectorAll(".labels :is(.label, .word, .written)")];
  return {
    shown: over.length,
    covered: over.flatMap((el) => words.filter((word) => {
      const [a, b] = [boxOf(el), boxOf(word)];
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      return isSeen(word) && word.textContent.trim() && across > 2 && down > 2;
    }).map((word) => `${el.className}: ${word.textContent}`)),
  };
}"""


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (420, 860)])
def test_the_bars_over_the_picture_cover_no_words(new_context, server, width, height) -> None:
    size = {"width": width, "height": height}
    page = open_first_page(new_context(viewport=size), server)
    film = watch(page)
    press(page, film, "Pause")
    told = scenes()
    writing = [k for k, each in enumerate(told) if each.scene.writes]
    assert len(writing) == 2
    for k in writing:
        go_to(film, begins(told)[k] + 0.77 * told[k].scene.seconds)
        if told[k].swing is not None:
            page.wait_for_function(OSCILLATES)
        at_rest(page, CAMERA)
        found = page.evaluate(COVERED)
        assert found == {"shown": 1 if told[k].swing is None else 2, "covered": []}


@pytest.mark.in_turn
def test_the_film_starts_playing_and_ends_with_your_turn(whole: Page) -> None:
    film = watch(whole)
    film.get_by_role("combobox", name="Speed").select_option("2×")
    go_to(film, 25)
    whole.wait_for_function(PLAYS)
    film.get_by_role("button", name="Your turn").wait_for(timeout=30_000)
    whole.wait_for_function(PAUSED)
    expect(film.locator(".caption")).to_have_text(
        "Your turn: drag any number, or press a word beside the picture to follow it."
    )
    whole.wait_for_function(f"!{OSCILLATES}")
    press(whole, film, "Again")
    whole.wait_for_function(PLAYS)
    whole.keyboard.press("Escape")
    whole.wait_for_function(CLOSED)


def test_a_press_or_a_key_pauses_the_film_and_keys_move_in_it(whole: Page) -> None:
    told = scenes()
    film = watch(whole)
    whole.wait_for_function(PLAYS)
    whole.keyboard.press("h")
    whole.wait_for_function(PAUSED)
    whole.keyboard.press("PageUp")
    expect(film.locator(".caption")).to_have_text(checking.plain(told[1].caption))
    time = film.get_by_role("slider", name="Time in the film")
    seconds = float(time.input_value())
    assert seconds == pytest.approx(told[0].scene.seconds)
    whole.keyboard.press("ArrowRight")
    expect(time).to_have_value(str(seconds + 1).removesuffix(".0"))
    whole.keyboard.press("ArrowLeft")
    expect(time).to_have_value(str(seconds).removesuffix(".0"))
    press(whole, film, "Play")
    whole.wait_for_function(PLAYS)
    whole.mouse.wheel(0, 1)
    whole.mouse.click(600, 20)
    whole.wait_for_function(PAUSED)
    whole.keyboard.press("Space")
    whole.wait_for_function(PLAYS)
    whole.keyboard.press("Escape")
    whole.wait_for_function(CLOSED)
    expect(film).to_be_hidden()
    assert whole.evaluate("window.tinkerformer.look().following"), "the page's own keys do not work"


def test_each_tick_names_its_scene_and_words_are_hidden_until_they_are_written(
    whole: Page,
) -> None:
    told = scenes()
    names = [each.scene.name for each in told]
    assert all(names)
    film = watch(whole)
    press(whole, film, "Pause")
    time, said = film.get_by_role("slider", name="Time in the film"), film.locator(".pointed")
    ticks = film.get_by_role("toolbar", name="Scenes").get_by_role("button")
    expect(ticks).to_have_count(len(told))
    for at, (begin, name) in enumerate(zip(begins(told), names, strict=True)):
        box = ticks.nth(at).bounding_box()
        # Point at the right side of the tick.
        whole.mouse.move(box["x"] + box["width"] / 2 + 2, box["y"] + box["height"] / 2)
        expect(said).to_have_text(name)
        shown, bar = said.bounding_box(), film.bounding_box()
        assert bar["x"] <= shown["x"]
        assert shown["x"] + shown["width"] <= bar["x"] + bar["width"]
        whole.mouse.move(5, 5)
        expect(said).to_be_hidden()
        # Focus the tick, and go to its scene by Enter.
        ticks.nth(at).focus()
        expect(said).to_have_text(name)
        whole.keyboard.press("Enter")
        expect(time).to_have_attribute(
            "aria-valuetext", re.compile(f"^Scene {at + 1} of {len(told)}: {name}, ")
        )
        expect(film.locator(".now")).to_contain_text(name)
        assert float(time.input_value()) == pytest.approx(begin, abs=0.02)
    whole.keyboard.press("ArrowLeft")
    expect(ticks.nth(len(told) - 2)).to_be_focused()
    whole.keyboard.press("Escape")
    told = scenes()
    film = watch(whole)
    press(whole, film, "Pause")
    writes = next(k for k, scene in enumerate(told) if scene.scene.writes)
    begin, row = begins(told)[writes], told[writes].word.position
    go_to(film, begin + 0.2)
    written = whole.locator(".labels .written")
    expect(written.nth(row)).to_have_css("opacity", "0")
    expect(written.nth(row - 1)).to_have_css("opacity", "1")
    strip = whole.locator(".chips.written li")
    expect(strip.nth(row + 1)).to_have_css("opacity", "0")
    go_to(film, begin + 0.97 * told[writes].scene.seconds)
    expect(written.nth(row)).to_have_css("opacity", "1")
    expect(strip.nth(row + 1)).to_have_css("opacity", "1")
    expect(strip.nth(row + 2)).to_have_css("opacity", "0")
    whole.keyboard.press("Escape")
    expect(strip.nth(row + 2)).to_have_css("opacity", "1")


@pytest.mark.parametrize("width", [390, 1024])
def test_touching_the_timeline_names_the_scene(new_context, server, width: int) -> None:
    size = {"width": width, "height": 844}
    page = open_first_page(new_context(viewport=size, has_touch=True), server)
    film = watch(page)
    press(page, film, "Pause")
    told = scenes()
    box = film.get_by_role("slider", name="Time in the film").bounding_box()
    share = (begins(told)[3] + 1) / sum(each.scene.seconds for each in told)
    at = {"clientX": box["x"] + 8 + share * (box["width"] - 16), "clientY": box["y"] + 10}
    line = film.locator(".time")
    line.dispatch_event("pointerdown", {**at, "pointerType": "touch"})
    expect(film.locator(".pointed")).to_have_text(told[3].scene.name)
    line.dispatch_event("pointerup", {**at, "pointerType": "touch"})
    expect(film.locator(".pointed")).to_be_hidden()
    now = film.locator(".now").bounding_box()
    assert now["x"] + now["width"] <= width


def test_with_reduced_motion_the_film_shows_stills(new_context, server) -> None:
    page = open_first_page(new_context(reduced_motion="reduce"), server)
    film = watch(page)
    told = scenes()
    expect(film.get_by_role("button", name="Play")).to_be_hidden()
    for k, scene in enumerate(told):
        expect(film.locator(".caption")).to_have_text(checking.plain(scene.caption))
        if scene.swing is not None:
            page.wait_for_function(OSCILLATES)
            check_swing(page, scene)
        assert at_rest(page, CAMERA)
        press(page, film, "The next scene")
        if k == 0:
            press(page, film, "The scene before")
            press(page, film, "The next scene")
    film.get_by_role("button", name="Your turn").click()
    page.wait_for_function(CLOSED)


def test_opening_another_view_closes_the_film(whole: Page) -> None:
    film = watch(whole)
    whole.evaluate("document.activeElement?.blur()")
    whole.keyboard.press("f")
    whole.wait_for_function(CLOSED)
    expect(film).to_be_hidden()
    expect(whole.locator("html")).to_have_attribute("data-view", "formulas")


@pytest.mark.served
@pytest.mark.parametrize("more", ["", "&height=auto"])
def test_an_embedded_film_waits_for_play(new_context, server, more) -> None:
    page = open_first_page(new_context(), f"{server}?view=film&embed{more}")
    film = film_of(page)
    page.wait_for_function(PAUSED)
    expect(film.locator(".caption")).to_have_text(checking.plain(scenes()[0].caption))
    press(page, film, "Play")
    page.wait_for_function(PLAYS)
    press(page, film, "Close")
    page.wait_for_function(CLOSED)
    page.get_by_role("button", name="Watch the film").click()
    page.wait_for_function(PLAYS)
