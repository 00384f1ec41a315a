/**
 * Pacing of `set`: one at a time. While the answer to the last is not on screen, only the newest value of a cell is kept,
 * and it goes out once it is. So nothing queues, and the last position always arrives.
 */

class Edits {
  /** @param {(message: object) => void} send */
  constructor(send) {
    this.send = send;
    this.id = 0;
    this.waitingFor = 0;
    /** @type {Map<string, {path: string, i: number, j: number, value: number}>} by cell */
    this.newest = new Map();
  }

  set(path, i, j, value) {
    if (!Number.isFinite(value)) return;
    this.newest.set(`${path}[${i},${j}]`, {path, i, j, value});
    this.next();
  }

  next() {
    if (this.waitingFor || !this.newest.size) return;
    const [key, edit] = this.newest.entries().next().value;
    this.newest.delete(key);
    this.waitingFor = ++this.id;
    this.send({type: "set", ...edit, id: this.id});
  }

  /** @param {number} id the last `set` that the frame just painted includes */
  answered(id) {
    if (this.waitingFor && id >= this.waitingFor) {
      this.waitingFor = 0;
      this.next();
    }
  }
}
