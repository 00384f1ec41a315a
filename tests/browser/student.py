"""Actions of a student on the page, and readings of what it shows, for the tests."""

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, TimeoutError, expect
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.view_model.page_location import DRAWERS, DRAWERS_OF_ENCODER, FORMS, ROOMS

# The rules of axe that another theme can break. They ignore elements that are not displayed, but
# axe checks this for each element, and half of the page is not displayed.
COLORS = ("color-contrast", "link-in-text-block")
NOT_SHOWN = """(() => {
  const found = [];
  const walk = (root) => {
    for (const el of root.children) {
      if (el.matches("style, script")) continue;
      if (getComputedStyle(el).display === "none") found.push(el);
      else [el, ...(el.shadowRoot ? [el.shadowRoot] : [])].forEach(walk);
    }
  };
  walk(document.body);
  return found;
})()"""


def computed(scenario: Scenario, path: str) -> np.ndarray:
    """Compute a matrix of a scenario, as rows and columns."""
    return np.atleast_2d(ForwardPassRunner().trace(scenario)[path].value)


def shown(page: Page, path: str, rows: int, columns: int) -> np.ndarray:
    """Return the numbers that the page shows now; a cell that was never sent is NaN."""
    numbers = page.evaluate(
        """([path, rows, columns]) => Array.from({length: rows}, (_, i) =>
            Array.from({length: columns}, (_, j) => {
              const x = window.tinkerformer.value(path, i, j);
              return x === undefined ? "none" : String(x);
            }))""",
        [path, rows, columns],
    )
    parsed = [
        [float("nan") if x == "none" else float(x.replace("Infinity", "inf")) for x in row]
        for row in numbers
    ]
    return np.array(parsed)


def wait_until_shown(page: Page, scenario: Scenario, path: str) -> None:
    """Wait until the page shows the computed numbers; on timeout, fail with both."""
    expected = computed(scenario, path)
    try:
        page.wait_for_function(
            """([path, rows]) => {
              const t = window.tinkerformer, m = t.matrix(path);
              const same = (a, b) => a === b || Math.abs(a - b) <= 1e-5 * Math.max(1, Math.abs(b));
              return m && m.rows === rows.length && m.cols === rows[0].length && rows.every(
                (row, i) => row.every((x, j) => same(t.value(path, i, j), Number(x))));
            }""",
            arg=[
                path,
                [[str(x).replace("inf", "Infinity") for x in row] for row in expected.tolist()],
            ],
            timeout=15_000,
        )
    except Exception:
        now = shown(page, path, *expected.shape)
        raise AssertionError(f"{path} shows\n{now}\nand should show\n{expected}") from None


def at_rest(page: Page, script: str, *arguments: Any, frames: int = 4) -> Any:
    """Return a script's value once it is the same for ``frames`` animation frames in a row.

    Scrolled elements move for a while. The script gets its arguments as ``a``.

    Raises:
        AssertionError: the value keeps changing for ten seconds.
    """
    found = page.evaluate(
        """async ([script, a, frames]) => {
          const read = new Function("a", `return ${script}`), end = performance.now() + 10_000;
          for (let last, same = 0; performance.now() < end;) {
            const now = JSON.stringify(read(a));
            same = now === last ? same + 1 : 0;
            if (same === frames) return [JSON.parse(now)];
            last = now;
            await new Promise(requestAnimationFrame);
          }
          return [];
        }""",
        [script, list(arguments), frames],
    )
    assert found, f"The value of {script} kept changing."
    return found[0]


def until(page: Page, condition: Callable[[], bool], patience: float = 60) -> None:
    """Wait for a condition that the page's scripts cannot check.

    Raises:
        AssertionError: it did not hold within ``patience`` seconds.
    """
    end = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < end, f"It did not hold in {patience} s."
        page.wait_for_timeout(50)


def wait_for_kinds(page: Page, script: str, *arguments: Any, kinds: int) -> None:
    """Wait until a script, run in every animation frame, has given this many distinct values."""
    page.wait_for_function(
        """([script, a, kinds, name]) => {
          const read = new Function("a", `return ${script}`);
          const found = (window[name] ??= new Set());
          return found.add(JSON.stringify(read(a))).size >= kinds;
        }""",
        arg=[script, list(arguments), kinds, f"kinds of {script} {arguments}"],
    )


