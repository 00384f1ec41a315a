"""The Decode tab, used like a student uses it; its numbers, compared with transformer_math."""

import re

import pytest
from playwright.sync_api import expect
from tinkerformer.decoding import (
    DecodingSettings,
    comparison,
    decoding_task,
    filling,
    greedy,
    samples,
    search,
    with_blank,
)
from tinkerformer.explain.opening_row import opening_word
from tinkerformer.files import catalog
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.scenario.scenario import Scenario

from tests.browser.conftest import open_first_page, open_page
from tests.browser.student import (
    choose_model,
    open_view,
    violations_light_and_dark,
    wait_until_shown,
)

WAYS = ("Greedy", "Beam search", "Sampling", "Training and inference")
DECODE = {"include": [["#main"]]}


@pytest.fixture
def page(new_context, server):
    """Open the sandbox in the picture, which the browser draws faster than its formulas."""
    return open_page(new_context(), server, "picture")


def task(scenario=None, **changes):
    return decoding_task(scenario or Scenario(), ForwardPassRunner(), DecodingSettings(**changes))


def open_decode(page, way):
    open_view(page, "How it writes")
    page.get_by_role("tab", name=way, exact=True).click()
    page.locator(".decode .way .lead").wait_for()
    page.get_by_role("tab", name=way, exact=True, selected=True).wait_for()


def number(text):
    return float(text.replace("−", "-").replace("<", "0"))


def texts(page, selector):
    return page.locator(selector).evaluate_all("nodes => nodes.map(n => n.textContent)")


def expected_bars(bars):
    """Return the bars that transformer_math computes."""
    lines = [*bars["rows"]]
    found = []
    for line in lines:
        found.append([line["word"], *_numbers(line)])
    count = bars["others"]["count"]
    if count:
        name = "and 1 other" if count == 1 else f"and {count} others"
        all_cut = bars["others"].get("cut") == count
        found.append([name, *_numbers(bars["others"] | {"cut": all_cut})])
    return found


def _numbers(line):
    numbers = [_probability(line["p"])]
    if "q" in line:
        numbers.append("cut" if line["cut"] else _probability(line["q"]))
    return numbers


def _probability(p):
    return "<.001" if 0 < p < 0.0005 else f"{p:.3f}".removeprefix("0")


def wait_for_bars(page, bars):
    expected = expected_bars(bars)
    page.wait_for_function(
        """expected => {
          const near = (a, b) => a === b || Math.abs(Number(a) - Number(b)) < 0.0011;
          const [table] = allOf('.bars');
          const rows = table ? [...table.tBodies[0].rows] : [];
          return rows.length === expected.length && rows.every((row, k) => {
            const now = [...row.querySelectorAll('.word, .number')].map(n => n.textContent);
            return now[0] === expected[k][0] && expected[k].every((x, j) => !j || near(now[j], x));
          });
        }""",
        arg=expected,
    )


def type_setting(page, label, value):
    field = page.get_by_label(label, exact=True)
    field.fill(value)
    field.press("Enter")


# -- training and inference --------------------------------------------------------------------


def test_training_and_inference_are_shown_side_by_side(page):
    open_decode(page, "Training and inference")
    page.locator(".comparison tbody tr").first.wait_for()
    found = comparison(task())
    rows = page.locator(".comparison tbody tr").evaluate_all(
        "rows => rows.map(r => [...r.cells].map(c => c.textContent))"
    )
    assert len(rows) == len(found["rows"])
    for k, (row, real) in enumerate(zip(rows, found["rows"], strict=True)):
        assert row[:2] == [str(k), real["right"] or "–"]
        for (given, answer), cell in ((row[2:4], real["forced"]), (row[4:6], real["free"])):
            if cell is None:
                assert given == answer == ""
                continue
            assert given.rstrip("•") == cell["given"]
            mark = {True: "✓", False: "✗", None: ""}[cell["is_right"]]
            assert answer == f"{cell['word']}{_probability(cell['p'])}{mark}"
    verdict = page.locator(".decode .verdict").inner_text()
    assert f"predicts {found['forced']} of {found['of']} right" in verdict
    page.get_by_text("Its first mistake on its own is at position 0").wait_for()


# -- greedy ------------------------------------------------------------------------------------


