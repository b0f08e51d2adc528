/// A type that can be updated by a ``JSON/Reader``, which is faster than updating it by a `Decoder`.
///
/// `@JSONCodable` writes the conformance for a type that is declared to be `DecoderUpdatable`. Both functions named `update(from:)` accept
/// the same texts and have the same effects.
public protocol JSONDirectlyUpdatable: JSONDirectlyDecodable {
  /// Updates this value from the value at the position of `reader`, and leaves the reader after it. Members that are not in the text keep
  /// their values.
  ///
  /// - Throws: ``JSON/ReadingError``. The value is then unchanged.
  mutating func update(from reader: inout JSON.Reader) throws(JSON.ReadingError)

  /// The types of the members, without their optionality.
  static var _updatedMembers: [JSON._UpdatedMember] { get }
}

extension JSON {
  /// The type of a member of a ``JSONDirectlyUpdatable`` type, and whether values of the member are updated in place.
  ///
  /// If the type of a member is `DecoderUpdatable` but its values are not updated in place by a ``JSON/Reader``, the whole value is updated
  /// by a `Decoder`.
  public struct _UpdatedMember {
    /// The type of the member, without its optionality.
    public let type: any Any.Type
    /// The type of the member if ``JSONDirectlyUpdatable/update(from:)`` updates its values in place; otherwise `nil`.
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
