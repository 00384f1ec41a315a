/** Saves, converts and uploads files. */

import { make } from "./dom.js";
import { ask, onMessage } from "./model.js";

/** @import {Connection} from "./model.js" */

const PART = 2 << 20;
const MAX_SIDE = 16_000;
const MAX_PIXELS = 1.2e8;

/** Saves a file through the browser. @param {string} name @param {Blob} blob */
export function save(name, blob) {
  const url = URL.createObjectURL(blob);
  const link = make("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Converts bytes to megabytes, rounded up. @param {number} bytes */
export const megabytes = (bytes) => Math.ceil(bytes / (1 << 20));

/**
 * Renders an SVG as a PNG at several times its size. Browsers limit the size of a canvas, so a
 * picture that would be too large is rendered smaller.
 * @param {{width: number, height: number, text: string}} svg @param {number} times
 * @throws {Error} if even the smaller picture is too large
 */
export async function rasterize({ width, height, text }, times = 3) {
  const most = Math.min(
    MAX_SIDE / Math.max(width, height),
    Math.sqrt(MAX_PIXELS / (width * height)),
  );
  const scale = Math.min(times, most);
  const w = Math.round(width * scale);
  const h = Math.round(height * scale);
  // Write the target size into the SVG, because some browsers rasterize an SVG at its own size and
  // then scale the bitmap up.
  const large = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (!large.hasAttribute("viewBox")) large.setAttribute("viewBox", `0 0 ${width} ${height}`);
  large.setAttribute("width", String(w));
  large.setAttribute("height", String(h));
  const source = new XMLSerializer().serializeToString(large);
  const url = URL.createObjectURL(new Blob([source], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = make("canvas", { width: w, height: h });
    canvas.getContext("2d")?.drawImage(image, 0, 0, w, h);
    return await asPng(canvas);
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** @param {HTMLCanvasElement} canvas @returns {Promise<Blob>} */
export const asPng = (canvas) =>
  new Promise((done, fail) => {
    canvas.toBlob((blob) => {
      if (blob) done(blob);
      else fail(new Error("The picture is too large for this browser."));
    }, "image/png");
  });

/**
 * @typedef {{type: string, id?: number, problem?: string}} Answer with the requested data
 * @typedef {{done: (answer: any) => void, fail: (error: Error) => void}} Waiting
 */

/** Sends requests to Python, and matches the answers to the requests. */
export class Questions {
  /** @param {Connection} model */
  constructor(model) {
    this.model = model;
    this.count = 0;
    /** @type {Map<number, Waiting>} */
    this.open = new Map();
    onMessage(model, (/** @type {Answer} */ answer) => this.answered(answer));
  }

  /** @param {Answer} answer */
  answered(answer) {
    const waiting = answer.id === undefined ? undefined : this.open.get(answer.id);
    if (answer.type !== "answer" || answer.id === undefined || !waiting) return;
    this.open.delete(answer.id);
    if (answer.problem) waiting.fail(new Error(answer.problem));
    else waiting.done(answer);
  }

  /**
   * @template {object} Expected
   * @param {object} message
   * @param {boolean} [passes] whether the message is dropped on a reload, because only this page
   *   can use the answer
   * @returns {Promise<Expected>} the answer; rejects with an error with Python's sentence
   */
  ask(message, passes = true) {
    this.count += 1;
    const id = this.count;
    return new Promise((done, fail) => {
      this.open.set(id, { done, fail });
      ask(this.model, { ...message, id }, { passes }).catch((error) => {
        this.open.delete(id);
        fail(error);
      });
    });
  }

  /**
   * Uploads a file in parts, each after the previous part has arrived.
   * @param {File} file @param {boolean} first whether the file is the first of the upload
   */
  async send(file, first) {
    for (let at = 0; at === 0 || at < file.size; at += PART) {
      const bytes = await file.slice(at, at + PART).arrayBuffer();
      await this.ask({ type: "part", name: file.name, bytes, first: first && at === 0 });
    }
  }
}
