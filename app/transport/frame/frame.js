/**
 * Shows the page in an iframe, and a still picture with an explanation until Python answers.
 *
 * Every message to Python carries the iframe's name, because several iframes may share one Python
 * page. Python's messages name the target iframe.
 */

/**
 * @typedef {["say", string, ArrayBuffer[]] | ["begin"] | ["alive"] | ["want-bokeh"]
 *   | ["theme", Theme]} FromPage
 *
 * @typedef {object} FromPython a message from Python to an iframe
 * @property {string} frame
 * @property {"page" | "say" | "bokeh" | "left"} kind
 * @property {string} [text]
 *
 * @typedef {object} Pipe sends messages to Python
 * @property {(message: object, buffers: ArrayBuffer[]) => void} send
 *
 * @typedef {object} FramedDocument
 * @property {string} title the iframe's title
 * @property {string} picture the page's first state, as SVG
 * @property {number | string} height in pixels, or a length of CSS
 * @property {string} [around] the surrounding page's color scheme, if Python can determine it
 *
 * @typedef {"auto" | "light" | "dark"} Theme
 */

const PATIENCE = 4000; // ms to wait for an answer before the explanation appears
const MOST_ASKED = 10; // maximum number of requests
const SILENCE = "This is a picture, because no kernel is running. Run the cell to use the page.";
const ELSEWHERE = "This page is now shown somewhere else.";

const CSS = `
.tinkerformer-frame { position: relative; overflow: hidden; }
.tinkerformer-frame:has(iframe[inert]) { opacity: 0.6; }
.tinkerformer-frame iframe { display: block; width: 100%; height: 100%; border: 0; }
.tinkerformer-frame img { display: block; max-width: 100%; max-height: calc(100% - 3em); }
.tinkerformer-frame > div { position: absolute; inset: 0; overflow: auto; background: #fcfcfa; }
.tinkerformer-frame.is-dark > div { filter: invert(0.91) hue-rotate(180deg); }
.tinkerformer-frame p { margin: 8px; font: 14px/1.5 sans-serif; color: #1f222b; }
.tinkerformer-frame button { font: inherit; min-height: 32px; margin-left: 8px; }
`;

export class PageFrame {
  /** @param {HTMLElement} el @param {FramedDocument} shown @param {Pipe} pipe */
  constructor(el, { title, picture, height, around = "" }, pipe) {
    this.pipe = pipe;
    this.around = around;
    /** @type {string} */
    this.theme = "auto";
    this.isDisabled = false;
    /** Whether a request for the page has no answer yet. */
    this.isWaiting = false;
    this.name = crypto.randomUUID?.() ?? String(Math.random());
    this.title = title;
    this.el = Object.assign(document.createElement("div"), { className: "tinkerformer-frame" });
    this.el.style.height = typeof height === "number" ? `${height}px` : height;
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
    requestAnimationFrame(() => this.wear(this.theme)); // once the element is in the document
    this.ask = (/** @type {MessageEvent} */ event) => this.openPort(event);
    addEventListener("message", this.ask);
    /** The surrounding page may change its color scheme at any time. */
    this.surroundings = new MutationObserver(() => this.wear(this.theme));
    const attributeFilter = ["class", "style", "data-theme", "data-jp-theme-light"];
    for (const each of [document.documentElement, document.body])
      this.surroundings.observe(each, { attributes: true, attributeFilter });
    this.wait();
  }

  /**
   * Requests the page from Python until an answer arrives: Python in the browser (`panel convert`)
   * receives nothing until the whole app is drawn.
   * @param {number} [asked] the number of earlier requests
   */
  wait(asked = 0) {
    if (!asked) this.words.hidden = true;
    this.isWaiting = true;
    this.patience = setTimeout(() => {
      this.explain(SILENCE);
      if (asked < MOST_ASKED) this.wait(asked + 1);
    }, PATIENCE);
    try {
      this.send("want-page");
    } catch {
      clearTimeout(this.patience);
      this.explain(SILENCE); // a widget in a saved notebook has no kernel
    }
  }

