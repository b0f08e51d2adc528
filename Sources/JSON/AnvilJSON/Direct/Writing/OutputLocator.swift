internal import AnvilBase

/// Finds parts of an unfinished JSON text: the path to its end, for the paths of errors, and members.
enum OutputLocator {
  /// Returns the path to the value that is about to begin at the end of `text` if `isBeforeValue` is true, and otherwise to the last value
  /// in `text`.
  ///
  /// - Parameter text: Unfinished compact JSON, in which every complete value is followed by a comma.
  static func path(atEndOf text: Span<UInt8>, isBeforeValue: Bool) -> JSON.Path {
    let isAfterComma = text.count > 0 && text[text.count - 1] == .comma
    // Safety: `UInt8` has no padding.
    var tokens = TokenScanner(unsafe text.bytes)
    var path = TokenPath()
    // The comma after the last value would count as one before the next value.
    path.read(&tokens, upTo: isAfterComma && !isBeforeValue ? text.count - 1 : text.count)
    return JSON.Path(steps: path.steps(in: tokens))
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
    func endOfObject(at start: Int) -> Int? {
      objects.first?.lowerBound == start ? objects.removeFirst().upperBound : nil
    }
    var members: [Range<Int>] = []
    // Safety: as above.
    var tokens = TokenScanner(unsafe text.bytes, at: offset)
    while let member = tokens.nextChild(ofObject: true), let name = member.key?.range {
      if let end = endOfObject(at: member.value.range.lowerBound) {
        tokens.offset = end
      } else {
        tokens.skip(member.value, enter: { start, _ in endOfObject(at: start) }, leave: { _, _ in })
      }
      // The range of the other key includes its colon.
      guard name.count == key.count - 1,
        name.indices.allSatisfy({ text[$0] == text[$0 - name.lowerBound + key.lowerBound] })
      else { continue }
      members.append(name.lowerBound - 1..<tokens.offset)
    }
    return members
  }
}
