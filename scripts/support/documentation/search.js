// The search of the site's front page: guides and symbols of all modules, by name, from the index that docc writes.
//
// The page works without this file. Titles only ever become text nodes, never markup.
"use strict";

const shownAtMost = 50;
const form = document.getElementById("search");
const field = form.querySelector("input");
const count = document.getElementById("count");
const results = document.getElementById("results");

const kinds = {
  article: "guide", case: "case", class: "class", enum: "enum", extension: "extension", func: "function", init: "initializer",
  macro: "macro", method: "method", module: "module", op: "operator", property: "property", protocol: "protocol", struct: "struct",
  subscript: "subscript", typealias: "type alias", associatedtype: "associated type",
};
const isType = /^(article|module|struct|class|enum|protocol|macro|typealias)$/;
const isMember = /^(case|func|init|method|op|property|subscript|associatedtype)$/;

/** The name in a declaration: `noConnection` of `case noConnection`, `get` of `func get<T>(…)`. */
function nameOf(kind, title) {
  if (kind === "init" || kind === "subscript") return kind;
  const match = /\b(?:case|var|let|macro)\s+`?([\w]+)/.exec(title) ?? /\bfunc\s+([^\s(<]+|\S+)/.exec(title);
  return match ? match[1] : title;
}

/** The entries of an index, without docc's lists of implementations. A page that is in two groups is one entry. */
function entriesOf(index) {
  const entries = new Map();
  const add = (nodes, module, owner) => {
    for (const node of nodes ?? []) {
      const kind = node.type;
      const isModule = kind === "module";
      let name = owner;
      if (node.path && kinds[kind]) {
        name = nameOf(kind, node.title);
        if (isMember.test(kind) && owner) name = `${owner}.${name}`;
        if (!entries.has(node.path)) {
          entries.set(node.path, {
            name, kind, module: module ?? node.title, path: node.path, title: node.title, words: plain(`${name} ${node.title}`),
            plainName: plain(name), last: plain(name.slice(name.lastIndexOf(".") + 1)),
          });
        }
      }
      add(node.children, isModule ? node.title : module, isModule ? undefined : kind === "article" ? owner : name);
    }
  };
  add(index.interfaceLanguages.swift);
  return [...entries.values()];
}

// Codes are also found as they are printed: `missing-key`.
const plain = (text) => text.toLowerCase().replace(/[-_`]/g, "");

/** The entries that contain all words of the query, the best first. */
function search(entries, query) {
  const whole = plain(query.trim()).replace(/\(.*$/, "");
  const words = plain(query).split(/[\s/()]+/).filter((word) => word !== "" && word !== ".").map((word) => word.replace(/^\.(?=\w)/, ""));
  if (words.length === 0) return [];
  const rank = (entry) => {
    if (entry.plainName === whole) return isType.test(entry.kind) ? 0 : 0.5;
    const last = words[words.length - 1].split(".").pop();
    const place = entry.last === last ? 1 : entry.last.startsWith(last) ? 2 : entry.last.includes(last) ? 3 : entry.plainName.includes(last) ? 4 : 5;
    return place + (isType.test(entry.kind) ? 0 : 0.5);
  };
  return entries.filter((entry) => words.every((word) => entry.words.includes(word)))
    .map((entry) => ({ entry, rank: rank(entry) }))
    .sort((a, b) => a.rank - b.rank || a.entry.name.length - b.entry.name.length || a.entry.name.localeCompare(b.entry.name))
    .map((found) => found.entry);
}

let index;
const load = () => index ??= fetch("index/index.json")
  .then((response) => response.ok ? response.json() : Promise.reject(new Error(`status ${response.status}`)))
  .then(entriesOf);

function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}

function item(entry) {
  const link = element("a", "", entry.name);
  // A path in the index begins at the root of the site, which may be a folder of its host.
  link.href = `${entry.path.slice(1).split("/").map(encodeURIComponent).join("/")}/`;
  const row = element("li");
  row.append(link, " ", element("span", "kind", entry.kind === "module" ? "module" : `${kinds[entry.kind]} · ${entry.module}`));
  if (isMember.test(entry.kind) && !/^case \w+$/.test(entry.title)) row.append(element("code", "", entry.title));
  return row;
}

async function update() {
  const query = field.value;
  const address = new URL(location.href);
  if (query.trim()) address.searchParams.set("q", query); else address.searchParams.delete("q");
  history.replaceState(null, "", address);
  if (!query.trim()) {
    results.replaceChildren();
    count.textContent = "";
    return;
  }
  try {
    const found = search(await load(), query);
    if (query !== field.value) return;
    results.replaceChildren(...found.slice(0, shownAtMost).map(item));
    const number = `${found.length.toLocaleString("en")} ${found.length === 1 ? "result" : "results"}`;
    count.textContent = found.length > shownAtMost ? `${number}, the first ${shownAtMost} are shown` : found.length ? number : "no results: try a part of the name";
  } catch (error) {
    index = undefined;
    count.textContent = location.protocol === "file:"
      ? "The search needs a web server: python3 -m http.server -d .build/documentation"
      : `The index could not be loaded: ${error.message}`;
  }
}

/** Moves the focus among the field and the links. */
function move(step) {
  const places = [field, ...results.querySelectorAll("a")];
  const place = places.indexOf(document.activeElement);
  if (place >= 0) places[Math.min(Math.max(place + step, 0), places.length - 1)].focus();
}

form.hidden = false;
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  await update();
  results.querySelector("a")?.click();
});
field.addEventListener("input", update);
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "/" && document.activeElement !== field) {
    event.preventDefault();
    field.select();
    field.focus();
  } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && form.contains(document.activeElement)) {
    event.preventDefault();
    move(event.key === "ArrowDown" ? 1 : -1);
  } else if (event.key === "Escape" && form.contains(document.activeElement)) {
    event.preventDefault();
    if (document.activeElement === field) field.value = "";
    field.focus();
    update();
  }
});
field.value = new URL(location.href).searchParams.get("q") ?? "";
update();
