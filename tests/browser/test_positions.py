"""Positions count from 0, and a row of the decoder says what it reads and what it writes."""

from playwright.sync_api import expect

from tests.browser.student import click_cell, open_view, see

WEIGHTS = "decoder.0.cross_attn.head.0.weights"
NAME = "row le → writes chat (position 1, id 2), column cat (position 1, id 1)"


def test_the_read_out_the_voice_and_the_inspector_say_the_whole(page):
    see(page, WEIGHTS)
    labels = page.evaluate("([p]) => window.tinkerformer.matrix(p).row_labels", [WEIGHTS])
    assert labels == ["<sos> → writes le", "le → writes chat", "chat → writes <eos>"]
    click_cell(page, WEIGHTS, 1, 1)
    where = page.locator(".status .where")
    expect(where).to_have_text(NAME)
    assert where.evaluate("(e) => e.offsetWidth <= e.parentElement.clientWidth")
    expect(page.locator(f'figure[data-path="{WEIGHTS}"] [role=gridcell]').first).to_contain_text(
        NAME
    )
    expect(page.locator(".cell .where").first).to_have_text(f"{NAME}, counted from 0")
    path = "source.W_e"
    see(page, path)
    click_cell(page, path, 1, 0)
    expect(where).to_have_text("row cat (id 1), column d0")


def test_the_pair_in_detail_says_what_the_query_is_to_write(page):
    open_view(page, "Attention")
    page.get_by_role("button", name="decoder 1 · head 1").last.click()
    query = page.get_by_label("token that listens", exact=True)
    expect(query.locator("option")).to_have_text(
        ["<sos> → writes le", "le → writes chat", "chat → writes <eos>"]
    )
    expect(page.get_by_label("token it listens to").locator("option").first).to_have_text(
        "the (position 0)"
    )
