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
  /// Whether containers may be used again: somebody will call ``close()`` before the session's end.
  private var isOpen: Bool
  /// Converted keys by the key in the text.
  var convertedKeys: [String: String] = [:]
  /// The members of large objects, by the object.
  var indexes: [Int: [String: Int]] = [:]
  /// Where coding paths are found.
  var trail = ValueTrail()

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
    self.isOpen = isOpen
  }

  var options: JSON.Decoder.Options { sharedOptions.value }

  /// Ends decoding: what is kept of it from here on has a life of its own.
  ///
  /// - Returns: Whether nobody has kept a container.
  func close() -> Bool {
    isOpen = false
    guard containers.hasEscaped else { return true }
    EscapedContainers.keep(self)
    return false
  }

  /// Whether someone still refers to a container that was made before ``close()``.
  var hasEscapedContainers: Bool { containers.hasEscaped }

  /// A container at the object at `index`.
  @inline(__always)
  func container<Key: CodingKey>(keyedBy type: Key.Type, at index: Int) -> KeyedDecodingContainer<Key> {
    guard isOpen, let source = source(keyedBy: type, at: index) else { return ownedContainer(keyedBy: type, at: index) }
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
    KeyedDecodingContainer(OwnedKeyedContainer<Key>(OwnedFrame(MemberFrame.State(self, object: index), of: self)))
  }

  /// How `type` is decoded without its own initialiser, if it can be.
  ///
  /// A conformance is looked up once a type: the cast costs more than most values.
  @inline(__always)
  func shortcut<T>(for type: T.Type) -> (any DirectlyDecodable.Type)? {
    shortcuts.shortcut(for: ObjectIdentifier(type)) { KnownShortcuts.shortcut(for: type) }
  }
}
