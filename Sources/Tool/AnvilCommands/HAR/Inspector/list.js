// The list of exchanges. Only the rows in sight exist, so that an archive of a hundred thousand entries scrolls.

class ExchangeList {
  constructor(onOpen) {
    this.onOpen = onOpen;
    this.entries = [];
    this.selected = -1;
    this.range = { start: 0, length: 1 };
    this.grid = byID("grid");
    this.rows = byID("rows");
    this.grid.addEventListener("scroll", () => this.render());
    this.grid.addEventListener("keydown", (event) => this.move(event));
    this.rows.addEventListener("click", (event) => {
      const row = event.target.closest(".exchange");
      if (row) this.select(Number(row.dataset.place), "open");
    });
    new ResizeObserver(() => this.render()).observe(this.grid);
    byID("legend").append(...phases.map(([name, title]) => make("li", {}, make("i", { class: name }), title)));
  }

  get rowHeight() { return parseFloat(getComputedStyle(this.grid).getPropertyValue("--row")) || 30; }

  show(entries, range) {
    const entry = this.entries[this.selected];
    this.entries = entries;
    this.range = range;
    this.selected = entry ? entries.findIndex((other) => other.index === entry.index) : -1;
    this.grid.setAttribute("aria-rowcount", entries.length + 1);
    byID("axis").replaceChildren(
      make("span", {}, "0"), make("span", {}, shownTime(range.length / 2)), make("span", {}, shownTime(range.length)));
    byID("axis").setAttribute("aria-label", `Timeline of ${shownTime(range.length)}`);
    this.render();
  }

  render() {
    const height = this.rowHeight;
    // The heading is as high as a row and stays in sight.
    const first = Math.max(0, Math.floor(this.grid.scrollTop / height) - 10);
    const last = Math.min(this.entries.length, first + Math.ceil(this.grid.clientHeight / height) + 20);
    const rows = [];
    for (let place = first; place < last; place++) rows.push(this.row(this.entries[place], place, height));
    this.rows.style.height = `${this.entries.length * height}px`;
    this.rows.replaceChildren(...rows);
    if (this.selected >= first && this.selected < last) this.grid.setAttribute("aria-activedescendant", "selected");
    else this.grid.removeAttribute("aria-activedescendant");
  }

  row(entry, place, height) {
    const isSelected = place === this.selected;
    const cell = (name, ...content) => make("span", { role: "gridcell", class: name }, ...content);
    const row = make("div", {
      role: "row", class: "exchange", "aria-rowindex": place + 2, "aria-selected": isSelected ? "true" : "false",
      id: isSelected ? "selected" : undefined, "data-place": place, title: entry.url,
    });
    row.style.top = `${place * height}px`;
    const { host, path } = splitURL(entry.url);
    row.append(
      cell("method", entry.method),
      cell(`status ${statusClass(entry)}`, entry.isFailed ? "failed" : String(entry.status)),
      cell("name", make("span", { class: "path" }, path), make("span", { class: "host" }, host), ...marks(entry)),
      cell("type", entry.kind), cell("size", shownSize(entry.size)), cell("time", shownTime(entry.time)),
      cell("bars", bars(entry, this.range)));
    return row;
  }

  select(place, how) {
    if (this.entries.length === 0) return;
    this.selected = Math.min(Math.max(place, 0), this.entries.length - 1);
    const height = this.rowHeight, top = this.selected * height;
    const room = this.grid.clientHeight - byID("columns").offsetHeight;
    if (top < this.grid.scrollTop) this.grid.scrollTop = top;
    else if (top + height > this.grid.scrollTop + room) this.grid.scrollTop = top + height - room;
    this.render();
    this.onOpen(this.entries[this.selected], how);
  }

  clear() {
    this.selected = -1;
    this.render();
  }

  move(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.grid.clientHeight / this.rowHeight) - 2);
    const isFirst = this.selected < 0;
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, j: 1, k: -1 };
    if (event.key in steps) this.select(isFirst ? 0 : this.selected + steps[event.key], "move");
    else if (event.key === "Home") this.select(0, "move");
    else if (event.key === "End") this.select(this.entries.length - 1, "move");
    else if (event.key === "Enter" || event.key === " ") this.select(isFirst ? 0 : this.selected, "open");
    else return;
    event.preventDefault();
  }
}

function splitURL(url) {
  const found = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)(.*)$/i.exec(url);
  if (!found) return { host: "", path: url || "(no URL)" };
  return { host: found[1].replace(/^.*@/, ""), path: found[2] || "/" };
}

const statusClass = (entry) => (entry.isFailed ? "bad" : `s${String(entry.status)[0]}`);

function marks(entry) {
  const found = [];
  const mark = (words, name) => found.push(make("span", { class: `mark ${name}` }, words));
  if (entry.problems.length > 0) mark(entry.problems.length === 1 ? "1 problem" : `${entry.problems.length} problems`, "bad");
  else if (entry.isRemarkable) mark("outcome", "bad");
  if (entry.attempt > 1) mark(`attempt ${entry.attempt}`, "");
  for (const decision of entry.decisions) {
    if (decision.kind === "cache") mark(/^[a-z]+$/.test(decision.text) ? `cache ${decision.text}` : "cache", "");
  }
  const retries = entry.decisions.filter((decision) => decision.kind === "retry" && decision.time >= 0).length;
  if (retries > 0) mark(retries === 1 ? "retried" : `retried ${retries} times`, "");
  return found;
}

function bars(entry, range) {
  const percent = (time) => (100 * time) / range.length;
  const bar = make("span", { class: "bar", role: "img", "aria-label": timingText(entry), title: timingText(entry) });
  bar.style.left = `${Math.min(99.5, percent(entry.offset - range.start))}%`;
  bar.style.width = `${percent(entry.time)}%`;
  const sum = phases.reduce((sum, [name]) => sum + entry.timings[name], 0);
  for (const [name] of phases) {
    if (entry.timings[name] <= 0) continue;
    const part = make("i", { class: name });
    part.style.width = `${(100 * entry.timings[name]) / Math.max(sum, entry.time)}%`;
    bar.append(part);
  }
  return bar;
}

function timingText(entry) {
  const parts = phases.filter(([name]) => entry.timings[name] > 0)
    .map(([name, title]) => `${title} ${shownTime(entry.timings[name])}`);
  return `Starts at ${shownTime(entry.offset)}, takes ${shownTime(entry.time)}${parts.length ? `: ${parts.join(", ")}` : ""}`;
}
