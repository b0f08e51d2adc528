internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The types that are decoded without their `init(from:)`, or encoded without their `encode(to:)`, determined once per process. A lookup of
/// a conformance that does not exist takes the runtime thousands of instructions.
///
/// The types that are not generic are listed. A linker takes from a static library only the objects that others refer to, and a cast does
/// not refer to the object of a conformance, which may contain nothing else. The casts find the generic types, whose conformances are beside
/// their protocols.
enum KnownShortcuts {
  private static let directlyDecoded: [any DirectlyDecodable.Type] = [
    Bool.self, Data.self, Date.self, Decimal.self, Double.self, Int.self, JSON.self, String.self, URL.self,
  ]

  private static let directlyEncoded: [any DirectlyEncodable.Type] = [
    Bool.self, Data.self, Date.self, Decimal.self, Double.self, Int.self, Int32.self, Int64.self, JSON.self,
    String.self, UInt8.self, URL.self,
  ]

  private static let decoding = Mutex<[ObjectIdentifier: (any DirectlyDecodable.Type)?]>(
    Dictionary(uniqueKeysWithValues: directlyDecoded.map { (ObjectIdentifier($0), $0) }))
  private static let encoding = Mutex<[ObjectIdentifier: EncodingShortcut?]>(
    Dictionary(uniqueKeysWithValues: directlyEncoded.map { (ObjectIdentifier($0), EncodingShortcut($0)) }))

  static func shortcut<T>(for type: T.Type) -> (any DirectlyDecodable.Type)? {
    let identifier = ObjectIdentifier(type)
    if let shortcut = decoding.withLock({ $0[identifier] }) { return shortcut }
    let shortcut = type as? any DirectlyDecodable.Type
    decoding.withLock { _ = $0.updateValue(shortcut, forKey: identifier) }
    return shortcut
  }

  static func encodingShortcut<T>(for type: T.Type) -> EncodingShortcut? {
    let identifier = ObjectIdentifier(type)
    if let shortcut = encoding.withLock({ $0[identifier] }) { return shortcut }
    let shortcut = (type as? any DirectlyEncodable.Type).map { EncodingShortcut($0) }
    encoding.withLock { _ = $0.updateValue(shortcut, forKey: identifier) }
    return shortcut
  }

  private static let decodable = Mutex<[ObjectIdentifier: (any JSONDirectlyDecodable.Type)?]>([:])
  private static let encodable = Mutex<[ObjectIdentifier: (any JSONDirectlyEncodable.Type)?]>([:])

  static func directlyDecodable<T>(_ type: T.Type) -> (any JSONDirectlyDecodable.Type)? {
    let identifier = ObjectIdentifier(type)
    if let known = decodable.withLock({ $0[identifier] }) { return known }
    let direct = type as? any JSONDirectlyDecodable.Type
    decodable.withLock { _ = $0.updateValue(direct, forKey: identifier) }
    return direct
  }

  static func directlyEncodable<T>(_ type: T.Type) -> (any JSONDirectlyEncodable.Type)? {
    let identifier = ObjectIdentifier(type)
    if let known = encodable.withLock({ $0[identifier] }) { return known }
    let direct = type as? any JSONDirectlyEncodable.Type
    encodable.withLock { _ = $0.updateValue(direct, forKey: identifier) }
    return direct
  }
}
