// Each function is inlined to a call of one of three functions that are not inlined.

extension Int: JSONWritable {
  /// Writes the number.
  @inlinable
  public func write(to writer: inout JSON.Writer) {
    if writer.claim() { writer.output.write(Int64(self)) }
  }
}

extension Int8: JSONWritable {
  /// Writes the number.
  @inlinable
  public func write(to writer: inout JSON.Writer) {
    if writer.claim() { writer.output.write(Int64(self)) }
  }
}

extension Int16: JSONWritable {
  /// Writes the number.
  @inlinable
  public func write(to writer: inout JSON.Writer) {
    if writer.claim() { writer.output.write(Int64(self)) }
  }
}

extension Int32: JSONWritable {
  /// Writes the number.
  @inlinable
  public func write(to writer: inout JSON.Writer) {
    if writer.claim() { writer.output.write(Int64(self)) }
  }
}

extension Int64: JSONWritable {
  /// Writes the number.
  @inlinable
  public func write(to writer: inout JSON.Writer) {
    if writer.claim() { writer.output.write(Int64(self)) }
  }
}

extension UInt: JSONWritable {
  /// Writes the number.
  @inlinable
  public func write(to writer: inout JSON.Writer) {
    if writer.claim() { writer.output.write(UInt64(self)) }
  }
}

extension UInt8: JSONWritable {
  /// Writes the number.
  @inlinable
  public func write(to writer: inout JSON.Writer) {
    if writer.claim() { writer.output.write(UInt64(self)) }
  }
}

extension UInt16: JSONWritable {
  /// Writes the number.
  @inlinable
  public func write(to writer: inout JSON.Writer) {
    if writer.claim() { writer.output.write(UInt64(self)) }
  }
}

extension UInt32: JSONWritable {
  /// Writes the number.
  @inlinable
  public func write(to writer: inout JSON.Writer) {
    if writer.claim() { writer.output.write(UInt64(self)) }
  }
}

extension UInt64: JSONWritable {
  /// Writes the number.
  @inlinable
  public func write(to writer: inout JSON.Writer) {
    if writer.claim() { writer.output.write(UInt64(self)) }
  }
}

extension Int128: JSONWritable {
  /// Writes the number.
  @inlinable
  public func write(to writer: inout JSON.Writer) {
    if writer.claim() { writer.output.write(large: self) }
  }
}

extension UInt128: JSONWritable {
  /// Writes the number.
  @inlinable
  public func write(to writer: inout JSON.Writer) {
    if writer.claim() { writer.output.write(large: self) }
  }
}
