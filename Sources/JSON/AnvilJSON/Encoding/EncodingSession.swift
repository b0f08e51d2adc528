#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

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

  /// Returns a container for the members of the object at `identity`.
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

  /// Returns a new identity for a ``ValueSlot``.
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
    shortcuts.shortcut(for: ObjectIdentifier(type)) { KnownShortcuts.encodingShortcut(for: type) }
  }

  /// Returns the text of `key` in the object at `identity`.
  func convertedKey(_ key: some CodingKey, in identity: Int) -> String {
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
