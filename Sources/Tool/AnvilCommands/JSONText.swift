internal import AnvilBase
internal import AnvilJSON
internal import Foundation

extension Console {
  /// Writes JSON for a person or a program: with indentation on a terminal, otherwise in one line.
  func write(json: JSON) {
    write(JSONText(outputIsTerminal ? .pretty : .compact, hasColors: false, isForTerminal: outputIsTerminal).data(json))
    write("\n")
  }
}

/// Writes JSON as text for a terminal or a program, with or without colours.
///
/// Source: the escape codes of ECMA-48, "Select Graphic Rendition".
struct JSONText {
  enum Style: Sendable {
    case pretty
    case compact
  }

  private enum Color: String {
    case key = "34;1"
    case string = "32"
    case number = "36"
    case bool = "33"
    case null = "90"
  }

  private let style: Style
  private let hasColors: Bool
  private let isForTerminal: Bool

  /// Creates a writer.
  ///
  /// - Parameter isForTerminal: True if characters are escaped that JSON permits, but that can control a terminal or deceive a reader.
  init(_ style: Style, hasColors: Bool, isForTerminal: Bool) {
    self.style = style
    self.hasColors = hasColors
    self.isForTerminal = isForTerminal
  }

  /// Returns `value` as text, without a final line end. Colours only add escape codes and do not change other characters.
  func data(_ value: JSON) -> Data {
    var output = Data()
    if hasColors {
      append(value, depth: 0, to: &output)
    } else {
      output = value.serializedData(style == .pretty ? .pretty() : .compact)
    }
    return isForTerminal ? Self.printable(output) : output
  }

  /// Returns JSON with escapes for the characters that ``Swift/String/printable`` escapes. They occur only in strings. The ASCII characters
  /// among them are escaped already, except U+007F; those between values are line ends and escape codes of colours.
  private static func printable(_ json: Data) -> Data {
    guard json.contains(where: { $0 >= .delete }) else { return json }
    let text = String(decoding: json, as: UTF8.self).replacingScalars { scalar in
      scalar.value >= 0x7F && scalar.isUnprintable ? scalar.jsonEscape : nil
    }
    return Data(text.utf8)
  }

  func dimmed(_ text: String) -> String {
    hasColors ? "\u{1B}[2m\(text)\u{1B}[0m" : text
  }

  private func append(_ value: JSON, depth: Int, to output: inout Data) {
    switch value.kind {
    case .object:
      appendContainer(value.members, "{", "}", depth, to: &output) { member, output in
        append(JSON(member.key).serializedData(), .key, to: &output)
        output += Data((style == .pretty ? ": " : ":").utf8)
        append(member.value, depth: depth + 1, to: &output)
      }
    case .array:
      appendContainer(value.elements, "[", "]", depth, to: &output) { append($0, depth: depth + 1, to: &$1) }
    case .string: append(value.serializedData(), .string, to: &output)
    case .number: append(value.serializedData(), .number, to: &output)
    case .bool: append(value.serializedData(), .bool, to: &output)
    case .null: append(value.serializedData(), .null, to: &output)
    }
  }

  private func appendContainer<Items: Sequence>(
    _ items: Items, _ start: String, _ end: String, _ depth: Int, to output: inout Data,
    _ append: (Items.Element, inout Data) -> Void
  ) {
    output += Data(start.utf8)
    var isEmpty = true
    for item in items {
      if !isEmpty { output.append(.comma) }
      isEmpty = false
      appendLineEnd(depth + 1, to: &output)
      append(item, &output)
    }
    if !isEmpty { appendLineEnd(depth, to: &output) }
    output += Data(end.utf8)
  }

  private func appendLineEnd(_ depth: Int, to output: inout Data) {
    guard style == .pretty else { return }
    output.append(.lineFeed)
    output += Data(repeating: .space, count: depth * 2)
  }

  private func append(_ text: Data, _ color: Color, to output: inout Data) {
    output += Data("\u{1B}[\(color.rawValue)m".utf8) + text + Data("\u{1B}[0m".utf8)
  }
}
