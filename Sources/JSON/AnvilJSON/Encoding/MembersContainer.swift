/// The members of one object, by key, in a frame owned by the session. It is a trivial type.
struct MembersContainer<Key: CodingKey>: MembersEncodingContainer {
  let frame: ObjectFrame
}

/// Encoding of members of the most frequent types, inlined into the caller.
extension MembersContainer {
  @inline(__always)
  func encode(_ value: Bool, forKey key: Key) throws { frame.member(key) { $0.output.append(bool: value) } }
  @inline(__always)
  func encode(_ value: String, forKey key: Key) throws {
    frame.member(key) { $0.output.append(quoted: value, escapingSlashes: $0.escapesSlashes) }
  }
  @inline(__always)
  func encode(_ value: Double, forKey key: Key) throws { try frame.member(floating: value, key) }
  @inline(__always)
  func encode(_ value: Int, forKey key: Key) throws { frame.member(key) { $0.output.append(Int64(value), .nothing) } }
  @inline(__always)
  func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try frame.member(encoding: value, key) }
}

/// The members of one object, by key, in a frame owned by the container.
struct OwnedMembersContainer<Key: CodingKey>: MembersEncodingContainer {
  private let owner: OwnedFrame<ObjectFrame.State>

  init(_ owner: OwnedFrame<ObjectFrame.State>) {
    self.owner = owner
  }

  var frame: ObjectFrame { owner.frame }
}

extension ObjectFrame {
  /// Calls `write` to write the scalar value of `key` if the object is open.
  @inline(__always)
  func member(_ key: some CodingKey, _ write: (EncodingSession) -> Void) {
    withSession { session in
      // The key is read first, because reading it runs the caller's code.
      let name = name(of: key, session)
      guard session.activate(identity) else { return }
      let replaced = session.beginMember(name)
      write(session)
      if let replaced { session.replaceMember(replaced, of: identity) }
    }
  }

  @inline(__always)
  private func name(of key: some CodingKey, _ session: EncodingSession) -> String {
    session.usesDefaultKeys ? key.stringValue : session.convertedKey(key, in: identity)
  }

  @inline(__always)
  func member(floating value: some FloatingScalar, _ key: some CodingKey) throws {
    try withSession { try $0.checkFinite(value, at: identity, key) }
    member(key) { $0.append(floating: value, to: $0.output) }
  }

  @inline(__always)
  func member(encoding value: some Encodable, _ key: some CodingKey) throws {
    try withSession { session in
      let name = name(of: key, session)
      try session.encode(value, named: name, key, in: identity)
    }
  }
}

/// Encoding of members without inlining, which is used for uncommon types.
extension ObjectFrame {
  @inline(never)
  func writeNull(_ key: some CodingKey) { called(key) { $0.output.appendNull() } }
  @inline(never)
  func write(_ value: Bool, _ key: some CodingKey) { called(key) { $0.output.append(bool: value) } }
  @inline(never)
  func write(_ value: String, _ key: some CodingKey) {
    called(key) { $0.output.append(quoted: value, escapingSlashes: $0.escapesSlashes) }
  }
  @inline(never)
  func write(_ value: Double, _ key: some CodingKey) throws { try write(floating: value, key) }
  @inline(never)
  func write(_ value: Float, _ key: some CodingKey) throws { try write(floating: value, key) }
  @inline(never)
  func write(_ value: Int64, _ key: some CodingKey) { called(key) { $0.output.append(value, .nothing) } }
  @inline(never)
  func write(_ value: UInt64, _ key: some CodingKey) { called(key) { $0.output.append(magnitude: value) } }
  @inline(never)
  func write(_ value: Int128, _ key: some CodingKey) { called(key) { $0.output.append(integer: value) } }
  @inline(never)
  func write(_ value: UInt128, _ key: some CodingKey) { called(key) { $0.output.append(integer: value) } }
  @inline(never)
  func write<T: Encodable>(_ value: T, _ key: some CodingKey) throws {
    try withSession { session in
      let name = name(of: key, session)
      try session.encodeMember(value, named: name, key, in: identity)
    }
  }

  @inline(__always)
  private func write(floating value: some FloatingScalar, _ key: some CodingKey) throws {
    try withSession { try $0.checkFinite(value, at: identity, key) }
    called(key) { $0.append(floating: value, to: $0.output) }
  }

  /// Does the same as ``member(_:_:)``, but writes the text before the value in a function that is not inlined.
  @inline(__always)
  private func called(_ key: some CodingKey, _ write: (EncodingSession) -> Void) {
    guard let replaced = begin(key) else { return }
    withSession { session in
      write(session)
      if let replaced { session.replaceMember(replaced, of: identity) }
    }
  }

  /// Begins the member `key`.
  ///
  /// - Returns: The result of ``EncodingSession/beginMember(_:)``; `nil` if the object is not open.
  @inline(never)
  private func begin(_ key: some CodingKey) -> Int?? {
    withSession { session in
      let name = name(of: key, session)
      guard session.activate(identity) else { return nil }
      return .some(session.beginMember(name))
    }
  }
}

extension EncodingSession {
  /// Checks that `value` is finite or that a strategy converts infinities and NaN to strings.
  ///
  /// - Throws: `EncodingError.invalidValue`, whose path is that of the ``ValueSlot`` with this identity, followed by `key` if it is not
  ///   `nil`.
  @inline(__always)
  func checkFinite<Value: FloatingScalar>(_ value: Value, at identity: Int, _ key: (any CodingKey)?) throws {
    if value.isFinite { return }
    if case .convertToString = options.floats { return }
    throw nonConforming(value, codingPath(of: identity) + (key.map { [$0] } ?? []))
  }

  /// Appends a value that has passed ``checkFinite(_:at:_:)``.
  @inline(__always)
  func append<Value: FloatingScalar>(floating value: Value, to output: OutputMemory) {
    if value.isFinite { value.append(to: output) } else { appendNonConforming(Double(value)) }
  }

  @inline(never)
  private func appendNonConforming(_ value: Double) {
    guard case .convertToString(let positive, let negative, let nan) = options.floats else { return }
    let text = value.isNaN ? nan : value.sign == .minus ? negative : positive
    output.append(quoted: text, escapingSlashes: escapesSlashes)
  }

  @inline(never)
  func nonConforming(_ value: some Any, _ path: [any CodingKey]) -> any Error {
    EncodingError.invalidValue(
      value, .init(codingPath: path, debugDescription: "Unable to encode \(type(of: value)).\(value) directly in JSON.")
    )
  }
}
