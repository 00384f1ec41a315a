/** A dialog with a link to the page's state, a file of it, and a way to open such a file. */

import { addressWithLink, hasAddress } from "../../components/shared/address.js";
import { asControl } from "../../components/shared/control.js";
import { announceDialog } from "../../components/shared/dialog.js";
import { save } from "../../components/shared/files.js";
import { shownIn } from "../../components/shared/line_or_menu.js";
import { html } from "../../components/shared/lit-html.js";
import { ask, onMessage } from "../../components/shared/model.js";
import { hasPicture, NO_PICTURE, savePicture } from "../../components/shared/picture_file.js";
import { classes, drawn } from "../../components/shared/template.js";
import { EmbedPart } from "./embed_part.js";
import { RecordPart } from "./record_part.js";

/**
 * @import {ControlProperties} from "../../components/shared/control.js"
 * @import {Model} from "../../components/shared/model.js"
 * @import {Embedding} from "./embed_part.js"
 *
 * @typedef {{place: "line" | "menu"}} Properties
 * @typedef {{type: "session", text: string, name: string, code: string | null, about: string,
 *   is_first: boolean, embedding: Embedding}} SessionMessage `code` goes into the link; `about`
 *   describes the content of the link; `is_first`: whether the page is in its first state
 * @typedef {{type: "embedding", sentence: string, embedding: Embedding}} EmbeddingMessage
 * @typedef {{type: "opened", sentence: string}} OpenedMessage `sentence` is empty if it was opened
 */

/** An arrow out of a box. */
const ICON = "M5.5 6.5h-2v8h9v-8h-2M8 10V1.5M5 4.5l3-3 3 3";

/** @param {{model: Model<Properties & ControlProperties>}} component */
export function render({ model }) {
  let text = "";
  let name = "";
  let [copied, problem, about] = ["", "", ""];
  let [isWaiting, hasLink] = [true, hasAddress()];
  let isPicture = false;
  const saveFile = () => save(name, new Blob([text], { type: "application/json" }));
  // The code that an embedded page opens.
  let shared = /** @type {string | null} */ (null);
  const embed = new EmbedPart((name, value) => model.send_msg({ type: "embed", name, value }));
  const record = new RecordPart({
    leave: () => dialog.close(),
    comeBack: () => show(),
  });
  const { node, show: draw } = drawn(() => {
    const press = (/** @type {Event} */ { target }) => {
      if (target === dialog) dialog.close();
    };
    const begin = () => {
      record.open();
      show();
    };
    // Only the button moves between header and menu; the dialog is not inside the button.
    return html`<div class="control share">
      <button type="button" aria-label="Share" aria-haspopup="dialog"
        class=${classes("button share-button", model.place === "line" && "in-line")}
        title="Share: a link, a file, a loop, a line for a course page"
        style="display: ${shownIn(model.place, "share")}" @click=${begin}
        ><svg viewBox="0 0 16 16" width="15" height="15" aria-hidden="true"><path d=${ICON}></path
        ></svg><span>Share</span></button>
      <dialog aria-labelledby="share-title" @click=${press}>
        <div class="share-head">
          <h2 id="share-title">Share what is on the page</h2>
          <button type="button" class="button" aria-label="Close"
            @click=${() => dialog.close()}>×</button>
        </div>
        <p class="about-link" ?hidden=${!hasAddress()}>${about}</p>
        <div class="link-box" ?hidden=${!hasLink}>
          <label for="link">Link</label><input id="link" type="text" readonly
            @focus=${() => link.select()}>
          <button type="button" class="button" ?disabled=${isWaiting}
            @click=${copyLink}>Copy</button>
        </div>
        <p class="said" role="status">${copied}</p>
        <div class="share-files">
          <button type="button" class="button" ?disabled=${isWaiting}
            @click=${saveFile}>Save as a file</button>
          <button type="button" class="button" @click=${() => file.click()}>Open a file…</button>
          <button type="button" class="button" title=${isPicture ? "As you see it" : NO_PICTURE}
            ?disabled=${!isPicture} @click=${keepPicture}>Save the picture (PNG)</button>
          <input id="file" type="file" accept=".json,application/json" hidden @change=${open}>
        </div>
        <p class="problem" role="status">${problem}</p>
        ${record.node}${embed.node}
      </dialog>
    </div>`;
  });
  const dialog = /** @type {HTMLDialogElement} */ (node.querySelector("dialog"));
  const link = /** @type {HTMLInputElement} */ (node.querySelector("#link"));
  const file = /** @type {HTMLInputElement} */ (node.querySelector("#file"));
  embed.node.hidden = !hasAddress();
  announceDialog(dialog);
  dialog.addEventListener("close", () => {
    model.send_msg({ type: "close" });
    embed.close();
    record.close();
  });
  model.on("remove", () => record.remove());

  async function keepPicture() {
    try {
      copied = await savePicture();
      draw();
    } catch (error) {
      tell(error instanceof Error ? error.message : String(error));
    }
  }

  function show() {
    problem = copied = "";
    isPicture = hasPicture();
    waits(true); // the dialog still has the data of its last opening
    model.send_msg({ type: "ask", stage: window.tinkerformer?.stage() ?? "" });
    if (!dialog.open) dialog.showModal();
  }

  /** Offers no link and no file until they arrive. @param {boolean} waiting */
  function waits(waiting) {
    link.value = "";
    if (waiting) about = "";
    isWaiting = waiting;
    draw();
  }

  async function copyLink() {
    link.select();
    try {
      await navigator.clipboard.writeText(link.value);
    } catch {
      document.execCommand("copy"); // pages without HTTPS have no clipboard API
    }
    copied = "Copied.";
    draw();
  }

  /** @param {string} sentence what is wrong with a file */
  function tell(sentence) {
    problem = sentence;
    draw();
  }

  async function open() {
    const chosen = file.files?.[0];
    if (!chosen) return;
    file.value = "";
    const wrong = model.outbox?.refusalOf(chosen.size);
    if (wrong) tell(wrong);
    else {
      const bytes = await chosen.arrayBuffer(); // compressed, because messages are limited in size
      ask(model, { type: "open", bytes }, { passes: true }).catch((error) => tell(error.message));
    }
  }

  onMessage(model, (/** @type {SessionMessage | OpenedMessage | EmbeddingMessage} */ message) => {
    if (message.type === "session") {
      ({ text, name } = message);
      waits(false);
      if (!hasAddress()) return; // a page in a notebook has no URL, so only a file can be shared
      const { code } = message;
      link.value = code === null ? "" : addressWithLink(code);
      hasLink = code !== null;
      about = message.about;
      draw();
      shared = message.is_first ? null : code;
      embed.take(message.embedding, shared);
    } else if (message.type === "embedding") {
      embed.take(message.embedding, shared);
      embed.refuse(message.sentence);
    } else if (message.type === "opened") {
      tell(message.sentence);
      if (!message.sentence) dialog.close();
    }
  });

  return asControl(model, node);
}
