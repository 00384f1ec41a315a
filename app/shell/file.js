/**
 * Shows instructions if the page was opened as a file: browsers then load no modules and no other
 * files, so that the page would stay empty.
 */
export function explainFileAddress() {
  if (location.protocol !== "file:") return;
  const folder = decodeURIComponent(location.pathname).replace(/[^/]*$/, "");
  const said = document.createElement("div");
  said.className = "from-file plain";
  said.setAttribute("role", "alert");
  const sentence = document.createElement("p");
  sentence.textContent =
    "This page needs a web server: opened as a file, it may not read its own files. " +
    "This command serves it; then open http://localhost:8000/.";
  const command = document.createElement("pre");
  command.textContent = `python3 -m http.server 8000 --directory "${folder}"`;
  said.append(sentence, command);
  document.querySelector("main")?.prepend(said);
}
