internal import AnvilJSON

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A type with a function that creates its placeholders.
protocol PlaceholderValue {
  static func placeholder(_ placeholders: Placeholders) -> Self
}

/// A type that is read from one value, without the code of a model.
protocol CollectedScalar: PlaceholderValue, Decodable {
  /// The kinds of value that the type is read from; empty if any kind is accepted.
  static var kinds: [JSON.Kind] { get }
}

extension CollectedScalar where Self: FixedWidthInteger {
  static var kinds: [JSON.Kind] { [.number] }
  static func placeholder(_ placeholders: Placeholders) -> Self { Self(clamping: placeholders.number()) }
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
  static var kinds: [JSON.Kind] { [.bool] }
  static func placeholder(_ placeholders: Placeholders) -> Bool { placeholders.number() > 0 }
}

extension String: CollectedScalar {
  static var kinds: [JSON.Kind] { [.string] }
  static func placeholder(_ placeholders: Placeholders) -> String { placeholders.text() }
}

extension Double: CollectedScalar {
  static var kinds: [JSON.Kind] { [.number] }
  static func placeholder(_ placeholders: Placeholders) -> Double { Double(placeholders.number()) }
}

extension Float: CollectedScalar {
  static var kinds: [JSON.Kind] { [.number] }
  static func placeholder(_ placeholders: Placeholders) -> Float { Float(placeholders.number()) }
}

extension Decimal: CollectedScalar {
  static var kinds: [JSON.Kind] { [.number] }
  static func placeholder(_ placeholders: Placeholders) -> Decimal { Decimal(placeholders.number()) }
}

extension URL: CollectedScalar {
  static var kinds: [JSON.Kind] { [.string] }
  static func placeholder(_ placeholders: Placeholders) -> URL {
    URL(filePath: "/\(placeholders.text())", directoryHint: .isDirectory)
  }
}

extension JSON: CollectedScalar {
  static var kinds: [JSON.Kind] { [] }
  static func placeholder(_ placeholders: Placeholders) -> JSON { placeholders.variant == .first ? nil : JSON(true) }
}

extension UUID: PlaceholderValue {
  static func placeholder(_ placeholders: Placeholders) -> UUID {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(clamping: placeholders.number())))
  }
}
