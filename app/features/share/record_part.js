/**
 * Shows the part of the share dialog that records a loop: one period of an oscillating number,
 * some seconds of the page, or the film. While it records, the dialog is closed, and a line shows
 * the progress.
 */

import { save } from "../../components/shared/files.js";
import { html, nothing } from "../../components/shared/lit-html.js";
import { prefersStillness } from "../../components/shared/motion.js";
import { drawn, optionsOf } from "../../components/shared/template.js";
import { formats, Recorder } from "./recorder.js";

/**
 * @import {Format} from "./recorder.js"
 *
 * @typedef {{name: string, blob: Blob, address: string, about: string}} Video
 * @typedef {{leave: () => void, comeBack: () => void}} Dialog
 */

const ABOUT =
  "A video of the picture as you see it, with its words, for slides and chats. Your browser " +
  "makes it and sends it nowhere.";
const NONE = "This browser cannot write videos. Chrome, Edge, Firefox and Safari 14.1 can.";
const NO_PICTURE = "Only the picture can be recorded: open Picture, or Train, and come back.";
const LOST = "Nothing oscillates any more, so nothing was recorded.";
const NO_FILM = "The film did not begin, so nothing was recorded.";
const EMPTY = "This browser wrote an empty file. Try the other kind of file.";
const SWING = "swing";
const FILM = "film";
const LENGTHS = [5, 10, 20, 30, 60]; // seconds
const WAITS = 15_000; // ms to wait for an oscillation or a film to start
const TURN = 2 * Math.PI;

/** @param {number} seconds */
const said = (seconds) => `${seconds.toFixed(1)} s`;

