internal import Anvil
internal import AnvilBase
internal import AnvilHTTP
internal import Foundation

struct ResponsePrinter {
  /// The maximum size of JSON that is indented on a terminal. Longer texts are printed without changes.
  private static let indentedSizeLimit = 16 << 20

  /// The maximum size of a body from which `--path` and `--table` select. The whole body is in memory.
  static let defaultSelectedSizeLimit = 256 << 20

  let options: OutputOptions
  let console: Console
  var selectedSizeLimit = defaultSelectedSizeLimit

  private var json: JSONText { text(console.outputIsTerminal ? .pretty() : .compact) }

  /// True if the output is a terminal that the server's text must not control. `--output -` prints everything.
  private var isForTerminal: Bool { console.outputIsTerminal && options.destination != .standardOutputForced }

  private func text(_ style: JSON.OutputStyle) -> JSONText {
    JSONText(style, hasColors: options.hasColors, isForTerminal: isForTerminal)
  }

  private func write(text: String) {
    console.write(isForTerminal ? text.printableLines : text)
  }

  func print(_ response: HTTP.Response) async throws -> ExitStatus {
    switch options.layout {
    case .automatic where isForTerminal: return try await printReadable(response)
    case .raw, .automatic:
      var chunks = response.body.makeAsyncIterator()
      return try await copy(&chunks, after: Data(), isEscaped: false)
    case .path(let path):
      guard response.hasDocuments else {
        guard let document = try await document(of: response) else { return .decoding }
        return write(document, at: path)
      }
      return try await writeDocuments(of: response, at: path)
    case .table(let path): return try await printTable(of: response, at: path)
    }
  }

  /// Returns the value at the path, or the whole document if there is no path. If there is no value, prints the reason and returns `nil`.
  func value(of response: HTTP.Response) async throws -> JSON? {
    guard let document = try await document(of: response) else { return nil }
    guard let path = options.path else { return document }
    do throws(JSONPath.Failure) {
      return try path.value(in: document)
    } catch {
      console.fail("\(error)")
      return nil
    }
  }

  private func document(of response: HTTP.Response) async throws -> JSON? {
    guard let body = try await body(of: response) else { return nil }
    do throws(JSON.SyntaxError) {
      return try JSON(parsing: body)
    } catch {
      let reason = body.isEmpty ? "the body is empty" : "the body is not JSON: \(error)"
      console.fail("\(response), \(reason)")
      return nil
    }
  }

  /// Returns the whole body. If it is too large, prints an error and returns `nil`. A body that is already in memory has no limit.
  private func body(of response: HTTP.Response) async throws -> Data? {
    if let data = response.body.data { return data }
    do {
      return try await response.body.collect(upTo: selectedSizeLimit)
    } catch HTTP.BodyError.tooLarge {
      refuseLarge(response)
      return nil
    }
  }

  private func refuseLarge(_ response: HTTP.Response) {
    console.fail(
      "\(response), the body has more than \(selectedSizeLimit) bytes, the limit of --path and --table: "
        + "--output FILE saves it")
  }
}

extension ResponsePrinter {
  /// Copies `first` and the chunks that follow it, with escapes for a terminal if `isEscaped` is true. Binary data is not written to a
  /// terminal, except with `--output -`. With a decoder for a declared charset, all bytes are text.
  private func copy(
    _ chunks: inout HTTP.Body.AsyncIterator, after first: Data, isEscaped: Bool,
    decoder newDecoder: CharsetDecoder? = nil
  ) async throws -> ExitStatus {
    var decoder = newDecoder
    var chunk: Data? = first
    var text = TerminalText()
    var last = Data()
    var follows = false
    func write(_ data: Data) {
      console.write(isEscaped ? text.append(data) : data)
      if !data.isEmpty { last = data }
    }
    while let data = chunk {
      if isForTerminal, decoder == nil, data.isBinary(follows: follows) { return refuseBinary() }
      follows = follows || !data.isEmpty
      write(decoder?.append(data) ?? data)
      // The reader has closed the output.
      guard console.canWrite else { return .success }
      chunk = try await chunks.next()
    }
    if let rest = decoder?.finish() { write(rest) }
    if isEscaped { console.write(text.finish()) }
    if isForTerminal, last.lacksLineEnd { console.write("\n") }
    return .success
  }

