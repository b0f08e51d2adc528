/// The state that all decodings of one update share.
final class OverlaySession {
  /// True while a model is decoded only to see what it reads. Nothing may be updated in place then.
  private(set) var isTrial = false
  /// True if only the keys of the old value that ``OverlayObject/requiredKeys`` contains are present.
  var readsInputAlone = false
  /// The accesses of the current decoding to values of the input, in order.
  private(set) var reads: [OverlayKey] = []
  /// The accesses of the current decoding to keys that only the old value has, in order.
  private(set) var requests: [OverlayKey] = []
  /// The keys of ``requests`` that seemed to be absent.
  private(set) var absentKeys: [OverlayKey] = []
  /// The key of the input whose value could not be read, if the current decoding has not accessed another key since.
  private(set) var failedRead: OverlayKey?
  /// The values that the current trial has read from the input.
  private(set) var values: [OverlayKey: Any] = [:]
  /// The number of decodings and of accesses to keys since the search for replaced keys began.
  var accessCount = 0

  func begin(isTrial: Bool) {
    self.isTrial = isTrial
    accessCount += 1
    (reads, requests, absentKeys, failedRead, values) = ([], [], [], nil, [:])
  }

  func noteAccess() {
    accessCount &+= 1
    failedRead = nil
  }

  func noteRead(_ key: OverlayKey) { reads.append(key) }

  func noteFailedRead(_ key: OverlayKey) { failedRead = key }

  func noteRequest(_ key: OverlayKey, isHidden: Bool) {
    requests.append(key)
    if isHidden { absentKeys.append(key) }
  }

  func noteValue(_ value: Any, of key: OverlayKey) {
    if isTrial { values[key] = value }
  }
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
final class OverlayObject {
  let session: OverlaySession
  /// The keys that lead to the object.
  let path: [String]
  private weak var container: OverlayObject?
  /// The keys in the input that the model's key types have.
  private(set) var inputKeys: Set<String> = []
  private var recorded: RecordedValue?
  /// The key types of the containers whose keys have been recorded.
  private var keyTypes: Set<ObjectIdentifier> = []

  /// The keys of the old value that seem to be absent, because the input has other keys for their values.
  var hiddenKeys: Set<String> = []
  /// The keys of the old value without which the model cannot be decoded from the input. They are never hidden.
  var requiredKeys: Set<String> = []
  /// For keys of the input, the key of the old value that is updated in place from it.
  private(set) var replacedKeys: [String: String] = [:]

  private(set) var members: [String: OverlayObject] = [:]
  private var decoded: [String?: [ObjectIdentifier: Result<Any, any Error>]] = [:]
  /// The keys that only the old value has, by the type that was looked for.
  private var keysOfTypes: [ObjectIdentifier: Set<String>] = [:]

  init(_ session: OverlaySession) {
    self.session = session
    path = []
  }

  private init(in container: OverlayObject, _ key: String) {
    session = container.session
    path = container.path + [key]
    self.container = container
  }

  func member(_ key: String) -> OverlayObject {
    if let member = members[key] { return member }
    let member = OverlayObject(in: self, key)
    members[key] = member
    return member
  }

  /// Records a container of the object. Its keys in the input are the same in all decodings.
  func note<Key: CodingKey>(_ new: KeyedDecodingContainer<Key>?, old: RecordedValue?) {
    if recorded == nil { recorded = old }
    guard let new, keyTypes.insert(ObjectIdentifier(Key.self)).inserted else { return }
    inputKeys.formUnion(new.allKeys.lazy.map(\.stringValue))
  }

  /// Records that the model has read the value of `key` in the input. An object that it only opens is not read.
  func noteRead(_ key: String) { session.noteRead(OverlayKey(object: self, name: key)) }

  /// Records that the model has read the value in the input, which may not be an object.
  func noteRead() {
    guard let key = path.last else { return }
    container?.noteRead(key)
  }

  /// Returns whether `key`, which only the old value has, must seem to be absent. Records the access.
  func requestIsHidden(_ key: String) -> Bool {
    let isHidden = isHidden(key)
    session.noteRequest(OverlayKey(object: self, name: key), isHidden: isHidden)
    return isHidden
  }

  func isHidden(_ key: String) -> Bool {
    (session.readsInputAlone || hiddenKeys.contains(key)) && !requiredKeys.contains(key)
  }

  /// Returns whether `encode(to:)` writes `key`, if only for some values.
  func writes(_ key: String) -> Bool { recorded?.writes(key) == true }

  /// Returns whether only the old value has `key`.
  func isOld(_ key: String) -> Bool { recorded?.keys?[key] != nil && !inputKeys.contains(key) }

  var isRecorded: Bool { recorded != nil }

  /// Whether all keys of an object that only the old value has are hidden.
  var isHidden: Bool { isRecorded && oldKeys.contains { _ in true } && oldKeys.allSatisfy(hiddenKeys.contains) }

  /// The keys that only the old value has.
  var oldKeys: some Sequence<String> {
    (recorded?.keys ?? [:]).keys.lazy.filter { !self.inputKeys.contains($0) }
  }

  /// Returns the value that `decode` returned for this key and type in an earlier decoding of the input, or calls it. The key `nil` stands
  /// for the whole value.
  func value<T>(of key: String?, as type: T.Type, _ decode: () throws -> T) throws -> T {
    let id = ObjectIdentifier(type)
    if let known = decoded[key]?[id] {
      if let value = try known.get() as? T { return value }
      return try decode()
    }
    let result = Result { try decode() }
    decoded[key, default: [:]][id] = result.map { $0 as Any }
    return try result.get()
  }

  func hasValue<T>(of key: String?, as type: T.Type) -> Bool {
    if case .success? = decoded[key]?[ObjectIdentifier(type)] { true } else { false }
  }

  /// Returns an old value of the type that `key` of the input may replace: that of the key that seemed to be absent last, or the only one.
  func replaceableValue<T>(by key: String, as type: T.Type) -> T? {
    let names = keys(of: type)
    var name = names.count == 1 ? names.first : nil
    if let last = session.absentKeys.last, last.object === self, names.contains(last.name) { name = last.name }
    guard let name, let value = recorded?.keys?[name]?.value as? T else { return nil }
    replacedKeys[key] = name
    return value
  }

  private func keys<T>(of type: T.Type) -> Set<String> {
    if let known = keysOfTypes[ObjectIdentifier(type)] { return known }
    let names = Set(oldKeys.filter { self.recorded?.keys?[$0]?.value is T })
    keysOfTypes[ObjectIdentifier(type)] = names
    return names
  }

  /// Keeps the replaced keys for which `isReplaced` returns true. Their values are updated in place by the next decoding.
  func filterReplacedKeys(_ isReplaced: (String) -> Bool) -> Bool {
    replacedKeys = replacedKeys.filter { isReplaced($0.value) }
    for key in replacedKeys.keys { decoded[key] = nil }
    return !replacedKeys.isEmpty
  }
}
