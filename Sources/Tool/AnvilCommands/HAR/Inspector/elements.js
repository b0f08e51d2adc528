// Makes elements. Texts of the archive only ever become text nodes, never markup.

const byID = (id) => document.getElementById(id);

function make(name, options = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(options)) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "class") element.className = value;
    else if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

const section = (title, ...children) => make("section", {}, make("h3", {}, title), ...children);

function table(rows, label) {
  const body = make("tbody");
  for (const [name, value] of rows) body.append(make("tr", {}, make("th", { scope: "row" }, name), make("td", {}, value)));
  return make("table", { "aria-label": label }, body);
}

function say(words) {
  byID("said").textContent = "";
  requestAnimationFrame(() => { byID("said").textContent = words; });
}

async function copy(words, button) {
  let copied = true;
  try {
    await navigator.clipboard.writeText(words);
  } catch {
    // Without the permission, or where the page is no secure context.
    const area = make("textarea", { class: "unseen", "aria-hidden": "true" });
    area.value = words;
    document.body.append(area);
    area.select();
    copied = document.execCommand("copy");
    area.remove();
    button.focus();
  }
  const name = button.dataset.name || button.textContent;
  button.dataset.name = name;
  button.textContent = copied ? "Copied" : "Not copied";
  say(copied ? "Copied" : "Could not be copied");
  setTimeout(() => { button.textContent = name; }, 1500);
}
