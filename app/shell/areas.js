/** Places the areas of the page according to the window's width and the open parts. */

import { layout } from "./layout.js";

/** @import {Open} from "./layout.js" */

export const areas = (() => {
  const { dataset } = document.documentElement;
  const { body } = document;
  const parts = /** @type {Open} */ ({});

  function arrange() {
    const isWhole = dataset.embed === undefined;
    const { kind, ...lengths } = layout(
      { width: innerWidth },
      {
        ...parts,
        lesson: "lesson" in dataset,
        film: "film" in dataset,
        drawer: "drawer" in dataset,
        pull: "pull" in dataset && isWhole,
        plane: "plane" in dataset && isWhole,
        side: dataset.room !== "lessons",
      },
    );
    body.dataset.layout = kind;
    for (const [name, length] of Object.entries(lengths))
      body.style.setProperty(`--${name}`, length);
  }

  const attributeFilter = ["room", "film", "lesson", "drawer", "pull", "plane"].map(
    (name) => `data-${name}`,
  );
  new MutationObserver(arrange).observe(document.documentElement, { attributeFilter });
  addEventListener("resize", arrange);
  arrange();

  return {
    /** @param {Open} change the parts that were opened or closed */
    set(change) {
      Object.assign(parts, change);
      arrange();
    },
  };
})();
