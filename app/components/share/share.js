/** A dialog with a link to the page's state, a file of it, and a way to open such a file. */

import { addressWithLink, hasAddress } from "../shared/address.js";
import { asControl } from "../shared/control.js";
import { announceDialog } from "../shared/dialog.js";
import { make, makeSvg, setText } from "../shared/dom.js";
import { save } from "../shared/files.js";
import { shownIn } from "../shared/line_or_menu.js";
import { ask, onMessage } from "../shared/model.js";
import { EmbedPart } from "./embed_part.js";
import { RecordPart } from "./record_part.js";

/**
 * @import {ControlProperties} from "../shared/control.js"
 * @import {Model} from "../shared/model.js"
 * @import {Embedding} from "./embed_part.js"
 *
 * @typedef {{place: "line" | "menu"}} Properties
 * @typedef {{type: "session", text: string, name: string, code: string | null, about: string,
 *   is_first: boolean, embedding: Embedding}} SessionMessage `code` goes into the link; `about` says
 *   what the link holds; `is_first`: whether the page is in its first state
 * @typedef {{type: "embedding", sentence: string, embedding: Embedding}} EmbeddingMessage
 * @typedef {{type: "opened", sentence: string}} OpenedMessage `sentence` is empty if it was opened
 */

const ABOUT =
  "Whoever opens it sees what you see: tokens, settings, seed, edited numbers, masks, the pinned " +
  "baseline, and what you look at: the view, the selected cell, layers and heads.";

/** @param {{model: Model<Properties & ControlProperties>}} component */
export function render({ model }) {
  let text = "";
  let name = "";
  const select = () => link.select();
  const link = make("input", { id: "link", type: "text", readonly: true, onfocus: select });
  const copied = make("p", { class: "said", role: "status" });
  const problem = make("p", { class: "problem", role: "status" });
  const about = make("p", { class: "about-link" });
  const copy = make("button", { type: "button", class: "button", onclick: copyLink }, "Copy");
  const linkBox = make(
    "div",
    { class: "link-box" },
    make("label", { for: "link" }, "Link"),
    link,
    copy,
  );
  const file = make("input", {
    id: "file",
    type: "file",
    accept: ".json,application/json",
    hidden: true,
    onchange: open,
  });
  const saveFile = () => save(name, new Blob([text], { type: "application/json" }));
  const keep = make(
    "button",
    { type: "button", class: "button", onclick: saveFile },
    "Save as a file",
  );
  const close = () => dialog.close();
  // The code that an embedded page opens.
  let shared = /** @type {string | null} */ (null);
  const embed = new EmbedPart((name, value) => model.send_msg({ type: "embed", name, value }));
  const record = new RecordPart({
    leave: () => dialog.close(),
    comeBack: () => show(),
  });
  const dialog = make(
    "dialog",
    {
      "aria-labelledby": "share-title",
      onclick: (event) => {
        if (event.target === dialog) dialog.close();
      },
    },
    make(
      "div",
      { class: "share-head" },
      make("h2", { id: "share-title" }, "Share what is on the page"),
      make(
        "button",
        { type: "button", class: "button", "aria-label": "Close", onclick: close },
        "×",
      ),
    ),
    make("p", {}, ABOUT),
    linkBox,
    about,
    copied,
    make(
      "div",
      { class: "share-files" },
      keep,
      make(
        "button",
        { type: "button", class: "button", onclick: () => file.click() },
        "Open a file…",
      ),
      file,
    ),
    problem,
    record.node,
    embed.node,
  );
  for (const node of [linkBox, about, embed.node]) node.hidden = !hasAddress();
  announceDialog(dialog);
  dialog.addEventListener("close", () => {
    model.send_msg({ type: "close" });
    embed.close();
    record.close();
  });
  model.on("remove", () => record.remove());

  function show() {
    setText(problem, "");
    setText(copied, "");
    waits(true); // what is in the dialog is of the page when it was open before
    model.send_msg({ type: "ask", stage: window.tinkerformer?.stage() ?? "" });
    if (!dialog.open) dialog.showModal();
  }

  /** Offers no link and no file until they arrive. @param {boolean} waiting */
  function waits(waiting) {
    link.value = "";
    for (const button of [copy, keep]) button.disabled = waiting;
  }

  async function copyLink() {
    link.select();
    try {
      await navigator.clipboard.writeText(link.value);
    } catch {
      document.execCommand("copy"); // pages without HTTPS have no clipboard API
    }
    setText(copied, "Copied.");
  }

  async function open() {
    const chosen = file.files?.[0];
    if (!chosen) return;
    file.value = "";
    const wrong = model.outbox?.refusalOf(chosen.size);
    if (wrong) setText(problem, wrong);
    else {
      const bytes = await chosen.arrayBuffer(); // compressed, because messages are limited in size
      ask(model, { type: "open", bytes }, { passes: true }).catch((error) =>
        setText(problem, error.message),
      );
    }
  }

  onMessage(model, (/** @type {SessionMessage | OpenedMessage | EmbeddingMessage} */ message) => {
    if (message.type === "session") {
      ({ text, name } = message);
      waits(false);
      if (!hasAddress()) return; // a page in a notebook has no URL, so only a file can be shared
      const { code } = message;
      link.value = code === null ? "" : addressWithLink(code);
      linkBox.hidden = code === null;
      setText(about, message.about);
      about.hidden = !message.about;
      shared = message.is_first ? null : code;
      embed.take(message.embedding, shared);
    } else if (message.type === "embedding") {
      embed.take(message.embedding, shared);
      embed.refuse(message.sentence);
    } else if (message.type === "opened") {
      setText(problem, message.sentence);
      if (!message.sentence) dialog.close();
    }
  });

  const button = make(
    "button",
    {
      type: "button",
      class: "button share-button",
      title: "Share: a link, a file, a loop, a line for a course page",
      "aria-label": "Share",
      "aria-haspopup": "dialog",
      onclick: () => {
        record.open();
        show();
      },
    },
    icon(),
    make("span", {}, "Share"),
  );
  // Only the button moves between header and menu; the dialog is not inside it.
  button.style.display = shownIn(model.place, "share");
  button.classList.toggle("in-line", model.place === "line");
  return asControl(model, make("div", { class: "control share" }, button, dialog));
}

/** An icon of an arrow out of a box. */
function icon() {
  const way = "M5.5 6.5h-2v8h9v-8h-2M8 10V1.5M5 4.5l3-3 3 3";
  const size = { viewBox: "0 0 16 16", width: 15, height: 15, "aria-hidden": "true" };
  return makeSvg("svg", size, makeSvg("path", { d: way }));
}
