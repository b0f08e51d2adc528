internal import Synchronization

extension Document {
  /// Returns the index of the value of the first member of the object at `index` whose key has the bytes `key`; -1 if
  /// the key is missing.
  ///
  /// Keys are usually looked up in document order. The member after the last one found is therefore tried first, if
  /// ``memberHint`` has it, and then the other members.
  ///
  /// - Complexity: O(*n*), where *n* is the number of members; O(1) for the next member of an object that is read in
  ///   order.
  func value(ofKey key: Span<UInt8>, inObjectAt index: Int) -> Int {
    let pattern = KeyPattern(key)
    let value = likelyValue(of: pattern, key, inObjectAt: index)
    return value >= 0 ? value : searchedValue(of: pattern, key, inObjectAt: index)
  }

  /// Does the same as ``value(ofKey:inObjectAt:)`` for a value that may not be an object. Also returns the hint before
  /// the lookup.
  @usableFromInline
  func value(ofKey key: LiteralKey, at index: Int) -> Found {
    let pattern = KeyPattern(key)
    let word = tape[index]
    if word.is(.object), word.count <= Self.fewMembers {
      return found(key.withBytes { self.value(of: pattern, $0, from: index &+ 1, to: index &+ word.containerSpan) })
    }
    let value = key.withBytes { likelyValue(of: pattern, $0, inObjectAt: index) }
    if value >= 0 { return found(value) }
    return word.is(.object) ? searchedValue(ofKey: key, inObjectAt: index) : .nothing
  }

  @inline(never)
  private func searchedValue(ofKey key: LiteralKey, inObjectAt index: Int) -> Found {
    found(key.withBytes { searchedValue(of: KeyPattern(key), $0, inObjectAt: index) })
  }

  @inline(__always)
  private func found(_ value: Int) -> Found {
    value >= 0 ? Found(index: value, hint: memberHint.saved, word: tape[value]) : .nothing
  }

  /// The member count up to which an object is searched from its first member, without a hint.
  private static var fewMembers: Int { 4 }

  /// Returns the index of the value of the member that is probably looked up next, if its key is `key`; -1 otherwise.
  @inline(__always)
  private func likelyValue(of pattern: KeyPattern, _ key: Span<UInt8>, inObjectAt index: Int) -> Int {
    guard let next = memberHint.next(ofObjectAt: index), next < index &+ tape[index].containerSpan,
      matches(pattern, key, at: next)
    else { return -1 }
    let value = next &+ 1
    memberHint.set(.next(value &+ tape[value].span), ofObjectAt: index)
    return value
  }

  @inline(never)
  private func searchedValue(of pattern: KeyPattern, _ key: Span<UInt8>, inObjectAt index: Int) -> Int {
    let word = tape[index]
    let first = index &+ 1
    let end = index &+ word.span
    if word.count <= Self.fewMembers { return self.value(of: pattern, key, from: first, to: end) }
    switch memberHint.state(ofObjectAt: index) {
    case .next(let next):
      var value = self.value(of: pattern, key, from: next, to: end)
      if value < 0 { value = self.value(of: pattern, key, from: first, to: next) }
      if value >= 0 { memberHint.set(.next(value &+ tape[value].span), ofObjectAt: index) }
      return value
    case .unknown:
      let value = self.value(of: pattern, key, from: first, to: end)
      memberHint.set(.seen, ofObjectAt: index)
      return value
    case .seen:
      let value = self.value(of: pattern, key, from: first, to: end)
      let state: MemberHint.State =
        !hasDistinctKeys(inObjectAt: index) ? .ambiguous : .next(value < 0 ? first : value &+ tape[value].span)
      memberHint.set(state, ofObjectAt: index)
      return value
    case .ambiguous:
      return self.value(of: pattern, key, from: first, to: end)
    }
  }

  /// Returns the index of the value of the first member from `start` to `end` whose key is `key`; -1 if the key is
  /// missing.
  @inline(__always)
  private func value(of pattern: KeyPattern, _ key: Span<UInt8>, from start: Int, to end: Int) -> Int {
    var next = start
    while next < end {
      let value = next &+ tape[next].scalarSpan
      if matches(pattern, key, at: next) { return value }
      next = value &+ tape[value].span
    }
    return -1
  }

  @inline(__always)
  private func matches(_ pattern: KeyPattern, _ key: Span<UInt8>, at index: Int) -> Bool {
    pattern.matches(self, at: index) && (pattern.count <= 16 || self.key(at: index, equals: key))
  }

  /// Returns whether it is certain that no two members of the object at `index` share a key.
  ///
  /// - Complexity: O(*n*) with a set of hashes, where *n* is the number of members, plus O(*n*) for each key whose hash an earlier key has.
  func hasDistinctKeys(inObjectAt index: Int) -> Bool {
    let word = tape[index]
    let first = index &+ 1
    guard word.count > 1 else { return true }
    // With more members, hashes collide so often that the search is as fast.
    guard word.count <= 256 else { return false }
    let end = index &+ word.span
    return KeyBits.with { seen in
      var next = first
      while next < end {
        guard let pattern = KeyPattern(of: self, at: next) else { return false }
        if seen.insert(pattern.hash) {
          var other = first
          while other < next {
            if pattern.matches(self, at: other) { return false }
            let value = other &+ tape[other].scalarSpan
            other = value &+ tape[value].span
          }
        }
        let value = next &+ 1
        next = value &+ tape[value].span
      }
      return true
    }
  }

