#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A type that has a placeholder of its own making.
protocol PlaceheldValue {
  static func placeholder(_ variant: Placeholders.Variant) -> Self
}

/// A type that is read from one value by the functions of ``DecodingSession``, whatever the strategies.
protocol CollectedScalar: PlaceheldValue {
  static func read(by session: DecodingSession, at index: Int) throws -> Self

  /// What kinds of value it is read from; any, where there are none.
  static var kinds: [JSON.Kind] { get }
}

extension CollectedScalar where Self: FixedWidthInteger {
  static func read(by session: DecodingSession, at index: Int) throws -> Self { try session.integer(Self.self, at: index) }
  static var kinds: [JSON.Kind] { [.number] }
  static func placeholder(_ variant: Placeholders.Variant) -> Self { variant == .first ? 0 : 1 }
}

extension Int: CollectedScalar {}
extension Int8: CollectedScalar {}
extension Int16: CollectedScalar {}
extension Int32: CollectedScalar {}
extension Int64: CollectedScalar {}
extension Int128: CollectedScalar {}
extension UInt: CollectedScalar {}
extension UInt8: CollectedScalar {}
extension UInt16: CollectedScalar {}
extension UInt32: CollectedScalar {}
extension UInt64: CollectedScalar {}
extension UInt128: CollectedScalar {}

extension Bool: CollectedScalar {
  static func read(by session: DecodingSession, at index: Int) throws -> Bool { try session.bool(at: index) }
  static var kinds: [JSON.Kind] { [.bool] }
  static func placeholder(_ variant: Placeholders.Variant) -> Bool { variant == .other }
}

extension String: CollectedScalar {
  static func read(by session: DecodingSession, at index: Int) throws -> String { try session.string(at: index) }
  static var kinds: [JSON.Kind] { [.string] }
  static func placeholder(_ variant: Placeholders.Variant) -> String { variant == .first ? "" : "0" }
}

extension Double: CollectedScalar {
  static func read(by session: DecodingSession, at index: Int) throws -> Double { try session.double(at: index) }
  static var kinds: [JSON.Kind] { [.number] }
  static func placeholder(_ variant: Placeholders.Variant) -> Double { variant == .first ? 0 : 1 }
}

extension Float: CollectedScalar {
  static func read(by session: DecodingSession, at index: Int) throws -> Float { try session.float(at: index) }
  static var kinds: [JSON.Kind] { [.number] }
  static func placeholder(_ variant: Placeholders.Variant) -> Float { variant == .first ? 0 : 1 }
}

extension Decimal: CollectedScalar {
  static func read(by session: DecodingSession, at index: Int) throws -> Decimal { try session.decimal(at: index) }
  static var kinds: [JSON.Kind] { [.number] }
  static func placeholder(_ variant: Placeholders.Variant) -> Decimal { variant == .first ? 0 : 1 }
}

extension URL: CollectedScalar {
  static func read(by session: DecodingSession, at index: Int) throws -> URL { try session.url(at: index) }
  static var kinds: [JSON.Kind] { [.string] }
  static func placeholder(_ variant: Placeholders.Variant) -> URL {
    URL(filePath: variant == .first ? "/" : "/0", directoryHint: .isDirectory)
  }
}

extension JSON: CollectedScalar {
  static func read(by session: DecodingSession, at index: Int) throws -> JSON {
    try decode(by: session, at: index)
  }
  static var kinds: [JSON.Kind] { [] }
  static func placeholder(_ variant: Placeholders.Variant) -> JSON { variant == .first ? nil : JSON(true) }
}

extension UUID: PlaceheldValue {
  static func placeholder(_ variant: Placeholders.Variant) -> UUID {
    let last: UInt8 = variant == .first ? 0 : 1
    return UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, last))
  }
}
