internal import AnvilBase
internal import Synchronization

/// The types that ``JSON/Decoder`` updates on the direct path, without containers. They are determined once per process.
enum DirectUpdates {
  private static let known = Mutex<[ObjectIdentifier: (any JSONDirectlyUpdatable.Type)?]>([:])

  /// Returns `type` if its values, with all of their members, can be updated on the direct path; otherwise `nil`.
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
  /// Returns `false` if the type of a member can be updated only with a decoder, as a type with a handwritten `update(from:)`. Also returns
  /// `false` for a member whose class cannot be updated, because its value may be an instance of a subclass that can.
  private static func isComplete(
    _ type: any JSONDirectlyUpdatable.Type, _ visited: inout Set<ObjectIdentifier>
  ) -> Bool {
    guard visited.insert(ObjectIdentifier(type)).inserted else { return true }
    for member in type._updatedMembers {
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