  /// Returns the index of the value to which `step` leads from the value at `index`; -1 if the step leads nowhere.
  func value(at step: JSON.Step, from index: Int) -> Int {
    switch step {
    case .key(let key): tape[index].is(.object) ? key.withUTF8Span { value(ofKey: $0, inObjectAt: index) } : -1
    case .index(let position): tape[index].is(.array) ? element(position, ofArrayAt: index) ?? -1 : -1
    }
  }

  /// The result of following a path.
  @usableFromInline
  struct Found: Sendable {
    /// The index of the value; -1 if no value was found.
    @usableFromInline let index: Int
    /// The hint for the object in which the path begins, for ``Document/restore(_:)``.
    @usableFromInline let hint: UInt64
    /// The word of the value; that of `null` if there is no value.
    @usableFromInline let word: TapeWord

    static let nothing = Found(index: -1, hint: 0, word: .null)
  }

  /// Restores `hint`, which a member of an object was found with, after the member has been decoded.
  @usableFromInline
  func restore(_ hint: UInt64) { memberHint.restore(hint) }

  @usableFromInline
  func value(at path: JSON.Path, from index: Int) -> Found {
    let value: Int
    switch path.storage {
    case .literal(let key):
      if key.hasPointerRepresentation { return self.value(ofKey: LiteralKey(key), at: index) }
      value = self.value(at: .key(key.description), from: index)
    case .other(let steps):
      switch steps.storage {
      case .one(let step): value = self.value(at: step, from: index)
      case .many(let steps): return self.value(at: steps, from: index)
      }
    }
    return found(value)
  }

  @inline(never)
  private func value(at steps: [JSON.Step], from index: Int) -> Found {
    var index = index
    var hint: UInt64?
    for step in steps {
      index = value(at: step, from: index)
      guard index >= 0 else { return .nothing }
      hint = hint ?? memberHint.saved
    }
    return Found(index: index, hint: hint ?? memberHint.saved, word: tape[index])
  }
}

extension JSON {
  /// Returns the value to which `path` leads, or `Found.nothing`. No value is found if an optional step is missing or
  /// leads to `null`, or if the path ends at `null`.
  ///
  /// - Throws: ``MissingKeyError`` for a required step that is missing; ``TypeMismatchError`` for a step into a value
  ///   of another kind.
  @usableFromInline
  func value(lookedUpAt path: OptionalPath) throws -> Document.Found {
    if case .optional(let path) = path.storage {
      let found = document.value(at: path, from: index)
      if found.index >= 0 { return found.word.is(.null) ? .nothing : found }
    }
    return try value(lookedUpAtUncommon: path)
  }

  @inline(never)
  private func value(lookedUpAtUncommon path: OptionalPath) throws -> Document.Found {
    var index = index
    var hint: UInt64?
    let steps = path.steps
    for (number, step) in steps.enumerated() {
      let next = document.value(at: step.step, from: index)
      let isContainer = document.tape[index].accepts(step.step)
      if isContainer, !step.isRequired, next < 0 || document.tape[next].is(.null) { return .nothing }
      guard next >= 0 else {
        throw failure(of: step.step, after: Path(steps: steps[..<number].map(\.step)), index: index)
      }
      hint = hint ?? document.memberHint.saved
      index = next
    }
    let word = document.tape[index]
    return word.is(.null) ? .nothing : Document.Found(index: index, hint: hint ?? document.memberHint.saved, word: word)
  }
}

extension TapeWord {
  /// Returns whether the value is a container into which `step` can lead: an object for a key, an array for an index.
  func accepts(_ step: JSON.Step) -> Bool {
    switch step {
    case .key: self.is(.object)
    case .index: self.is(.array)
    }
  }
}

/// A key prepared for comparison with the keys of a tape: one word for kind and length, and its bytes in two words.
///
/// Keys of up to 16 bytes are compared without a loop: the first eight bytes and the last eight, which overlap in shorter
/// keys. Below eight bytes the first word contains all of them, padded with zeros.
struct KeyPattern {
  /// The low half of the tape word of an ASCII string with the key's length. For a key that is too long it is 0, which no string has.
  private let shape: UInt32
  private let head: UInt64
  private let tail: UInt64
  let count: Int

  @inline(__always)
  private init(head: UInt64, tail: UInt64, count: Int) {
    self.head = head
    self.tail = tail
    self.count = count
    shape =
      count <= TapeWord.longestLength
      ? UInt32(truncatingIfNeeded: TapeWord.string(offset: 0, length: count, isNonASCII: false).bits) : 0
  }

