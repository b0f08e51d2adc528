extension JSON: JSONDecodable, JSONReadable, JSONWritable {
  /// Returns `json` itself.
  public static func decode(_ json: JSON) -> JSON { json }

  /// Reads any value. The result is its own ``root`` and does not keep the surrounding text alive.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the value, which is scanned twice.
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> JSON { try reader.json() }

  /// Writes the value without white space, with the digits of its numbers as they were parsed.
  ///
  /// The nesting depth within the value does not count towards the limit. If the value was parsed with a higher depth limit than the
  /// default, parsing the text needs that limit too.
  public func write(to writer: inout JSON.Writer) {
    if writer.output.style.isObjectBegun, kind == .object { return writeMembers(to: &writer) }
    guard writer.claim() else { return }
    // Numbers can be out of range only if doubles are requested.
    try? Serializer.write(self, .compact, order: .document, numbers: .asWritten, to: writer.output)
    writer.output.append(0x2C)
  }

  /// Writes the members of an object whose brace has been written.
  private func writeMembers(to writer: inout JSON.Writer) {
    writer.object { members in
      forEachMember { step, value in
        if case .key(let key) = step { members.write(key, value) }
      }
    }
  }
}

extension JSON: DirectlyDecodable {
  static func decode(by session: DecodingSession, at index: Int) throws -> JSON {
    // A separate copy, so that a value that is kept does not keep the whole text alive.
    JSON(session.document, at: index).compactCopy()
  }
}
