// <tinker-former src view>: see the documentation
customElements.get("tinker-former") || customElements.define("tinker-former", class extends HTMLElement {
  frame = document.createElement("iframe");
  open = new Map();
  ready = new Promise((tell) => this.addEventListener("ready", tell));

  connectedCallback() {
    const { frame, title } = this;
    const height = +this.getAttribute("height");
    const src = new URL(this.getAttribute("src"), this.baseURI);
    src.search += height ? "&embed" : "&embed&height=auto";
    for (const { name, value } of this.attributes)
      if (/^(view|step|show|lock|theme|lesson)$/.test(name)) src.searchParams.set(name, value);
    frame.style = `border: 0; width: 100%; height: ${height || 360}px`;
    Object.assign(frame, { src, title: title || "Tinkerformer", loading: "lazy" });
    for (const name of ["set", "value", "select", "oscillate"])
      this[name] = this.call.bind(this, name);
    this.style.display ||= "block";
    this.append(frame);
    addEventListener("message", this);
  }

  disconnectedCallback() {
    removeEventListener("message", this);
  }

  handleEvent({ source, data }) {
    if (source !== this.frame.contentWindow) return;
    const { type, id, height, error, result } = data;
    if (type === "height") this.frame.style.height = `${height}px`;
    if (type === "ready") for (const [, no] of this.open.values()) no(Error("The page was loaded again."));
    const [yes, no, timer] = this.open.get(id) ?? [];
    clearTimeout(timer);
    if (type) return this.dispatchEvent(new CustomEvent(type, { detail: data }));
    this.open.delete(id);
    if (error) no?.(Error(error));
    else yes?.(result);
  }

  async call(call, ...args) {
    const { frame } = this;
    const id = Math.random();
    const late = Error(
      `${frame.src} was not ready in two minutes: a frame starts when it comes near the screen.`,
    );
    await Promise.race([this.ready, new Promise((_, no) => setTimeout(no, 120000, late))]);
    frame.contentWindow.postMessage({ tinkerformer: 1, id, call, args }, frame.src);
    const why = Error(`No answer: serve the page with --allow-parent ${origin}.`);
    return new Promise((yes, no) => this.open.set(id, [yes, no, setTimeout(no, 9000, why)]));
  }

  listen(name, listener) {
    const ask = () => this.call("listen", name);
    this.addEventListener(name, ({ detail }) => listener(detail.detail));
    this.addEventListener("ready", ask);
    return ask();
  }
});
