import { make, setAttribute, setText } from "../shared/dom.js";
import { Questions, save } from "../shared/files.js";

/** Learn, step, stop, start again; how far it is; and what the model writes now. */
export function render({ model }) {
  const questions = new Questions(model);
  const press = (name) => model.send_msg({ type: "press", name });
  const button = (name, label, title) =>
    make("button", { type: "button", class: "button", title, onclick: () => press(name) }, label);

  const play = button("play", "Learn", "Train the model");
  play.classList.add("primary", "play");
  const step = button("step", "Step", "Take one step");
  const stop = button("stop", "Stop", "Hold here and translate all that was held out");
  const reset = button("reset", "Reset", "Back to the same random start");
  const bar = make(
    "div",
    { class: "bar", role: "progressbar", "aria-label": "Steps taken", "aria-valuemin": 0 },
    make("div", { class: "fill" }),
  );
  const count = make("span", { class: "count" });
  const facts = make("span", { class: "facts" });
  const message = make("p", { class: "message", role: "status" });

  const input = make("input", {
    id: "learn-example",
    type: "text",
    class: "asked",
    autocomplete: "off",
    spellcheck: "false",
    maxlength: 20,
    "aria-describedby": "learn-example-problem",
    oninput: () => model.send_msg({ type: "example", text: input.value }),
  });
  const select = make("select", {
    id: "learn-example-choice",
    class: "asked",
    onchange: () => model.send_msg({ type: "example", text: String(select.selectedIndex) }),
  });
  const label = make("label", { for: "learn-example" });
  const problem = make("p", { class: "problem", id: "learn-example-problem", role: "status" });
  const letters = make("span", { class: "letters", "aria-hidden": "true" });
  const read = make("span", { class: "visually-hidden" });
  const verdict = make("span", { class: "verdict" });
  const right = make("p", { class: "right" });

  const answer = make("p", { class: "message", role: "status" });
  const chooser = make("input", {
    type: "file",
    class: "run-file",
    accept: ".safetensors",
    hidden: true,
  });
  const say = (text, bad) => {
    answer.className = bad ? "problem" : "message";
    setText(answer, text);
  };
  chooser.addEventListener("change", async () => {
    const [file] = chooser.files;
    chooser.value = "";
    if (!file) return;
    try {
      if (file.size > model.limit)
        throw new Error(
          `${file.name} has ${Math.ceil(file.size / (1 << 20))} MB; at most ${model.limit >> 20} MB are read.`,
        );
      say(`Reading ${file.name} …`);
      await questions.send(file, true);
      await questions.ask({ type: "open", heads: null });
      say(`Opened ${file.name}.`);
    } catch (error) {
      say(error.message, true);
    }
  });
  const more = make(
    "div",
    { class: "more" },
    button("explore", "Open in Explore", "Look at every number of the model of this moment"),
    button("save", "Save the run", "A file from which it goes on bit for bit"),
    make(
      "button",
      { type: "button", class: "button", onclick: () => chooser.click() },
      "Open a run…",
    ),
    chooser,
  );

  model.on("msg:custom", (received) => {
    const { type, name, bytes } = received.data ?? received;
    if (type === "file") save(name, new Blob([bytes], { type: "application/octet-stream" }));
  });

  let options = "";
  let spoken = 0;
  function show() {
    const {
      state,
      step: at,
      steps,
      facts: said,
      message: text,
      tone,
      asked,
      answer: wanted,
      letters: written,
      problem: wrong,
    } = model.shown;
    if (state === undefined) return;
    const active = state === "running" || state === "waiting";
    const ends = state === "done" || state === "diverged";
    setText(play, active ? "Pause" : "Learn");
    setAttribute(play, "title", active ? "Hold; the rest can follow later" : "Train the model");
    play.disabled = ends;
    step.disabled = active || ends;
    stop.disabled = !active;
    reset.disabled = state === "ready";
    setAttribute(bar, "aria-valuemax", steps);
    setAttribute(bar, "aria-valuenow", at);
    bar.firstChild.style.width = `${(100 * at) / steps}%`;
    setText(count, `step ${at.toLocaleString("en")} of ${steps.toLocaleString("en")}`);
    setText(facts, said);
    setText(message, text);
    message.className = `message ${tone}`;

    const list = model.shown.options;
    if (JSON.stringify(list) !== options) {
      options = JSON.stringify(list);
      select.replaceChildren(...list.map((each) => make("option", {}, each)));
    }
    const typed = list.length === 0;
    input.hidden = !typed;
    select.hidden = typed;
    label.htmlFor = typed ? input.id : select.id;
    setText(label, typed ? "Date to translate" : "Held-out source");
    if (!typed) select.selectedIndex = model.shown.chosen;
    else if (!input.matches(":focus") && !wrong && input.value !== asked) input.value = asked;
    setText(problem, wrong);
    setAttribute(input, "aria-invalid", wrong ? "true" : null);

    const wrongs = written.filter(([, ok]) => !ok).length;
    const key = JSON.stringify(written);
    if (letters.dataset.key !== key) {
      letters.dataset.key = key;
      letters.replaceChildren(
        ...written.map(([letter, ok]) =>
          make(
            "span",
            { class: ok ? "letter" : "letter wrong" },
            letter === "" ? "·" : letter === " " ? "\u00a0" : letter,
          ),
        ),
      );
    }
    setText(
      verdict,
      wrongs ? `✗ ${written.length - wrongs} of ${wanted.length} letters` : "✓ right",
    );
    verdict.className = wrongs ? "verdict" : "verdict good";
    setText(right, wrongs ? `should be ${wanted}` : "");
    // A screen reader would have to speak ten answers a second.
    if (!active || performance.now() - spoken > 4000) {
      spoken = performance.now();
      setText(
        read,
        `${written.map(([letter]) => letter).join("") || "nothing"}, ${wrongs ? `${wrongs} letters wrong` : "right"}`,
      );
    }
  }

  let asked = 0;
  model.on("shown", () => {
    cancelAnimationFrame(asked);
    asked = requestAnimationFrame(show);
  });
  show();
  return make(
    "section",
    { class: "control training", "aria-label": "Training" },
    make(
      "div",
      { class: "transport" },
      make("div", { class: "buttons" }, play, step, stop, reset),
      bar,
      make("p", { class: "line" }, count, facts),
      message,
    ),
    make(
      "div",
      { class: "example" },
      make("div", { class: "question" }, label, input, select),
      problem,
      make(
        "p",
        { class: "written" },
        make("span", { class: "caption" }, "The model writes"),
        letters,
        read,
        verdict,
      ),
      right,
    ),
    make("div", { class: "files" }, more, answer),
  );
}
