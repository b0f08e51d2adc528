extension String {
  /// Calls `body` with the string's UTF-8, which is valid only during the call.
  ///
  /// `String.utf8Span` requires newer systems than the package does.
  @inline(__always)
  func withUTF8Span<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    // Contiguous storage is read in place: through a copy, decoding took 3 % more time, encoding 4.5 % more instructions.
    // Safety: the buffer is the string's storage and lives for the call.
    if let result = unsafe utf8.withContiguousStorageIfAvailable({ unsafe body(Span(_unsafeElements: $0)) }) {
      return result
    }
    return withCopiedUTF8Span(body)
  }

  /// Calls `body` with a copy of the string's UTF-8, for a string from Objective-C, whose storage is not contiguous.
  ///
  /// The function is not optimised, so that it is not specialised for each `body`. With two more copies of every `body`, the module had 2.4
  /// % more code.
  @inline(never) @_optimize(none)
  private func withCopiedUTF8Span<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    var copy = self
    // Safety: the buffer is the copy's storage and lives for the call.
    return copy.withUTF8 { unsafe body(Span(_unsafeElements: $0)) }
  }
}
