internal import Anvil
internal import AnvilBase
internal import AnvilBodies
internal import AnvilHTTP
internal import Foundation

struct RequestBody {
  let console: Console

  /// Returns the body that `arguments` and the fields after the URL describe; an empty body if they describe no body.
  func body(_ arguments: ArgumentParser, fields: [BodyField]) throws(CommandError) -> HTTP.Body {
    try arguments.exclude([.data, .json, .form, .multipart])
    let kinds: [CommandOption] = [.data, .json, .form, .multipart].filter { arguments.contains($0) }
    if let kind = kinds.first, kind != .json, let field = fields.first {
      throw CommandError(
        "\(field.name.quotedExcerpt) after the URL is a member of a JSON body and cannot be used with --\(kind.name)")
    }
    let body: HTTP.Body =
      switch kinds.first {
      case .data?: try text(arguments.values(of: .data))
      case .form?: try form(arguments.values(of: .form))
      case .multipart?: try multipart(arguments.values(of: .multipart))
      default: try json(arguments.values(of: .json), fields)
      }
    guard arguments.contains(.gzip) else { return body }
    if kinds.isEmpty, fields.isEmpty { throw CommandError("--gzip needs a body") }
    return try CommandError.explaining("--gzip") { try body.gzipped() }
  }

  private func text(_ values: [String]) throws(CommandError) -> HTTP.Body {
    if values.count == 1, let name = Self.file(values[0]) {
      let type = MediaTypes.type(ofFile: name) ?? .applicationOctetStream
      if name == "-" || FileKind.isStream(name) {
        return HTTP.Body(try read(name, of: "--data"), contentType: type)
      }
      return .file(try InputFile.checked(name, of: "--data"), contentType: type)
    }
    var data = Data()
    for (index, value) in values.enumerated() {
      if index > 0 { data.append(.ampersand) }
      if let name = Self.file(value) { data += try read(name, of: "--data") } else { data += Data(value.utf8) }
    }
    return HTTP.Body(data, contentType: .applicationFormURLEncoded)
  }

  private func form(_ values: [String]) throws(CommandError) -> HTTP.Body {
    var fields: [(String, String)] = []
    for value in values { fields.append(try Self.pair(value, of: "--form")) }
    return .urlForm(fields)
  }

  private func multipart(_ values: [String]) throws(CommandError) -> HTTP.Body {
    var parts: [HTTP.FormPart] = []
    for text in values {
      let (name, value) = try Self.pair(text, of: "--multipart")
      guard let described = Self.file(value) else {
        parts.append(.text(Self.unescaped(value), name: name))
        continue
      }
      let part = try MultipartFile(described)
      let type =
        part.type.map { HTTP.HeaderValue(rawValue: $0) } ?? MediaTypes.type(ofFile: part.filename ?? part.file)
        ?? .applicationOctetStream
      if part.file == "-" || FileKind.isStream(part.file) {
        let filename = part.filename ?? URL(filePath: part.file).lastPathComponent
        parts.append(.data(try read(part.file, of: "--multipart"), name: name, filename: filename, contentType: type))
      } else {
        let url = try InputFile.checked(part.file, of: "--multipart")
        parts.append(.file(url, name: name, filename: part.filename, contentType: type))
      }
    }
    return .multipart(parts)
  }

  /// Returns the words of a curl command line for a form with files. Other bodies can be text in the command line.
  static func curlForm(_ arguments: ArgumentParser) throws(CommandError) -> [String] {
    var words: [String] = []
    var hasFiles = false
    for text in arguments.values(of: .multipart) {
      let (name, value) = try pair(text, of: "--multipart")
      guard let described = file(value) else {
        words += [
          "--form-string", "\(name)=\(HTTP.Redaction().isSecret(name: name) ? "<redacted>" : unescaped(value))",
        ]
        continue
      }
      hasFiles = true
      let part = try MultipartFile(described)
      let type =
        part.type ?? MediaTypes.type(ofFile: part.filename ?? part.file)?.rawValue ?? "application/octet-stream"
      let filename = part.filename.map { ";filename=\(MultipartFile.quoted($0))" } ?? ""
      words += ["-F", "\(name)=@\(MultipartFile.quoted(part.file));type=\(type)\(filename)"]
    }
    return hasFiles ? words : []
  }

