internal import AnvilBase

extension EncodingSession {
  @inline(__always)
  func encode<T: Encodable>(_ value: T, named name: String, _ key: some CodingKey, in identity: Int) throws {
    guard activate(identity) else { return }
    let distance = output.count &- slots[slots.top].start
    let replaced = beginMember(name)
    if let plain = shortcut(for: T.self)?.plain {
      append(value, as: plain)
      if let replaced { replaceMember(replaced, of: identity) }
      return
    }
    let slot = pushMember(key)
    do {
      try write(value, at: slot)
    } catch {
      withdraw(slot, from: distance, member: (name, replaced), after: error)
      throw error
    }
    close(slot)
    if let replaced { replaceMember(replaced, of: identity) }
  }

  /// Does the same as ``encode(_:named:_:in:)``, without inlining.
  @inline(never)
  func encodeMember<T: Encodable>(_ value: T, named name: String, _ key: some CodingKey, in identity: Int) throws {
    try encode(value, named: name, key, in: identity)
  }

  /// Does the same as ``encodeElement(_:in:)``, without inlining.
  @inline(never)
  func encodeNextElement<T: Encodable>(_ value: T, in identity: Int) throws {
    try encodeElement(value, in: identity)
  }

  @inline(__always)
  func encodeElement<T: Encodable>(_ value: T, in identity: Int) throws {
    guard activate(identity) else { return }
    let distance = output.count &- slots[slots.top].start
    let slot = pushElement()
    do {
      try write(value, at: slot)
    } catch {
      withdraw(slot, from: distance, member: nil, after: error)
      throw error
    }
    close(slot)
  }

  /// Writes a value into the innermost ``ValueSlot``, directly if its type supports it, and otherwise with its `encode(to:)`.
  @inline(__always)
  func write<T: Encodable>(_ value: T, at identity: Int) throws {
    if let direct = shortcut(for: T.self)?.direct { return try write(value, as: direct, at: identity) }
    guard slots[slots.top].depth <= Self.maximumDepth else { return try open(.object) }
    try value.encode(to: SlotEncoder(session: self, identity: identity))
  }

  @inline(__always)
  private func write<T, Direct: DirectlyEncodable>(_ value: T, as direct: Direct.Type, at identity: Int) throws {
    assert(direct == T.self)
    // Safety: `direct` is `T` itself, which a cast has found to be directly encodable.
    try unsafe unsafeBitCast(value, to: direct).encode(by: self, at: identity)
  }

  @inline(__always)
  private func append<T, Plain: PlainScalar>(_ value: T, as plain: Plain.Type) {
    assert(plain == T.self)
    // Safety: `plain` is `T` itself: it is the shortcut for `T`.
    unsafe unsafeBitCast(value, to: plain).append(to: output, self)
  }

  /// Writes a value into a ``ValueSlot``, or an empty object if the value writes nothing. Single-value containers use it.
  func writeOrEmpty<T: Encodable>(_ value: T, at identity: Int) throws {
    guard activate(identity) else { return }
    try write(value, at: identity)
    guard activate(identity), slots[slots.top].kind == .nothing else { return }
    try open(.object)
  }

  /// Writes the output of a strategy's function, or an empty object if it writes nothing.
  private func writeOrEmpty(at identity: Int, _ write: (any Swift.Encoder) throws -> Void) throws {
    try write(SlotEncoder(session: self, identity: identity))
    guard activate(identity), slots[slots.top].kind == .nothing else { return }
    try open(.object)
  }

  func write(_ date: Date, at identity: Int) throws {
    if case .custom(let encode) = options.dates { return try writeOrEmpty(at: identity) { try encode(date, $0) } }
    try write(date, as: DateForm(options.dates) ?? .secondsSince2001, at: identity)
  }

  func write(_ data: Data, at identity: Int) throws {
    switch options.data {
    case .deferredToData: try data.encode(to: SlotEncoder(session: self, identity: identity))
    case .base64:
      try claimScalar()
      output.append(quoted: data.base64EncodedString(), escapingSlashes: escapesSlashes)
    case .custom(let encode): try writeOrEmpty(at: identity) { try encode(data, $0) }
    }
  }

  func write(_ decimal: Decimal, at identity: Int) throws {
    guard !decimal.isNaN else { throw nonConforming(decimal, codingPath(of: identity)) }
    try claimScalar()
    decimal.description.withUTF8Span { output.append($0) }
  }
}

extension OutputMemory {
  @inline(__always)
  func appendNull() {
    reserve(4)
    put((0x6C6C_756E as UInt32).littleEndian, length: 4)
  }

  @inline(__always)
  func append(bool value: Bool) {
    reserve(8)
    // "true", "false"
    put((value ? 0x6575_7274 : 0x65_736C_6166 as UInt64).littleEndian, length: value ? 4 : 5)
  }
}
