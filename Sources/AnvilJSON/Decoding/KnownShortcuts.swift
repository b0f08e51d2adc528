internal import Synchronization

/// The types that are decoded without their `init(from:)`, determined once per process. A lookup of a conformance that does not exist takes
/// the runtime thousands of instructions.
enum KnownShortcuts {
  private static let known = Mutex<[ObjectIdentifier: (any DirectlyDecodable.Type)?]>([:])

  static func shortcut<T>(for type: T.Type) -> (any DirectlyDecodable.Type)? {
    let identifier = ObjectIdentifier(type)
    if let shortcut = known.withLock({ $0[identifier] }) { return shortcut }
    let shortcut = type as? any DirectlyDecodable.Type
    known.withLock { _ = $0.updateValue(shortcut, forKey: identifier) }
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
