internal import AnvilJSON
internal import Synchronization

/// A type whose `decodeAll` decodes all members, regardless of errors in others.
protocol CollectingContainer: JSONDecodable {
  static func decodeMembers(_ json: JSON) throws -> Self
}

/// A cache of the types that conform to ``CollectingContainer``. Finding out that a type does not conform takes the runtime thousands of
/// instructions.
enum KnownContainers {
  /// The result for one type; without a `type` if it does not conform.
  ///
  /// `@unchecked Sendable`: a metatype is immutable. The conformances are declared in this file and are not isolated to
  /// an actor.
  private struct Container: @unchecked Sendable {
    var type: (any CollectingContainer.Type)?
  }

  private static let known = Mutex<[ObjectIdentifier: Container]>([:])

  static func container<T>(_ type: T.Type) -> (any CollectingContainer.Type)? {
    let identifier = ObjectIdentifier(type)
    if let container = known.withLock({ $0[identifier] }) { return container.type }
    let container = Container(type: type as? any CollectingContainer.Type)
    known.withLock { $0[identifier] = container }
    return container.type
  }
}

extension Optional: CollectingContainer where Wrapped: JSONDecodable {
  static func decodeMembers(_ json: JSON) throws -> Wrapped? {
    json.kind == .null ? nil : try Wrapped.decodeAll(json)
  }
}

extension Array: CollectingContainer where Element: JSONDecodable {
  static func decodeMembers(_ json: JSON) throws -> [Element] {
    // Arrays of numbers are decoded without a call for each element.
    if Element.self == Double.self || Element.self == Int.self, let numbers = try? decode(json) { return numbers }
    guard json.kind == .array else { throw json.mismatch(.array) }
    var elements: [Element] = []
    elements.reserveCapacity(json.memberCapacity)
    try json.forEachMemberCollecting { _, value in elements.append(try Element.decodeAll(value)) }
    return elements
  }
}

extension Dictionary: CollectingContainer where Key == String, Value: JSONDecodable {
  static func decodeMembers(_ json: JSON) throws -> [String: Value] {
    guard json.kind == .object else { throw json.mismatch(.object) }
    var values: [String: Value] = Dictionary(minimumCapacity: json.memberCapacity)
    try json.forEachMemberCollecting { step, value in
      let value = try Value.decodeAll(value)
      // Of several members with the same key, the first counts.
      if case .key(let key) = step, values[key] == nil { values[key] = value }
    }
    return values
  }
}

extension JSON {
  /// The number of members to reserve memory for. It is limited, because a short text with many small values must not reserve
  /// gigabytes for large elements before the first one is decoded.
  fileprivate var memberCapacity: Int { min(count, 1 << 14) }

  /// Calls `decode` with each member of this container, continuing after errors up to ``JSONDecodingErrors/limit``.
  ///
  /// - Throws: one error for all errors of the members. Their paths begin with the step to the member.
  fileprivate func forEachMemberCollecting(_ decode: (Step, JSON) throws -> Void) throws {
    var errors: [any JSONDecodingError] = []
    var count = 0
    forEachMember { step, value in
      guard count < JSONDecodingErrors.limit else { return }
      do {
        try decode(step, value)
      } catch {
        let error = locating(error, at: Path(steps: [step]), in: value)
        errors.append(error)
        count += error.all.count
      }
    }
    guard errors.isEmpty else { throw JSONDecodingErrors.joining(errors, in: self) }
  }
}
