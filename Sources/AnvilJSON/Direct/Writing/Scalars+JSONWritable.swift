extension Bool: JSONWritable {
  /// Writes `true` or `false`.
  @inlinable
  public func write(to writer: inout JSON.Writer) {
    if writer.claim() { writer.output.write(self) }
  }
}

extension String: JSONWritable {
  /// Writes the text in quotation marks. Quotation marks, backslashes and control characters in it are escaped.
  ///
  /// Source: RFC 8259 §7.
  @inlinable
  public func write(to writer: inout JSON.Writer) {
    if writer.claim() { writer.output.write(self) }
  }
}

extension Double: JSONWritable {
  /// Writes the shortest number that reads back as this one, with an exponent from 2⁵³ on and below 10⁻⁴. Records a failure for a number
  /// that is not finite.
  @inlinable
  public func write(to writer: inout JSON.Writer) {
    guard isFinite else { return writer.failNotFinite() }
    if writer.claim() { writer.output.write(finite: self) }
  }
}

extension Float: JSONWritable {
  /// Writes the shortest number that reads back as this one, with an exponent from 2²⁴ on and below 10⁻⁴. Records a failure for a number
  /// that is not finite.
  @inlinable
  public func write(to writer: inout JSON.Writer) {
    guard isFinite else { return writer.failNotFinite() }
    if writer.claim() { writer.output.write(finite: self) }
  }
}

extension JSON: JSONWritable {
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

extension JSON.Writer {
  @usableFromInline @inline(never)
  mutating func failNotFinite() {
    fail(.notFinite)
    writeNull()
  }
}
