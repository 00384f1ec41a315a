/**
 * The page in a frame within another page, and a picture in its place while nobody answers.
 *
 * What the frame says goes to Python with the frame's own name, since several may show one and the
 * same page; Python answers with the name of the frame that it means.
 */

/**
 * @typedef {["say", string, ArrayBuffer[]] | ["begin"] | ["alive"] | ["want-bokeh"]} FromPage
 *
 * @typedef {object} Told what Python says to a frame
 * @property {string} frame
 * @property {"page" | "say" | "bokeh" | "left"} kind
 * @property {string} [text]
 *
 * @typedef {object} Pipe the way to Python
 * @property {(message: object, buffers: ArrayBuffer[]) => void} send
 *
 * @typedef {object} Shown
 * @property {string} title what the frame is called
 * @property {string} picture of how it all began, as SVG
 * @property {number} height in pixels
 */

const PATIENCE = 4000; // ms until it is said that nobody answers
const SILENCE = "This is a picture: no kernel answers here. Run the cell to have it alive.";
const ELSEWHERE = "This page is shown in another place now.";

const CSS = `
.tinkerformer-frame { position: relative; overflow: hidden; }
.tinkerformer-frame iframe { display: block; width: 100%; height: 100%; border: 0; }
.tinkerformer-frame img { display: block; max-width: 100%; max-height: calc(100% - 3em); }
.tinkerformer-frame > div { position: absolute; inset: 0; overflow: auto; background: #fcfcfa; }
.tinkerformer-frame p { margin: 8px; font: 14px/1.5 sans-serif; color: #1f222b; }
.tinkerformer-frame button { font: inherit; min-height: 32px; margin-left: 8px; }
`;

export class PageFrame {
  /** @param {HTMLElement} el @param {Shown} shown @param {Pipe} pipe */
  constructor(el, { title, picture, height }, pipe) {
    this.pipe = pipe;
    this.name = crypto.randomUUID?.() ?? String(Math.random());
    this.title = title;
    this.el = Object.assign(document.createElement("div"), { className: "tinkerformer-frame" });
    this.el.style.height = `${height}px`;
    this.style = Object.assign(document.createElement("style"), { textContent: CSS });
    /** In the place of the page: a picture, and why. */
    this.cover = document.createElement("div");
    this.picture = Object.assign(document.createElement("img"), {
      alt: `A picture of ${title}`,
      src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(picture)}`,
    });
    this.words = Object.assign(document.createElement("p"), { hidden: true });
    this.words.setAttribute("role", "status");
    this.cover.append(this.words, this.picture);
    this.el.append(this.cover);
    el.append(this.style, this.el);
    /** @type {HTMLIFrameElement | null} */
    this.frame = null;
    /** @type {MessagePort | null} */
    this.port = null;
    this.ask = (/** @type {MessageEvent} */ event) => this.asked(event);
    addEventListener("message", this.ask);
    this.wait();
  }

  /** Ask Python for the page. */
  wait() {
    this.words.hidden = true;
    this.patience = setTimeout(() => this.explain(SILENCE), PATIENCE);
    try {
      this.send("want-page");
    } catch {
      this.explain(SILENCE); // a widget out of a file: nothing is at the other end
    }
  }

  /** @param {string} kind @param {string} [text] @param {ArrayBuffer[]} [buffers] */
  send(kind, text = "", buffers = []) {
    this.pipe.send({ frame: this.name, kind, text }, buffers);
  }

  /** Why there is a picture. @param {string} text @param {HTMLElement[]} more */
  explain(text, ...more) {
    this.words.replaceChildren(text, ...more);
    this.words.hidden = false;
    this.cover.hidden = false;
  }

  /**
   * What Python says; perhaps to another frame.
   * @param {Told} told @param {ArrayBuffer[]} buffers
   */
  hear({ frame, kind, text = "" }, buffers) {
    if (frame !== this.name) return;
    if (kind === "page") this.open(text);
    else if (kind === "left") this.leave();
    else this.port?.postMessage(kind === "say" ? [kind, text, buffers] : [kind, text]);
  }

  /** @param {string} page */
  open(page) {
    clearTimeout(this.patience);
    this.frame?.remove();
    this.frame = Object.assign(document.createElement("iframe"), { title: this.title });
    this.frame.srcdoc = page;
    this.el.prepend(this.frame);
  }

  /**
   * The page is there, or there again after its frame was moved, and asks for a port.
   * @param {MessageEvent} event
   */
  asked({ source, data }) {
    const frame = this.frame?.contentWindow;
    if (!frame || source !== frame || data?.tinkerformer !== "wants-port") return;
    const { port1, port2 } = new MessageChannel();
    this.port?.close();
    this.port = port1;
    port1.onmessage = (message) => this.said(message.data);
    frame.postMessage({ tinkerformer: "port", theme: themeAround() }, "*", [port2]);
  }

  /** @param {FromPage} said */
  said([kind, text = "", buffers = []]) {
    if (kind === "alive") this.cover.hidden = true;
    else this.send(kind, text, buffers);
  }

  /** Another frame shows the page from now on. */
  leave() {
    this.port?.close();
    this.port = null;
    this.frame?.remove();
    this.frame = null;
    const button = Object.assign(document.createElement("button"), {
      type: "button",
      textContent: "Show it here",
      onclick: () => this.wait(),
    });
    this.explain(ELSEWHERE, button);
  }

  remove() {
    clearTimeout(this.patience);
    removeEventListener("message", this.ask);
    this.port?.close();
    if (this.frame) this.send("gone");
    this.el.remove();
    this.style.remove();
  }
}

/** Light or dark, where the page around says so itself (JupyterLab, marimo, VS Code). */
function themeAround() {
  const { dataset, classList } = document.body;
  if (dataset.jpThemeLight) return dataset.jpThemeLight === "false" ? "dark" : "light";
  const dark = [document.documentElement.classList, classList].some(
    (names) => names.contains("dark") || names.contains("dark-theme"),
  );
  if (dark || dataset.vscodeThemeKind === "vscode-dark") return "dark";
  return dataset.vscodeThemeKind === "vscode-light" ? "light" : undefined;
}
