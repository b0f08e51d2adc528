/// The state that all decodings of one update share.
final class OverlaySession {
  enum Mode {
    /// Reads the input, and the old value for other keys.
    case update
    /// Reads the old value, and finds out the order in which the model tries keys. Keys seem to be absent if the model can do without. With
    /// `opensObjects`, objects in the input seem to be present.
    case probe(opensObjects: Bool)
    /// Reads the old value, some of whose values have been moved to other keys.
    case trial
  }

  /// An access to a key while ``mode`` is not ``Mode/update``.
  struct Access {
    enum Kind {
      /// The key is only in the old value, and seemed to be absent.
      case hidden
      /// The key is only in the old value, whose value was returned.
      case given
      /// The key is a foreign key of the input.
      case foreign
      /// The key is a foreign key of the input, whose object was read.
      case opened
    }

    let key: OverlayKey
    let kind: Kind
  }

  var mode = Mode.update
  /// True if a decoding of the input may be rejected. It must have no effect except for the model that it returns.
  var isTentative = false
  /// The value of all foreign keys that no decoding has read; `nil` if they are absent.
  var substitute: RecordedValue?
  /// True if a foreign key that was accessed in the last probe has an object.
  var hasForeignObjects = false
  /// True if the first decoding of the input failed. The other keys that the model writes are then not known to be unread.
  var hasFailed = false
  /// The key that seemed to be absent last, and its value.
  private(set) var hidden: (key: OverlayKey, value: RecordedValue)?
  private(set) var accesses: [Access] = []
  /// The foreign keys in the input that a tentative decoding read, and no other one.
  private(set) var foundKeys: Set<OverlayKey> = []
  /// The number of decodings and of accesses to keys since the search for alternatives began.
  var accessCount = 0

  var readsInput: Bool { if case .update = mode { true } else { false } }
  var isProbe: Bool { if case .probe = mode { true } else { false } }

  func begin(_ mode: Mode) {
    self.mode = mode
    accessCount += 1
    (accesses, foundKeys, hidden, hasForeignObjects) = ([], [], nil, false)
  }

  func note(_ key: OverlayKey, _ kind: Access.Kind, hiding value: RecordedValue? = nil) {
    accesses.append(Access(key: key, kind: kind))
    if let value { hidden = (key, value) }
  }

  fileprivate func noteFound(_ key: OverlayKey) { foundKeys.insert(key) }
}

/// A key of an object that the model reads.
struct OverlayKey: Hashable {
  let object: OverlayObject
  let name: String

  /// The keys that lead to the value.
  var path: [String] { object.path + [name] }

  static func == (left: OverlayKey, right: OverlayKey) -> Bool {
    left.object === right.object && left.name == right.name
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(object))
    hasher.combine(name)
  }
}

/// An object that the model reads, with what is known about its keys in all decodings.
///
/// A key of the input is foreign if the model does not write it, or did not read it. It may be another key of a value that the old value
/// has.
final class OverlayObject {
  let session: OverlaySession
  /// The keys that lead to the object.
  fileprivate let path: [String]
  /// The keys in the input that the model's key types have.
  private(set) var inputKeys: Set<String> = []
  private var recorded: RecordedValue?
  /// The key types of the containers whose keys have been recorded.
  private var keyTypes: Set<ObjectIdentifier> = []
  /// The keys in the input that the first decoding read.
  private var readKeys: Set<String> = []
  /// The foreign keys that were accessed in a probe.
  fileprivate var probedKeys: Set<String> = []

  /// The keys of the old value that seem to be absent, because the input has other keys for their values.
  var hiddenKeys: Set<String> = []
  /// The keys without which the model cannot be decoded. A probe does not hide them.
  var requiredKeys: Set<String> = []
  /// Like ``hiddenKeys``, but only while the input is read.
  var replacedKeys: Set<String> = []
  /// For foreign keys, the old value of the key for which they stand.
  private(set) var movedValues: [String: RecordedValue] = [:]

  private(set) var members: [String: OverlayObject] = [:]
  private var decoded: [String: [ObjectIdentifier: Result<Any, any Error>]] = [:]

  init(_ session: OverlaySession, path: [String] = []) {
    self.session = session
    self.path = path
  }

  /// Returns the object that is the value of `key`.
  func member(_ key: String) -> OverlayObject {
    if let member = members[key] { return member }
    let member = OverlayObject(session, path: path + [key])
    members[key] = member
    return member
  }

  /// Records a container of the object. Its keys in the input are the same in all decodings.
  func note<Key: CodingKey>(_ new: KeyedDecodingContainer<Key>?, old: RecordedValue?) {
    if recorded == nil { recorded = old }
    guard let new, keyTypes.insert(ObjectIdentifier(Key.self)).inserted else { return }
    inputKeys.formUnion(new.allKeys.lazy.map(\.stringValue))
  }

  /// Records that the value of `key` in the input is read.
  func noteInput(_ key: String, isNull: Bool = false) {
    if !session.isTentative {
      readKeys.insert(key)
    } else if !isNull, !readKeys.contains(key), isForeign(key) {
      session.noteFound(OverlayKey(object: self, name: key))
    }
  }

  /// Records an access to `key` that does not read the input.
  func note(_ key: String, _ kind: OverlaySession.Access.Kind, hiding value: RecordedValue? = nil) {
    if kind == .foreign || kind == .opened, session.isProbe { probedKeys.insert(key) }
    session.note(OverlayKey(object: self, name: key), kind, hiding: value)
  }

  func isForeign(_ key: String) -> Bool {
    inputKeys.contains(key) && !((readKeys.contains(key) || session.hasFailed) && recorded?.writes(key) == true)
  }

  /// Returns whether no decoding has accessed a foreign key.
  func isUnread(_ key: String) -> Bool { !readKeys.contains(key) && !probedKeys.contains(key) }

  /// Returns whether the first decoding read the value of `key` in the input.
  func hasRead(_ key: String) -> Bool { readKeys.contains(key) }

  /// The keys that only the old value has, with their values.
  var oldKeys: some Sequence<(key: String, value: RecordedValue)> {
    (recorded?.keys ?? [:]).lazy.filter { !self.inputKeys.contains($0.key) }
  }

  var foreignKeys: some Sequence<String> { inputKeys.lazy.filter(isForeign) }

  func isOld(_ key: String) -> Bool { !inputKeys.contains(key) }

  func oldValue(of key: String) -> RecordedValue? { recorded?.keys?[key] }

  /// Returns whether a value has been moved to a key of this object, or of an object in it.
  var hasMovedValues: Bool { !movedValues.isEmpty || members.values.contains(where: \.hasMovedValues) }

  /// Moves an old value to the foreign key `key`; `nil` undoes this.
  func move(_ value: RecordedValue?, to key: String) {
    movedValues[key] = value
  }

  /// Discards what earlier decodings of the input returned for `key`.
  func forget(_ key: String) { decoded[key] = nil }

  /// Returns the value that `decode` returned for this key and type in an earlier decoding of the input, or calls it.
  func value<T>(of key: String, as type: T.Type, _ decode: () throws -> T) throws -> T {
    let id = ObjectIdentifier(type)
    if let known = decoded[key]?[id] {
      if let value = try known.get() as? T { return value }
      return try decode()
    }
    let result = Result { try decode() }
    decoded[key, default: [:]][id] = result.map { $0 as Any }
    return try result.get()
  }
}
