// Reads an HTTP archive leniently: whatever a program left out or wrote as another type becomes an empty value.
// Source: HTTP Archive 1.2; the properties with an underscore are those of Chromium and of Anvil.

const phases = [
  ["blocked", "Queued"], ["dns", "Name lookup"], ["connect", "Connect"], ["ssl", "TLS"], ["send", "Send"],
  ["wait", "Wait"], ["receive", "Receive"],
];

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const object = (value) => (isObject(value) ? value : {});
const list = (value) => (Array.isArray(value) ? value : []);
const text = (value) => (typeof value === "string" ? value : typeof value === "number" ? String(value) : "");
const number = (value) => (typeof value === "number" && isFinite(value) ? value : -1);
const fields = (value) =>
  list(value).filter(isObject).map((field) => ({ name: text(field.name), value: text(field.value) }));

function readArchive(data) {
  const log = object(object(data.archive).log);
  const notes = new Map();
  for (const note of list(data.notes)) notes.set(note.entry, note);
  const raws = list(log.entries);
  const entries = [];
  raws.forEach((raw, index) => {
    if (isObject(raw)) entries.push(readEntry(raw, index, notes.get(index)));
  });
  const starts = entries.map((entry) => entry.started).filter((time) => !isNaN(time));
  const first = starts.reduce((least, time) => Math.min(least, time), Infinity);
  for (const entry of entries) entry.offset = isNaN(entry.started) ? 0 : entry.started - first;
  entries.sort((one, other) => one.offset - other.offset || one.index - other.index);
  return { entries, first: isFinite(first) ? first : NaN, skipped: raws.length - entries.length, creator: creator(log) };
}

function creator(log) {
  const program = isObject(log.browser) ? log.browser : object(log.creator);
  return [text(program.name), text(program.version)].filter(Boolean).join(" ");
}

function readEntry(raw, index, note) {
  const request = object(raw.request), response = object(raw.response), content = object(response.content);
  const details = object(raw._anvil);
  const timings = readTimings(object(raw.timings));
  const status = Math.max(0, number(response.status));
  const posted = isObject(request.postData) ? request.postData : null;
  const entry = {
    index,
    started: Date.parse(text(raw.startedDateTime)),
    startedText: text(raw.startedDateTime),
    time: number(raw.time) >= 0 ? raw.time : phases.reduce((sum, [name]) => sum + timings[name], 0),
    timings,
    method: text(request.method) || "?",
    url: text(request.url),
    version: text(response.httpVersion) || text(request.httpVersion),
    status,
    statusText: text(response.statusText),
    error: text(response._error) || text(raw._error),
    comment: text(raw.comment),
    address: text(raw.serverIPAddress),
    connection: text(details.connection),
    requestFields: fields(request.headers),
    responseFields: fields(response.headers),
    query: fields(request.queryString),
    requestBody: posted && readPosted(posted),
    responseBody: readContent(content),
    size: number(content.size) >= 0 ? content.size : Math.max(0, number(response.bodySize)),
    transferred: number(response._transferSize) >= 0 ? response._transferSize : number(response.bodySize),
    decisions: decisions(raw, details),
    attempt: number(details.attempt),
    outcome: isObject(details.outcome) ? details.outcome : null,
  };
  entry.problems = list(object(details.outcome).problems).concat(list(object(note).problems)).filter(isObject).map(readProblem);
  entry.messages = list(raw._webSocketMessages).filter(isObject).map((message) => readMessage(message, entry.started));
  entry.isFailed = status === 0 || entry.error !== "";
  entry.isRemarkable = entry.problems.length > 0 || (entry.outcome !== null && entry.outcome.level !== "info");
  entry.kind = kind(entry.responseBody.type, text(raw._resourceType));
  return entry;
}

// The texts and places of a problem are as untrusted as the body: an archive can name any.
function readProblem(raw) {
  return {
    pointer: text(raw.pointer), line: number(raw.line), column: number(raw.column), text: shortened(text(raw.text)),
    hints: list(raw.hints).map(text).filter(Boolean).slice(0, 10).map(shortened),
  };
}

const shortened = (words) => (words.length > 1000 ? `${words.slice(0, 1000)}…` : words);

