import { make } from "../shared/dom.js";

/** Run something once the page has had time to lay out what was hidden. */
function afterLayout(run, tries = 60) {
  requestAnimationFrame(() => {
    if (run() === false && tries) afterLayout(run, tries - 1);
  });
}

/**
 * Tabs as the ARIA pattern has them: one stop for Tab, arrow keys move between them and open at once.
 * Charts are drawn with colors that the server puts in, so it also hears when the theme changes.
 */
export function render({ model }) {
  const list = make("div", { class: "control tabs", role: "tablist", "aria-label": "Views" });

  /** Where the reader was in each view. */
  const places = new Map();
  const choose = (name) => {
    if (name === model.chosen) return;
    places.set(model.chosen, scrollY);
    model.send_msg({ type: "choose", name });
  };
  const arrived = () => {
    draw();
    const place = goal ? null : (places.get(model.chosen) ?? 0);
    afterLayout(() => {
      if (goal) return window.tinkerformer?.goto(goal) ? ((goal = null), true) : false;
      scrollTo({ top: place, behavior: "instant" });
      return Math.abs(scrollY - place) < 2;
    });
  };
  // The map leads to a stage, and stages are in the first view.
  let goal = null;
  document.addEventListener("tinkerformer:goto", (event) => {
    if (model.chosen === model.tabs[0][0]) return;
    goal = event.detail?.id ?? null;
    choose(model.tabs[0][0]);
  });

  const draw = () => {
    document.documentElement.dataset.view = model.chosen; // the frame of the page is not the same in every view
    const focused = list.contains(list.getRootNode().activeElement);
    list.replaceChildren(
      ...model.tabs.map(([name, label]) =>
        make(
          "button",
          {
            type: "button",
            role: "tab",
            "aria-selected": String(name === model.chosen),
            tabindex: name === model.chosen ? "0" : "-1",
            onclick: () => choose(name),
          },
          label,
        ),
      ),
    );
    if (focused) list.querySelector("[aria-selected=true]")?.focus();
  };

  list.addEventListener("keydown", (event) => {
    const names = model.tabs.map(([name]) => name);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const at = names.indexOf(model.chosen);
    const next = step
      ? names[(at + step + names.length) % names.length]
      : { Home: names[0], End: names.at(-1) }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    choose(next);
  });

  const tellTheme = () =>
    model.send_msg({ type: "theme", dark: document.documentElement.dataset.theme === "dark" });
  document.addEventListener("tinkerformer:theme", tellTheme);
  tellTheme();

  model.on("tabs", draw);
  model.on("chosen", arrived);
  draw();
  return list;
}
