// The parts of one exchange.

const mostText = 200000;
const pictures = /^image\/(png|jpeg|gif|webp|avif|bmp|svg\+xml|x-icon|vnd\.microsoft\.icon)/i;

class Detail {
  constructor(onClose) {
    this.entry = null;
    this.tab = "Overview";
    byID("close").addEventListener("click", onClose);
    byID("curl").addEventListener("click", (event) => copy(curlCommand(this.entry), event.currentTarget));
    byID("copy-url").addEventListener("click", (event) => copy(safeURL(this.entry.url), event.currentTarget));
    byID("tabs").addEventListener("keydown", (event) => this.move(event));
    byID("detail").addEventListener("keydown", (event) => {
      if (event.key === "Escape") onClose();
    });
  }

  tabs() {
    const names = ["Overview", "Headers"];
    if (this.entry.requestBody) names.push("Request body");
    names.push("Response body");
    if (this.entry.messages.length > 0) names.push("Messages");
    return names;
  }

  show(entry) {
    this.entry = entry;
    byID("heading").replaceChildren(
      make("span", { class: statusClass(entry) }, entry.isFailed ? "failed" : String(entry.status)), " ",
      `${entry.method} `, make("span", { class: "url" }, entry.url));
    if (!this.tabs().includes(this.tab)) this.tab = "Overview";
    this.render();
    byID("panel").scrollTop = 0;
  }

  render() {
    byID("tabs").replaceChildren(...this.tabs().map((name) => make("button", {
      type: "button", role: "tab", id: `tab-${name.replaceAll(" ", "-")}`, "aria-selected": name === this.tab ? "true" : "false",
      "aria-controls": "panel", tabindex: name === this.tab ? "0" : "-1", onclick: () => this.open(name),
    }, name)));
    byID("panel").setAttribute("aria-labelledby", `tab-${this.tab.replaceAll(" ", "-")}`);
    byID("panel").replaceChildren(...this.content());
  }

  open(name) {
    this.tab = name;
    this.render();
    byID("panel").scrollTop = 0;
  }

  move(event) {
    const names = this.tabs();
    const steps = { ArrowRight: 1, ArrowLeft: -1 };
    let place = names.indexOf(this.tab);
    if (event.key in steps) place = (place + steps[event.key] + names.length) % names.length;
    else if (event.key === "Home") place = 0;
    else if (event.key === "End") place = names.length - 1;
    else return;
    event.preventDefault();
    this.open(names[place]);
    byID("tabs").children[place].focus();
  }

  content() {
    const entry = this.entry;
    switch (this.tab) {
      case "Headers": return headers(entry);
      case "Request body": return bodyContent(entry.requestBody, []);
      case "Response body": return bodyContent(entry.responseBody, entry.problems);
      case "Messages": return messages(entry);
      default: return this.overview();
    }
  }

  overview() {
    const entry = this.entry;
    const status = entry.isFailed ? `failed${entry.error ? `: ${entry.error}` : ""}` : `${entry.status} ${entry.statusText}`;
    const rows = [["URL", entry.url], ["Status", status], ["Started", entry.startedText]];
    if (entry.version && entry.version !== "unknown") rows.push(["Version", entry.version]);
    if (entry.address) rows.push(["Server", entry.address]);
    if (entry.connection) rows.push(["Connection", entry.connection]);
    rows.push(["Type", entry.responseBody.type || "none"]);
    const moved = entry.transferred >= 0 && entry.transferred !== entry.size ? `, ${shownSize(entry.transferred)} transferred` : "";
    rows.push(["Size", `${shownSize(entry.size)}${moved}`]);
    if (entry.comment) rows.push(["Remark", entry.comment]);
    const parts = [];
    if (entry.isRemarkable) parts.push(this.problems());
    parts.push(table(rows, "General"));
    if (entry.decisions.length > 0) parts.push(section("Decisions", decisionList(entry)));
    parts.push(section("Timings", timings(entry)));
    return parts;
  }

