/// Finds the path to the end of an unfinished JSON text, for the paths of errors.
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

  private static func endOfString(_ text: Span<UInt8>, from start: Int) -> Int {
    var offset = start
    while offset < text.count, text[offset] != 0x22 { offset += text[offset] == 0x5C ? 2 : 1 }
    return offset
  }
}