def test_greedy_decoding_is_shown_step_by_step(new_context, server):
    page = open_page(new_context(fresh=True), server)  # the clock of the page is stopped
    open_decode(page, "Greedy")
    found = greedy(task())

    def at(step):
        wait_for_bars(page, found["steps"][step])
        assert page.locator(".decode output.text").inner_text() == found["texts"][step]
        written = texts(page, ".decode .tokens button:not([hidden])")
        assert written == found["tokens"][: step + 1]
        said = page.locator(".decode .verdict").inner_text()
        before = f"After “{found['texts'][step - 1]}”" if step else "At the start"
        p = next(row["p"] for row in found["steps"][step]["rows"] if row["chosen"])
        token = found["tokens"][step]
        assert said == f"{before} it writes “{token}”, probability {_probability(p)}."

    at(0)
    press = lambda name: page.get_by_role("button", name=name, exact=True).click()  # noqa: E731
    press("Next")
    press("Next")
    at(2)
    press("Back")
    at(1)
    press("First")
    at(0)
    assert (
        page.get_by_role("button", name="Back", exact=True).get_attribute("aria-disabled") == "true"
    )
    page.clock.install()
    press("Play")
    page.clock.run_for(2000)
    tokens = page.locator(".decode .tokens button")
    expect(tokens.nth(2)).to_have_attribute("aria-current", re.compile("."))
    press("Pause")
    marked = tokens.evaluate_all("all => all.map((el) => el.hasAttribute('aria-current'))")
    step = marked.index(True)
    page.clock.run_for(5000)
    at(step)
    page.clock.resume()
    page.locator(".decode .tokens [aria-current]").focus()
    page.keyboard.press("Home")
    at(0)


def test_the_picture_follows_each_word_that_greedy_decoding_writes(whole):
    open_decode(whole, "Greedy")
    following = "window.tinkerformer.look().following"
    for step, name in enumerate(("First", "Next", "Next", "Next")):
        whole.get_by_role("button", name=name, exact=True).click()
        whole.wait_for_function(f"(at) => {following}?.index === at", arg=step)
        assert whole.evaluate(following)["stack"] == "decoder"


def verdict(page, text):
    expect(page.locator(".decode .way > .verdict")).to_contain_text(text)


def test_the_tab_opens_at_the_followed_word_and_moves_with_it(new_context, server):
    page = open_first_page(new_context(), server)
    found = greedy(task(catalog.first("phrases")))
    at = page.evaluate("window.tinkerformer.look().following.index")
    open_decode(page, "Greedy")
    verdict(page, f"After “{found['texts'][at - 1]}” it writes “{found['tokens'][at]}”")
    page.evaluate("window.tinkerformer.follow('decoder', 4)")
    verdict(page, f"After “{found['texts'][3]}” it writes “{found['tokens'][4]}”")
    open_decode(page, "Beam search")
    verdict(page, f"After “{found['texts'][3]}” comes “{found['tokens'][4]}”")
    page.evaluate("window.tinkerformer.follow('decoder', 1)")
    verdict(page, f"After “{found['texts'][0]}” comes “{found['tokens'][1]}”")
    open_decode(page, "Sampling")
    verdict(page, "” it drew “")
    # A sample may have the word at another position, or not at all.
    drawn = page.locator(".decode .tokens button:not([hidden])")
    for at in (3, 1):
        page.evaluate("(at) => window.tinkerformer.follow('decoder', at)", at)
        tokens = drawn.all_text_contents()
        word = found["tokens"][at - 1]
        places = [k + 1 for k, token in enumerate(tokens[:-1]) if token == word]
        step = min(places, key=lambda place: abs(place - at), default=0)
        expect(drawn.nth(step)).to_have_attribute("aria-current", re.compile("."))
        before = " ".join(tokens[:step])
        verdict(page, f"After “{before}” it drew" if step else "At the start it drew")
    page.evaluate("window.tinkerformer.follow('decoder', 3)")
    open_decode(page, "Training and inference")
    row = page.locator(".comparison tbody [aria-current]")
    expect(row.locator("th")).to_have_text(found["tokens"][3])


