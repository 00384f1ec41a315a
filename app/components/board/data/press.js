/**
 * Numbers the presses of a pointer, and without a pointer runs of edits in quick succession. All
 * edits of one press are one undo step.
 */

/** ms within which edits without a pointer belong together. */
const TOGETHER = 1000;

export class Press {
  /** @param {() => void} ended called when a press of a pointer has ended */
  constructor(ended) {
    this.ended = ended;
    this.count = 0;
    this.isDown = false;
    this.last = { key: "", at: 0 };
    this.listening = new AbortController();
    const how = { capture: true, signal: this.listening.signal };
    document.addEventListener("pointerdown", () => this.begin(), how);
    for (const type of ["pointerup", "pointercancel"])
      document.addEventListener(type, () => this.end(), how);
  }

  begin() {
    this.count += 1;
    this.isDown = true;
  }

  end() {
    this.isDown = false;
    this.last.key = "";
    this.ended();
  }

  /**
   * Returns the number of the press, counted from 1.
   * @param {string} key identifies the cell being set
   */
  of(key) {
    const now = performance.now();
    const goesOn = this.last.key === key && now - this.last.at < TOGETHER;
    if (!this.isDown && !goesOn) this.count += 1;
    this.last = { key, at: now };
    return this.count;
  }

  remove() {
    this.listening.abort();
  }
}
