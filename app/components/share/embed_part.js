/**
 * The part of the share dialog that embeds the page in another one, with a preview and a line to
 * copy.
 */

import { CONTROLS } from "../form/fields.js";
import { make, setText } from "../shared/dom.js";

/**
 * @import {Control, Field} from "../form/fields.js"
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
    this.fields = make("div", { class: "embed-fields" });
    this.problem = make("p", { class: "problem", role: "status" });
    this.line = make("textarea", {
      id: "embed-line",
      readonly: true,
      rows: 3,
      onfocus: () => this.line.select(),
    });
    this.copied = make("span", { class: "said", role: "status" });
    this.preview = make("iframe", { title: "Preview of the embedded page" });
    this.node = make(
      "details",
      { class: "embed", ontoggle: () => this.draw() },
      make("summary", {}, "Embed in a course page"),
      this.fields,
      this.problem,
      make(
        "div",
        { class: "embed-head" },
        make("label", { for: "embed-line" }, "The line for your page"),
        this.copied,
        make("button", { type: "button", class: "button", onclick: () => this.copy() }, "Copy"),
      ),
      this.line,
      this.preview,
    );
  }

  /**
   * @param {Embedding} embedding @param {string | null} code the code in the link to the current
   *   state
   */
  take(embedding, code) {
    this.embedding = embedding;
    this.code = code;
    for (const field of embedding.fields) {
      if (!this.controls.has(field.name)) this.add(field);
      this.controls.get(field.name)?.update(field);
    }
    setText(this.copied, "");
    setText(this.problem, "");
    this.draw();
  }

  /** @param {Field} field */
  add(field) {
    const id = `embed-${field.name}`;
    const send = (/** @type {unknown} */ value) => this.send(field.name, value);
    const control = CONTROLS[field.kind](field, id, send);
    this.controls.set(field.name, control);
    const label = make("label", { for: id, title: field.help ?? null }, field.label);
    this.fields.append(make("div", { class: `embed-field ${field.kind}` }, label, control.box));
  }

  /** @param {string} sentence why a choice was refused */
  refuse(sentence) {
    setText(this.problem, sentence);
  }

  /** Loads the page into the preview while the preview is open. */
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
      preview.remove(); // a URL that differs only in its hash would not be loaded again
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
    this.line.select();
    try {
      await navigator.clipboard.writeText(this.line.value);
    } catch {
      document.execCommand("copy"); // pages without HTTPS have no clipboard API
    }
    setText(this.copied, "Copied.");
  }
}

/** @param {string} query @param {string | null} code */
function addressOf(query, code) {
  const address = new URL(location.pathname, location.origin);
  return `${address.href}?${query}${code === null ? "" : `#s=${code}`}`;
}

/**
 * HTML of the custom element that the page's script defines.
 * @param {string} query @param {string | null} code
 */
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
