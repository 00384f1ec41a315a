/**
 * The page without a server: shows the prerendered first paint, starts Python, and handles its
 * failure.
 */

import { TabMemory } from "../board/data/tab_memory.js";
import { addressQuery } from "../components/shared/address.js";
import { mathematics } from "../components/shared/katex.js";
import { fromAddresses } from "../transport/port/classes.js";
import { script } from "../transport/port/script.js";
import { Shell } from "../transport/port/shell.js";
import { PythonWorker } from "../transport/worker/python_worker.js";
import { AGAIN, NONE, Progress, SILENT, TOUCH, UNREACHED } from "./progress.js";
import { Replay } from "./replay.js";

/**
 * @import {Packet} from "../transport/port/wire.js"
 *
 * @typedef {object} Site URLs of its parts, relative to this module
 * @property {Record<string, string>} components URL of the module of each class
 * @property {string} bokeh
 * @property {string} worker
 * @property {string} firstPaint
 */

const MAX_RESTARTS = 3;

/** @param {Site} site */
export async function start(site) {
  const page = new SitePage(site);
  await page.begin();
}

class SitePage {
  /** @param {Site} site */
  constructor(site) {
    this.site = site;
    this.progress = new Progress(() => this.startAgain());
    this.restarts = 0;
    this.isOpen = false; // whether Python has sent a message
    this.isStarting = false;
    /** @type {Replay | null} */
    this.replay = null;
    this.python = new PythonWorker(here(site.worker), `?${addressQuery()}`, {
      receive: (text, buffers) => this.receive({ text, buffers }),
      opened: () => this.opened(),
      failed: (reason) => this.failed(reason),
      died: (reason) => this.died(reason),
      silent: () => this.progress.say(SILENT, true),
      answers: () => this.progress.say(""),
    });
    this.mathematics = mathematics();
    this.shell = this.newShell();
  }

  /** Creates a shell, which numbers its messages. Only those of the current shell are sent. */
  newShell() {
    /** @type {Shell} */
    const shell = new Shell({
      load: fromAddresses((name) => here(this.site.components[name]), this.mathematics),
      region: (name) => document.querySelector(`[data-region="${name}"]`),
      loadBokeh: () => script(here(this.site.bokeh)),
      post: (packet) => {
        if (shell === this.shell) this.post(packet);
      },
    });
    return shell;
  }

  async begin() {
    const hasPython = typeof WebAssembly === "object" && typeof Worker === "function";
    const isPlain = this.isPlain();
    if (hasPython) this.sharePython(isPlain && window !== window.top);
    else this.progress.say(NONE);
    if (isPlain) await this.showFirstPaint();
  }

  startPython() {
    this.isStarting = true;
    this.python.start();
    this.progress.starting(this.replay !== null);
  }

  /**
   * Tries to share Python with the other tabs and iframes of this site.
   * @param {boolean} mayWait whether a separate Python may start only at the first touch
   */
  sharePython(mayWait) {
    this.isStarting = true;
    this.progress.starting(this.replay !== null);
    this.python.share(() => {
      if (mayWait) this.startWhenTouched();
      else this.startPython();
    });
  }

  /**
   * Starts Python at the first touch, so that several iframes on one page do not each start Python
   * unnecessarily.
   */
  startWhenTouched() {
    this.isStarting = false;
    this.progress.say(TOUCH);
    const touched = new AbortController();
    const begin = () => {
      touched.abort();
      this.startPython();
    };
    for (const kind of ["pointerdown", "keydown", "focusin"])
      document.addEventListener(kind, begin, { capture: true, signal: touched.signal });
  }

  /** Returns whether the page opens in the state of the prerendered first paint. */
  isPlain() {
    const { link, saved } = new TabMemory().begin();
    return link === null && saved === null && `${addressQuery()}` === "";
  }

  async showFirstPaint() {
    try {
      const { said, answers } = await packed(this.site.firstPaint);
      if (this.isOpen) return; // Python was faster
      const packets = said.map(unpacked);
      this.replay = new Replay(packets, answers);
      for (const { text, buffers } of packets) this.shell.receive(text, buffers);
      performance.mark("tinkerformer:first");
      if (this.isStarting) this.progress.starting(true);
    } catch (error) {
      console.warn(error); // Python sends the same messages later
    }
  }

  /**
   * Sends a message to Python. Until Python is ready, shows a prerendered answer if there is one.
   * @param {Packet} packet
   */
  post(packet) {
    this.python.post(packet);
    const answer = this.isOpen ? undefined : this.replay?.answer(packet.text);
    if (answer) this.showAnswer(answer);
  }

  /** Shows a prerendered answer. @param {string} file */
  async showAnswer(file) {
    const packets = (await packed(file)).map(unpacked);
    if (!this.isOpen) for (const { text, buffers } of packets) this.shell.receive(text, buffers);
  }

  /** @param {Packet} packet */
  receive(packet) {
    this.isOpen = true;
    this.isStarting = false;
    const news = this.replay ? this.replay.news(packet) : packet;
    if (news) this.shell.receive(news.text, news.buffers);
  }

  opened() {
    this.progress.say("");
    performance.mark("tinkerformer:alive");
    document.documentElement.dataset.python = "alive";
    keepSite();
  }

  /** Handles a failure to load Python. @param {string} reason */
  failed(reason) {
    console.warn(reason);
    this.isStarting = false;
    this.progress.say(UNREACHED);
    const restart = () => {
      this.progress.starting(false);
      this.restart();
    };
    addEventListener("online", restart, { once: true });
  }

  /** Handles a crash of Python after its start. @param {string} reason */
  died(reason) {
    console.warn(reason);
    this.progress.say(AGAIN);
    this.restarts += 1;
    if (this.restarts <= MAX_RESTARTS) this.restart();
    else this.progress.say(UNREACHED);
  }

  /** Ends Python, which does not answer, and starts it again. */
  startAgain() {
    this.python.end(() => this.progress.say(AGAIN));
    this.restart();
  }

  /** Starts Python again and redraws the page from the session that this tab has saved. */
  restart() {
    delete document.documentElement.dataset.python;
    this.replay = null;
    this.isOpen = false;
    this.isStarting = true;
    this.shell.clear();
    this.shell = this.newShell();
    this.python.forget();
    this.python.start();
  }
}

/** Caches the site for offline visits; the browser's cache has the files that were just loaded. */
function keepSite() {
  if (!("serviceWorker" in navigator) || !window.isSecureContext) return;
  const script = new URL("service_worker.js", document.baseURI);
  navigator.serviceWorker.register(script).catch((error) => console.warn(error));
}

/** @param {string} path relative to this module */
const here = (path) => new URL(path, import.meta.url).href;

/** @param {string} file @returns {Promise<any>} */
const packed = async (file) => (await fetch(here(file))).json();

/** @param {{text: string, buffers: string[]}} packet @returns {Packet} */
const unpacked = ({ text, buffers }) => ({ text, buffers: buffers.map(bytesOf) });

/** @param {string} text base64 */
const bytesOf = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer;
