internal import AnvilJSON
internal import AnvilModel
internal import Synchronization

/// The types that are updated on the direct path, determined once per process.
enum DirectUpdates {
  private static let known = Mutex<[ObjectIdentifier: (any JSONDirectlyUpdatable.Type)?]>([:])

  /// Returns the type if it is updated on the direct path, with all its members; otherwise `nil`.
  static func type<T>(_ type: T.Type) -> (any JSONDirectlyUpdatable.Type)? {
    let identifier = ObjectIdentifier(type)
    if let known = known.withLock({ $0[identifier] }) { return known }
    var visited: Set<ObjectIdentifier> = []
    let direct = (type as? any JSONDirectlyUpdatable.Type).flatMap { isComplete($0, &visited) ? $0 : nil }
    known.withLock { _ = $0.updateValue(direct, forKey: identifier) }
    return direct
  }

  /// Returns whether every member that must be updated in place can be updated on the direct path.
  ///
  /// A member may be updatable without a direct path, such as one with its own `update(from:)`. A subclass may be updatable even if the
  /// class of a member is not.
  private static func isComplete(
    _ type: any JSONDirectlyUpdatable.Type, _ visited: inout Set<ObjectIdentifier>
  ) -> Bool {
    guard visited.insert(ObjectIdentifier(type)).inserted else { return true }
    for member in type.updatedMembers {
      if let updatable = member.updatable {
        guard isComplete(updatable, &visited) else { return false }
      } else {
        let type = innermost(member.type)
        if type is any DecoderUpdatable.Type || type is AnyClass { return false }
      }
    }
    return true
  }

  /// Returns the type without its optionality.
  private static func innermost(_ type: any Any.Type) -> any Any.Type {
    var type = type
    while let optional = type as? any OptionalType.Type { type = optional.wrapped }
    return type
  }
}

private protocol OptionalType {
  static var wrapped: any Any.Type { get }
}

extension Optional: OptionalType {
  fileprivate static var wrapped: any Any.Type { Wrapped.self }
}
