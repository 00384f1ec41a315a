/** The page in a frame: it asks the page around it for a port, and lives by what comes through. */

import { fromTexts } from "../../components/carriers/port/classes.js";
import { Shell } from "../../components/carriers/port/shell.js";

/**
 * Through the port goes to the page:
 * @typedef {["say", string, ArrayBuffer[]] | ["bokeh", string]} ToPage
 */

/** @param {"light" | "dark"} theme that of the page around, unless the reader chose one */
function wearTheme(theme) {
  try {
    if (localStorage.getItem("tinkerformer-theme")) return;
  } catch {
    /* storage refused: nothing was chosen */
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

/** Ask for the port, and begin when it is there. */
export function begin() {
  addEventListener("message", ({ source, data, ports }) => {
    if (source !== parent || data?.tinkerformer !== "port" || ports.length !== 1) return;
    if (data.theme === "dark" || data.theme === "light") wearTheme(data.theme);
    connect(ports[0]);
  });
  // Whoever holds the frame may be of any origin; the word itself says nothing.
  parent.postMessage({ tinkerformer: "wants-port" }, "*");
}
