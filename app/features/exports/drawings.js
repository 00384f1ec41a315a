/** Saves drawings of matrices and stages, with numbers that Python sends. */

import { rasterize, save } from "../../components/shared/files.js";

/**
 * @import {Pictured} from "../../board/export/picture.js"
 * @import {Questions} from "../../components/shared/files.js"
 *
 * @typedef {[path: string, values: ArrayBuffer, flags: ArrayBuffer | null, gradients: ArrayBuffer |
 *   null]} Values
 * @typedef {"svg" | "png"} PictureType
 */

/** Returns the page's public API, which draws pictures. */
export function board() {
  if (!window.tinkerformer) throw new Error("The page is not ready yet.");
  return window.tinkerformer;
}

/**
 * @param {Questions} questions @param {Record<string, Record<string, string>>} palettes
 * @param {Pictured} what @param {PictureType} type
 * @returns {Promise<string>} a sentence with the name of the saved file
 */
export async function saveDrawing(questions, palettes, what, type) {
  /** @type {{values: Values[]}} */
  const { values } = await questions.ask({ type: "values", paths: board().picturePaths(what) });
  const fresh = new Map(
    values.map(([path, numbers, flags, gradients]) => [
      path,
      {
        values: new Float32Array(numbers),
        flags: flags && new Uint8Array(flags),
        gradients: gradients && new Float32Array(gradients),
      },
    ]),
  );
  const svg = board().picture(what, palettes[board().view().palette], fresh);
  const name = `${"path" in what ? what.path : what.stage}.${type}`;
  const isSvg = type === "svg";
  save(name, isSvg ? new Blob([svg.text], { type: "image/svg+xml" }) : await rasterize(svg));
  return `Saved ${name}.`;
}
