import { make, setText } from "../shared/dom.js";
import { Questions } from "../shared/files.js";
import { opening } from "../shared/upload.js";

/** The button that names the model in use, and the dialog to take another one. */
export function render({ model }) {
  const questions = new Questions(model);
  const answer = make("p", { class: "answer", role: "status" });
  const say = (text, bad = false) => {
    answer.className = bad ? "answer problem" : "answer";
    setText(answer, text);
  };

  /** Run what a button does, and tell how it went; one at a time. */
  let busy = false;
  const attempt = async (button, action) => {
    if (busy) return;
    busy = true;
    button.setAttribute("aria-disabled", "true");
    try {
      say(await action());
    } catch (error) {
      say(error.message, true);
    }
    button.setAttribute("aria-disabled", "false");
    busy = false;
  };

  // A model that was opened is there to be looked at: nothing more is to be said.
  const door = opening(model, questions, attempt, say, () => dialog.close());

  const list = make("div", { class: "entries" });
  const choose = (button, name, label) =>
    attempt(button, async () => {
      if (name !== model.chosen) {
        say(`Opening ${label} …`);
        await questions.ask({ type: "choose", name });
      }
      dialog.close();
      return "";
    });

  const current = make("span", { class: "current" });
  const opener = make(
    "button",
    { type: "button", class: "button opener", "aria-haspopup": "dialog" },
    make("span", { class: "visually-hidden" }, "Model: "),
    current,
    make("span", { "aria-hidden": "true" }, "▾"),
  );
  const dialog = make(
    "dialog",
    { "aria-labelledby": "models-title" },
    make(
      "div",
      { class: "head" },
      make("h2", { id: "models-title" }, "Model"),
      make("button", { type: "button", class: "button", onclick: () => dialog.close() }, "Close"),
    ),
    make(
      "div",
      { class: "body" },
      list,
      make(
        "section",
        { class: "files" },
        make(
          "div",
          { class: "line" },
          make(
            "p",
            { class: "what" },
            "A Tinkerformer or PyTorch .safetensors file, or all the files of a MarianMTModel’s folder at once.",
          ),
          make("div", { class: "buttons" }, door.choose),
        ),
        door.ask,
        door.input,
      ),
    ),
    make("div", { class: "foot" }, answer),
  );
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  opener.addEventListener("click", () => {
    if (!busy) say("");
    dialog.showModal();
    list.querySelector("[aria-pressed=true]")?.focus();
  });

  function show() {
    const focused = list.contains(list.getRootNode().activeElement);
    setText(current, model.models.find(({ name }) => name === model.chosen)?.label ?? "");
    list.replaceChildren(
      ...model.models.map(({ name, label, about }) => {
        const id = `model-${name}`;
        const button = make(
          "button",
          {
            type: "button",
            class: "model",
            "aria-pressed": String(name === model.chosen),
            "aria-describedby": id,
            "aria-label": label,
            onclick: () => choose(button, name, label),
          },
          make("span", { class: "label" }, label),
          make("span", { class: "about", id }, about),
        );
        return button;
      }),
    );
    if (focused) list.querySelector("[aria-pressed=true]")?.focus();
  }

  let asked = 0;
  const later = () => {
    cancelAnimationFrame(asked);
    asked = requestAnimationFrame(show);
  };
  model.on("models", later);
  model.on("chosen", later);
  show();
  return make("div", { class: "control" }, opener, dialog);
}
