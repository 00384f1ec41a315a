"""Dropout as a student meets it: whose sites were chosen, and what a site does to its numbers."""

import re

from playwright.sync_api import expect

from tests.browser.student import click_cell, see


def test_a_preset_says_whose_it_is_and_the_board_what_is_done(page):
    page.get_by_role("switch", name="Training mode").click()
    rates = page.get_by_role("group", name="Dropout", exact=True)
    expect(rates.get_by_text("Dropped now:")).to_be_visible()
    rates.get_by_text("The paper (Section 5.4)").wait_for()
    page.get_by_label("sites", exact=True).select_option(label="document 000")
    rates.get_by_text("Document 000: after the embeddings").wait_for()
    page.keyboard.press("Escape")
    path = "encoder.0.feed_forward.activation_dropout"
    page.wait_for_function("([p]) => window.tinkerformer.paths().includes(p)", arg=[path])
    see(page, path)
    stage = page.locator("[data-stage='encoder.0.feed_forward']")
    stage.get_by_text("Dropout with p = 0.1").wait_for()
    click_cell(page, path, 0, 0)
    page.locator(".note").get_by_text("divided by 1 − p = 0.9").wait_for()


def test_while_it_is_on_a_line_says_what_it_does(page):
    said = page.locator(".status .hint")
    switch = page.get_by_role("switch", name="Training mode")
    switch.click()
    expect(said).to_contain_text(re.compile(r"Dropout sets \d+ of \d+ numbers to 0 at random"))
    switch.click()
    expect(said).not_to_contain_text("Dropout sets")
