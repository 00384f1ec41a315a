import time

import pytest
from playwright.sync_api import Page, expect
from tinkerformer.view_model.page_location import VIEWS

from tests.browser.student import open_view

pytestmark = pytest.mark.served

HEAR = """window.refused = [];
document.addEventListener("securitypolicyviolation",
  (event) => window.refused.push(`${event.effectiveDirective} ${event.blockedURI}`));"""
INJECT = """() => {
  const script = document.createElement("script");
  script.textContent = "window.injected = 1";
  document.body.append(script);
  const holder = document.createElement("div");
  holder.innerHTML = '<img src="data:," onerror="window.injected = 2">';
  document.body.append(holder);
}"""


def wait(page: Page, script: str) -> None:
    """Wait until a script returns a true value, without Playwright's evaluation in the page."""
    end = time.monotonic() + 30
    while not page.evaluate(script):
        assert time.monotonic() < end, script
        page.wait_for_timeout(50)


def test_no_view_needs_what_the_policy_forbids_and_injected_scripts_do_not_run(new_context, server):
    context = new_context(fresh=True, bypass_csp=False, viewport={"width": 1600, "height": 1000})
    context.add_init_script(HEAR)
    page = context.new_page()
    page.goto(server)
    wait(page, "window.tinkerformer?.ready && window.tinkerformer.frames > 0")
    page.evaluate("tinkerformer.select('encoder.0.self_attn.head.0.W_q', 0, 0)")
    for name, view in VIEWS.items():
        open_view(page, view)
        wait(page, f"Object.values(document.documentElement.dataset).includes({name!r})")
        if name == "train":
            page.get_by_role("button", name="Step", exact=True).click()
            expect(page.get_by_role("region", name="Curves of the run")).to_be_visible()
    page.get_by_role("button", name="Share", exact=True).first.click()
    expect(page.get_by_role("dialog").first).to_be_visible()
    assert page.evaluate("refused") == []
    page.evaluate(INJECT)
    wait(page, "refused.length >= 2")
    assert page.evaluate("window.injected") is None
