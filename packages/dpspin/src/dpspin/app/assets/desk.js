// While words are typed, only themes that have all of them are shown. Without this script the server looks for them.
const words = document.getElementById("words");
const themes = [...document.querySelectorAll("[data-theme]")];

function narrow() {
  const sought = words.value.toLowerCase().split(/\s+/).filter((word) => word && !/^[\d,;]+$/.test(word));
  const asked = sought.length && !["n", "u", "b"].includes(words.value.trim());
  for (const theme of themes) {
    const said = theme.dataset.theme.toLowerCase();
    theme.hidden = Boolean(asked) && !sought.every((word) => said.includes(word));
  }
}

if (words) {
  words.addEventListener("input", narrow);
  narrow(); // what was typed before this script was there counts too
}
