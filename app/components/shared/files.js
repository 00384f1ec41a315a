/** Files that leave the page and files that come to it. */

import { make } from "./dom.js";

const PART = 2 << 20;

/** Let the browser save something. @param {string} name @param {Blob} blob */
export function save(name, blob) {
  const url = URL.createObjectURL(blob);
  const link = make("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/**
 * An SVG as a PNG of several times its size. Browsers limit a canvas; a picture too large for that comes out smaller.
 * @param {{width: number, height: number, text: string}} svg @param {number} times @returns {Promise<Blob>}
 */
export async function rasterize({ width, height, text }, times = 3) {
  const scale = Math.min(
    times,
    16_000 / Math.max(width, height),
    Math.sqrt(1.2e8 / (width * height)),
  );
  const w = Math.round(width * scale),
    h = Math.round(height * scale);
  // Some browsers draw a picture at the size it states, and enlarge that: so it states the size that is wanted.
  const large = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (!large.hasAttribute("viewBox")) large.setAttribute("viewBox", `0 0 ${width} ${height}`);
  large.setAttribute("width", w);
  large.setAttribute("height", h);
  const url = URL.createObjectURL(
    new Blob([new XMLSerializer().serializeToString(large)], { type: "image/svg+xml" }),
  );
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = make("canvas");
    canvas.width = w;
    canvas.height = h;
    canvas.getContext("2d").drawImage(image, 0, 0, w, h);
    return await new Promise((done, fail) => {
      canvas.toBlob(
        (blob) =>
          blob ? done(blob) : fail(new Error("The picture is too large for this browser.")),
        "image/png",
      );
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** Questions to the server, each answered once. */
export class Questions {
  constructor(model) {
    this.model = model;
    this.count = 0;
    this.open = new Map();
    model.on("msg:custom", (message) => {
      const answer = message.data ?? message;
      if (answer.type !== "answer" || !this.open.has(answer.id)) return;
      const { done, fail } = this.open.get(answer.id);
      this.open.delete(answer.id);
      if (answer.problem) fail(new Error(answer.problem));
      else done(answer);
    });
  }

  /** @param {object} message @returns {Promise<any>} the answer; fails with the server's sentence */
  ask(message) {
    const id = (this.count += 1);
    return new Promise((done, fail) => {
      this.open.set(id, { done, fail });
      this.model.send_msg({ ...message, id });
    });
  }

  /** Send a file in parts, each when the one before has arrived. @param {File} file @param {boolean} first of several files */
  async send(file, first) {
    for (let at = 0; at === 0 || at < file.size; at += PART) {
      const bytes = await file.slice(at, at + PART).arrayBuffer();
      await this.ask({ type: "part", name: file.name, bytes, first: first && at === 0 });
    }
  }
}
