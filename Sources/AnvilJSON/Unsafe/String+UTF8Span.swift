extension String {
  /// The string's UTF-8, for as long as `body` runs.
  ///
  /// `String.utf8Span` is younger than the systems that the package supports.
  @inline(__always)
  func withUTF8Span<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    var copy = self
    // Safety: the buffer is the string's storage or a copy of it, and lives for the call.
    return copy.withUTF8 { unsafe body(Span(_unsafeElements: $0)) }
  }
}
