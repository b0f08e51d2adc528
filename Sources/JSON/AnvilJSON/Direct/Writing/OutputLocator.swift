internal import AnvilBase

/// Finds parts of an unfinished JSON text: the path to its end, for the paths of errors, and members.
enum OutputLocator {
  private struct Container {
    let isObject: Bool
    /// The range of the last key, without its quotation marks.
    var key: Range<Int>?
    /// The number of commas so far, which is the index of the next element.
    var index = 0
  }

  /// Returns the path to the value that is about to begin at the end of `text` if `isBeforeValue` is true, and otherwise to the last value
  /// in `text`.
  ///
  /// - Parameter text: Unfinished compact JSON, in which every complete value is followed by a comma.
  static func path(atEndOf text: Span<UInt8>, isBeforeValue: Bool) -> JSON.Path {
    var containers: [Container] = []
    var offset = 0
    while offset < text.count {
      switch text[offset] {
      case .quote:
        let start = offset + 1
        offset = endOfString(text, from: start)
        if offset + 1 < text.count, text[offset + 1] == .colon, let last = containers.indices.last {
          containers[last].key = start..<offset
        }
      case .openBrace: containers.append(Container(isObject: true))
      case .openBracket: containers.append(Container(isObject: false))
      case .closeBrace, .closeBracket: _ = containers.popLast()
      case .comma:
        if let last = containers.indices.last { containers[last].index += 1 }
      default: break
      }
      offset += 1
    }
    // The comma after the last value has already been counted.
    if !isBeforeValue, text.count > 0, text[text.count - 1] == .comma, let last = containers.indices.last {
      containers[last].index -= 1
    }
    return JSON.Path(
      steps: containers.compactMap { container in
        guard container.isObject else { return .index(container.index) }
        return container.key.map {
          .key(String(decoding: StringText.unescaped(text.extracting($0)), as: UTF8.self))
        }
      })
  }

  /// Returns the ranges of the members with a certain key, each with the comma before it.
  ///
  /// - Parameters:
  ///   - key: The range of the key and its colon in `text`.
  ///   - offset: The start of the first member, after a comma. The other members follow until the object's closing brace.
  ///   - objects: The ranges of objects in the members' values, in order. Their text is not read.
  static func members(
    withKeyIn key: Range<Int>, of text: Span<UInt8>, from offset: Int, skipping objects: ArraySlice<Range<Int>>
  ) -> [Range<Int>] {
    var objects = objects
    var members: [Range<Int>] = []
    var start = offset
    while start < text.count, text[start] == .quote {
      let colon = endOfString(text, from: start + 1) + 1
      let end = endOfValue(text, from: colon + 1, skipping: &objects)
      let length = colon + 1 - start
      if length == key.count, (0..<length).allSatisfy({ text[start + $0] == text[key.lowerBound + $0] }) {
        members.append(start - 1..<end)
      }
      start = end + 1
    }
    return members
  }

  /// Returns the offset of the comma or the closing bracket that follows a value.
  private static func endOfValue(
    _ text: Span<UInt8>, from start: Int, skipping objects: inout ArraySlice<Range<Int>>
  ) -> Int {
    var (offset, depth) = (start, 0)
    while offset < text.count {
      switch text[offset] {
      case .quote: offset = endOfString(text, from: offset + 1)
      case .openBrace where objects.first?.lowerBound == offset:
        offset = objects.removeFirst().upperBound
        continue
      case .openBrace, .openBracket: depth += 1
      case .closeBrace where depth == 0, .closeBracket where depth == 0: return offset
      case .closeBrace, .closeBracket: depth -= 1
      case .comma where depth == 0: return offset
      default: break
      }
      offset += 1
    }
    return text.count
  }

  private static func endOfString(_ text: Span<UInt8>, from start: Int) -> Int {
    var offset = start
    while offset < text.count, text[offset] != .quote { offset += text[offset] == .backslash ? 2 : 1 }
    return offset
  }
}