/** @param {number} bytes */
const size = (bytes) =>
  bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1000))} kB` : `${(bytes / 1e6).toFixed(1)} MB`;

/** Waits for a condition, up to a time limit. @param {() => unknown} isThere */
function until(isThere) {
  const end = performance.now() + WAITS;
  return new Promise((/** @type {(found: boolean) => void} */ done) => {
    const look = () => {
      if (isThere()) done(true);
      else if (performance.now() > end) done(false);
      else requestAnimationFrame(look);
    };
    look();
  });
}

/** Waits until the page has been laid out again. */
async function frames() {
  for (let k = 0; k < 2; k++) await new Promise(requestAnimationFrame);
}

export class RecordPart {
  /** @param {Dialog} dialog */
  constructor(dialog) {
    this.dialog = dialog;
    this.formats = formats();
    this.recorder = /** @type {Recorder | null} */ (null);
    this.isStopped = false;
    this.calls = new AbortController(); // the listeners while the dialog is open
    this.file = /** @type {Video | null} */ (null);
    this.isPicture = true; // whether there is a picture to record
    this.offered = /** @type {[value: string, label: string][]} */ ([]);
    this.problem = "";
    this.progress = "";
    const { node, show } = drawn(() => this.template());
    this.node = /** @type {HTMLDetailsElement} */ (node);
    this.draw = show;
    const [what, kind] = node.querySelectorAll("select");
    this.what = what;
    this.kind = kind;
    this.video = /** @type {HTMLVideoElement} */ (node.querySelector("video"));
    const stop = () => {
      this.isStopped = true;
    };
    const line = drawn(
      () => html`<div class="recording" role="group" aria-label="Recording"><output aria-live="off"
        >${this.progress}</output><button type="button" @click=${stop}>Stop</button></div>`,
    );
    this.line = line.node;
    this.drawLine = line.show;
  }

  template() {
    const { file, formats } = this;
    const kinds = optionsOf(formats.map(({ label }, k) => [`${k}`, label]));
    return html`<details class="record">
      <summary>Record a loop</summary>
      <p>${formats.length ? ABOUT : NONE}</p>
      <div class="record-choice" ?hidden=${!formats.length}>
        <label for="record-what">what</label>
        <select id="record-what">${optionsOf(this.offered)}</select>
        <label for="record-kind">file</label>
        <select id="record-kind">${kinds}</select>
        <button type="button" class="button" ?disabled=${!this.isPicture}
          @click=${() => this.record()}>Record</button>
      </div>
      <p class="problem" role="status">${this.problem}</p>
      <div ?hidden=${!file}>
        <video loop controls playsinline .muted=${true} aria-label="What was recorded"
          src=${file?.address ?? nothing}></video>
        <div class="record-file">
          <span role="status">${file?.about}</span>
          <button type="button" class="button" @click=${() => file && save(file.name, file.blob)}
            >Save the video</button>
        </div>
      </div>
    </details>`;
  }

  /** Offers the possible recordings when the dialog opens, and again if the view changes. */
  open() {
    this.offer();
    this.calls.abort();
    this.calls = new AbortController();
    const renew = () => {
      if (this.isPicture !== Boolean(window.tinkerformer?.look())) this.offer();
    };
    document.addEventListener("tinkerformer:frame", renew, { signal: this.calls.signal });
  }

  offer() {
    const page = window.tinkerformer;
    this.isPicture = Boolean(page?.look());
    this.problem = this.isPicture || !this.formats.length ? "" : NO_PICTURE;
    const swing = page?.motion.swing();
    /** @type {[value: string, label: string][]} */
    const offered = LENGTHS.map((x) => [String(x), `${x} seconds of what happens`]);
    if (swing) offered.unshift([SWING, `one whole oscillation, ${said(swing.period)}`]);
    else if (page?.selection()) offered.unshift([SWING, "the selected number, oscillating once"]);
    const hasFilm = document.querySelector("[data-region=film] > *");
    if (hasFilm && !prefersStillness()) offered.push([FILM, "the film, from its beginning"]);
    const { value } = this.what;
    this.offered = offered;
    this.draw();
    const isThere = offered.some(([name]) => name === value);
    this.what.value = swing || !isThere ? offered[0][0] : value;
  }

  /** Stops the video when the dialog closes. */
  close() {
    this.calls.abort();
    this.video.pause();
  }

  remove() {
    this.calls.abort();
    this.isStopped = true;
    this.forget();
  }

  forget() {
    if (this.file) URL.revokeObjectURL(this.file.address);
    this.file = null;
    this.draw();
  }

  async record() {
    if (this.recorder) return;
    const what = this.what.value;
    const format = this.formats[Number(this.kind.value)];
    this.forget();
    this.isStopped = false;
    this.dialog.leave();
    let problem = "";
    document.documentElement.dataset.recording = "";
    try {
      problem = await this.prepare(what);
      if (!problem) await this.run(what, format);
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
    }
    this.recorder = null;
    delete document.documentElement.dataset.recording;
    this.line.remove();
    this.open();
    if (problem) this.problem = problem;
    this.draw();
    this.node.open = true;
    this.dialog.comeBack();
    await frames(); // on a narrow page, the menu opens first
    const save = this.node.querySelector(".record-file button");
    if (this.file) /** @type {HTMLElement} */ (save).focus();
    this.node.scrollIntoView({ block: "nearest" });
    // Browsers may refuse to play a video without a press.
    this.video.play().catch(() => {});
  }

  /** Starts the motion to be recorded; returns a sentence if that fails. @param {string} what */
  async prepare(what) {
    const page = window.tinkerformer;
    if (what === SWING && !page?.motion.swing()) {
      await page?.oscillate(true);
      if (!(await until(() => page?.motion.swing()))) return LOST;
    }
    if (what === FILM) {
      document.dispatchEvent(new CustomEvent("tinkerformer:film"));
      if (!(await until(() => document.documentElement.dataset.film === "plays"))) return NO_FILM;
    }
    await frames();
    return "";
  }

  /** @param {string} what @param {Format} format */
  async run(what, format) {
    const page = window.tinkerformer;
    const composition = page?.motion.composition();
    if (!page || !composition) throw new Error(NO_PICTURE);
    const recorder = new Recorder(composition, format);
    this.recorder = recorder;
    const swing = page.motion.swing();
    const length =
      what === SWING ? (swing?.period ?? 0) : what === FILM ? page.film.length() : Number(what);
    document.body.append(this.line);
    // During a film, a key on the button would pause the film.
    if (what !== FILM) this.line.querySelector("button")?.focus({ preventScroll: true });
    recorder.begin();
    const isOver =
      what === SWING ? aTurn() : what === FILM ? filmIsOver : () => recorder.seconds >= length;
    await new Promise((/** @type {(end: null) => void} */ done) => {
      const tick = (/** @type {number} */ now) => {
        // A hidden page is not painted.
        const ends = this.isStopped || document.hidden || isOver();
        this.progress = `${said(recorder.seconds)} of ${said(length)}`;
        this.drawLine();
        if (ends) return done(null);
        recorder.tick(now);
        requestAnimationFrame(tick);
      };
      requestAnimationFrame(tick);
    });
    const blob = await recorder.end();
    if (!blob.size) throw new Error(EMPTY);
    const name = what === SWING || what === FILM ? what : "picture";
    this.show(blob, `tinkerformer-${name}.${format.ending}`, recorder);
  }

  /** @param {Blob} blob @param {string} name @param {Recorder} recorder */
  show(blob, name, { length = 0, pictures }) {
    const about = `${name} · ${size(blob.size)} · ${said(length)}, ${pictures} pictures`;
    this.file = { name, blob, address: URL.createObjectURL(blob), about };
    this.draw();
  }
}

/** Returns a function that returns whether the oscillation has completed a period or stopped. */
function aTurn() {
  let last = window.tinkerformer?.motion.swing()?.phase ?? 0;
  let turned = 0;
  return () => {
    const swing = window.tinkerformer?.motion.swing();
    if (!swing) return true;
    turned += (swing.phase - last + TURN) % TURN;
    last = swing.phase;
    return turned >= TURN;
  };
}

const filmIsOver = () => document.documentElement.dataset.film !== "plays";
