/** Records a canvas as a video; each frame keeps the time at which it was painted. */

/** @import {Composition} from "../../board/export/composition.js" */

/** @typedef {{type: string, label: string, ending: string}} Format */

/** Most slides and chats accept the first format; every browser supports one of the formats. */
const FORMATS = [
  { type: "video/mp4;codecs=avc1.640028", label: "MP4", ending: "mp4" },
  { type: "video/mp4", label: "MP4", ending: "mp4" },
  { type: "video/webm;codecs=vp9", label: "WebM", ending: "webm" },
  { type: "video/webm;codecs=vp8", label: "WebM", ending: "webm" },
];
const BITS = 0.2; // per pixel and frame
const RATE = 30; // frames per second at most
const LATE = 120; // ms until the last frame is encoded
const EARLY = 4; // ms by which a display frame may be early

/** Returns the formats that this browser can write, one per file type. @returns {Format[]} */
export function formats() {
  const isThere =
    typeof MediaRecorder === "function" && "captureStream" in HTMLCanvasElement.prototype;
  const known = isThere ? FORMATS.filter(({ type }) => MediaRecorder.isTypeSupported(type)) : [];
  return known.filter(({ label }, k) => known.findIndex((each) => each.label === label) === k);
}

export class Recorder {
  /** @param {Composition} composition @param {Format} format */
  constructor(composition, { type }) {
    this.composition = composition;
    this.type = type;
    const { canvas } = composition;
    const [asked] = canvas.captureStream(0).getVideoTracks();
    // If frames cannot be requested one by one, the browser captures them on its own.
    this.ask =
      "requestFrame" in asked && typeof asked.requestFrame === "function"
        ? asked.requestFrame.bind(asked)
        : null;
    const track = this.ask ? asked : canvas.captureStream(RATE).getVideoTracks()[0];
    this.track = track;
    this.recorder = new MediaRecorder(new MediaStream([track]), {
      mimeType: type,
      videoBitsPerSecond: Math.round(BITS * canvas.width * canvas.height * RATE),
    });
    this.parts = /** @type {Blob[]} */ ([]);
    this.recorder.ondataavailable = ({ data }) => this.parts.push(data);
    this.begun = 0;
    this.last = 0;
    this.pictures = 0;
  }

  /** Seconds since the first frame. */
  get seconds() {
    return this.begun ? (performance.now() - this.begun) / 1000 : 0;
  }

  begin() {
    this.composition.paint();
    this.recorder.start();
    this.begun = performance.now();
    this.take(this.begun);
  }

  /** Captures a frame if one is due; called in each display frame. @param {number} now ms */
  tick(now) {
    if (now - this.last < 1000 / RATE - EARLY) return;
    this.composition.paint();
    this.take(now);
  }

  /** @param {number} now ms */
  take(now) {
    this.last = now;
    this.pictures += 1;
    this.ask?.();
  }

  /** Ends the video with the current frame. @returns {Promise<Blob>} */
  async end() {
    const { recorder, parts, type } = this;
    this.composition.paint();
    this.take(performance.now());
    const seconds = this.seconds;
    await new Promise((done) => setTimeout(done, LATE)); // wait for the encoder
    const stopped = new Promise((done) => {
      recorder.onstop = done;
    });
    recorder.stop();
    await stopped;
    this.track.stop();
    this.length = seconds;
    return new Blob(parts, { type: type.split(";")[0] });
  }
}
