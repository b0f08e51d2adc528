// A JSON document as a tree whose branches are made when they are opened, with the problems at their values.

const mostChildren = 200;
// The most problems that are shown at one value or line, and the depth to which a problem opens the tree, so that problems do not hide the
// body.
const mostProblems = 10, deepestProblem = 100;

// Numbers that JavaScript cannot hold keep their digits where the browser tells them.
class ExactNumber {
  constructor(source) { this.source = source; }
}

function parseJSON(source) {
  return JSON.parse(source, (_, value, context) =>
    typeof value === "number" && context && context.source !== undefined && String(value) !== context.source
      ? new ExactNumber(context.source) : value);
}

const isBranch = (value) => Array.isArray(value) || (isObject(value) && !(value instanceof ExactNumber));
const pointerStep = (key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;

function groupProblems(problems) {
  const groups = new Map();
  for (const problem of problems) {
    if (!groups.has(problem.pointer)) groups.set(problem.pointer, []);
    groups.get(problem.pointer).push(problem);
  }
  return groups;
}

function problemLine(problem) {
  const column = problem.column > 0 ? `, column ${problem.column}` : "";
  const place = problem.line > 0 ? ` (line ${problem.line}${column})` : "";
  return make("div", { class: "problem" }, `${problem.text}${place}`,
    ...problem.hints.map((hint) => make("div", { class: "hint" }, hint)));
}

function problemLines(problems) {
  const lines = problems.slice(0, mostProblems).map(problemLine);
  if (problems.length > mostProblems) lines.push(make("div", { class: "problem" }, `… and ${problems.length - mostProblems} more`));
  return lines;
}

function summary(value) {
  if (Array.isArray(value)) return `[${value.length}]`;
  const keys = Object.keys(value);
  const shown = keys.slice(0, 4).join(", ");
  return keys.length === 0 ? "{}" : `{${shown.slice(0, 60)}${keys.length > 4 || shown.length > 60 ? ", …" : ""}}`;
}

function leaf(value) {
  if (value instanceof ExactNumber) return make("span", { class: "number" }, value.source);
  if (value === null) return make("span", { class: "null" }, "null");
  const type = typeof value;
  if (type !== "string") return make("span", { class: type }, String(value));
  const span = make("span", { class: "string" });
  const shown = JSON.stringify(value.length > 2000 ? value.slice(0, 2000) : value);
  span.append(shown);
  if (value.length > 2000) {
    span.append(make("button", { type: "button", tabindex: "-1", onclick: (event) => {
      event.stopPropagation();
      span.textContent = JSON.stringify(value);
    } }, `… ${value.length - 2000} more characters`));
  }
  return span;
}

class Tree {
  constructor(value, problems, label) {
    this.problems = groupProblems(problems);
    this.element = make("div", { role: "tree", class: "tree", "aria-label": label });
    this.element.append(this.node(null, value, "", 1));
    const root = this.element.firstChild;
    root.tabIndex = 0;
    if (root.open) root.open();
    this.openProblems();
    this.element.addEventListener("keydown", (event) => this.move(event));
    this.element.addEventListener("click", (event) => {
      const row = event.target.closest(".row");
      if (!row || event.target.closest("button.more")) return;
      const item = row.parentElement;
      this.focus(item);
      if (item.toggle) item.toggle();
    });
  }

  node(key, value, pointer, level) {
    const item = make("div", { role: "treeitem", "aria-level": level, tabindex: "-1", class: "item" });
    item.pointer = pointer;
    const row = make("div", { class: "row" });
    item.append(row);
    const branch = isBranch(value);
    row.append(make("span", { class: "twist", "aria-hidden": "true" }));
    if (key !== null) row.append(make("span", { class: "key" }, typeof key === "number" ? `${key}` : JSON.stringify(key)), ": ");
    row.append(branch ? make("span", { class: "summary" }, summary(value)) : leaf(value));
    item.append(...problemLines(this.problems.get(pointer) || []));
    if (this.problems.has(pointer)) item.classList.add("wrong");
    if (branch) this.addBranch(item, value, pointer, level);
    return item;
  }

  addBranch(item, value, pointer, level) {
    const keys = Array.isArray(value) ? null : Object.keys(value);
    const count = keys ? keys.length : value.length;
    item.setAttribute("aria-expanded", "false");
    const group = make("div", { role: "group", hidden: true });
    item.append(group);
    let made = 0;
    const makeMore = (upTo) => {
      group.querySelector(":scope > .more")?.remove();
      for (; made < Math.min(upTo, count); made++) {
        const key = keys ? keys[made] : made;
        group.append(this.node(key, value[key], pointer + pointerStep(key), level + 1));
      }
      if (made < count) {
        group.append(make("button", { type: "button", class: "more", onclick: () => makeMore(made + mostChildren) },
          `${count - made} more`));
      }
    };
    item.open = (upTo = mostChildren) => {
      if (made < Math.min(upTo, count)) makeMore(upTo);
      group.hidden = false;
      item.setAttribute("aria-expanded", "true");
    };
    item.close = () => {
      group.hidden = true;
      item.setAttribute("aria-expanded", "false");
    };
    item.toggle = () => (group.hidden ? item.open() : item.close());
    item.place = (step) => (keys ? keys.findIndex((key) => pointerStep(key) === step) : Number(step.slice(1)));
    item.branch = group;
  }

  // Opens what a problem is in, so that it is seen.
  openProblems() {
    let opened = 0;
    for (const pointer of this.problems.keys()) {
      if (opened++ >= 20) break;
      this.reveal(pointer);
    }
  }

  reveal(pointer) {
    let item = this.element.firstChild;
    for (const step of (pointer.match(/\/[^/]*/g) || []).slice(0, deepestProblem)) {
      if (!item.open) return item;
      const place = item.place(step);
      if (!(place >= 0)) return item;
      // To show one of many thousands would make all before it.
      if (place > 5000) return item;
      item.open(Math.max(mostChildren, place + 1));
      item = item.branch.children[place];
      if (!item) return this.element.firstChild;
    }
    return item;
  }

  show(pointer) {
    const item = this.reveal(pointer);
    this.focus(item);
    item.querySelector(".row").scrollIntoView({ block: "center" });
  }

  visible() {
    return [...this.element.querySelectorAll(".item")].filter((item) => !item.closest('[role="group"][hidden]'));
  }

  focus(item) {
    this.element.querySelector('.item[tabindex="0"]')?.setAttribute("tabindex", "-1");
    item.tabIndex = 0;
    item.focus({ preventScroll: false });
  }

  move(event) {
    const item = event.target.closest(".item");
    if (!item || event.target.closest("button") || event.ctrlKey || event.metaKey || event.altKey) return;
    const items = this.visible();
    const place = items.indexOf(item);
    const isOpen = item.getAttribute("aria-expanded") === "true";
    let next = null;
    switch (event.key) {
      case "ArrowDown": next = items[place + 1]; break;
      case "ArrowUp": next = items[place - 1]; break;
      case "Home": next = items[0]; break;
      case "End": next = items[items.length - 1]; break;
      case "ArrowRight":
        if (item.open && !isOpen) item.open();
        else if (isOpen) next = items[place + 1];
        break;
      case "ArrowLeft":
        if (isOpen) item.close();
        else next = item.parentElement.closest(".item");
        break;
      case "Enter": case " ": if (item.toggle) item.toggle(); break;
      default: return;
    }
    event.preventDefault();
    event.stopPropagation();
    if (next) this.focus(next);
  }
}