  private func json(_ values: [String], _ operands: [BodyField]) throws(CommandError) -> HTTP.Body {
    var fields: [BodyField] = []
    var whole: Data?
    for value in values {
      let name = Self.file(value)
      if name == nil, let field = BodyField(value) {
        fields.append(field)
        continue
      }
      if whole != nil { throw CommandError("--json is given twice") }
      whole = if let name { try read(name, of: "--json") } else { Data(value.utf8) }
    }
    fields += operands
    guard let whole else {
      return fields.isEmpty ? .empty : HTTP.Body(try object(fields), contentType: .applicationJSON)
    }
    if let field = fields.first {
      throw CommandError("--json already specifies the whole body; \(field.name.quotedExcerpt) cannot be added")
    }
    _ = try CommandError.explaining("--json is not JSON") { try JSON(parsing: whole) }
    return HTTP.Body(whole, contentType: .applicationJSON)
  }

  private func object(_ fields: [BodyField]) throws(CommandError) -> Data {
    var members: [(key: String, value: JSON)] = []
    for field in fields {
      if members.contains(where: { $0.key == field.name }) {
        throw CommandError("the member \(field.name.quotedExcerpt) is given twice")
      }
      let text =
        if let name = Self.file(field.value) {
          try readText(name, of: "the value of \(field.name.quotedExcerpt):")
        } else { field.value }
      let value =
        if field.isJSON {
          try CommandError.explaining("the value of \(field.name.quotedExcerpt) is not JSON") {
            try JSON(parsing: text)
          }
        } else {
          JSON(Self.file(field.value) == nil ? Self.unescaped(text) : text)
        }
      members.append((field.name, value))
    }
    return JSON(members).serializedData()
  }

  /// Returns the name of the file in `@NAME`, or `nil` for a text.
  private static func file(_ text: String) -> String? {
    text.hasPrefix("@") ? String(text.dropFirst()) : nil
  }

  /// Returns `text` without the backslash of a `\@` at its start. The backslash marks a text that begins with `@` and does not name a file.
  private static func unescaped(_ text: String) -> String {
    text.hasPrefix("\\@") ? String(text.dropFirst()) : text
  }

  private static func pair(_ text: String, of option: String) throws(CommandError) -> (String, String) {
    guard let separator = text.firstIndex(of: "="), separator > text.startIndex else {
      throw CommandError("\(option) \(text.prefix(20).description.quotedExcerpt) is not NAME=VALUE")
    }
    return (String(text[..<separator]), String(text[text.index(after: separator)...]))
  }

  private func read(_ name: String, of option: String) throws(CommandError) -> Data {
    do {
      return name == "-" ? try console.readInput() : try InputFile.read(name)
    } catch {
      throw CommandError(unreadable: name, of: option, error)
    }
  }

  private func readText(_ name: String, of option: String) throws(CommandError) -> String {
    guard let text = String(validating: try read(name, of: option), as: UTF8.self) else {
      throw CommandError("\(option) \(name.quotedExcerpt) is not UTF-8 text, which JSON requires")
    }
    return text
  }
}

/// A file of a multipart form: `FILE;type=TYPE;filename=NAME`, with optional parameters in any order. In quotation marks, `\"` and `\\` are
/// a quotation mark and a backslash. Source: curl(1), `--form`.
struct MultipartFile {
  let file: String
  private(set) var type: String?
  private(set) var filename: String?

  /// Parses the text after the `@`.
  init(_ text: String) throws(CommandError) {
    var rest = text[...]
    file = Self.takeValue(&rest)
    while let parameter = rest.prefixMatch(of: /;[ \t]*(type|filename)=/) {
      rest = rest[parameter.range.upperBound...]
      let isType = parameter.1 == "type"
      let value = Self.takeValue(&rest)
      guard !value.isEmpty else { throw CommandError("--multipart: \(parameter.1)= has no value") }
      guard (isType ? type : filename) == nil else { throw CommandError("--multipart: \(parameter.1)= is given twice") }
      if isType { type = value } else { filename = value }
    }
  }

  /// Returns the text in quotation marks if curl would not take it as it is.
  static func quoted(_ text: String) -> String {
    guard text.contains(where: { ";,\"".contains($0) }) else { return text }
    return "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  private static func takeValue(_ rest: inout Substring) -> String {
    if let quoted = rest.prefixMatch(of: /"((?:[^"\\]|\\.)*)"[ \t]*(?=;[ \t]*(?:type|filename)=|$)/) {
      rest = rest[quoted.range.upperBound...]
      return String(quoted.1).replacing(/\\(["\\])/) { $0.1 }
    }
    let end = rest.firstMatch(of: /;[ \t]*(?:type|filename)=/)?.range.lowerBound ?? rest.endIndex
    defer { rest = rest[end...] }
    return String(rest[..<end])
  }
}