// A message of a WebSocket. Chromium counts its time in seconds since 1970. Source: RFC 6455 §11.8 for the numbers of the kinds.
function readMessage(raw, started) {
  const opcode = number(raw.opcode), content = text(raw.data);
  const body = opcode === 2
    ? readContent({ encoding: "base64", text: content, mimeType: "application/octet-stream" })
    : readContent({ text: content });
  const names = { 1: "text", 2: "binary", 8: "close", 9: "ping", 10: "pong" };
  const time = number(raw.time);
  return {
    isSent: text(raw.type) === "send", kind: Object.hasOwn(names, opcode) ? names[opcode] : text(raw.type), body,
    time: time < 0 || isNaN(started) ? -1 : Math.max(0, time * 1000 - started),
    size: body.base64 ? byteCount(body) : new TextEncoder().encode(content).length,
  };
}

const byteCount = (body) => atob(body.base64).length;

function readTimings(raw) {
  const timings = {};
  for (const [name] of phases) timings[name] = Math.max(0, number(raw[name]));
  // In the format the time to connect includes TLS; not every program counts so.
  if (timings.ssl <= timings.connect) timings.connect -= timings.ssl;
  return timings;
}

function readPosted(posted) {
  const type = text(posted.mimeType);
  let content = text(posted.text);
  const params = fields(posted.params);
  if (!content && params.length > 0) {
    content = params.map((item) => `${encodeURIComponent(item.name)}=${encodeURIComponent(item.value)}`).join("&");
  }
  return { type, text: content, isBinary: false, base64: "", comment: text(posted.comment), recorded: content !== "" };
}

function readContent(content) {
  const type = text(content.mimeType), comment = text(content.comment);
  const recorded = typeof content.text === "string" && content.text !== "";
  const body = { type, text: text(content.text), isBinary: false, base64: "", comment, recorded };
  if (content.encoding !== "base64") return body;
  let bytes;
  try {
    const letters = body.text.replace(/\s+/g, "");
    bytes = Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0));
    body.base64 = letters;
  } catch {
    // Not base64 after all: the text as it is.
    return body;
  }
  try {
    body.text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    body.isBinary = body.text.includes("\0");
  } catch {
    body.isBinary = true;
    body.text = "";
  }
  return body;
}

function decisions(raw, details) {
  const found = list(details.decisions).filter(isObject).map((decision) => ({
    kind: text(decision.kind), text: text(decision.text), time: number(decision.time),
  }));
  if (text(raw._fromCache)) found.push({ kind: "cache", text: `from the ${text(raw._fromCache)} cache`, time: -1 });
  if (object(raw.response)._fetchedViaServiceWorker === true) {
    found.push({ kind: "cache", text: "answered by a service worker", time: -1 });
  }
  return found;
}