  private func refuseBinary() -> ExitStatus {
    console.fail("the body is binary and is not written to a terminal: --output FILE saves it, --output - prints it")
    return .inputOutput
  }

  private func printReadable(_ response: HTTP.Response) async throws -> ExitStatus {
    if response.isEventStream {
      for try await event in response.body.events {
        if event.type != "message" { console.write("\(json.dimmed(event.type.printable)) ") }
        writeLine(event.data)
        guard console.canWrite else { break }
      }
      return .success
    }
    if response.hasLines {
      for try await line in response.body.lines {
        writeLine(line)
        guard console.canWrite else { break }
      }
      return .success
    }
    return try await printIndented(response)
  }

  private func writeLine(_ line: String) {
    if let value = try? JSON(parsing: line) {
      console.write(text(.compact).data(value))
    } else {
      write(text: line)
    }
    console.write("\n")
  }

  /// Prints JSON with indentation. Other text is printed unchanged, except that characters that control a terminal are escaped.
  private func printIndented(_ response: HTTP.Response) async throws -> ExitStatus {
    var chunks = response.body.makeAsyncIterator()
    let decoder = CharsetDecoder(response)
    var body = Data()
    while body.count <= Self.indentedSizeLimit, let chunk = try await chunks.next() {
      body.append(chunk)
      guard response.isJSON || body.looksLikeJSON else {
        return try await copy(&chunks, after: body, isEscaped: true, decoder: decoder)
      }
    }
    guard body.count <= Self.indentedSizeLimit, let value = try? JSON(parsing: body) else {
      return try await copy(&chunks, after: body, isEscaped: true, decoder: decoder)
    }
    console.write(json.data(value))
    console.write("\n")
    return .success
  }

  private func forEachDocument(
    of response: HTTP.Response, _ body: (JSON, Int) -> ExitStatus
  ) async throws -> ExitStatus {
    if response.isEventStream {
      return try await forEachDocument(in: response.body.events.map { $0.data }, of: response, body)
    }
    return try await forEachDocument(in: response.body.lines, of: response, body)
  }

  private func forEachDocument(
    in texts: some AsyncSequence<String, any Error>, of response: HTTP.Response, _ body: (JSON, Int) -> ExitStatus
  ) async throws -> ExitStatus {
    for try await text in texts where !text.allSatisfy(\.isWhitespace) {
      // Several model servers send it as the last event.
      if text == "[DONE]" { break }
      guard let document = try? JSON(parsing: text) else {
        console.fail("\(response), an event or line is not JSON")
        return .decoding
      }
      let status = body(document, text.utf8.count)
      guard status == .success, console.canWrite else { return status }
    }
    return .success
  }

  /// Writes the values at the path in each document of a stream. A document without a value is skipped if another has one.
  private func writeDocuments(of response: HTTP.Response, at path: JSONPath) async throws -> ExitStatus {
    var isFound = false
    var missing: JSONPath.Failure?
    let status = try await forEachDocument(of: response) { document, _ in
      do throws(JSONPath.Failure) {
        for value in try path.values(in: document) { write(value) }
        isFound = true
      } catch {
        guard case .notFound = error else {
          console.fail("\(error)")
          return .decoding
        }
        missing = missing ?? error
      }
      return .success
    }
    guard status == .success, !isFound, let missing else { return status }
    console.fail("no event or line has a value at the path; in the first: \(missing)")
    return .decoding
  }

  private func write(_ document: JSON, at path: JSONPath) -> ExitStatus {
    do throws(JSONPath.Failure) {
      for value in try path.values(in: document) { write(value) }
      return .success
    } catch {
      console.fail("\(error)")
      return .decoding
    }
  }

  /// Prints a string as text and other values as JSON: in one line for a program, and indented for a person.
  private func write(_ value: JSON) {
    if let text = value.string {
      write(text: text)
    } else {
      console.write(json.data(value))
    }
    console.write("\n")
  }

