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
      case 0x22:
        let start = offset + 1
        offset = endOfString(text, from: start)
        if offset + 1 < text.count, text[offset + 1] == 0x3A, let last = containers.indices.last {
          containers[last].key = start..<offset
        }
      case 0x7B: containers.append(Container(isObject: true))
      case 0x5B: containers.append(Container(isObject: false))
      case 0x7D, 0x5D: _ = containers.popLast()
      case 0x2C:
        if let last = containers.indices.last { containers[last].index += 1 }
      default: break
      }
      offset += 1
    }
    // The comma after the last value has already been counted.
    if !isBeforeValue, text.count > 0, text[text.count - 1] == 0x2C, let last = containers.indices.last {
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

  /// Returns the range of the first member with a certain key, including the comma after it; `nil` if no member has this key.
  ///
  /// - Parameters:
  ///   - key: The range of the key and its colon in `text`.
  ///   - offset: The start of the first member. The other members follow until the end of `text`.
  static func member(withKeyIn key: Range<Int>, of text: Span<UInt8>, from offset: Int) -> Range<Int>? {
    var start = offset
    while start < text.count {
      let colon = endOfString(text, from: start + 1) + 1
      let end = endOfValue(text, from: colon + 1)
      let length = colon + 1 - start
      if length == key.count, (0..<length).allSatisfy({ text[start + $0] == text[key.lowerBound + $0] }) {
        return start..<end
      }
      start = end
    }
    return nil
  }

  /// Returns the offset after the comma that follows a value.
  private static func endOfValue(_ text: Span<UInt8>, from start: Int) -> Int {
    var (offset, depth) = (start, 0)
    while offset < text.count {
      switch text[offset] {
      case 0x22: offset = endOfString(text, from: offset + 1)
      case 0x7B, 0x5B: depth += 1
      case 0x7D, 0x5D: depth -= 1
      case 0x2C where depth == 0: return offset + 1
      default: break
      }
      offset += 1
    }
    return text.count
  }

  private static func endOfString(_ text: Span<UInt8>, from start: Int) -> Int {
    var offset = start
    while offset < text.count, text[offset] != 0x22 { offset += text[offset] == 0x5C ? 2 : 1 }
    return offset
  }
}
