/** Shows a dialog with the page's state as a link and as a file, and opens saved files. */

import { addressWithLink, hasAddress } from "../../components/shared/address.js";
import { watchDialog } from "../../components/shared/announce.js";
import { asControl } from "../../components/shared/control.js";
import { copyText } from "../../components/shared/copy_text.js";
import { save } from "../../components/shared/files.js";
import { shownIn } from "../../components/shared/line_or_menu.js";
import { html } from "../../components/shared/lit-html.js";
import { ask, onMessage } from "../../components/shared/model.js";
import { hasPicture, NO_PICTURE, savePicture } from "../../components/shared/picture_file.js";
import { classes, FromTemplate } from "../../components/shared/template.js";
import { EmbedPart } from "./embed_part.js";
import { RecordPart } from "./record_part.js";

/**
 * @import {Component} from "../../components/shared/control.js"
 * @import {Embedding} from "./embed_part.js"
 *
 * @typedef {{place: "line" | "menu"}} Properties
 * @typedef {{type: "session", text: string, name: string, code: string | null, about: string,
 *   embedding: Embedding}} SessionMessage `code` goes into the link; `about` describes the content
 *   of the link
 * @typedef {{type: "embedding", sentence: string, embedding: Embedding}} EmbeddingMessage
 * @typedef {{type: "opened", sentence: string}} OpenedMessage `sentence`: why no file was opened
 */

/** An arrow out of a box. */
const ICON = "M5.5 6.5h-2v8h9v-8h-2M8 10V1.5M5 4.5l3-3 3 3";

/** @param {Component<Properties>} component */
export function render({ model }) {
  const share = new Share(model);
  onMessage(model, (/** @type {SessionMessage | OpenedMessage | EmbeddingMessage} */ message) =>
    share.receive(message),
  );
  model.on("remove", () => share.record.remove());
  return asControl(model, share.node);
}

class Share extends FromTemplate {
  /** @param {Component<Properties>["model"]} model */
  constructor(model) {
    super();
    this.model = model;
    this.text = ""; // of the file
    this.name = "";
    this.copied = "";
    this.problem = "";
    this.about = "";
    this.isWaiting = true;
    this.hasLink = hasAddress();
    this.isPicture = false;
    this.shared = /** @type {string | null} */ (null); // the session as the code of a link
    this.embed = new EmbedPart((name, value) => model.send_msg({ type: "embed", name, value }));
    this.embed.node.hidden = !hasAddress();
    this.record = new RecordPart({
      leave: () => this.dialog.close(),
      comeBack: () => this.open(),
    });
    const { node } = this;
    this.dialog = /** @type {HTMLDialogElement} */ (node.querySelector("dialog"));
    this.link = /** @type {HTMLInputElement} */ (node.querySelector("#link"));
    this.file = /** @type {HTMLInputElement} */ (node.querySelector("#file"));
    watchDialog(this.dialog);
    this.dialog.addEventListener("close", () => {
      model.send_msg({ type: "close" });
      this.embed.close();
      this.record.close();
    });
  }

  template() {
    const { place } = this.model;
    const begin = () => {
      this.record.open();
      this.open();
    };
    // Only the button moves between header and menu; the dialog is not inside the button.
    return html`<div class="control share">
      <button type="button" aria-label="Share" aria-haspopup="dialog"
        class=${classes("button share-button", place === "line" && "in-line")}
        title="Share: a link, a file, a loop, a line for a course page"
        style="display: ${shownIn(place, "share")}" @click=${begin}
        ><svg viewBox="0 0 16 16" width="15" height="15" aria-hidden="true"><path d=${ICON}></path
        ></svg><span>Share</span></button>
      <dialog aria-labelledby="share-title">
        <div class="head">
          <h2 id="share-title">Share what is on the page</h2>
          <button type="button" class="button" aria-label="Close" title="Close (Esc)"
            data-close>×</button>
        </div>
        <div class="body"
          >${this.linkPart()}${this.filePart()}${this.record.node}${this.embed.node}</div>
      </dialog>
    </div>`;
  }

  linkPart() {
    return html`<p class="about-link" ?hidden=${!hasAddress()}>${this.about}</p>
        <div class="link-box" ?hidden=${!this.hasLink}>
          <label for="link">Link</label><input id="link" type="text" readonly
            @focus=${() => this.link.select()}>
          <button type="button" class="button" ?disabled=${this.isWaiting}
            @click=${() => this.copyLink()}>Copy</button>
        </div>
        <p class="said" role="status">${this.copied}</p>`;
  }

  filePart() {
    const saveFile = () => save(this.name, new Blob([this.text], { type: "application/json" }));
    return html`<div class="share-files">
          <button type="button" class="button" ?disabled=${this.isWaiting}
            @click=${saveFile}>Save as a file</button>
          <button type="button" class="button"
            @click=${() => this.file.click()}>Open a file…</button>
          <button type="button" class="button"
            title=${this.isPicture ? "As you see it" : NO_PICTURE} ?disabled=${!this.isPicture}
            @click=${() => this.keepPicture()}>Save the picture (PNG)</button>
          <input id="file" type="file" accept=".json,application/json" hidden
            @change=${() => this.openFile()}>
        </div>
        <p class="problem" role="status">${this.problem}</p>`;
  }

  open() {
    this.problem = this.copied = "";
    this.isPicture = hasPicture();
    this.waits(true); // the dialog still has the data of its last opening
    this.model.send_msg({ type: "ask", stage: window.tinkerformer?.stage() ?? "" });
    if (!this.dialog.open) this.dialog.showModal();
  }

  /** Empties the link, and disables link and file while waiting. @param {boolean} waiting */
  waits(waiting) {
    this.link.value = "";
    if (waiting) this.about = "";
    this.isWaiting = waiting;
    this.draw();
  }

  async keepPicture() {
    try {
      this.copied = await savePicture();
      this.draw();
    } catch (error) {
      this.tell(error instanceof Error ? error.message : String(error));
    }
  }

  async copyLink() {
    await copyText(this.link);
    this.copied = "Copied.";
    this.draw();
  }

  /** @param {string} sentence the problem of a file */
  tell(sentence) {
    this.problem = sentence;
    this.draw();
  }

  async openFile() {
    const chosen = this.file.files?.[0];
    if (!chosen) return;
    this.file.value = "";
    const wrong = this.model.outbox?.refusalOf(chosen.size);
    if (wrong) {
      this.tell(wrong);
      return;
    }
    const bytes = await chosen.arrayBuffer(); // not text, because messages are limited in size
    ask(this.model, { type: "open", bytes }, { passes: true }).catch((error) =>
      this.tell(error.message),
    );
  }

  /** @param {SessionMessage | OpenedMessage | EmbeddingMessage} message */
  receive(message) {
    if (message.type === "session") {
      this.take(message);
    } else if (message.type === "embedding") {
      this.embed.take(message.embedding, this.shared);
      this.embed.refuse(message.sentence);
    } else if (message.type === "opened") {
      this.tell(message.sentence);
      if (!message.sentence) this.dialog.close();
    }
  }

  /** @param {SessionMessage} session */
  take({ text, name, code, about, embedding }) {
    this.text = text;
    this.name = name;
    this.waits(false);
    if (!hasAddress()) return; // a page in a notebook has no URL, so only a file can be shared
    this.link.value = code === null ? "" : addressWithLink(code);
    this.hasLink = code !== null;
    this.about = about;
    this.draw();
    this.shared = code;
    this.embed.take(embedding, this.shared);
  }
}
