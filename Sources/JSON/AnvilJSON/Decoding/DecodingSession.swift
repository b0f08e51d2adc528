internal import AnvilBase

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
    let converted = usesDefaultKeys || type == DataKey.self ? nil : ConvertedMembers(of: index, in: self)
    let state = MemberFrame.State(self, object: index, converted: converted)
    return KeyedDecodingContainer(OwnedKeyedContainer<Key>(OwnedFrame(state, of: self, keeping: converted)))
  }

  /// Returns the conformance by which `type` is decoded without its initialiser; `nil` if `type` does not conform to ``DirectlyDecodable``.
  ///
  /// The conformance is looked up once per type, because the cast costs more than decoding most values.
  @inline(__always)
  func shortcut<T>(for type: T.Type) -> (any DirectlyDecodable.Type)? {
    shortcuts.shortcut(for: ObjectIdentifier(type)) {
      KnownShortcuts.decoding.conformance(of: type) { type as? any DirectlyDecodable.Type }
    }
  }
}

extension DecodingSession {
  /// Returns all members of the object at `object`, by their converted keys.
  func convertedMembers(of object: Int) -> [(key: ScalarKey, value: Int)] {
    let count = document.count(ofContainerAt: object)
    noteVisits(count)
    var converted: [(key: ScalarKey, value: Int)] = []
    converted.reserveCapacity(count)
    let path = convertsByPath ? codingPath(to: object) : []
    for member in document.members(ofContainerAt: object) {
      let text = document.string(at: member.key)
      converted.append((ScalarKey(convertedKey(text, after: path)), member.value))
    }
    return converted
  }

  /// Returns the distinct converted keys of the object of `frame`, in the order of the text.
  func keys(of frame: MemberFrame) -> [String] {
    if let converted = frame.converted { return converted.keys }
    var index: MemberIndex?
    if isLarge(frame.object) {
      // The index is probably needed next, to read the values of the keys.
      frame.order = .indexed
      index = self.index(ofObjectAt: frame.object)
      noteVisits(document.count(ofContainerAt: frame.object))
    }
    var seen: Set<ScalarKey> = []
    var keys: [String] = []
    for member in document.members(ofContainerAt: frame.object) {
      let text = document.string(at: member.key)
      let isFirst =
        if let index { text.withUTF8Span { index.key($0, in: document) } == member.key } else {
          seen.insert(ScalarKey(text)).inserted
        }
      if isFirst { keys.append(text) }
    }
    return keys
  }

  /// True if the conversion of a key depends on its coding path.
  private var convertsByPath: Bool { if case .custom = options.keys { true } else { false } }

  /// Converts `text`, a key of the object at `path`, and returns the result.
  ///
  /// - Parameter path: Only used if the conversion depends on it.
  func convertedKey(_ text: String, after path: [any CodingKey]) -> String {
    switch options.keys {
    case .useDefaultKeys: return text
    case .convertFromSnakeCase: return convertedFromSnakeCase(text)
    case .custom(let convert): return convert(path + [DecodingKey(stringValue: text)]).stringValue
    }
  }

  private func convertedFromSnakeCase(_ text: String) -> String {
    guard KeyConversion.mayConvert(text) else { return text }
    let key = ScalarKey(text)
    if let converted = convertedKeys[key] { return converted }
    let converted = KeyConversion.fromSnakeCase(text)
    // Enough for the types of a program. Keys that are data are not worth the memory.
    if convertedKeys.count < 4096 { convertedKeys[key] = converted }
    return converted
  }
}