def test_a_followed_position_of_an_encoder_is_shown(page):
    choose_model(page, "Fill in")
    open_view(page, "How it fills in")
    page.evaluate("window.tinkerformer.follow('encoder', 3)")
    verdict(page, "Position 3 reads")
    page.locator(".decode .token").nth(2).click()
    verdict(page, "Position 2")
    page.wait_for_function("window.tinkerformer.look().following?.index === 2")


# -- beam search -------------------------------------------------------------------------------


def found_search(scenario=None, **changes):
    settings = DecodingSettings(**changes)
    return search(decoding_task(scenario or Scenario(), ForwardPassRunner(), settings), settings)


def wait_for_tree(page, tree):
    expect(page.locator(".tree > .plane .node")).to_have_count(len(tree["nodes"]))


def test_the_tree_of_a_beam_search_is_used_by_keyboard(page):
    open_decode(page, "Beam search")
    found = found_search()
    tree = found.to_dict()
    wait_for_tree(page, tree)
    nodes = page.locator(".tree .node").evaluate_all(
        """nodes => nodes.map(n => [n.className, n.querySelector('.word').textContent,
          n.querySelector('.number').textContent, n.hidden])"""
    )
    best = next(n for n in tree["nodes"] if n["id"] == tree["hypotheses"][0]["id"])
    for (kind, word, text, hidden), real in zip(nodes, tree["nodes"], strict=True):
        assert word == real["token"]
        assert kind.split()[1] == real["status"]
        assert ("best" in kind.split()) == real["best"]
        if real["parent"] is not None:
            assert number(text.strip("■✕ ")) == pytest.approx(real["own"], abs=0.0051)
        assert hidden == (real["status"] == "dropped" and real["step"] != best["step"])
    page.get_by_role("switch", name="show all dropped").click()
    dropped = sum(node["status"] == "dropped" for node in tree["nodes"])
    shown = page.locator(".tree > .plane .dropped:not([hidden]):not(path)")
    expect(shown).to_have_count(dropped)
    rows = page.locator(".hypotheses tbody tr").evaluate_all(
        "rows => rows.map(r => [...r.cells].slice(2).map(c => c.textContent))"
    )
    real = [tree["nodes"][h["id"]] for h in tree["hypotheses"]]
    assert [number(row[3]) for row in rows] == pytest.approx([n["score"] for n in real], abs=6e-4)
    assert [number(row[1]) for row in rows] == pytest.approx([n["total"] for n in real], abs=6e-4)
    assert [int(row[0]) for row in rows] == [n["step"] for n in real]
    page.get_by_role("switch", name="show all dropped").click()

    page.locator(".tree .node[tabindex='0']").focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")

    def focused():
        return int(page.locator(".tree .node:focus").get_attribute("data-id"))

    first = focused()
    assert tree["nodes"][first]["step"] == 1
    column = sorted((n for n in tree["nodes"] if n["step"] == 1), key=lambda n: n["row"])
    at = [n["id"] for n in column].index(first)
    page.keyboard.press("ArrowDown")
    assert focused() == column[at + 1]["id"]
    page.keyboard.press("ArrowLeft")
    assert focused() == 0
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    node = tree["nodes"][focused()]
    assert node["step"] == 2
    arithmetic = page.locator(".decode .arithmetic").inner_text()
    parts = re.findall(r"−?\d+\.\d+", arithmetic.replace("− ", "−"))
    parent = tree["nodes"][node["parent"]]
    expected = [parent["own"], node["own"], node["total"]]
    assert [number(x) for x in parts[:3]] == pytest.approx(expected, abs=6e-4)
    assert number(parts[-1]) == pytest.approx(node["score"], abs=6e-4)
    page.keyboard.press("Enter")
    page.locator(f".node[data-id='{node['id']}'][aria-selected=true]").wait_for()
    wait_for_bars(page, found.detail(found.beam.nodes[node["id"]])["bars"])
    assert focused() == node["id"]
    page.get_by_role("button", name="Show its attention").click()
    page.get_by_role("tab", name="Attention", exact=True, selected=True).wait_for()
    assert page.get_by_label("token that looks").input_value() == "1"