function kind(type, resource) {
  const name = type.toLowerCase();
  if (resource === "websocket") return "WebSocket";
  if (/[/+]json\b|ndjson|jsonl/.test(name)) return "JSON";
  if (/html/.test(name)) return "HTML";
  if (/css/.test(name)) return "CSS";
  if (/javascript|ecmascript/.test(name)) return "Script";
  if (/^image\//.test(name)) return "Image";
  if (/^font\/|woff/.test(name)) return "Font";
  if (/^(audio|video)\//.test(name)) return "Media";
  if (/event-stream/.test(name)) return "Events";
  if (/xml/.test(name)) return "XML";
  if (/^text\//.test(name)) return "Text";
  return name === "" || name === "x-unknown" ? "None" : "Other";
}

// Characters that could control a terminal, are invisible or look like a line end, except line feeds and tabs: those that the tool
// escapes, too.
const unprintable = /(?![\n\t\u200d\ufe0e\ufe0f])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}]/u;
const everyUnprintable = new RegExp(unprintable.source, "gu");
const utf8 = (letter) => [...new TextEncoder().encode(letter)];

// A word of a POSIX shell, in the form that the tool writes: 'a b', or $'\033' with the octal digits of each unprintable byte, so that
// pasting the word types no control character into a terminal. Source: POSIX.1-2024 XCU 2.2.2 and 2.2.4.
function shellWord(word) {
  if (/^[-A-Za-z0-9./_]+$/.test(word)) return word;
  if (!unprintable.test(word)) return `'${word.replaceAll("'", "'\\''")}'`;
  const octal = (letter) => utf8(letter).map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
  const escapes = { "\\": "\\\\", "'": "\\'", "\n": "\\n", "\t": "\\t" };
  return `$'${word.replace(/[\\'\n\t]/g, (letter) => escapes[letter]).replace(everyUnprintable, octal)}'`;
}

// A URL cannot contain these characters: they are written as %XX.
const safeURL = (url) => url.replace(new RegExp(`[\\n\\t]|${unprintable.source}`, "gu"), (letter) =>
  utf8(letter).map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join(""));

// A body whose control characters are escaped, as in JSON, or as the tool prints them. Lines end with line feeds.
function safeBody(body) {
  const escape = isJSONText(body.text)
    ? (letter) => [...Array(letter.length).keys()].map((place) => `\\u${letter.charCodeAt(place).toString(16).padStart(4, "0")}`).join("")
    : (letter) => `\\u{${letter.codePointAt(0).toString(16)}}`;
  return body.text.replaceAll("\r\n", "\n").replace(everyUnprintable, escape);
}

function isJSONText(source) {
  try { JSON.parse(source); return true; } catch { return false; }
}

// A command that sends the request again. Fields that curl makes itself are left out, and those whose name is not a token.
function curlCommand(entry) {
  const words = ["curl"];
  if (/[[\]{}]/.test(entry.url)) words.push("--globoff");
  const body = entry.requestBody && entry.requestBody.text;
  // No argument can contain NUL.
  const isBinary = Boolean(body) && body.includes("\0");
  if (entry.method === "HEAD") words.push("--head");
  else if (entry.method !== (body && !isBinary ? "POST" : "GET")) words.push("--request", entry.method);
  let hasType = false;
  for (const { name, value } of entry.requestFields) {
    const lowered = name.toLowerCase();
    if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) continue;
    if (["host", "content-length", "connection", "transfer-encoding"].includes(lowered)) continue;
    if (lowered === "content-type") hasType = true;
    words.push("--header", value === "" ? `${name};` : `${name}: ${value}`);
  }
  if (body && !isBinary) {
    if (!hasType) words.push("--header", `Content-Type: ${entry.requestBody.type || "application/octet-stream"}`);
    words.push("--data-raw", body);
  }
  if (entry.requestFields.some((field) => field.name.toLowerCase() === "accept-encoding")) words.push("--compressed");
  words.push("--", entry.url);
  return words.map(shellWord).join(" ") + (isBinary ? `  # and a body that is not text, ${shownSize(new TextEncoder().encode(body).length)}` : "");
}

function matches(entry, filter) {
  if (filter.method && entry.method !== filter.method) return false;
  if (filter.type && entry.kind !== filter.type) return false;
  if (filter.problems && !entry.isRemarkable && !entry.isFailed) return false;
  if (filter.status === "0" ? !entry.isFailed : filter.status && String(entry.status)[0] !== filter.status) return false;
  return filter.words.every((word) => contains(entry, word));
}

function contains(entry, word) {
  const has = (value) => value.toLowerCase().includes(word);
  const hasField = (field) => has(`${field.name}: ${field.value}`);
  return has(entry.url) || has(entry.error) || has(`${entry.status} ${entry.statusText}`)
    || entry.requestFields.some(hasField) || entry.responseFields.some(hasField)
    || entry.messages.some((message) => has(message.body.text)) || has(entry.responseBody.text) || (entry.requestBody !== null && has(entry.requestBody.text));
}

function shownTime(time) {
  if (time < 0) return "";
  if (time < 10) return `${Math.round(time * 10) / 10} ms`;
  if (time < 1000) return `${Math.round(time)} ms`;
  if (time < 60000) return `${(time / 1000).toFixed(time < 10000 ? 2 : 1)} s`;
  return `${Math.floor(time / 60000)} min ${Math.round((time % 60000) / 1000)} s`;
}

function shownSize(size) {
  if (size < 0) return "";
  if (size < 1000) return `${size} B`;
  if (size < 1e6) return `${(size / 1e3).toFixed(1)} kB`;
  return size < 1e9 ? `${(size / 1e6).toFixed(1)} MB` : `${(size / 1e9).toFixed(2)} GB`;
}