/// Coding paths. They are computed only when requested, from the position of a value on the tape.
extension DecodingSession {
  /// Returns the path from the root to the value at `index`.
  ///
  /// - Complexity: O(*n*), where *n* is the number of values before it in the containers around it, up to the root. It is less if this path
  ///   and the path requested last have a common prefix. Keys of the common prefix are converted only once.
  func codingPath(to index: Int) -> [any CodingKey] {
    let members = pathCursor.members(to: index, from: root, in: document)
    var path: [any CodingKey] = []
    path.reserveCapacity(members.count)
    for (depth, member) in members.enumerated() {
      if depth < pathKeys.count, pathKeys[depth].start != member.start { pathKeys.removeSubrange(depth...) }
      if depth == pathKeys.count { pathKeys.append((member.start, key(of: member, after: path))) }
      path.append(pathKeys[depth].key)
    }
    return path
  }

  /// Returns the key of `member`, whose container is at `path`.
  private func key(of member: PathCursor.Member, after path: [any CodingKey]) -> DecodingKey {
    guard document.tape[member.container].is(.object) else { return DecodingKey(intValue: member.position) }
    return DecodingKey(stringValue: convertedKey(pathCursor.key(of: member, in: document), after: path))
  }
}

/// The errors of decoding, created out of line.
extension DecodingSession {
  /// Returns a description of the value at `index`.
  private func found(at index: Int) -> String {
    switch document.tape[index].kind {
    case .null: "null"
    case .false, .true: "a boolean"
    case .integer, .double, .signed, .unsigned: "a number"
    case .string, .longString: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// Returns the error for the value at `index`, which is not of the kind that `type` is decoded from.
  @inline(never)
  func mismatch(_ type: Any.Type, at index: Int) -> any Error {
    let path = codingPath(to: index)
    if document.tape[index].is(.null) {
      return DecodingError.valueNotFound(
        type, .init(codingPath: path, debugDescription: "Expected \(type), found null."))
    }
    return DecodingError.typeMismatch(
      type, .init(codingPath: path, debugDescription: "Expected \(type), found \(found(at: index))."))
  }

  /// Returns the error for the value at `index`, which has the right kind but is not a valid `type`.
  @inline(never)
  func corrupted(_ reason: String, at index: Int) -> any Error {
    DecodingError.dataCorrupted(.init(codingPath: codingPath(to: index), debugDescription: reason))
  }

  /// Returns the error for the value at `index`, which is a number that `type` cannot represent, or not a number.
  @inline(never)
  func unfitting(_ type: Any.Type, at index: Int) -> any Error {
    guard document.tape[index].isNumber else { return mismatch(type, at: index) }
    return corrupted("The number \(document.numberText(at: index)?.prefix(40) ?? "") does not fit \(type).", at: index)
  }

  /// Returns the error for the object at `index`, which has no member `key`.
  @inline(never)
  func missing(_ key: any CodingKey, in index: Int) -> any Error {
    DecodingError.keyNotFound(
      key,
      .init(
        codingPath: codingPath(to: index),
        debugDescription: "No value for the key \(key.stringValue.quoted)."))
  }

  /// Returns the error for the array at `index`, which has no element at `position`.
  @inline(never)
  func atEnd(_ type: Any.Type, of index: Int, _ position: Int) -> any Error {
    DecodingError.valueNotFound(
      type,
      .init(
        codingPath: codingPath(to: index) + [DecodingKey(intValue: position)],
        debugDescription: "The array has only \(position) elements."))
  }
}

extension DecodingSession {
  @inline(__always)
  func bool(at index: Int) throws -> Bool {
    let word = tape[index]
    guard word.isBool else { throw mismatch(Bool.self, at: index) }
    return word.is(.true)
  }

  @inline(__always)
  func string(at index: Int) throws -> String {
    guard tape[index].isString else { throw mismatch(String.self, at: index) }
    return document.string(at: index)
  }

  @inline(__always)
  func integer<Value: FixedWidthInteger>(_ type: Value.Type, at index: Int) throws -> Value {
    guard let value = document.integer(at: index, as: type) else { throw unfitting(type, at: index) }
    return value
  }

  @inline(__always)
  func double(at index: Int) throws -> Double {
    guard let value = document.double(at: index) else { return try nonConforming(Double.self, at: index) }
    return value
  }

  @inline(never)
  func float(at index: Int) throws -> Float {
    guard let value = document.float(at: index) else { return try nonConforming(Float.self, at: index) }
    return value
  }

  @inline(never)
  private func nonConforming<Value: BinaryFloatingPoint>(_ type: Value.Type, at index: Int) throws -> Value {
    if tape[index].isString, case .convertFromString(let positive, let negative, let nan) = options.floats {
      switch document.string(at: index) {
      case positive: return .infinity
      case negative: return -.infinity
      case nan: return .nan
      default: break
      }
    }
    throw unfitting(type, at: index)
  }

  func date(at index: Int) throws -> Date {
    if tape[index].is(.null) { throw mismatch(Date.self, at: index) }
    guard let form = DateForm(options.dates) else {
      guard case .custom(let decode) = options.dates else { throw mismatch(Date.self, at: index) }
      return try decode(NodeDecoder(session: self, index: index))
    }
    return try date(as: form, at: index)
  }

  func data(at index: Int) throws -> Data {
    if tape[index].is(.null) { throw mismatch(Data.self, at: index) }
    switch options.data {
    case .deferredToData: return try Data(from: NodeDecoder(session: self, index: index))
    case .base64:
      guard let data = Data(base64Encoded: try string(at: index)) else {
        throw corrupted("Expected Base64.", at: index)
      }
      return data
    case .custom(let decode): return try decode(NodeDecoder(session: self, index: index))
    }
  }

  func url(at index: Int) throws -> URL {
    if tape[index].is(.null) { throw mismatch(URL.self, at: index) }
    guard let url = URL(string: try string(at: index)) else { throw corrupted("Expected a URL.", at: index) }
    return url
  }

  func decimal(at index: Int) throws -> Decimal {
    guard let decimal = document.decimal(at: index) else { throw unfitting(Decimal.self, at: index) }
    return decimal
  }

  /// Decodes a value of any type, directly if the type supports it, and otherwise with its initialiser.
  @inline(__always)
  func decode<T: Decodable>(_ type: T.Type, at index: Int) throws -> T {
    if let shortcut = shortcut(for: type) { return try decode(shortcut, as: type, at: index) }
    // The metatype may be that of a subclass of `T`.
    return try type.init(from: NodeDecoder(session: self, index: index))
  }

  /// Returns the result of `decode` for the value at `index`; `nil` if this fails and the value is open, because what it lacks may arrive.
  @inline(__always)
  func decodeUnlessOpen<Value>(_ index: Int, _ decode: (DecodingSession, Int) throws -> Value) throws -> Value? {
    do {
      return try decode(self, index)
    } catch {
      guard document.isOpen(at: index) else { throw error }
      return nil
    }
  }

  @inline(__always)
  private func decode<Direct: DirectlyDecodable, T>(_ direct: Direct.Type, as type: T.Type, at index: Int) throws -> T {
    let value = try direct.decode(by: self, at: index)
    // Safety: `direct` is `type` itself, which a cast has found to be directly decodable.
    assert(direct == type)
    return unsafe unsafeBitCast(value, to: type)
  }
}

extension DecodingError {
  /// The context of the error. For an unknown case, it is a context with an empty path and a description of the error.
  package var context: Context {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
      .dataCorrupted(let context):
      context
    @unknown default: Context(codingPath: [], debugDescription: "\(self)")
    }
  }

  /// The description without a full stop, for texts that continue after it.
  var reason: String {
    let text = context.debugDescription
    return text.last == "." ? String(text.dropLast()) : text
  }

  /// Returns the same error with another context.
  package func with(_ context: Context) -> DecodingError {
    switch self {
    case .typeMismatch(let type, _): .typeMismatch(type, context)
    case .valueNotFound(let type, _): .valueNotFound(type, context)
    case .keyNotFound(let key, _): .keyNotFound(key, context)
    case .dataCorrupted: .dataCorrupted(context)
    @unknown default: self
    }
  }
}