def test_the_tree_of_a_beam_search_is_read_in_words_and_its_width_is_changed(page):
    open_decode(page, "Beam search")
    type_setting(page, "beam size", "2")
    wait_for_tree(page, found_search(beam_size=2).to_dict())
    type_setting(page, "length penalty α", "0")
    tree = found_search(beam_size=2, alpha=0.0).to_dict()
    wait_for_tree(page, tree)
    page.get_by_label("beam style", exact=True).select_option(label="Hugging Face")
    page.get_by_text("uses no place").wait_for()
    tree = found_search(beam_size=2, alpha=0.0, beam_style="huggingface").to_dict()
    wait_for_tree(page, tree)
    page.get_by_text("The tree in words").click()
    page.locator(".in-words li").first.wait_for()
    lines = page.locator(".in-words li").all_inner_texts()
    assert len(lines) == max(node["step"] for node in tree["nodes"])
    first = [node for node in tree["nodes"] if node["step"] == 1]
    assert lines[0].count(";") == len(first) - 1
    assert lines[0].startswith(f"{first[0]['token']}: kept, log p −")


# -- sampling ----------------------------------------------------------------------------------


def test_samples_are_drawn_and_counted(page):
    open_decode(page, "Sampling")
    type_setting(page, "temperature", "1.5")
    wait_for_bars(page, samples(task(), DecodingSettings(temperature=1.5))[0]["steps"][0])
    type_setting(page, "top-k", "3")
    settings = {"temperature": 1.5, "top_k": 3}
    found = samples(task(), DecodingSettings(**settings))
    wait_for_bars(page, found[0]["steps"][0])
    assert page.locator(".cut").count() == 5
    assert texts(page, ".sample .seed") == [f"seed {k}" for k in range(1, 6)]
    page.locator(".sample").nth(2).click()
    page.locator(".decode .tokens button").nth(1).click()
    wait_for_bars(page, found[2]["steps"][1])
    page.get_by_role("button", name="Sample again").click()
    page.locator(".sample .seed", has_text="seed 6").wait_for()
    again = samples(task(), DecodingSettings(**settings, seed=6))
    spoken = [number(x.removeprefix("log P ")) for x in texts(page, ".sample .number")]
    assert spoken == pytest.approx([one["log_probability"] for one in again], abs=6e-4)


def test_blanks_are_filled_in_and_a_word_is_replaced_by_a_blank(page):
    choose_model(page, "Fill in")
    open_view(page, "How it fills in")
    scenario = catalog.first("blanks")
    runner = ForwardPassRunner()
    found = filling(scenario, runner)
    word = opening_word(scenario, runner.trace(scenario))  # focused when the model opens
    wait_for_bars(page, found["rows"][word.position]["bars"])
    expect(page.get_by_label("Text with its blanks filled")).to_have_text(found["text"])
    at = len(scenario.source) - 1
    page.locator(".decode .token[aria-current]").focus()
    page.keyboard.press("End")
    wait_for_bars(page, found["rows"][at]["bars"])
    page.get_by_role("button", name="Make it a blank").click()
    blank = with_blank(scenario, at)
    now = filling(blank, ForwardPassRunner())
    wait_until_shown(page, blank, "output.probabilities")
    wait_for_bars(page, now["rows"][now["opens"]]["bars"])
    order = "first" if now["rows"][now["opens"]]["turn"] == 0 else "second"
    page.get_by_text(f"is a blank, filled {order}: the likeliest word is").wait_for()
    assert violations_light_and_dark(page, context=DECODE) == []
    page.get_by_role("button", name="Show its attention").click()
    page.get_by_role("tab", name="Attention", exact=True, selected=True).wait_for()


# -- accessibility -----------------------------------------------------------------------------


@pytest.mark.in_turn
def test_axe_finds_no_violation_in_the_drawer(new_context, server):
    """test_screen_reader.py checks the page around it; the stages are hidden here."""
    page = open_first_page(new_context(), f"{server}?view=writing")
    for way in WAYS:
        open_decode(page, way)
        page.locator(".decode .way").wait_for()
        assert not violations_light_and_dark(page, DECODE), way


def test_a_narrow_screen_does_not_scroll_sideways(new_context, server):
    page = open_page(new_context(viewport={"width": 420, "height": 900}), server)
    for way in WAYS:
        open_decode(page, way)
        assert page.evaluate("document.documentElement.scrollWidth") <= 420
