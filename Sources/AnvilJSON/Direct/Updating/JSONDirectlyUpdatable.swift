/// A type that can be updated by a ``JSON/Reader``, which is faster than updating it by a `Decoder`.
///
/// Both functions named `update(from:)` must accept the same texts and have the same effects. `@JSONCodable` writes both for a type that is
/// declared to be `DecoderUpdatable`.
public protocol JSONDirectlyUpdatable: JSONDirectlyDecodable {
  /// Updates this value from the value at the position of `reader`, and leaves the reader after it. Members that are not in the text keep
  /// their values.
  ///
  /// - Throws: ``JSON/ReadingError``. The value is then unchanged.
  mutating func update(from reader: inout JSON.Reader) throws(JSON.ReadingError)

  /// The types of the members, without their optionality.
  static var updatedMembers: [JSON.UpdatedMember] { get }
}

extension JSON {
  /// The type of a member that is updated on the direct path.
  ///
  /// A member that is `DecoderUpdatable` but is not updated in place here needs a decoder.
  public struct UpdatedMember {
    /// The type.
    public let type: any Any.Type
    /// The type, if ``JSONDirectlyUpdatable/update(from:)`` updates values of it in place; otherwise `nil`.
    public let updatable: (any JSONDirectlyUpdatable.Type)?

    /// Creates a member that is replaced as a whole.
    public init<T>(_ type: T.Type) {
      self.type = type
      updatable = nil
    }

    /// Creates a member that is updated in place.
    public init<T: JSONDirectlyUpdatable>(_ type: T.Type) {
      self.type = type
      updatable = type
    }
  }
}
