/// A call of a decoder: the document, the strategies, and values that are cached during the call.
///
/// Decoders and containers refer to it, so any of them can be kept after decoding. They are not shared between
/// threads, like the decoders of the standard library.
final class DecodingSession: ContainerOwner {
  let document: Document
  /// The index of the value that is decoded, at which coding paths begin.
  let root: Int
  /// The tape of the document, stored here to save an indirection.
  let tape: TapeMemory
  private let sharedOptions: JSON.Decoder.SharedOptions
  /// True if keys are compared without conversion.
  let usesDefaultKeys: Bool
  let memory: DecodingMemory
  private let shortcuts: ShortcutMemory<any DirectlyDecodable.Type>
  private let containers: ContainerMemory<MemberFrame.State>
  /// True if containers may be reused: keys are compared without conversion, and ``close()`` will be called before the
  /// session ends.
  private var reusesContainers: Bool
  /// The converted keys by the keys of the text.
  var convertedKeys: [ScalarKey: String] = [:]
  /// The members of large objects, by object. They are kept for the whole session, because reads of several containers may alternate.
  var indexes: [Int: MemberIndex] = [:]
  /// The number of unsuccessful searches through all members of a large object, by object.
  var fruitlessSearches: [Int: Int] = [:]
  /// The keys of the coding path that was requested last, by the positions of their members.
  var pathKeys: [(start: Int, key: DecodingKey)] = []
  /// The cursor that finds coding paths.
  var pathCursor = PathCursor()
  /// The number of members visited by lookups, counted only in debug builds. Tests assert that it grows linearly.
  private(set) var visitedMembers = 0

  /// Creates a session. If `isOpen` is true, the session may reuse containers until it is closed.
  init(
    _ document: Document, root: Int = 0, options: JSON.Decoder.SharedOptions, memory: DecodingMemory = .init(),
    isOpen: Bool = false
  ) {
    self.document = document
    self.root = root
    tape = document.tape
    sharedOptions = options
    if case .useDefaultKeys = options.value.keys { usesDefaultKeys = true } else { usesDefaultKeys = false }
    self.memory = memory
    shortcuts = memory.shortcuts
    containers = memory.containers
    containers.beginUse()
    reusesContainers = isOpen && usesDefaultKeys
  }

  var options: JSON.Decoder.Options { sharedOptions.value }

  /// Ends decoding. Containers created after this call are allocated separately.
  ///
  /// - Returns: True if no container is still referenced.
  func close() -> Bool {
    reusesContainers = false
    guard containers.hasEscaped else { return true }
    EscapedContainers.keep(self)
    return false
  }

  /// True if a container that was created before ``close()`` is still referenced.
  var hasEscapedContainers: Bool { containers.hasEscaped }

  /// Counts members that a lookup compares, converts or indexes.
  @inline(__always)
  func noteVisits(_ count: Int = 1) {
    assert(
      {
        visitedMembers += count
        return true
      }())
  }

  /// Returns a container for the object at `index`.
  @inline(__always)
  func container<Key: CodingKey>(keyedBy type: Key.Type, at index: Int) -> KeyedDecodingContainer<Key> {
    guard reusesContainers, let source = source(keyedBy: type, at: index) else {
      return ownedContainer(keyedBy: type, at: index)
    }
    return ContainerMemory<MemberFrame.State>.container(of: source)
  }

  @inline(__always)
  private func source<Key: CodingKey>(keyedBy type: Key.Type, at index: Int) -> AnyObject? {
    containers.source(keyedBy: type, MemberFrame.State(self, object: index)) { frame in
      KeyedDecodingContainer(KeyedContainer<Key>(frame: frame))
    }
  }

  @inline(never)
  private func ownedContainer<Key: CodingKey>(keyedBy type: Key.Type, at index: Int) -> KeyedDecodingContainer<Key> {
    let converted = usesDefaultKeys ? nil : ConvertedMembers(of: index, in: self)
    let state = MemberFrame.State(self, object: index, converted: converted)
    return KeyedDecodingContainer(OwnedKeyedContainer<Key>(OwnedFrame(state, of: self, keeping: converted)))
  }

  /// Returns the conformance by which `type` is decoded without its initialiser; `nil` if `type` does not conform to ``DirectlyDecodable``.
  ///
  /// The conformance is looked up once per type, because the cast costs more than decoding most values.
  @inline(__always)
  func shortcut<T>(for type: T.Type) -> (any DirectlyDecodable.Type)? {
    shortcuts.shortcut(for: ObjectIdentifier(type)) { KnownShortcuts.shortcut(for: type) }
  }
}
