// Formulas of the page, set by KaTeX, without any network.
document.addEventListener("DOMContentLoaded", () => {
  for (const element of document.querySelectorAll(".formula")) {
    const displayMode = element.dataset.display === "true";
    katex.render(element.textContent, element, { displayMode, throwOnError: false });
  }
});
