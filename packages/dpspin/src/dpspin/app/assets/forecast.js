// The forecast follows what is chosen: only public numbers are sent. Without this script a button shows it.
const form = document.querySelector("form[data-forecast]");
const place = document.getElementById("forecast");
const slider = document.getElementById("epsilon");
const values = slider.dataset.values.split(" ");
let newest = 0;

async function show() {
  slider.setAttribute("aria-valuetext", `epsilon ${values[slider.value]}`);
  document.querySelector("output[for=epsilon]").textContent = values[slider.value];
  const told = new FormData(form), number = ++newest;
  const asked = new URLSearchParams();
  for (const name of ["unit", "denominator", "epsilon"]) if (told.get(name)) asked.set(name, told.get(name));
  const answer = await fetch(`${form.dataset.forecast}?${asked}`, { credentials: "same-origin" });
  const text = await answer.text();  // this too takes a while, in which a newer answer may be shown
  if (answer.ok && number === newest) {
    const page = new DOMParser().parseFromString(text, "text/html");
    place.replaceChildren(...page.body.childNodes);
    place.dataset.shown = asked.toString();
  }
}

form.addEventListener("input", show);
show();
