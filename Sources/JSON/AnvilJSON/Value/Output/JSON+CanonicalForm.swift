extension JSON {
  /// An error thrown for a value without a canonical form: it contains a number beyond the range of doubles.
  public struct CanonicalFormError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The location of the number in the document.
    public let pointer: Pointer

    /// The location and the reason, without the number.
    public var description: String { "the number at \"\(pointer)\" is beyond the range of doubles" }
  }

  /// Returns the canonical form of the value, in UTF-8, for hashing and signing. All values that are the same to ECMAScript have the
  /// same canonical form.
  ///
  /// Members are sorted by the UTF-16 code units of their keys. If several members share a key, only the first is written. There is no
  /// white space. Numbers are written as ECMAScript writes the nearest double, so digits beyond the precision of a double are lost:
  /// 9007199254740993 becomes 9007199254740992. To keep all digits, store numbers as strings, as RFC 8785 appendix D advises.
  ///
  /// - Throws: ``CanonicalFormError`` if a number is beyond the range of doubles.
  /// - Complexity: O(*n* log *m*), where *n* is the size of the value and *m* that of its largest object.
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
