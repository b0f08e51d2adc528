internal import AnvilBase

/// A call of an encoder: the strategies, the text so far, and the open slots.
///
/// Values are written directly into the text, one after another, as long as only the innermost slot is
/// written to. If an outer slot is written to while an inner one is open, the inner slot is moved into a separate ``TextFragment``,
/// which is inserted when the `encode(to:)` around both returns.
///
/// Encoders and containers hold a reference to the session, so any of them can be kept after encoding. Their slots
/// are then closed, and values written to them are lost. They are not shared between threads, like the encoders of the
/// standard library.
final class EncodingSession: ContainerOwner {
  /// The maximum nesting depth of containers, the same as Foundation's.
  static let maximumDepth = 511

  let options: JSON.Encoder.Options
  let isPretty: Bool
  let sortsKeys: Bool
  let escapesSlashes: Bool
  let usesDefaultKeys: Bool

  /// The owner of the memory that the following constants refer to.
  private let memory: EncodingMemory
  let output: OutputMemory
  let slots: SessionStack<ValueSlot>
  let members: SessionStack<EncodedMember>
  private let shortcuts: ShortcutMemory<EncodingShortcut>
  private let containers: ContainerMemory<ObjectFrame.State>
  /// True if containers may be reused.
  private var isOpen = true
  /// The keys of the slots that have one.
  let keys: SessionStack<any CodingKey>
  /// The positions of fragments in the text, in order.
  var gaps: [FragmentGap] = [] {
    didSet { hasGaps = !gaps.isEmpty }
  }
  /// True if there are gaps. It is read for every value, without the exclusivity check that ``gaps`` needs.
  private(set) var hasGaps = false
  /// The fragment that is being written.
  var current: TextFragment
  /// The fragment with the root.
  let main: TextFragment
  /// The other fragments by the identities of their open slots.
  var detached: [Int: TextFragment] = [:]
  /// The members of each large object: the position of each member, by key. The outer key is the identity of the object's slot.
  var indexes: [Int: [ScalarKey: Int]] = [:]
  /// The first error that could not be thrown where it occurred.
  var failure: (any Error)?
  private var convertedKeys: [ScalarKey: String] = [:]
  private var lastIdentity = 0

  init(options: JSON.Encoder.Options, memory: EncodingMemory) {
    self.options = options
    self.memory = memory
    output = memory.output
    slots = memory.slots
    members = memory.members
    keys = memory.keys
    shortcuts = memory.shortcuts
    containers = memory.containers
    containers.beginUse()
    isPretty = options.formatting.contains(.prettyPrinted)
    sortsKeys = options.formatting.contains(.sortedKeys)
    escapesSlashes = !options.formatting.contains(.withoutEscapingSlashes)
    if case .useDefaultKeys = options.keys { usesDefaultKeys = true } else { usesDefaultKeys = false }
    main = memory.main
    current = main
  }

  /// Returns the text that `encode` writes at the root.
  ///
  /// - Throws: The error of `encode`, or `EncodingError.invalidValue` if it writes nothing.
  func run<T>(_ value: T, _ encode: (EncodingSession, _ root: Int) throws -> Void) throws -> Data {
    slots.push(ValueSlot(identity: 0, depth: 0, position: nil, isKeyed: false, start: 0, firstMember: 0))
    try encode(self, 0)
    if let failure { throw failure }
    guard activate(0), slots[0].kind != .nothing else {
      throw EncodingError.unencodable(value, at: [], "Top-level \(T.self) did not encode any values.")
    }
    close(0)
    return output.data()
  }

  /// Ends encoding. Containers created after this call are allocated separately.
  ///
  /// - Returns: True if no container is still referenced.
  func close() -> Bool {
    isOpen = false
    guard containers.hasEscaped else { return true }
    EscapedContainers.keep(self)
    return false
  }

  var hasEscapedContainers: Bool { containers.hasEscaped }

  @inline(__always)
  func container<Key: CodingKey>(keyedBy type: Key.Type, at identity: Int) -> KeyedEncodingContainer<Key> {
    guard isOpen, let source = source(keyedBy: type, at: identity) else {
      return ownedContainer(keyedBy: type, at: identity)
    }
    return ContainerMemory<ObjectFrame.State>.container(of: source)
  }

  @inline(__always)
  private func source<Key: CodingKey>(keyedBy type: Key.Type, at identity: Int) -> AnyObject? {
    containers.source(keyedBy: type, ObjectFrame.State(self, identity: identity)) { frame in
      KeyedEncodingContainer(MembersContainer<Key>(frame: frame))
    }
  }

