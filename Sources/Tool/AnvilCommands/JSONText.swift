internal import AnvilBase
internal import AnvilJSON
internal import Foundation

extension Console {
  /// Writes JSON for a person or a program: with indentation on a terminal, otherwise in one line.
  func write(json: JSON) {
    write(
      JSONText(outputIsTerminal ? .pretty() : .compact, hasColors: false, isForTerminal: outputIsTerminal).data(json))
    write("\n")
  }
}

/// Writes JSON as text for a terminal or a program, with or without colours. Source: ECMA-48, "Select Graphic Rendition".
struct JSONText {
  private enum Color: String {
    case key = "34;1"
    case string = "32"
    case number = "36"
    case bool = "33"
    case null = "90"
  }

  private let style: JSON.OutputStyle
  private let hasColors: Bool
  private let isForTerminal: Bool

  /// For a terminal, characters are escaped that JSON permits, but that can control a terminal or deceive a reader.
  init(_ style: JSON.OutputStyle, hasColors: Bool, isForTerminal: Bool) {
    self.style = style
    self.hasColors = hasColors
    self.isForTerminal = isForTerminal
  }

  /// Returns `value` as text, without a final line end. Colours only add escape codes and do not change other characters.
  func data(_ value: JSON) -> Data {
    let text = value.serializedData(style)
    let output = hasColors ? Self.colored(Array(text)) : text
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

  /// Returns the text of a value with escape codes around its keys and scalars.
  private static func colored(_ json: [UInt8]) -> Data {
    var output = Data()
    var start = 0
    while start < json.count {
      var end = start + 1
      let color: Color?
      switch json[start] {
      case .quote:
        while json[end] != .quote { end += json[end] == .backslash ? 2 : 1 }
        end += 1
        color = end < json.count && json[end] == .colon ? .key : .string
      case .openBrace, .closeBrace, .openBracket, .closeBracket, .comma, .colon, .space, .lineFeed: color = nil
      case let first:
        end = json[end...].firstIndex { [.comma, .closeBrace, .closeBracket, .lineFeed].contains($0) } ?? json.count
        color = first == UInt8(ascii: "n") ? .null : first.isLetter ? .bool : .number
      }
      if let color { output += Data("\u{1B}[\(color.rawValue)m".utf8) }
      output += json[start..<end]
      if color != nil { output += Data("\u{1B}[0m".utf8) }
      start = end
    }
    return output
  }
}
