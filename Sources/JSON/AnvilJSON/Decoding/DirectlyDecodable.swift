internal import AnvilBase
internal import Synchronization

/// A type that is decoded without its `init(from:)`, because a strategy applies or because it is faster.
protocol DirectlyDecodable: SendableMetatype {
  static func decode(by session: DecodingSession, at index: Int) throws -> Self

  /// Decodes all elements of the array at `index`, with one lookup of the type for the whole array.
  static func decodeElements(by session: DecodingSession, ofArrayAt index: Int) throws -> [Self]
}

extension DirectlyDecodable {
  static func decodeElements(by session: DecodingSession, ofArrayAt index: Int) throws -> [Self] {
    try session.elements(ofArrayAt: index) { try decode(by: session, at: $0) }
  }
}

extension DecodingSession {
  /// Returns the results of `decode` for the indices of the elements of the array at `index`.
  @inline(__always)
  fileprivate func elements<Element>(ofArrayAt index: Int, _ decode: (Int) throws -> Element) throws -> [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(document.count(ofContainerAt: index))
    let end = index + tape[index].span
    var next = index + 1
    while next < end {
      do {
        elements.append(try decode(next))
      } catch {
        // Only the last element can be open.
        guard document.isOpen(at: next) else { throw error }
        break
      }
      next += tape[next].span
    }
    return elements
  }
}

/// Arrays, which are decoded element by element, without a container.
extension Array: DirectlyDecodable where Element: Decodable {
  static func decode(by session: DecodingSession, at index: Int) throws -> [Element] {
    guard session.tape[index].is(.array) else { throw session.mismatch([Any].self, at: index) }
    // Checked before the array's metadata, which the runtime looks up each time, is needed: many arrays are empty.
    return session.tape[index].count == 0 ? [] : try decodeElements(ofArrayAt: index, by: session)
  }

  @inline(never)
  private static func decodeElements(ofArrayAt index: Int, by session: DecodingSession) throws -> [Element] {
    if let direct = session.shortcut(for: Element.self) {
      return try decode(direct, by: session, at: index)
    }
    return try session.elements(ofArrayAt: index) { try Element(from: NodeDecoder(session: session, index: $0)) }
  }

  private static func decode<Direct: DirectlyDecodable>(
    _ direct: Direct.Type, by session: DecodingSession, at index: Int
  ) throws -> [Element] {
    let elements = try direct.decodeElements(by: session, ofArrayAt: index)
    // Safety: `direct` is `Element` itself, which a cast has found to be directly decodable.
    assert(direct == Element.self)
    return unsafe unsafeBitCast(elements, to: [Element].self)
  }
}

extension ContiguousArray: DirectlyDecodable where Element: Decodable {
  static func decode(by session: DecodingSession, at index: Int) throws -> ContiguousArray {
    ContiguousArray(try [Element].decode(by: session, at: index))
  }
}

extension Set: DirectlyDecodable where Element: Decodable {
  static func decode(by session: DecodingSession, at index: Int) throws -> Set {
    Set(try [Element].decode(by: session, at: index))
  }
}

/// Dictionaries whose keys are strings. No strategy converts these keys.
extension Dictionary: DirectlyDecodable where Key == String, Value: Decodable {
  static func decode(by session: DecodingSession, at index: Int) throws -> [String: Value] {
    let document = session.document
    guard session.tape[index].is(.object) else { throw session.mismatch([String: Any].self, at: index) }
    var members: [String: Value] = [:]
    members.reserveCapacity(document.count(ofContainerAt: index))
    for member in document.members(ofContainerAt: index) {
      let name = document.string(at: member.key)
      // If several members share a key, the first one counts.
      guard members[name] == nil else { continue }
      members[name] = try session.decodeUnlessOpen(member.value) { try $0.decode(Value.self, at: $1) }
    }
    return members
  }
}

/// Conformances of types to a protocol, each looked up once per process. A lookup of a conformance that does not exist takes the runtime
/// thousands of instructions.
struct ConformanceCache<Conformance: Sendable>: ~Copyable, Sendable {
  private let known = Mutex<[ObjectIdentifier: Conformance?]>([:])

  // Not inlined, each call looked up the metadata of the optional conformance, which took 480 instructions.
  /// Returns the result of `cast`, or the result of an earlier call for `type`.
  @inline(__always)
  func conformance<T>(of type: T.Type, _ cast: () -> Conformance?) -> Conformance? {
    let identifier = ObjectIdentifier(type)
    if let conformance = known.withLock({ $0[identifier] }) { return conformance }
    let conformance = cast()
    known.withLock { _ = $0.updateValue(conformance, forKey: identifier) }
    return conformance
  }
}