  @inline(never)
  private func ownedContainer<Key: CodingKey>(
    keyedBy type: Key.Type, at identity: Int
  ) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(
      OwnedMembersContainer<Key>(OwnedFrame(ObjectFrame.State(self, identity: identity), of: self)))
  }

  @inline(__always)
  func makeIdentity() -> Int {
    lastIdentity &+= 1
    return lastIdentity
  }

  /// Returns the information by which `type` is encoded without its `encode(to:)`; `nil` if `type` does not conform to
  /// ``DirectlyEncodable``.
  ///
  /// The conformance is looked up once per type, because the cast costs more than encoding most values.
  @inline(__always)
  func shortcut<T>(for type: T.Type) -> EncodingShortcut? {
    shortcuts.shortcut(for: ObjectIdentifier(type)) {
      KnownShortcuts.encoding.conformance(of: type) {
        (type as? any DirectlyEncodable.Type).map { EncodingShortcut($0) }
      }
    }
  }

  func convertedKey(_ key: some CodingKey, in identity: Int) -> String {
    if key is DataKey { return key.stringValue }
    switch options.keys {
    case .useDefaultKeys: return key.stringValue
    case .convertToSnakeCase:
      let name = key.stringValue
      if let converted = convertedKeys[ScalarKey(name)] { return converted }
      let converted = KeyConversion.toSnakeCase(name)
      convertedKeys[ScalarKey(name)] = converted
      return converted
    case .custom(let convert): return convert(codingPath(of: identity) + [key]).stringValue
    }
  }
}

/// Writing to a ``ValueSlot`` that is not the innermost one.
extension EncodingSession {
  /// Makes an outer ``ValueSlot`` the innermost one. The slots that are open in it are moved into a separate ``TextFragment``. Returns
  /// false if the outer slot is closed.
  @inline(never)
  func resume(_ identity: Int) -> Bool {
    guard let index = switchToFragment(with: identity) else { return false }
    if index < slots.top { detach(from: index + 1) }
    return true
  }

  /// Switches to the ``TextFragment`` that contains the ``ValueSlot`` with this identity.
  ///
  /// - Returns: The index of the slot; `nil` if it is closed.
  func switchToFragment(with identity: Int) -> Int? {
    if let index = index(of: identity) { return index }
    if let fragment = detached[identity] { switchTo(fragment) } else if current !== main { switchTo(main) }
    return index(of: identity)
  }

  private func index(of identity: Int) -> Int? {
    (0..<slots.count).last { slots[$0].identity == identity }
  }

  private func switchTo(_ fragment: TextFragment) {
    guard fragment !== current else { return }
    exchange(with: current)
    exchange(with: fragment)
    current = fragment
  }

  private func exchange(with fragment: TextFragment) {
    output.swap(with: fragment.output)
    slots.swap(with: fragment.slots)
    members.swap(with: fragment.members)
    keys.swap(with: fragment.keys)
    swap(&gaps, &fragment.gaps)
  }

  /// Moves the slots from `index` on, and their text, into a separate fragment. `index` must not be that of the outermost slot.
  private func detach(from index: Int) {
    let root = slots[index]
    let fragment = TextFragment(parent: slots[index - 1].identity, root: root.identity)
    let keyed = (index..<slots.count).count { slots[$0].isKeyed }
    for key in keys.cut(from: keys.count - keyed) { fragment.keys.push(key) }
    for member in members.cut(from: root.firstMember) {
      var member = member
      member.start -= root.start
      member.value -= root.start
      fragment.members.push(member)
    }
    for slot in slots.cut(from: index) {
      var slot = slot
      slot.start -= root.start
      slot.firstMember -= root.firstMember
      fragment.slots.push(slot)
      detached[slot.identity] = fragment
    }
    let first = firstGap(from: root.start)
    fragment.gaps = gaps[first...].map { FragmentGap(offset: $0.offset - root.start, fragment: $0.fragment) }
    gaps.removeSubrange(first...)
    fragment.output.append(output.cut(from: root.start).elementSpan)
    gaps.append(FragmentGap(offset: root.start, fragment: fragment))
  }

  /// Closes a ``ValueSlot`` that is not the innermost one or whose text has a ``FragmentGap``.
  @inline(never)
  func closeAll(from identity: Int) {
    guard let index = switchToFragment(with: identity) else { return }
    fillGaps(in: index)
    while slots.count > index { closeInnermost() }
  }

