import { make, setText } from "../shared/dom.js";

const LARGEST_FILE = 4_000_000;

/** A dialog with the link of what is on the page, to copy; a file of it; and a file opened again. */
export function render({ model }) {
  const link = make("input", {
    id: "link",
    type: "text",
    readonly: true,
    onfocus: () => link.select(),
  });
  const copied = make("p", { class: "said", role: "status" });
  const said = make("p", { class: "problem", role: "status" });
  const copy = make(
    "button",
    { type: "button", class: "button", onclick: () => copyLink() },
    "Copy",
  );
  const linkBox = make(
    "div",
    { class: "link-box" },
    make("label", { for: "link" }, "Link"),
    link,
    copy,
  );
  const long = make(
    "p",
    {},
    "There are too many edits for a link. Save a file instead; whoever opens it sees the same.",
  );
  const file = make("input", {
    id: "file",
    type: "file",
    accept: ".json,application/json",
    onchange: () => open(),
  });
  let visit = { text: "", code: null };
  const dialog = make(
    "dialog",
    {
      "aria-labelledby": "share-title",
      onclick: (event) => {
        if (event.target === dialog) dialog.close();
      },
    },
    make(
      "div",
      { class: "share-head" },
      make("h2", { id: "share-title" }, "Share what is on the page"),
      make(
        "button",
        { type: "button", class: "button", "aria-label": "Close", onclick: () => dialog.close() },
        "×",
      ),
    ),
    make(
      "p",
      {},
      "It holds everything: tokens, settings, seed, edited numbers, masks, the pinned baseline and the selected cell. Weights opened from a file are not in it: export the model for those.",
    ),
    linkBox,
    long,
    copied,
    make(
      "div",
      { class: "share-files" },
      make("button", { type: "button", class: "button", onclick: () => save() }, "Save as a file"),
      make("label", { for: "file", class: "file-label" }, "Open a file", file),
    ),
    said,
  );
  const button = make(
    "button",
    { type: "button", class: "button", "aria-haspopup": "dialog", onclick: () => show() },
    "Share",
  );

  function show() {
    setText(said, "");
    setText(copied, "");
    model.send_msg({ type: "ask" });
    dialog.showModal();
  }

  async function copyLink() {
    link.select();
    try {
      await navigator.clipboard.writeText(link.value);
    } catch {
      document.execCommand("copy"); // pages without https have no clipboard of their own
    }
    setText(copied, "Copied.");
  }

  function save() {
    const address = URL.createObjectURL(new Blob([visit.text], { type: "application/json" }));
    make("a", { href: address, download: "tinkerformer.json" }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  }

  async function open() {
    const [chosen] = file.files;
    file.value = "";
    if (!chosen) return;
    if (chosen.size > LARGEST_FILE)
      return setText(said, "This file is larger than 4 MB; a saved page is not.");
    model.send_msg({ type: "open", text: await chosen.text() });
  }

  model.on("msg:custom", (message) => {
    const data = message.data ?? message;
    if (data.type === "visit") {
      visit = data;
      link.value =
        data.code === null
          ? ""
          : `${location.origin}${location.pathname}${location.search}#s=${data.code}`;
      linkBox.hidden = data.code === null;
      long.hidden = data.code !== null;
    } else if (data.type === "opened") {
      setText(said, data.sentence);
      if (!data.sentence) dialog.close();
    }
  });
  return make("div", { class: "control share" }, button, dialog);
}
