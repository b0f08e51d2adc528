// Puts the page together: filters, list, detail, and the archive's changes while it is recorded.

const list_ = new ExchangeList(openEntry);
const detail = new Detail(closeDetail);
let archive = { entries: [], first: NaN, skipped: 0, creator: "" };
let data = {};

function openEntry(entry, how) {
  const wasHidden = byID("detail").hidden;
  if (how === "move" && wasHidden) return;
  byID("detail").hidden = false;
  document.body.classList.add("with-detail");
  detail.show(entry);
  list_.render();
  if (how === "open") byID("heading").focus({ preventScroll: true });
}

function closeDetail() {
  byID("detail").hidden = true;
  document.body.classList.remove("with-detail");
  list_.render();
  byID("grid").focus();
}

function filter() {
  return {
    words: byID("search").value.toLowerCase().split(/\s+/).filter(Boolean),
    method: byID("method").value, status: byID("status").value, type: byID("type").value,
    problems: byID("problems").checked,
  };
}

function applyFilter() {
  const shown = archive.entries.filter((entry) => matches(entry, filter()));
  let start = Infinity, end = 0;
  for (const entry of shown) {
    start = Math.min(start, entry.offset);
    end = Math.max(end, entry.offset + entry.time);
  }
  list_.show(shown, { start: isFinite(start) ? start : 0, length: Math.max(end - start, 1) });
  byID("empty").hidden = shown.length > 0;
  byID("empty").textContent = archive.entries.length > 0 ? "No exchange matches the filter." : "The archive has no exchanges.";
  byID("totals").textContent = totals(shown);
}

function totals(shown) {
  const all = archive.entries.length;
  const count = shown.length === all ? String(all) : `${shown.length} of ${all}`;
  const failed = shown.filter((entry) => entry.isFailed || entry.status >= 400).length;
  const problems = shown.filter((entry) => entry.isRemarkable).length;
  const parts = [`${count} ${all === 1 ? "exchange" : "exchanges"}`,
    shownSize(shown.reduce((sum, entry) => sum + entry.size, 0)), shownTime(list_.range.length)];
  if (failed > 0) parts.push(`${failed} failed`);
  if (problems > 0) parts.push(`${problems} with problems`);
  if (archive.creator) parts.push(`recorded by ${archive.creator}`);
  return parts.join(" · ");
}

function fillChoices(element, title, values) {
  const chosen = element.value;
  element.replaceChildren(make("option", { value: "" }, title),
    ...[...new Set(values)].sort().map((value) => make("option", { value }, value)));
  element.value = [...element.options].some((option) => option.value === chosen) ? chosen : "";
}

function load(newData) {
  data = newData;
  archive = readArchive(data);
  document.title = `${text(data.file)} – Anvil`;
  byID("file").textContent = text(data.file);
  fillChoices(byID("method"), "Any method", archive.entries.map((entry) => entry.method));
  fillChoices(byID("type"), "Any type", archive.entries.map((entry) => entry.kind));
  if (archive.skipped > 0) remark(`${archive.skipped} entries are not objects and are left out.`);
  applyFilter();
  // What is looked at stays, with what has come since.
  const open = detail.entry && archive.entries.find((entry) => entry.index === detail.entry.index);
  if (open && !byID("detail").hidden && JSON.stringify(open) !== JSON.stringify(detail.entry)) detail.show(open);
}

function remark(words) {
  byID("remark").textContent = words;
  byID("remark").hidden = words === "";
}

// Asks for the archive again while `anvil har --follow` serves it.
async function follow() {
  let tag = "", misses = 0;
  byID("live").hidden = false;
  byID("live").textContent = "live";
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, document.hidden ? 3000 : 700));
    try {
      const response = await fetch("archive", { cache: "no-store", headers: tag ? { "If-None-Match": tag } : {} });
      misses = 0;
      byID("live").classList.remove("ended");
      byID("live").textContent = "live";
      if (response.status === 304) continue;
      if (!response.ok) {
        remark(`${(await response.text()).trim()} The page shows the last version that could be read.`);
        continue;
      }
      tag = response.headers.get("ETag") || "";
      remark("");
      load(await response.json());
    } catch {
      if (++misses < 3) continue;
      byID("live").textContent = "no longer live";
      byID("live").classList.add("ended");
      if (misses > 20) return;
    }
  }
}

byID("filters").addEventListener("submit", (event) => event.preventDefault());
byID("filters").addEventListener("reset", () => setTimeout(applyFilter));
byID("filters").addEventListener("change", applyFilter);
let typing = 0;
byID("search").addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(applyFilter, archive.entries.length > 2000 ? 250 : 60);
});
document.addEventListener("keydown", (event) => {
  const isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName);
  if (event.key === "/" && !isTyping) {
    event.preventDefault();
    byID("search").focus();
  } else if (event.key === "Escape" && document.activeElement === byID("search") && byID("search").value === "") {
    byID("grid").focus();
  } else if (event.key === "ArrowDown" && document.activeElement === byID("search")) {
    event.preventDefault();
    byID("grid").focus();
    if (list_.selected < 0) list_.select(0, "move");
  }
});

try {
  load(JSON.parse(byID("data").textContent));
  if (data.follow === true) follow();
} catch (error) {
  remark(`The archive cannot be shown: ${error.message}`);
}