  private func printTable(of response: HTTP.Response, at path: JSONPath?) async throws -> ExitStatus {
    var values: [JSON] = []
    if response.hasDocuments {
      var size = 0
      let status = try await forEachDocument(of: response) { document, count in
        size += count
        guard size <= selectedSizeLimit else {
          refuseLarge(response)
          return .decoding
        }
        values.append(document)
        return .success
      }
      guard status == .success else { return status }
    } else {
      guard let value = try await value(of: response) else { return .decoding }
      values = value.kind == .array ? Array(value.elements) : [value]
    }
    do throws(JSONTable.Unsuitable) {
      let table = try JSONTable(values)
      console.write(
        table.text(width: console.outputIsTerminal ? console.outputColumns : nil, hasColors: options.hasColors))
      return .success
    } catch {
      console.fail("\(path.map { "\($0)" } ?? "the body") \(error)")
      return .decoding
    }
  }
}

extension HTTP.Response {
  var isEventStream: Bool { headers.contentType?.isEventStream == true }

  var hasLines: Bool {
    [
      "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines",
      "application/jsonlines",
    ]
    .contains(headers.contentType?.mediaType)
  }

  var hasDocuments: Bool { isEventStream || hasLines }

  var isJSON: Bool { headers.contentType?.isJSON == true }
}

extension Data {
  /// True if the first character that is not blank, which may still follow, begins an object or an array.
  var looksLikeJSON: Bool {
    guard let first = first(where: { $0 > .space }) else { return true }
    return first == .openBrace || first == .openBracket
  }

  /// Returns whether the data contains a NUL or is not UTF-8. A character may be cut off at the end, and at the start if `follows` is true.
  func isBinary(follows: Bool) -> Bool {
    if contains(0) { return true }
    var text = self[...]
    while follows, let first = text.first, first & 0xC0 == 0x80, text.count > count - 3 { text.removeFirst() }
    if String(validating: text, as: UTF8.self) != nil { return false }
    // A leading byte with too few continuation bytes.
    guard let start = text.suffix(3).lastIndex(where: { $0 >= 0xC2 }) else { return true }
    return text[start...].dropFirst().contains { $0 & 0xC0 != 0x80 } || text[start] > 0xF4
      || String(validating: text[..<start], as: UTF8.self) == nil
  }
}

/// Escapes text for a terminal, as ``Swift/String/printableLines`` does. The text can be received in chunks.
struct TerminalText {
  /// The bytes at the end of the last chunk that may begin a character or a line end.
  private var rest = Data()

  /// Returns the printable text up to the end of `chunk`. Bytes at the end that a later chunk may complete are kept back.
  mutating func append(_ chunk: Data) -> Data {
    let bytes = rest + chunk
    // A copy: Foundation traps if bytes are appended to a slice of a slice.
    rest = Data(bytes.suffix(Self.incompleteCount(bytes)))
    return Self.printable(bytes.dropLast(rest.count))
  }

  mutating func finish() -> Data {
    defer { rest = Data() }
    return Self.printable(rest)
  }

  private static func printable(_ bytes: Data) -> Data {
    Data(String(decoding: bytes, as: UTF8.self).printableLines.utf8)
  }

  /// Returns the number of bytes at the end that are an incomplete character in UTF-8; 1 for a CR, which an LF may follow.
  private static func incompleteCount(_ bytes: Data) -> Int {
    if bytes.last == .carriageReturn { return 1 }
    let tail = bytes.suffix(3)
    guard let start = tail.lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return 0 }
    let length =
      switch tail[start] {
      case 0xC0..<0xE0: 2
      case 0xE0..<0xF0: 3
      case 0xF0...: 4
      default: 1
      }
    let count = tail.endIndex - start
    return count < length ? count : 0
  }
}

extension String {
  /// The text in the form of ``printable``, except that line ends and tabs are kept.
  var printableLines: String {
    guard unicodeScalars.contains(where: \.isUnprintable) else { return self }
    return reduce(into: "") { text, character in
      switch character {
      case "\n", "\r\n", "\t": text.append(character)
      default: text += String(character).printable
      }
    }
  }
}
