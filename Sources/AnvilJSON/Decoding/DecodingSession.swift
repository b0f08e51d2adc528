/// One call of a decoder: the document, the strategies, and what is worth remembering between values.
///
/// Decoders and containers refer to it, so that any of them can be kept after decoding. They are not shared between
/// threads: the standard library's decoders never are.
final class DecodingSession: ContainerOwner {
  let document: Document
  /// The index of the value that is decoded: coding paths begin there.
  let root: Int
  /// The document's, a step nearer.
  let tape: TapeMemory
  private let sharedOptions: JSON.Decoder.SharedOptions
  /// Whether keys are compared as they are.
  let usesDefaultKeys: Bool
  let memory: DecodingMemory
  private let shortcuts: ShortcutMemory<any DirectlyDecodable.Type>
  private let containers: ContainerMemory<MemberFrame.State>
  /// Whether containers may be used again: keys are compared as they are, and somebody will call ``close()`` before the
  /// session's end.
  private var reusesContainers: Bool
  /// Converted keys by the key in the text.
  var convertedKeys: [ScalarKey: String] = [:]
  /// The members of large objects, by the object. None is dropped: containers may be read in turns.
  var indexes: [Int: MemberIndex] = [:]
  /// The number of searches through all members of a large object that have found nothing, by the object.
  var fruitlessSearches: [Int: Int] = [:]
  /// The keys of the coding path that was asked for last, by where their members begin.
  var pathKeys: [(start: Int, key: DecodingKey)] = []
  /// Where coding paths are found.
  var trail = ValueTrail()
  /// The number of members that look-ups have visited, counted in debug builds only: tests assert that it grows linearly.
  private(set) var visitedMembers = 0

  /// A session that uses containers again until it is closed, or one that does not.
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

  /// Ends decoding: what is kept of it from here on has a life of its own.
  ///
  /// - Returns: Whether nobody has kept a container.
  func close() -> Bool {
    reusesContainers = false
    guard containers.hasEscaped else { return true }
    EscapedContainers.keep(self)
    return false
  }

  /// Whether someone still refers to a container that was made before ``close()``.
  var hasEscapedContainers: Bool { containers.hasEscaped }

  /// Counts members that a look-up compares, converts or indexes.
  @inline(__always)
  func noteVisits(_ count: Int = 1) {
    assert(
      {
        visitedMembers += count
        return true
      }())
  }

  /// A container at the object at `index`.
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

  /// How `type` is decoded without its own initialiser, if it can be.
  ///
  /// A conformance is looked up once a type: the cast costs more than most values.
  @inline(__always)
  func shortcut<T>(for type: T.Type) -> (any DirectlyDecodable.Type)? {
    shortcuts.shortcut(for: ObjectIdentifier(type)) { KnownShortcuts.shortcut(for: type) }
  }
}
