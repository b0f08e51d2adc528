internal import Synchronization

/// The types that are decoded directly, determined once per process. To find that a type is not one of them takes the runtime
/// thousands of instructions.
enum KnownShortcuts {
  /// The shortcut of a type, or the fact that it has none.
  ///
  /// `@unchecked Sendable`: a metatype is immutable. The conformances through which it is used are declared in this module
  /// and are not isolated to an actor.
  private struct Shortcut: @unchecked Sendable {
    var type: (any DirectlyDecodable.Type)?
  }

  private static let known = Mutex<[ObjectIdentifier: Shortcut]>([:])

  static func shortcut<T>(for type: T.Type) -> (any DirectlyDecodable.Type)? {
    let identifier = ObjectIdentifier(type)
    if let shortcut = known.withLock({ $0[identifier] }) { return shortcut.type }
    let shortcut = Shortcut(type: type as? any DirectlyDecodable.Type)
    known.withLock { $0[identifier] = shortcut }
    return shortcut.type
  }
}
