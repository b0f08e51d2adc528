extension JSON {
  /// Why a value has no canonical form: a number that no double is near.
  public struct CanonicalFormError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where in the document the number stands.
    public let pointer: Pointer

    /// Where and why, without the number.
    public var description: String { "the number at \"\(pointer)\" is beyond the range of doubles" }
  }

  /// The one text in UTF-8 that this value and all that are the same to ECMAScript have: to be hashed or signed.
  ///
  /// Members are sorted by the UTF-16 code units of their keys, the first counts of those that share one; there is no white
  /// space; numbers are written as ECMAScript writes the double nearest to them, so that digits beyond a double's are lost:
  /// 9007199254740993 becomes 9007199254740992. Who needs them puts them in strings, as RFC 8785 appendix D advises.
  ///
  /// - Throws: ``CanonicalFormError``.
  /// - Complexity: O(*n* log *m*), *n* the value's size and *m* that of its largest object.
  /// - Source: RFC 8785.
  public func canonicalForm() throws(CanonicalFormError) -> [UInt8] {
    let output = OutputMemory(capacity: 256)
    defer { output.deallocate() }
    do throws(Serializer.OutOfRange) {
      try Serializer.write(self, .compact, order: .sortedFirst(.utf16), numbers: .ecmaScript, to: output)
      return output.bytes()
    } catch {
      throw CanonicalFormError(pointer: Pointer(JSON(document, at: error.index).stepsFromRoot))
    }
  }
}
