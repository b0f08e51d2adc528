internal import AnvilBase
internal import AnvilJSON

/// Decoding code that the compiler does not synthesise.
extension ModelSource {
  func writeDecode(_ properties: [NamedProperty], to lines: inout SourceLines) {
    lines.block("\(access.modifier)static func decode(_ json: JSON) throws -> Self") { lines in
      let arguments = properties.map { property in
        let operation = property.property.absence == .missing ? "=>?" : "=>"
        return "\(SwiftName.argumentLabel(property.name)): json \(operation) \(property.property.key.swiftLiteral)"
      }
      let line = "try Self(\(arguments.joined(separator: ", ")))"
      if arguments.count <= 3, lines.fits(line) { return lines.add(line) }
      lines.add("try Self(")
      lines.indented { lines in
        for (index, argument) in arguments.enumerated() {
          lines.add(index < arguments.count - 1 ? "\(argument)," : argument)
        }
      }
      lines.add(")")
    }
  }

  func writeChoice(
    _ name: String, _ alternatives: [ModelTypes.Alternative], _ storage: ModelTypes.Storage,
    to lines: inout SourceLines
  ) {
    let head = "\(access.modifier)\(storage.rawValue) \(name): \(protocols.joined(separator: ", ")), Hashable, Sendable"
    lines.block(head) { lines in
      for alternative in alternatives { lines.add("case \(alternative.label)(\(written(alternative.type)))") }
      for function in functions(choosing: alternatives) { lines.add("\n\(function)") }
    }
  }

  /// Returns the functions that decode and encode an enum of several kinds of value.
  private func functions(choosing alternatives: [ModelTypes.Alternative]) -> [String] {
    let last = alternatives.count - 1
    func each(_ lines: (Int, ModelTypes.Alternative) -> String) -> String {
      alternatives.enumerated().map(lines).joined(separator: "\n")
    }
    if style.isMapping {
      let choices = each { "    .decoding(\(written($1.type)).self, as: Self.\($1.label))\($0 < last ? "," : "")" }
      return [function("static func decode(_ json: JSON) throws -> Self", "  try json.decodeAsOneOf(\n\(choices)\n  )")]
    }
    let reads = each {
      "  \($0 < last ? "case .\($1.kind.rawValue)" : "default"): .\($1.label)(try reader.read())"
    }
    let writes = each { "  case .\($1.label)(let value): writer.write(value)" }
    let attempts = each { index, alternative in
      let (type, label) = (written(alternative.type), alternative.label)
      guard index < last else {
        return "  } else {\n    self = .\(label)(try container.decode(\(type).self))"
      }
      return
        "  \(index == 0 ? "if" : "} else if") let value = try? container.decode(\(type).self) {\n    self = .\(label)(value)"
    }
    let encodings = each { "  case .\($1.label)(let value): try container.encode(value)" }
    let direct = [
      function(readHead, "  switch reader.kind {\n\(reads)\n  }"),
      function(writeHead, "  switch self {\n\(writes)\n  }"),
    ]
    return (style.isMacro ? direct : []) + [
      function(decodeHead, "  let container = try decoder.singleValueContainer()\n\(attempts)\n  }"),
      function(encodeHead, "  var container = encoder.singleValueContainer()\n  switch self {\n\(encodings)\n  }"),
    ]
  }

  private func function(_ head: String, _ body: String) -> String { "\(access.modifier)\(head) {\n\(body)\n}" }

  private var readHead: String { "static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self" }
  private var writeHead: String { "func write(to writer: inout JSON.Writer)" }
  private var decodeHead: String { "init(from decoder: any Decoder) throws" }
  private var encodeHead: String { "func encode(to encoder: any Encoder) throws" }

  /// The protocols of types whose coding is not written by a macro.
  var protocols: [String] {
    switch style {
    case .macro: ["Codable", "JSONReadable", "JSONWritable"]
    case .codable: ["Codable"]
    case .mapping: ["JSONDecodable"]
    }
  }

  func writeSupport(to lines: inout SourceLines) {
    let used = types.usedTypes
    if style.isCodable, used.contains(.unknown) {
      lines.add()
      lines.add("/// A value that is not kept: samples had `null`, nothing, or a number that no type can hold.")
      lines.add("\(access.modifier)struct Unknown: Codable, Hashable, Sendable {}")
    }
    if used.contains(where: { if case .box = $0 { true } else { false } }) {
      lines.add()
      writeBox(to: &lines)
    }
  }

  private func writeBox(to lines: inout SourceLines) {
    let all = protocols + ["Hashable", "Sendable"]
    lines.add("/// A value on the heap: a struct cannot hold its own type directly.")
    let constraint = all.joined(separator: " & ")
    lines.block("\(access.modifier)indirect enum Box<Value: \(constraint)>: \(all.joined(separator: ", "))") { lines in
      lines.add("case value(Value)\n")
      lines.add(function("var value: Value", "  switch self {\n  case .value(let value): value\n  }"))
      let direct = [function(readHead, "  .value(try reader.read())"), function(writeHead, "  writer.write(value)")]
      let coding = [
        function(decodeHead, "  self = .value(try Value(from: decoder))"),
        function(encodeHead, "  try value.encode(to: encoder)"),
      ]
      let mapping = [function("static func decode(_ json: JSON) throws -> Self", "  .value(try Value.decode(json))")]
      for function in style.isMapping ? mapping : (style.isMacro ? direct : []) + coding { lines.add("\n\(function)") }
    }
  }
}

/// Lines of Swift, indented by two spaces for each level.
struct SourceLines {
  static let width = 120

  private(set) var text = ""
  private var level = 0

  /// Adds lines. An empty line is not indented.
  mutating func add(_ lines: String = "") {
    for line in lines.split(separator: "\n", omittingEmptySubsequences: false) {
      text += line.isEmpty ? "\n" : "\(indentation)\(line)\n"
    }
  }

  /// Adds a block: `head`, the indented lines of `body`, and the closing brace.
  mutating func block(_ head: String, _ body: (inout SourceLines) -> Void) {
    add("\(head) {")
    indented(body)
    add("}")
  }

  mutating func indented(_ body: (inout SourceLines) -> Void) {
    level += 1
    body(&self)
    level -= 1
  }

  /// Adds `words` in lines that start with `mark`.
  mutating func fill(_ mark: String, _ words: [Substring]) {
    var line = mark
    for word in words {
      if line.count + word.count + 1 + indentation.count > Self.width, line != mark {
        add(line)
        line = mark
      }
      line += " \(word)"
    }
    if line != mark { add(line) }
  }

  func fits(_ line: String) -> Bool { line.count + indentation.count <= Self.width }

  private var indentation: String { String(repeating: "  ", count: level) }
}

extension String {
  var swiftLiteral: String {
    quoted { scalar in
      // Escapes characters that are invisible or reorder the text, that join emoji, or that are not yet assigned.
      scalar.isUnprintable || [.format, .unassigned].contains(scalar.properties.generalCategory)
        ? "\\u{\(String(scalar.value, radix: 16))}" : nil
    }
  }
}
