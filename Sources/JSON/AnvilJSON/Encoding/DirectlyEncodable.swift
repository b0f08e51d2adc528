internal import AnvilBase

/// A type that is encoded without its `encode(to:)`, because a strategy applies or because it is faster.
protocol DirectlyEncodable: SendableMetatype {
  /// The type itself if it is a ``PlainScalar``.
  static var plain: (any PlainScalar.Type)? { get }

  /// Writes the value into the innermost ``ValueSlot``, whose identity is `identity`.
  func encode(by session: EncodingSession, at identity: Int) throws

  /// Writes the values as elements of the innermost array, whose identity is `identity`.
  static func encode(elements: [Self], by session: EncodingSession, in identity: Int) throws
}

/// The cached information about a type that is encoded directly.
struct EncodingShortcut: Sendable {
  let direct: any DirectlyEncodable.Type
  /// The type's ``DirectlyEncodable/plain``, cached because the runtime would look up the witnesses of a generic type each time.
  let plain: (any PlainScalar.Type)?

  init(_ direct: any DirectlyEncodable.Type) {
    self.direct = direct
    plain = direct.plain
  }
}

extension DirectlyEncodable where Self: Encodable {
  static var plain: (any PlainScalar.Type)? { nil }

  static func encode(elements: [Self], by session: EncodingSession, in identity: Int) throws {
    for element in elements { try session.encodeElement(element, in: identity) }
  }
}

/// A scalar whose encoding depends on no strategy and cannot fail. As an element of an array, it is appended without a ``ValueSlot``.
protocol PlainScalar: DirectlyEncodable {
  func append(to output: OutputMemory, _ session: EncodingSession)
}

extension PlainScalar {
  static var plain: (any PlainScalar.Type)? { self }

  @inline(__always)
  func encode(by session: EncodingSession, at identity: Int) throws {
    try session.claimScalar()
    append(to: session.output, session)
  }

  @inline(__always)
  static func encode(elements: [Self], by session: EncodingSession, in identity: Int) throws {
    for element in elements {
      session.beginElement()
      element.append(to: session.output, session)
    }
  }
}

/// Arrays are encoded element by element, without a container.
extension Array: DirectlyEncodable where Element: Encodable {
  func encode(by session: EncodingSession, at identity: Int) throws {
    try session.open(.array)
    guard let direct = session.shortcut(for: Element.self)?.direct else {
      for element in self { try session.encodeNextElement(element, in: identity) }
      return
    }
    try encode(as: direct, by: session, in: identity)
  }

  private func encode<Direct: DirectlyEncodable>(
    as direct: Direct.Type, by session: EncodingSession, in identity: Int
  ) throws {
    assert(direct == Element.self)
    // Safety: `direct` is `Element` itself, which a cast has found to be directly encodable.
    try direct.encode(elements: unsafe unsafeBitCast(self, to: [Direct].self), by: session, in: identity)
  }
}

/// Dictionaries whose keys are strings. No strategy converts these keys.
extension Dictionary: DirectlyEncodable where Key == String, Value: Encodable {
  func encode(by session: EncodingSession, at identity: Int) throws {
    try session.open(.object)
    for (key, value) in self {
      try session.encodeMember(value, named: key, EncodingKey(stringValue: key), in: identity)
    }
  }
}