  problems() {
    const { outcome, problems } = this.entry;
    const items = problems.slice(0, 100).map((problem) => make("li", {},
      make("button", { type: "button", class: "link", onclick: () => this.showProblem(problem) }, problem.text)));
    const title = outcome ? shortened(text(outcome.text).split(":")[0]) : "The body has problems";
    return section("Problems", make("p", {}, title),
      problems.length > 0 ? make("ul", { class: "problems" }, ...items) : make("p", {}, outcome ? shortened(text(outcome.text)) : ""),
      problems.length > 100 ? make("p", {}, `… and ${problems.length - 100} more`) : null);
  }

  showProblem(problem) {
    this.open("Response body");
    const panel = byID("panel");
    if (panel.tree) panel.tree.show(problem.pointer);
    else panel.querySelector(".problem")?.scrollIntoView({ block: "center" });
  }
}

function headers(entry) {
  const named = (title, items) => {
    const rows = items.map((item) => [item.name, item.value]);
    return section(`${title} (${items.length})`, rows.length > 0 ? table(rows, title) : make("p", {}, "None."));
  };
  const parts = [named("Response fields", entry.responseFields), named("Request fields", entry.requestFields)];
  if (entry.query.length > 0) parts.push(named("Query", entry.query));
  return parts;
}

const mostMessages = 500;

// The messages of a WebSocket in their order, each with its direction and its time since the beginning of the exchange.
function messages(entry) {
  const rows = make("tbody");
  let made = 0;
  const more = make("button", { type: "button", class: "more", onclick: () => fill() });
  const fill = () => {
    for (const message of entry.messages.slice(made, made + mostMessages)) rows.append(messageRow(message));
    made = Math.min(entry.messages.length, made + mostMessages);
    more.hidden = made === entry.messages.length;
    more.textContent = `${entry.messages.length - made} more`;
  };
  fill();
  const head = make("tr", {}, ...["Direction", "Time", "Size", "Content"].map((name) => make("th", { scope: "col" }, name)));
  return [make("table", { class: "messages", "aria-label": `Messages (${entry.messages.length})` }, make("thead", {}, head), rows), more];
}

function messageRow(message) {
  const kind = message.kind === "text" || message.kind === "" ? [] : [make("span", { class: "mark" }, message.kind)];
  const content = make("td", { class: "content" });
  if (message.body.isBinary) content.append(hexadecimal(message.body));
  else content.append(...longText(message.body.text));
  return make("tr", { class: message.isSent ? "sent" : "received" },
    make("td", {}, message.isSent ? "↑ sent" : "↓ received", " ", ...kind),
    make("td", { class: "figure" }, shownTime(message.time)), make("td", { class: "figure" }, shownSize(message.size)), content);
}

function longText(source) {
  const span = make("span", {}, source.slice(0, 2000));
  if (source.length <= 2000) return [span];
  const all = make("button", { type: "button", class: "more", onclick: () => {
    span.textContent = source;
    all.remove();
  } }, `… ${source.length - 2000} more characters`);
  return [span, all];
}

function decisionList(entry) {
  const names = { retry: "Retry", redirect: "Redirect", cache: "Cache", authentication: "Credentials",
    informational: "Informational", trailers: "Trailers" };
  return table(entry.decisions.map((decision) => [
    Object.hasOwn(names, decision.kind) ? names[decision.kind] : decision.kind,
    decision.text + (decision.time >= 0 ? ` (after ${shownTime(decision.time)})` : ""),
  ]), "Decisions");
}