def see(page: Page, path: str) -> None:
    """Scroll a matrix into view."""
    page.evaluate("([path]) => window.tinkerformer.rect(path, 0, 0)", [path])
    page.wait_for_function(
        "([path]) => window.tinkerformer.value(path, 0, 0) !== undefined", arg=[path]
    )


def click_cell(page: Page, path: str, row: int, column: int) -> None:
    """Click a cell where it is drawn; click again if the page moved meanwhile."""
    selected = (
        "([p, i, j]) => { const s = window.tinkerformer.selection();"
        " return s && s.path === p && s.i === i && s.j === j; }"
    )
    for patience in (5_000, 15_000):
        press_at(page, at_rest(page, "window.tinkerformer.rect(...a)", path, row, column))
        try:
            page.wait_for_function(selected, arg=[path, row, column], timeout=patience)
            break
        except TimeoutError:
            if patience == 15_000:
                raise
    wait_for_inspector(page)


def wait_for_inspector(page: Page) -> None:
    """Wait until the inspector is open beside the view, if a selection opens it."""
    page.wait_for_function(
        """() => innerWidth < 1100
          || !(document.documentElement.dataset.embed ?? "inspector").includes("inspector")
          || document.querySelector("#right.open")"""
    )


def press(page: Page, control: Locator) -> None:
    """Press at a control's place; unlike Playwright's click, do not scroll the page first."""
    box = control.bounding_box()
    assert box is not None
    press_at(page, box)


def press_at(page: Page, box: Any) -> None:
    """Press the middle of a box."""
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def open_menu(page: Page) -> None:
    """Open the frame's menu, if it is closed."""
    button = page.get_by_role("button", name="Menu", exact=True)
    if button.get_attribute("aria-expanded") == "false":
        button.click()


def switch_dropout(page: Page) -> None:
    """Switch dropout on or off, in the settings."""
    open_settings(page)
    page.get_by_role("switch", name="Dropout (training mode)").click()
    close_menu(page)


def expect_dropout(page: Page, timeout: float | None = None) -> None:
    """Expect the button of the settings to state that dropout is on."""
    expect(page.get_by_role("button", name="Settings · dropout on")).to_be_visible(timeout=timeout)


def show_all_numbers(page: Page, on: bool = True) -> None:
    """Show or hide weights, symbols and scales in the whole picture."""
    open_settings(page)
    toggle = page.get_by_role("switch", name="all numbers")
    toggle.set_checked(on)
    page.wait_for_function("on => window.tinkerformer.view().all_numbers === on", arg=on)
    page.keyboard.press("Escape")
    toggle.wait_for(state="hidden")


def show_plane(page: Page, what: str) -> None:
    """Choose values, gradients or change in the settings."""
    open_settings(page)
    page.get_by_role("combobox", name="show", exact=True).select_option(label=what)
    close_menu(page)


def compare_from_here(page: Page) -> None:
    """Pin the present state, in the settings."""
    open_settings(page)
    page.get_by_role("button", name="Compare from here").click()
    page.get_by_role("button", name="Stop comparing").wait_for()
    close_menu(page)


def close_menu(page: Page) -> None:
    """Close the open menu of the header, or the settings."""
    page.keyboard.press("Escape")
    page.locator("#menu:popover-open, #left:popover-open").wait_for(state="hidden")


def open_settings(page: Page) -> None:
    """Open the panel of the model's settings, if it is closed."""
    button = page.get_by_role("button", name="settings of the model")
    if button.get_attribute("aria-expanded") == "false":
        button.click()


def open_view(page: Page, name: str) -> None:
    """Open a room, a form of Explore or one of its drawers, by its name on the page."""
    drawers = {*DRAWERS.values(), *DRAWERS_OF_ENCODER.values()}
    assert name in {*ROOMS.values(), *FORMS.values(), *drawers}, f"The page has no view {name!r}."
    if name in ROOMS.values():
        page.get_by_role("tab", name=name, exact=True).click()
        return
    open_view(page, ROOMS["explore"])
    if name in drawers:
        button = page.get_by_role("button", name=name, exact=True)
        if button.get_attribute("aria-expanded") == "false":
            button.click()
        return
    # On a phone, the forms that do not fit are in a menu.
    menu = page.get_by_role("button", name="More forms of the model")
    page.get_by_role("tab", name=FORMS["picture"], exact=True).or_(menu).first.wait_for()
    tab = page.get_by_role("tab", name=name, exact=True)
    if tab.count():
        tab.click()
    else:
        menu.click()
        page.get_by_role("menuitemradio", name=name, exact=True).click()


