import { make } from "../shared/dom.js";

/** Tabs as the ARIA pattern has them: one stop for Tab, arrow keys move between them and open at once. */
export function render({ model }) {
  const list = make("div", {
    class: "control tabs",
    role: "tablist",
    "aria-label": "Ways of decoding",
  });

  const draw = () => {
    const focused = list.contains(list.getRootNode().activeElement);
    list.replaceChildren(
      ...model.ways.map(([name, label]) =>
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
  const choose = (name) => {
    if (name !== model.chosen) model.send_msg({ type: "choose", name });
  };

  list.addEventListener("keydown", (event) => {
    const names = model.ways.map(([name]) => name);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const at = names.indexOf(model.chosen);
    const next = step
      ? names[(at + step + names.length) % names.length]
      : { Home: names[0], End: names.at(-1) }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    choose(next);
  });

  model.on("chosen", draw);
  draw();
  return list;
}