/// The media types of files by their names. Source: the media types registry of IANA.
enum MediaTypes {
  static func type(ofFile name: String) -> HTTP.HeaderValue? {
    types[URL(filePath: name).pathExtension.lowercased()].map { HTTP.HeaderValue(rawValue: $0) }
  }

  private static let types = [
    "json": "application/json", "ndjson": "application/x-ndjson", "jsonl": "application/x-ndjson",
    "txt": "text/plain", "csv": "text/csv", "html": "text/html", "xml": "application/xml", "md": "text/markdown",
    "yaml": "application/yaml", "yml": "application/yaml", "pdf": "application/pdf", "zip": "application/zip",
    "gz": "application/gzip", "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif",
    "svg": "image/svg+xml", "webp": "image/webp", "mp3": "audio/mpeg", "mp4": "video/mp4",
  ]
}

struct RequestOperands {
  let url: URL
  let target: String
  let fields: [BodyField]

  /// Creates the operands from `arguments`. The URL is the first operand that is not a field.
  init(_ arguments: ArgumentParser) throws(CommandError) {
    var target: String?
    var query = HTTP.Query()
    var fields: [BodyField] = []
    for operand in arguments.operands {
      if target != nil || arguments.operands.count > 1, let item = Self.queryItem(operand) {
        query.add(item.name, item.value)
      } else if target != nil || arguments.operands.count > 1, let field = BodyField(operand) {
        fields.append(field)
      } else if target == nil {
        target = operand
      } else {
        throw CommandError("unexpected argument \(operand.quotedExcerpt) after the URL")
      }
    }
    guard let target else { throw CommandError("the URL is missing") }
    guard let url = URL(string: Self.adding(query, to: Self.withScheme(target))) else {
      throw CommandError("\(target.quotedExcerpt) is not a URL")
    }
    self.url = url
    self.target = target
    self.fields = fields
  }

  /// Returns the name and the value of a query item, which has the form `name==value`; `nil` for other texts.
  private static func queryItem(_ text: String) -> (name: String, value: String)? {
    guard let match = text.firstMatch(of: /^([^=:\/?#\s"'{}]+)==/) else { return nil }
    return (String(match.1), String(text[match.range.upperBound...]))
  }

  private static func adding(_ query: HTTP.Query, to target: String) -> String {
    let added = query.percentEncoded
    guard !added.isEmpty else { return target }
    let end = target.firstIndex(of: "#") ?? target.endIndex
    let start = target[..<end]
    let separator = start.contains("?") ? start.hasSuffix("?") || start.hasSuffix("&") ? "" : "&" : "?"
    return start + separator + added + target[end...]
  }

  /// Returns `target` with a scheme: `http` on the loopback interface, otherwise `https`. The host before a port may be left out.
  static func withScheme(_ target: String) -> String {
    if target.prefixMatch(of: /:[0-9]/) != nil || target == ":" || target.hasPrefix(":/") {
      return "http://localhost" + (target.hasPrefix(":/") || target == ":" ? target.dropFirst() : target[...])
    }
    // A name before a colon and a port is a host. Any other name before a colon is a scheme.
    guard !target.contains(/^[A-Za-z][A-Za-z0-9+.\-]*:(?![0-9])/) else { return target }
    let isHost = target.contains(/^(\[[0-9A-Fa-f:.]+\]|[^\s:\/?#@\[\]]+)(:[0-9]+)?([\/?#]|$)/)
    guard isHost else { return target }
    let host = target.prefix { !"/?#".contains($0) }.replacing(/:[0-9]+$/, with: "")
    return (isLoopback(host) ? "http://" : "https://") + target
  }

  /// Returns whether `host` is one of the loopback interface, without a port.
  static func isLoopback(_ host: Substring) -> Bool {
    host.wholeMatch(of: /localhost|127(\.[0-9]+){3}|\[::1\]|[A-Za-z0-9.\-]+\.localhost/) != nil
  }
}

/// A member of a JSON body in the form of the command line: `name=text`, or `name:=3`.
struct BodyField: Hashable, Sendable {
  let name: String
  let value: String
  let isJSON: Bool

  init?(_ text: String) {
    guard let match = text.firstMatch(of: /^([^=:\/?#\s"'{}\[\]][^=:\/?#\s"'{}\[\]]*)(:?=)/) else { return nil }
    name = String(match.1)
    isJSON = match.2 == ":="
    value = String(text[match.range.upperBound...])
  }
}
