/**
 * By which press of a pointer, or by which quick succession without one, a cell is set: whatever is
 * set by it is one step of undo.
 */

/** What is set again within so many ms is set by the same. */
const TOGETHER = 1000;

export class Press {
  constructor() {
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
  }

  /** Counts from 1. @param {string} key of a cell that is set now */
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