  @inline(__always)
  init(_ key: LiteralKey) { self.init(head: key.head, tail: key.tail, count: key.count) }

  init(_ key: Span<UInt8>) {
    let count = key.count
    if count >= 8 {
      self.init(head: Self.load(key, at: 0), tail: Self.load(key, at: count - 8), count: count)
    } else {
      var bytes: UInt64 = 0
      for index in key.indices { bytes |= UInt64(key[index]) &<< UInt64(8 &* index) }
      self.init(head: bytes, tail: 0, count: count)
    }
  }

  /// Creates the pattern of the key of `document` at `index`; `nil` if the key is so long that its length is in a second word.
  @inline(__always)
  init?(of document: Document, at index: Int) {
    let word = document.tape[index]
    guard word.is(.string) else { return nil }
    count = word.length
    shape = UInt32(truncatingIfNeeded: word.bits) & ~0x10
    let first = UInt64(littleEndian: document.bytes.load(UInt64.self, at: word.offset))
    head = count < 8 ? first & ((1 &<< UInt64(8 &* count)) &- 1) : first
    tail =
      count < 8 ? 0 : UInt64(littleEndian: document.bytes.load(UInt64.self, at: word.offset &+ count &- 8))
  }

  /// A hash of ``KeyBits/hashWidth`` bits, equal for equal keys.
  @inline(__always)
  var hash: UInt64 {
    let mixed = (head ^ tail &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(shape)) &* 0xD6E8_FEB8_6659_FD93
    return mixed &>> UInt64(64 &- KeyBits.hashWidth)
  }

  private static func load(_ key: Span<UInt8>, at offset: Int) -> UInt64 {
    // Safety: the span checks the bounds, and any eight bytes are a valid `UInt64`.
    UInt64(littleEndian: unsafe key.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// Returns whether the key of `document` at `index` has these bytes. For a ``count`` above 16, `true` means only that it may have them.
  @inline(__always)
  func matches(_ document: Document, at index: Int) -> Bool {
    let word = document.tape[index]
    guard UInt32(truncatingIfNeeded: word.bits) & ~0x10 == shape else { return false }
    let first = UInt64(littleEndian: document.bytes.load(UInt64.self, at: word.offset))
    guard count < 8 else {
      return first == head
        && UInt64(littleEndian: document.bytes.load(UInt64.self, at: word.offset &+ count &- 8)) == tail
    }
    return first & ((1 &<< UInt64(8 &* count)) &- 1) == head
  }
}

/// A hint for the object in which the last member was looked up: the probable position of the next key.
///
/// It is one word that is read and written atomically. The high half is the index of the object. The low half is the index of the
/// member after the last one found, or another state. Each value is a fact about the tape, regardless of the thread that wrote
/// it. Threads that read one document at the same time can therefore only slow each other down.
struct MemberHint: ~Copyable {
  enum State: Equatable {
    /// No fact about the object is known.
    case unknown
    /// A member of the object was looked up once.
    case seen
    /// The object's keys differ. The member at this index is probably looked up next, unless the index is the end of the object.
    case next(Int)
    /// Two members may share a key. Because the first one counts, every search begins at the first member.
    case ambiguous
  }

  private static let ambiguous: UInt64 = 0xFFFF_FFFF
  private let word = Atomic<UInt64>(.max)

  @inline(__always)
  func state(ofObjectAt index: Int) -> State {
    let word = word.load(ordering: .relaxed)
    guard word &>> 32 == UInt64(truncatingIfNeeded: index) else { return .unknown }
    let low = word & 0xFFFF_FFFF
    if low == Self.ambiguous { return .ambiguous }
    let next = Int(truncatingIfNeeded: low)
    return next == index ? .seen : .next(next)
  }

  /// Returns the index of the member that is probably next; `nil` if the hint is for another object. If it is not known whether the keys of
  /// the object differ, the result is an index at which there is no member.
  @inline(__always)
  func next(ofObjectAt index: Int) -> Int? {
    let word = word.load(ordering: .relaxed)
    guard word &>> 32 == UInt64(truncatingIfNeeded: index) else { return nil }
    // For ``State/seen`` this is the object itself, which is not a key. For ``State/ambiguous`` it is after the end of any object.
    return Int(truncatingIfNeeded: word & 0xFFFF_FFFF)
  }

  @inline(__always)
  func set(_ state: State, ofObjectAt index: Int) {
    let object = UInt64(truncatingIfNeeded: index)
    let low =
      switch state {
      case .unknown, .ambiguous: Self.ambiguous
      case .seen: object
      case .next(let next): UInt64(truncatingIfNeeded: next)
      }
    word.store(object &<< 32 | low, ordering: .relaxed)
  }

  /// The current hint, which ``restore(_:)`` can restore.
  @inline(__always) var saved: UInt64 { word.load(ordering: .relaxed) }

  /// Restores the hint of an object after others were read in between.
  @inline(__always)
  func restore(_ saved: UInt64) {
    word.store(saved, ordering: .relaxed)
  }
}