  /// Inserts the fragments that belong after the beginning of the slot at `index` into the text, and moves the text after them.
  private func fillGaps(in index: Int) {
    let first = firstGap(from: slots[index].start)
    guard first < gaps.count else { return }
    let filled = Array(gaps[first...])
    gaps.removeSubrange(first...)
    let origin = filled[0].offset
    let text = output.cut(from: origin)
    var next = 0
    var lengths: [(offset: Int, length: Int)] = []
    for gap in filled {
      output.append(text.elementSpan.extracting(next..<gap.offset - origin))
      next = gap.offset - origin
      let insertion = finishedText(of: gap.fragment)
      output.append(insertion.elementSpan)
      lengths.append((gap.offset, insertion.count))
    }
    output.append(text.elementSpan.extracting(next..<text.count))
    // The value that filled a gap begins at the gap's offset. Only the text after it moves. The offsets are in ascending order.
    var passed = 0
    var shift = 0
    func moved(_ offset: Int) -> Int {
      while passed < lengths.count, lengths[passed].offset < offset {
        shift += lengths[passed].length
        passed += 1
      }
      return offset + shift
    }
    for member in slots[index].firstMember..<members.count {
      members[member].start = moved(members[member].start)
      members[member].value = moved(members[member].value)
    }
    (passed, shift) = (0, 0)
    for slot in index + 1..<slots.count { slots[slot].start = moved(slots[slot].start) }
  }

  private func finishedText(of fragment: TextFragment) -> [UInt8] {
    let writing = current
    switchTo(fragment)
    if !slots.isEmpty { closeAll(from: slots[0].identity) }
    let text = output.cut(from: 0)
    switchTo(writing)
    return text
  }

  /// Returns the index of the first gap of the current fragment at or after `offset`.
  func firstGap(from offset: Int) -> Int {
    var low = 0
    var high = gaps.count
    while low < high {
      let middle = (low + high) / 2
      if gaps[middle].offset < offset { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Closes all slots of a fragment and of the fragments inside it, without inserting their text anywhere.
  func forget(_ fragment: TextFragment) {
    for slot in 0..<fragment.slots.count { detached[fragment.slots[slot].identity] = nil }
    for gap in fragment.gaps { forget(gap.fragment) }
  }
}

extension JSON: DirectlyEncodable {
  func encode(by session: EncodingSession, at identity: Int) throws { try session.write(self) }
}

extension EncodingSession {
  /// Writes `json` into the innermost ``ValueSlot`` with the session's layout. Its keys and the digits of its numbers are not changed. If the
  /// slot has an object that is open, the members of `json` become members of that object.
  ///
  /// - Throws: `EncodingError` if the slot already has another value, or for containers nested too deeply.
  func write(_ json: JSON) throws {
    if slots[slots.top].kind == .object, json.kind == .object {
      let identity = slots[slots.top].identity
      for (key, value) in json.members {
        try encodeMember(value, named: key, EncodingKey(stringValue: key), in: identity)
      }
      return
    }
    let depth = slots[slots.top].depth
    let start = output.count
    try claimScalar()
    let layout = Serializer.Layout(
      escapesSlashes: escapesSlashes, isFoundations: true, depth: depth, depthLimit: Self.maximumDepth)
    do throws(Serializer.OutOfRange) {
      try Serializer.write(
        json, isPretty ? .pretty() : .compact, order: sortsKeys ? .sorted(.scalars) : .document, to: output, layout)
    } catch {
      output.truncate(to: start)
      slots[slots.top].kind = .nothing
      throw EncodingError.invalidValue(
        json,
        .init(
          codingPath: codingPath(of: slots[slots.top].identity),
          debugDescription: "More than \(Self.maximumDepth) nested containers."))
    }
  }
}

/// A section of text that is written separately, because the container around it was written to again while it was
/// open. The session's state for its current fragment is swapped with the state in this object.
final class TextFragment {
  let output = OutputMemory(capacity: 256)
  let slots = SessionStack<ValueSlot>(capacity: 4)
  let members = SessionStack<EncodedMember>(capacity: 8)
  let keys = SessionStack<any CodingKey>(capacity: 4)
  var gaps: [FragmentGap] = []
  /// The identity of the slot around it; `nil` for the fragment that contains the root.
  let parent: Int?
  /// The identity of its outermost slot.
  let root: Int

  init(parent: Int?, root: Int) {
    self.parent = parent
    self.root = root
  }

  deinit {
    output.deallocate()
    slots.deallocate()
    members.deallocate()
    keys.deallocate()
  }
}

/// The position of a fragment in the text around it.
struct FragmentGap {
  var offset: Int
  let fragment: TextFragment
}