def with_steps(page: Page, number: int) -> None:
    """Set the number of training steps in the recipe."""
    page.get_by_text("Recipe", exact=True).click()
    steps = page.get_by_label("steps", exact=True)
    steps.fill(str(number))
    steps.press("Enter")


def slider(page: Page) -> Locator:
    """Return the slider of the selected value."""
    return page.get_by_role("slider")


def slide_to(page: Page, value: float) -> None:
    """Drag the slider's thumb to a value between its ends."""
    box = slider(page).bounding_box()
    margin = 9  # half a thumb
    now = float(slider(page).input_value())
    low, high = (float(slider(page).get_attribute(end) or 0) for end in ("min", "max"))
    share = (box["width"] - 2 * margin) / (high - low)
    at = lambda x: box["x"] + margin + (x - low) * share  # noqa: E731
    middle = box["y"] + box["height"] / 2
    page.mouse.move(at(now), middle)
    page.mouse.down()
    for step in range(1, 11):
        page.mouse.move(at(now + (value - now) * step / 10), middle)
    page.mouse.up()


def type_token(page: Page, token: str, text: str, nth: int = 0) -> None:
    """Click a chip and type another word into it."""
    page.get_by_role("button", name=f"edit {token},").nth(nth).click()
    page.keyboard.press("Control+A")
    page.keyboard.type(text)
    page.keyboard.press("Enter")


def values(page: Page, script: str, *arguments: Any) -> Any:
    """Return the value of an expression on window.tinkerformer."""
    return page.evaluate(f"(a) => window.tinkerformer.{script}", list(arguments))


def violations(
    page: Page, context: dict | None = None, rules: Sequence[str] = (), without: str = "[]"
) -> list[tuple[str, str, str, str]]:
    """Return the violations that axe finds on the page or a part: rule, place, markup, reason.

    Args:
        page: the page, at rest.
        context: the part of the page, in axe's form.
        rules: the only rules to check; default: all.
        without: a script that returns elements to ignore, with their descendants.
    """
    # Outdated results are faint until the new ones are shown.
    page.wait_for_function(
        """() => {
          const isPending = (root) =>
            [...root.querySelectorAll("[data-pending]")].some((el) => el.checkVisibility()) ||
            [...root.querySelectorAll("*")].some((el) => el.shadowRoot && isPending(el.shadowRoot));
          return !isPending(document);
        }"""
    )
    # A formula that scrolls is focusable from the frame after its fonts are loaded.
    page.evaluate(
        """() => document.fonts.ready.then(() => new Promise((done) =>
          requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))))"""
    )
    # Reporting rules without violations would take half of the time.
    options: dict[str, Any] = {"resultTypes": ["violations"]}
    if rules:
        options["runOnly"] = rules
    page.evaluate(Axe().axe_script)
    found = page.evaluate(
        """async ([context, without, options]) => {
          const exclude = new Function(`return ${without}`)();
          const where = { include: [document], ...context, ...(exclude.length && { exclude }) };
          return (await axe.run(where, options)).violations;
        }""",
        [context, without, options],
    )
    return [
        (broken["id"], str(node["target"]), node["html"][:160], node["failureSummary"])
        for broken in found
        for node in broken["nodes"]
    ]


def open_models(page: Page) -> None:
    """Open the dialog in which a model is chosen."""
    page.get_by_role("button", name="Model:").click()
    page.get_by_role("dialog", name="Model").wait_for()


def choose_model(page: Page, name: str) -> None:
    """Choose a model by its label."""
    open_models(page)
    button = page.get_by_role("button", name=name, exact=True)
    if not button.is_visible():
        page.get_by_text("More models", exact=True).click()
    button.click()
    page.get_by_role("dialog", name="Model").wait_for(state="hidden", timeout=60_000)


def violations_light_and_dark(
    page: Page, context: dict | None = None
) -> list[tuple[str, str, str, str]]:
    """Return the violations that axe finds in the light theme, and of colors in the dark theme."""
    found = violations(page, context)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("document.documentElement.dataset.theme === 'dark'")
    found += violations(page, context, COLORS, NOT_SHOWN)
    page.emulate_media(color_scheme="light")
    page.wait_for_function("document.documentElement.dataset.theme === 'light'")
    return found
