/** Choosing files of a model, and telling what they do not tell; for the dialogs that open them. */

import { make } from "./dom.js";

const READ = [".safetensors", ".json", ".spm"];

/**
 * A button that opens a file chooser, and a field for the number of heads that appears when it is asked for.
 * @param {object} model @param {Questions} questions
 * @param {(button: HTMLElement, action: () => Promise<string>) => void} attempt runs an action and tells how it went
 * @param {(text: string) => void} say
 * @param {(name: string) => void} opened
 */
export function opening(model, questions, attempt, say, opened = () => {}) {
  const input = make("input", {
    type: "file",
    class: "model-files",
    accept: READ.join(","),
    multiple: true,
    hidden: true,
  });
  const choose = make(
    "button",
    { type: "button", class: "button", "aria-label": "Open a .safetensors file" },
    "Open a file…",
  );
  const heads = make("select", { id: "opening-heads" });
  const go = make("button", { type: "button", class: "button" }, "Open");
  const ask = make(
    "div",
    { class: "line heads", hidden: true },
    make("label", { for: "opening-heads" }, "Attention heads"),
    make("div", { class: "buttons" }, heads, go),
  );
  let name = "";

  async function open(number) {
    const answer = await questions.ask({ type: "open", heads: number });
    ask.hidden = !answer.heads;
    if (answer.heads) {
      heads.replaceChildren(
        ...answer.heads.map((each) => make("option", { selected: each === 4 }, String(each))),
      );
      requestAnimationFrame(() => heads.focus());
      return "These are PyTorch’s names. They do not tell how many attention heads there are: choose the number.";
    }
    opened(name);
    return `Opened ${name}.`;
  }

  async function send(all) {
    const most = model.limit >> 20;
    const files =
      all.length === 1 ? all : all.filter((file) => READ.some((end) => file.name.endsWith(end)));
    const size = files.reduce((sum, file) => sum + file.size, 0);
    name = files.length === 1 ? files[0].name : `${files.length} files`;
    if (size > model.limit)
      throw new Error(
        `${name} has ${Math.ceil(size / (1 << 20))} MB; at most ${most} MB are read.`,
      );
    say(`Reading ${name} …`);
    for (const [at, file] of files.entries()) await questions.send(file, at === 0);
    return open(null);
  }

  choose.addEventListener("click", () => input.click());
  go.addEventListener("click", () => attempt(go, () => open(Number(heads.value))));
  input.addEventListener("change", () => {
    const files = [...input.files];
    input.value = ""; // so that the same file can be chosen once more
    ask.hidden = true;
    if (files.length > 0) attempt(choose, () => send(files));
  });
  return { choose, ask, input };
}
