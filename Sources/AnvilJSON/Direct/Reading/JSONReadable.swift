/// A type that reads itself from a JSON text, in one pass and without anything between the bytes and its properties.
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
/// The variables are optionals of the properties' types, also of those that are optional themselves: `nil` says that the
/// member has not come yet. Keys cost least in the order in which the text has them, but may come in any.
///
/// `RawRepresentable` types with a readable raw value only have to name the protocol.
public protocol JSONReadable {
  /// The value that begins where `reader` is. Leaves the reader behind it.
  ///
  /// - Throws: ``JSON/ReadingError``; ``JSON/Reader/dataCorrupted(_:at:)`` makes one for what a type finds wrong itself.
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self
}

extension JSONReadable where Self: RawRepresentable, RawValue: JSONReadable {
  /// The value whose raw value is read.
  ///
  /// - Throws: ``JSON/ReadingError``, also when there is none.
  @inlinable
  public static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    let offset = reader.offset
    guard let value = Self(rawValue: try RawValue.read(from: &reader)) else {
      throw reader.noValue(of: Self.self, at: offset)
    }
    return value
  }
}
