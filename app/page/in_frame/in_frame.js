/**
 * Runs the page in an iframe: asks the surrounding page for a port and talks to Python through it.
 */

import { fromTexts } from "../../components/carriers/port/classes.js";
import { Shell } from "../../components/carriers/port/shell.js";

/**
 * Messages that arrive through the port.
 * @typedef {["say", string, ArrayBuffer[]] | ["bokeh", string]} ToPage
 */

/** @param {"light" | "dark"} theme of the surrounding page; the reader's own choice goes first */
function applyTheme(theme) {
  try {
    if (localStorage.getItem("tinkerformer-theme")) return;
  } catch {
    /* storage denied: the reader has chosen nothing */
  }
  document.documentElement.dataset.theme = theme;
  document.dispatchEvent(new CustomEvent("tinkerformer:theme", { detail: { theme } }));
}

/** @param {MessagePort} port */
function connect(port) {
  /** @type {(text: string) => void} */
  let runBokeh = () => {};
  const loadBokeh = () =>
    /** @type {Promise<void>} */ (
      new Promise((done) => {
        runBokeh = (text) => {
          const script = document.createElement("script");
          script.textContent = text;
          document.head.append(script);
          done();
        };
        port.postMessage(["want-bokeh"]);
      })
    );
  const shell = new Shell({
    load: fromTexts(),
    region: (name) => document.querySelector(`[data-region="${name}"]`),
    loadBokeh,
    post: ({ text, buffers }) => port.postMessage(["say", text, buffers]),
  });
  port.onmessage = ({ data }) => {
    /** @type {ToPage} */
    const [kind, text, buffers] = data;
    if (kind === "say") shell.receive(text, buffers);
    else runBokeh(text);
  };
  document.addEventListener("tinkerformer:ready", () => port.postMessage(["alive"]));
  port.postMessage(["begin"]);
}

/** Asks for the port, and starts when it arrives. */
export function begin() {
  addEventListener("message", ({ source, data, ports }) => {
    if (source !== parent || data?.tinkerformer !== "port" || ports.length !== 1) return;
    if (data.theme === "dark" || data.theme === "light") applyTheme(data.theme);
    connect(ports[0]);
  });
  // The surrounding page may have any origin, and the message contains nothing private.
  parent.postMessage({ tinkerformer: "wants-port" }, "*");
}