  /** @param {string} kind @param {string} [text] @param {ArrayBuffer[]} [buffers] */
  send(kind, text = "", buffers = []) {
    this.pipe.send({ frame: this.name, kind, text }, buffers);
  }

  /**
   * Shows the picture with an explanation.
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
    if (kind === "page") this.isWaiting && this.open(text);
    else if (kind === "left") this.leave();
    else this.port?.postMessage(kind === "say" ? [kind, text, buffers] : [kind, text]);
  }

  /** @param {string} page */
  open(page) {
    clearTimeout(this.patience);
    this.isWaiting = false;
    this.frame?.remove();
    this.frame = Object.assign(document.createElement("iframe"), { title: this.title });
    this.frame.srcdoc = page;
    this.frame.inert = this.isDisabled;
    this.el.prepend(this.frame);
  }

  /**
   * Opens a port when the page requests one. A moved iframe reloads its page, which requests one.
   * @param {MessageEvent} event
   */
  openPort({ source, data }) {
    const frame = this.frame?.contentWindow;
    if (!frame || source !== frame || data?.tinkerformer !== "wants-port") return;
    const { port1, port2 } = new MessageChannel();
    this.port?.close();
    this.port = port1;
    port1.onmessage = (message) => this.forward(message.data);
    frame.postMessage({ tinkerformer: "port", ...this.worn() }, "*", [port2]);
  }

  /**
   * Sets the page's color scheme.
   * @param {string} theme `light`, `dark`, or `auto` for that of the surrounding page
   */
  wear(theme) {
    this.theme = theme;
    const { worn, isWished } = this.worn();
    const isDark = worn === "dark" || (!worn && matchMedia("(prefers-color-scheme: dark)").matches);
    this.el.classList.toggle("is-dark", isDark);
    this.port?.postMessage(["theme", worn, isWished]);
  }

  /** @returns {{worn: string, isWished: boolean}} the color scheme, and whether `theme` sets it */
  worn() {
    const isWished = this.theme !== "auto";
    const worn = isWished ? this.theme : (themeAround(this.el) ?? this.around);
    return { worn, isWished };
  }

  /** Disables or enables all interaction with the page. @param {boolean} isDisabled */
  disable(isDisabled) {
    this.isDisabled = isDisabled;
    if (this.frame) this.frame.inert = isDisabled;
    this.el.setAttribute("aria-disabled", String(isDisabled));
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
    this.surroundings.disconnect();
    this.port?.close();
    if (this.frame) this.send("gone");
    this.el.remove();
    this.style.remove();
  }
}

/**
 * Returns the color scheme that the surrounding page declares (JupyterLab, marimo, VS Code), or
 * that of the background behind an element.
 * @param {Element} el @returns {"light" | "dark" | undefined}
 */
function themeAround(el) {
  const { dataset, classList } = document.body;
  if (dataset.jpThemeLight) return dataset.jpThemeLight === "false" ? "dark" : "light";
  const dark = [document.documentElement.classList, classList].some(
    (names) => names.contains("dark") || names.contains("dark-theme"),
  );
  if (dark || dataset.vscodeThemeKind === "vscode-dark") return "dark";
  return dataset.vscodeThemeKind === "vscode-light" ? "light" : groundOf(el);
}

/**
 * @param {Element} el @returns {"light" | "dark" | undefined} the shade of the background behind it
 */
function groundOf(el) {
  /** @type {Element | null} */
  let at = el.parentElement ?? hostOf(el);
  while (at) {
    const [r, g, b, alpha = 1] = (getComputedStyle(at).backgroundColor.match(/[\d.]+/g) ?? []).map(
      Number,
    );
    if (alpha > 0.5) return 0.299 * r + 0.587 * g + 0.114 * b < 128 ? "dark" : "light";
    at = at.assignedSlot ?? at.parentElement ?? hostOf(at);
  }
  return undefined;
}

/** @param {Element} el @returns {Element | null} the host of the shadow root that contains it */
function hostOf(el) {
  const root = el.getRootNode();
  return root instanceof ShadowRoot ? root.host : null;
}