function timings(entry) {
  const range = { start: entry.offset, length: Math.max(entry.time, 0.001) };
  const body = make("tbody");
  let before = 0;
  for (const [name, title] of phases) {
    const time = entry.timings[name];
    if (time <= 0) continue;
    const bar = make("i", { class: `bar ${name}` });
    bar.style.left = `${Math.min(99.5, (100 * before) / range.length)}%`;
    bar.style.width = `${Math.min(100, (100 * time) / range.length)}%`;
    before += time;
    body.append(make("tr", {}, make("th", { scope: "row" }, title), make("td", { class: "figure" }, shownTime(time)),
      make("td", { class: "bars" }, bar)));
  }
  body.append(make("tr", {}, make("th", { scope: "row" }, "Total"), make("td", { class: "figure" }, shownTime(entry.time)),
    make("td")));
  return make("table", { class: "timings", "aria-label": "Timings" }, body);
}

function bodyContent(body, problems) {
  const panel = byID("panel");
  panel.tree = null;
  const remark = body.comment ? [make("p", { class: "remark" }, body.comment)] : [];
  if (!body.recorded) return [...remark, make("p", {}, "The archive does not contain this body.")];
  if (body.base64 && pictures.test(body.type)) {
    const source = `data:${body.type.split(";")[0]};base64,${body.base64}`;
    return [...remark, make("img", { src: source, alt: "The body as a picture" })];
  }
  if (body.isBinary) return [...remark, make("p", {}, `Binary, ${shownSize(byteCount(body))}.`), hexadecimal(body)];
  let value, isJSON = /json/i.test(body.type) || /^\s*[[{]/.test(body.text);
  if (isJSON) {
    try { value = parseJSON(body.text); } catch { isJSON = false; }
  }
  const copying = make("button", { type: "button", onclick: (event) => copy(safeBody(body), event.currentTarget) }, "Copy body");
  if (!isJSON) return [...remark, make("p", { class: "tools" }, copying), textContent(body.text, problems)];
  panel.tree = new Tree(value, problems, "Body");
  const holder = make("div", {}, panel.tree.element);
  const choice = make("button", { type: "button", "aria-pressed": "false", onclick: (event) => {
    const isText = event.currentTarget.getAttribute("aria-pressed") === "false";
    event.currentTarget.setAttribute("aria-pressed", String(isText));
    holder.replaceChildren(isText ? textContent(body.text, problems) : panel.tree.element);
  } }, "As text");
  const tools = [choice, copying];
  if (problems.length > 1) tools.push(nextProblem(panel, problems));
  return [...remark, make("p", { class: "tools" }, ...tools), holder];
}

function nextProblem(panel, problems) {
  let place = -1;
  return make("button", { type: "button", onclick: () => {
    place = (place + 1) % problems.length;
    if (panel.tree.element.isConnected) panel.tree.show(problems[place].pointer);
    say(`Problem ${place + 1} of ${problems.length}`);
  } }, "Next problem");
}

// Lines with their numbers; problems follow the line that they are on.
function textContent(source, problems) {
  const holder = make("div", { class: "text", role: "group", "aria-label": "Text" });
  const fill = (limit) => {
    const shown = source.slice(0, limit);
    const byLine = new Map();
    for (const problem of problems) byLine.set(problem.line, (byLine.get(problem.line) || []).concat(problem));
    holder.replaceChildren();
    shown.split("\n").forEach((line, index) => {
      holder.append(make("div", { class: byLine.has(index + 1) ? "line wrong" : "line", "data-line": index + 1 }, line));
      holder.append(...problemLines(byLine.get(index + 1) || []));
    });
    if (source.length > limit) {
      holder.append(make("button", { type: "button", class: "more", onclick: () => fill(Infinity) },
        `Show all ${source.length} characters`));
    }
  };
  fill(mostText);
  return holder;
}

function hexadecimal(body) {
  const bytes = [...atob(body.base64.slice(0, 684))].map((letter) => letter.charCodeAt(0)).slice(0, 512);
  const lines = [];
  for (let start = 0; start < bytes.length; start += 16) {
    const part = bytes.slice(start, start + 16);
    const digits = part.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const letters = part.map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : ".")).join("");
    lines.push(`${start.toString(16).padStart(4, "0")}  ${digits.padEnd(47)}  ${letters}`);
  }
  return make("pre", {}, lines.join("\n"));
}
