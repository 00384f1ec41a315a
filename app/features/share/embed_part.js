/**
 * Shows the part of the share dialog for embedding the page in another page, with a preview and a
 * line to copy.
 */

import { CONTROLS } from "../../components/form/fields.js";
import { copyText } from "../../components/shared/copy_text.js";
import { html, nothing } from "../../components/shared/lit-html.js";
import { drawn } from "../../components/shared/template.js";

/**
 * @import {Control, Field} from "../../components/form/fields.js"
 *
 * @typedef {object} Embedding
 * @property {Field[]} fields the choices
 * @property {string} query the URL's parameters
 * @property {boolean} follows whether the iframe's height follows its content
 */

const FIXED = 560; // CSS px

export class EmbedPart {
  /** @param {(name: string, value: unknown) => void} send sends a choice */
  constructor(send) {
    this.send = send;
    this.code = /** @type {string | null} */ (null);
    /** @type {Map<string, Control>} */
    this.controls = new Map();
    this.embedding = /** @type {Embedding | null} */ (null);
    this.problem = "";
    this.said = "";
    const { node, show } = drawn(() => this.template());
    this.node = /** @type {HTMLDetailsElement} */ (node);
    this.show = show;
    this.line = /** @type {HTMLTextAreaElement} */ (node.querySelector("textarea"));
    this.preview = /** @type {HTMLIFrameElement} */ (node.querySelector("iframe"));
  }

  template() {
    return html`<details class="embed" @toggle=${() => this.draw()}>
      <summary>Embed in a course page</summary>
      <div class="embed-fields">${this.embedding?.fields.map(
        ({ name, kind, label, help }) => html`<div class="embed-field ${kind}"><label
          for="embed-${name}" title=${help ?? nothing}>${label}</label>${
            this.controls.get(name)?.box
          }</div>`,
      )}</div>
      <p class="problem" role="status">${this.problem}</p>
      <div class="embed-head">
        <label for="embed-line">The line for your page</label>
        <span class="said" role="status">${this.said}</span>
        <button type="button" class="button" @click=${() => this.copy()}>Copy</button>
      </div>
      <textarea id="embed-line" readonly rows="3" @focus=${() => this.line.select()}></textarea>
      <iframe title="Preview of the embedded page"></iframe>
    </details>`;
  }

  /** @param {Embedding} embedding @param {string | null} code of the current state */
  take(embedding, code) {
    this.embedding = embedding;
    this.code = code;
    for (const field of embedding.fields) {
      const { name, kind } = field;
      const send = (/** @type {unknown} */ value) => this.send(name, value);
      const control = this.controls.get(name) ?? CONTROLS[kind](field, `embed-${name}`, send);
      this.controls.set(name, control);
      control.update(field);
    }
    this.said = "";
    this.refuse("");
    this.draw();
  }

  /** @param {string} sentence the reason why a choice was refused */
  refuse(sentence) {
    this.problem = sentence;
    this.show();
  }

  /** Updates the line, and loads the page into the preview while the preview is open. */
  draw() {
    const { embedding, node, preview } = this;
    if (!embedding) return;
    const address = addressOf(embedding.query, this.code);
    this.line.value = embedding.follows
      ? elementOf(embedding.query, this.code)
      : `<iframe src="${escaped(address)}" title="Tinkerformer" loading="lazy"` +
        ` style="border: 0; width: 100%; height: ${FIXED}px"></iframe>`;
    if (!node.open) preview.removeAttribute("src");
    else if (preview.getAttribute("src") !== address) {
      preview.remove(); // an iframe does not reload if only the hash of its URL differs
      preview.src = address;
      node.append(preview);
    }
  }

  /** Stops the preview when the dialog closes. */
  close() {
    this.node.open = false;
    this.preview.removeAttribute("src");
  }

  async copy() {
    await copyText(this.line);
    this.said = "Copied.";
    this.show();
  }
}

/** @param {string} query @param {string | null} code */
function addressOf(query, code) {
  const address = new URL(location.pathname, location.origin);
  return `${address.href}?${query}${code === null ? "" : `#s=${code}`}`;
}

/** Returns the HTML of the custom element. @param {string} query @param {string | null} code */
function elementOf(query, code) {
  const base = new URL(location.pathname, location.origin);
  const script = new URL("embed/tinkerformer.js", base).href;
  const src = `${base.href}${code === null ? "" : `#s=${code}`}`;
  const attributes = [...new URLSearchParams(query)]
    .filter(([name]) => name !== "embed" && name !== "height")
    .map(([name, value]) => (value ? ` ${name}="${escaped(value)}"` : ` ${name}`));
  return (
    `<script async src="${escaped(script)}"></script>` +
    `<tinker-former src="${escaped(src)}"${attributes.join("")}></tinker-former>`
  );
}

/** @param {string} text */
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
