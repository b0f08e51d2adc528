extension Bool: JSONWritable {
  /// Writes `true` or `false`.
  @inlinable
  public func write(to writer: inout JSON.Writer) {
    if writer.claim() { writer.output.write(self) }
  }
}

extension String: JSONWritable {
  /// Writes the text in quotation marks; quotation marks, backslashes and control characters in it escaped.
  ///
  /// Source: RFC 8259 §7.
  @inlinable
  public func write(to writer: inout JSON.Writer) {
    if writer.claim() { writer.output.write(self) }
  }
}

extension Double: JSONWritable {
  /// Writes the shortest number that reads as this one, with an exponent from 2⁵³ on and below 10⁻⁴. Fails where it is not
  /// finite.
  @inlinable
  public func write(to writer: inout JSON.Writer) {
    guard isFinite else { return writer.failNotFinite() }
    if writer.claim() { writer.output.write(finite: self) }
  }
}

extension Float: JSONWritable {
  /// Writes the shortest number that reads as this one, with an exponent from 2²⁴ on and below 10⁻⁴. Fails where it is not
  /// finite.
  @inlinable
  public func write(to writer: inout JSON.Writer) {
    guard isFinite else { return writer.failNotFinite() }
    if writer.claim() { writer.output.write(finite: self) }
  }
}

extension JSON: JSONWritable {
  /// Writes the value as it was parsed, numbers digit for digit, without white space.
  ///
  /// Its depth is not counted: where it was parsed with a larger limit than the usual one, the text needs such a limit too.
  public func write(to writer: inout JSON.Writer) {
    guard writer.claim() else { return }
    // Numbers are only out of range where doubles are asked for.
    try? Serializer.write(self, .compact, order: .document, numbers: .asWritten, to: writer.output)
    writer.output.append(0x2C)
  }
}

extension JSON.Writer {
  @usableFromInline @inline(never)
  mutating func failNotFinite() {
    fail(.notFinite)
    writeNull()
  }
}
