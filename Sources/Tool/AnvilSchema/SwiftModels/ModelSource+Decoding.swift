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
    let keyword = storage == .indirect ? "indirect enum" : "enum"
    let head = "\(access.modifier)\(keyword) \(name): \(protocols.joined(separator: ", ")), Hashable, Sendable"
    lines.block(head) { lines in
      for alternative in alternatives { lines.add("case \(alternative.label)(\(written(alternative.type)))") }
      lines.add()
      if style.isMapping {
        writeChoosing(name, alternatives, to: &lines)
      } else {
        if style.isMacro {
          writeRead(alternatives, to: &lines)
          lines.add()
          writeWrite(alternatives, to: &lines)
          lines.add()
        }
        writeTrying(alternatives, to: &lines)
        lines.add()
        writeEncode(alternatives, to: &lines)
      }
    }
  }

  private func writeChoosing(
    _ name: String, _ alternatives: [ModelTypes.Alternative], to lines: inout SourceLines
  ) {
    lines.block("\(access.modifier)static func decode(_ json: JSON) throws -> Self") { lines in
      lines.add("try json.decodeAsOneOf(")
      lines.indented { lines in
        for (index, alternative) in alternatives.enumerated() {
          let comma = index < alternatives.count - 1 ? "," : ""
          lines.add(".decoding(\(written(alternative.type)).self, as: Self.\(alternative.label))\(comma)")
        }
      }
      lines.add(")")
    }
  }

  /// The protocols of types whose coding is not written by a macro.
  private var protocols: [String] {
    switch style {
    case .macro: ["Codable", "JSONReadable", "JSONWritable"]
    case .codable: ["Codable"]
    case .mapping: ["JSONDecodable"]
    }
  }

  private func writeRead(_ alternatives: [ModelTypes.Alternative], to lines: inout SourceLines) {
    lines.block(readHead) { lines in
      lines.add("switch reader.kind {")
      for (index, alternative) in alternatives.enumerated() {
        let pattern = index < alternatives.count - 1 ? "case .\(alternative.kind.rawValue)" : "default"
        lines.add("\(pattern): .\(alternative.label)(try reader.read())")
      }
      lines.add("}")
    }
  }

  private var readHead: String {
    "\(access.modifier)static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self"
  }

  private func writeWrite(_ alternatives: [ModelTypes.Alternative], to lines: inout SourceLines) {
    lines.block("\(access.modifier)func write(to writer: inout JSON.Writer)") { lines in
      lines.add("switch self {")
      for alternative in alternatives {
        lines.add("case .\(alternative.label)(let value): writer.write(value)")
      }
      lines.add("}")
    }
  }

  private func writeTrying(_ alternatives: [ModelTypes.Alternative], to lines: inout SourceLines) {
    lines.block("\(access.modifier)init(from decoder: any Decoder) throws") { lines in
      lines.add("let container = try decoder.singleValueContainer()")
      for (index, alternative) in alternatives.enumerated() {
        let type = written(alternative.type)
        if index < alternatives.count - 1 {
          let keyword = index == 0 ? "if" : "} else if"
          lines.add("\(keyword) let value = try? container.decode(\(type).self) {")
        } else {
          lines.add("} else {")
        }
        let value = index < alternatives.count - 1 ? "value" : "try container.decode(\(type).self)"
        lines.indented { $0.add("self = .\(alternative.label)(\(value))") }
      }
      lines.add("}")
    }
  }

  private func writeEncode(_ alternatives: [ModelTypes.Alternative], to lines: inout SourceLines) {
    lines.block("\(access.modifier)func encode(to encoder: any Encoder) throws") { lines in
      lines.add("var container = encoder.singleValueContainer()")
      lines.add("switch self {")
      for alternative in alternatives {
        lines.add("case .\(alternative.label)(let value): try container.encode(value)")
      }
      lines.add("}")
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
      lines.add("case value(Value)")
      lines.add()
      lines.block("\(access.modifier)var value: Value") { lines in
        lines.add("switch self {")
        lines.add("case .value(let value): value")
        lines.add("}")
      }
      lines.add()
      if style.isMapping {
        lines.block("\(access.modifier)static func decode(_ json: JSON) throws -> Self") { lines in
          lines.add(".value(try Value.decode(json))")
        }
        return
      }
      if style.isMacro {
        lines.block(readHead) { $0.add(".value(try reader.read())") }
        lines.add()
        lines.block("\(access.modifier)func write(to writer: inout JSON.Writer)") { $0.add("writer.write(value)") }
        lines.add()
      }
      lines.block("\(access.modifier)init(from decoder: any Decoder) throws") { lines in
        lines.add("self = .value(try Value(from: decoder))")
      }
      lines.add()
      lines.block("\(access.modifier)func encode(to encoder: any Encoder) throws") { lines in
        lines.add("try value.encode(to: encoder)")
      }
    }
  }
}

/// Lines of Swift, indented by two spaces for each level.
struct SourceLines {
  static let width = 120

  private(set) var text = ""
  private var level = 0

  /// Adds a line. An empty line is not indented.
  mutating func add(_ line: String = "") {
    text += line.isEmpty ? "\n" : "\(indentation)\(line)\n"
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
