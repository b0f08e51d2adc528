/// A type that reads itself from a JSON text in one pass, directly into its properties.
///
///     struct Owner: JSONReadable {
///       var login: String
///       var id: Int
///       var company: String?
///
///       static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Owner {
///         var login: String?
///         var id: Int?
///         var company: String??
///         try reader.beginObject()
///         repeat {
///           try reader.read("login", into: &login)
///           try reader.read("id", into: &id)
///           try reader.read("company", into: &company)
///         } while try reader.hasMoreMembers()
///         return try Owner(
///           login: reader.require(login, "login"), id: reader.require(id, "id"), company: company ?? nil)
///       }
///     }
///
/// Each variable is an optional of the property's type, even if that type is itself optional: `nil` means that the
/// member has not been read yet. Trying the keys in the order of the text is fastest, but the members may be in any order.
///
/// `RawRepresentable` types with a readable raw value only have to declare the conformance.
public protocol JSONReadable {
  /// Reads the value at the position of `reader`, and leaves the reader after it.
  ///
  /// - Throws: ``JSON/ReadingError``. Use ``JSON/Reader/dataCorrupted(_:at:)`` to create one for a value that the type rejects.
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self
}

extension JSONReadable where Self: RawRepresentable, RawValue: JSONReadable {
  /// Reads a raw value and returns the value for it.
  ///
  /// - Throws: ``JSON/ReadingError``, also if no value has the raw value.
  @inlinable
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    let offset = reader.offset
    guard let value = Self(rawValue: try RawValue.read(from: &reader)) else {
      throw reader.noValue(of: Self.self, at: offset)
    }
    return value
  }
}
