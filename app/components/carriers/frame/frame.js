/**
 * Shows the page in an iframe, and a still picture with an explanation until Python answers.
 *
 * Every message to Python carries the iframe's name, because several iframes may share one Python
 * page. Python's messages name the iframe that they are meant for.
 */

/**
 * @typedef {["say", string, ArrayBuffer[]] | ["begin"] | ["alive"] | ["want-bokeh"]} FromPage
 *
 * @typedef {object} FromPython a message from Python to an iframe
 * @property {string} frame
 * @property {"page" | "say" | "bokeh" | "left"} kind
 * @property {string} [text]
 *
 * @typedef {object} Pipe sends messages to Python
 * @property {(message: object, buffers: ArrayBuffer[]) => void} send
 *
 * @typedef {object} Shown
 * @property {string} title the iframe's title
 * @property {string} picture the page's first state, as SVG
 * @property {number} height in pixels
 */

const PATIENCE = 4000; // ms to wait for an answer before saying that there is none
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
    /** Covers the missing page with a picture and the reason. */
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
    this.ask = (/** @type {MessageEvent} */ event) => this.openPort(event);
    addEventListener("message", this.ask);
    this.wait();
  }

  /** Asks Python for the page. */
  wait() {
    this.words.hidden = true;
    this.patience = setTimeout(() => this.explain(SILENCE), PATIENCE);
    try {
      this.send("want-page");
    } catch {
      this.explain(SILENCE); // a widget loaded from a file has no kernel to talk to
    }
  }

  /** @param {string} kind @param {string} [text] @param {ArrayBuffer[]} [buffers] */
  send(kind, text = "", buffers = []) {
    this.pipe.send({ frame: this.name, kind, text }, buffers);
  }

  /**
   * Shows the picture, with a sentence that says why.
   * @param {string} text @param {HTMLElement[]} more
   */
  explain(text, ...more) {
    this.words.replaceChildren(text, ...more);
    this.words.hidden = false;
    this.cover.hidden = false;
  }

  /**
   * Handles a message from Python; messages for other iframes are ignored.
   * @param {FromPython} message @param {ArrayBuffer[]} buffers
   */
  receive({ frame, kind, text = "" }, buffers) {
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
   * Opens a port when the page asks for one, which it does again after its iframe was moved.
   * @param {MessageEvent} event
   */
  openPort({ source, data }) {
    const frame = this.frame?.contentWindow;
    if (!frame || source !== frame || data?.tinkerformer !== "wants-port") return;
    const { port1, port2 } = new MessageChannel();
    this.port?.close();
    this.port = port1;
    port1.onmessage = (message) => this.forward(message.data);
    frame.postMessage({ tinkerformer: "port", theme: themeAround() }, "*", [port2]);
  }

  /** @param {FromPage} message */
  forward([kind, text = "", buffers = []]) {
    if (kind === "alive") this.cover.hidden = true;
    else this.send(kind, text, buffers);
  }

  /** Removes the page, because another iframe shows it now. */
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

/** Returns the color scheme that the surrounding page declares (JupyterLab, marimo, VS Code). */
function themeAround() {
  const { dataset, classList } = document.body;
  if (dataset.jpThemeLight) return dataset.jpThemeLight === "false" ? "dark" : "light";
  const dark = [document.documentElement.classList, classList].some(
    (names) => names.contains("dark") || names.contains("dark-theme"),
  );
  if (dark || dataset.vscodeThemeKind === "vscode-dark") return "dark";
  return dataset.vscodeThemeKind === "vscode-light" ? "light" : undefined;
}
