/** Which press of a pointer is under way: whatever is set by it is one step of undo. */

export class Press {
  constructor() {
    this.count = 0;
    this.isDown = false;
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
  }

  /** Counts from 1; 0: no pointer is down. */
  get number() {
    return this.isDown ? this.count : 0;
  }

  remove() {
    this.listening.abort();
  }
}
