internal import Synchronization

/// Which types are decoded directly, found out once a process: that a type is not takes the runtime thousands of
/// instructions to say.
enum KnownShortcuts {
  /// A type's shortcut, or that it has none.
  ///
  /// `@unchecked Sendable`: a metatype is immutable, and the conformances that it is used by are declared in this module,
  /// isolated to no actor.
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
