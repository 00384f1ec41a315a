// Gives frames the theme that the reader has chosen for these pages.
document.addEventListener("DOMContentLoaded", () => {
  const { theme } = document.body.dataset;
  if (theme !== "light" && theme !== "dark") return;
  for (const frame of document.querySelectorAll("tinker-former:not([theme])"))
    frame.setAttribute("theme", theme);
});
