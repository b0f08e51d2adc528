extension RawSpan {
  /// The byte at `offset`, which must be less than the span's count.
  ///
  /// Safety: any eight bits are a `UInt8`, and the call checks the bounds.
  subscript(offset: Int) -> UInt8 { unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self) }
}
