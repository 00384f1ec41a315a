/** The areas of the page, and the frame of the drawer. */

import { layout } from "./layout.js";

(() => {
  const root = document.documentElement;
  const { body } = document;

  /** @param {string} selector @returns {HTMLElement} */
  function find(selector) {
    const found = document.querySelector(selector);
    if (!(found instanceof HTMLElement)) throw new Error(`the page has no ${selector}`);
    return found;
  }

  const drawer = find("#drawer");
  const tall = find("#drawer-height");
  const isTall = () => tall.getAttribute("aria-pressed") === "true";

  function arrange() {
    const { dataset, classList } = root;
    const { kind, under, template } = layout(
      { width: innerWidth },
      {
        film: "film" in dataset,
        lesson: "lesson" in dataset,
        drawer: "drawer" in dataset,
        tall: isTall(),
        sheet: classList.contains("sheet"),
        pull: "pull" in dataset && dataset.view === "picture",
      },
    );
    body.dataset.layout = kind;
    body.style.setProperty("--under", under);
    body.style.setProperty("--areas", template);
  }

  /** @param {boolean} on */
  const stretch = (on) => {
    tall.setAttribute("aria-pressed", String(on));
    body.classList.toggle("tall", on);
    arrange();
  };
  tall.addEventListener("click", () => stretch(!isTall()));
  find("#drawer-close").addEventListener("click", () => {
    document.dispatchEvent(new CustomEvent("tinkerformer:close-drawer"));
  });
  new MutationObserver(() => {
    drawer.scrollTop = 0;
    stretch(false);
  }).observe(root, { attributeFilter: ["data-drawer"] });
  const attributeFilter = ["class", "data-view", "data-film", "data-lesson", "data-pull"];
  new MutationObserver(arrange).observe(root, { attributeFilter });
  addEventListener("resize", arrange);
  arrange();
})();
