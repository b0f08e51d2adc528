/// Decodes a model from an input and its old value. A key in the input takes precedence over a key that only the old value has.
///
/// This is simple if each value has one key: `OverlayKeyedContainer` has the keys of the input, and those that only the old value has. But
/// a model can read a value from one of several keys, and only the model knows which keys these are. If the model tries the key of the old
/// value first, it does not read the key in the input. The keys are therefore found out from what the model reads: the model is decoded
/// again without one of the keys that it read from the old value, and if it then reads another key of the input, the two are alternatives.
///
/// A model may also read a key only if another one has a certain value. Two keys are therefore alternatives only if the models of both passes
/// differ in nothing but the value of the hidden key: an update loses nothing that the input does not contain.
///
/// A model that reads all keys in the input is decoded once. A member that has been decoded is not decoded again, so that the additional
/// passes only cost as much as the reads of this model, and models within it are not updated twice.
struct OverlayUpdate<Model: Codable> {
  /// The maximum number of keys that are tried. It limits the work for a model with arbitrary keys.
  private static var limit: Int { 1000 }

  private let input: any Decoder
  private let old: RecordedValue
  private let log = OverlayLog()
  private let root: OverlayObject

  /// - Parameter old: The encoded form of the old value.
  init(input: any Decoder, old: RecordedValue) {
    self.input = input
    self.old = old
    root = OverlayObject(log)
  }

  /// Returns the updated model.
  ///
  /// - Throws: An error of the model's `init(from:)`.
  func model() throws -> Model {
    var pass = decode()
    findMergedKeys(&pass)
    guard case .success = pass.result else { return try pass.result.get() }
    findSupersededKeys(&pass)
    findClearedKeys(&pass)
    return try pass.result.get()
  }

  /// A decoded model, with the reads of its keys.
  private struct Pass {
    let result: Result<Model, any Error>
    let reads: [OverlayRead]
    /// True if decoding failed because a key is neither in the input nor in the old value.
    let lacksKey: Bool

    /// Returns the keys in the input of `object` that were read.
    func inputKeys(of object: OverlayObject) -> Set<String> {
      Set(reads.lazy.filter { $0.object === object && $0.source != .old }.map(\.key))
    }

    func reads(_ key: String, of object: OverlayObject) -> Bool {
      reads.contains { $0.object === object && $0.key == key }
    }
  }

  private func decode() -> Pass {
    log.begin()
    let result = Result { try Model(from: OverlayDecoder(new: input, old: old, object: root)) }
    var lacksKey = false
    if case .failure(DecodingError.keyNotFound(let key, let context)) = result {
      lacksKey = log.missingKey.map { $0 == (key.stringValue, context.codingPath.count) } ?? false
    }
    return Pass(result: result, reads: log.reads, lacksKey: lacksKey)
  }

  /// Finds keys of the old value that the model reads before a key in the input, and decodes the model without them.
  private func findSupersededKeys(_ pass: inout Pass) {
    var seen: Set<OverlayRead.Place> = []
    let kept = pass.reads.filter { $0.source == .old && seen.insert($0.place).inserted }
    guard kept.count <= Self.limit else { return }
    var unread: [ObjectIdentifier: Set<String>] = [:]
    for read in kept {
      let object = read.object
      let others = unread[object.id] ?? object.inputKeys.subtracting(pass.inputKeys(of: object))
      unread[object.id] = others
      guard !others.isEmpty else { continue }
      object.beginTrial(of: read.key, instead: others)
      let trial = decode()
      let found = trial.inputKeys(of: object).intersection(others)
      let isAccepted =
        !found.isEmpty && !trial.lacksKey && differs(trial, from: pass, onlyIn: read.key, of: object, readAs: found)
      object.endTrial(isAccepted: isAccepted)
      guard isAccepted else { continue }
      unread[object.id] = others.subtracting(found)
      pass = trial
    }
  }

  /// Finds keys of the old value that the model reads because a key in the input is null, and decodes the model without them.
  ///
  /// If the first key had a value, the model would not read the second one.
  private func findClearedKeys(_ pass: inout Pass) {
    let reads = pass.reads
    for (null, next) in zip(reads, reads.dropFirst()).prefix(Self.limit) {
      let object = null.object
      guard null.source == .null, next.source == .old, next.object === object, !object.oldKeys.contains(null.key) else {
        continue
      }
      guard replaces(null.key, next.key, in: object, like: pass) else { continue }
      object.hide(next.key)
      pass = decode()
    }
  }

  /// Finds keys in the input whose values must be merged with the value of another key in the old value, and decodes the model with them.
  private func findMergedKeys(_ pass: inout Pass) {
    for read in pass.reads.prefix(Self.limit) where read.source == .value {
      let object = read.object
      guard let type = read.type, !object.oldKeys.contains(read.key), !object.updatableKeys.isEmpty,
        !object.updatableKeys.isSubset(of: object.inputKeys), type is any DecoderUpdatable.Type
      else { continue }
      object.ignoredKey = read.key
      let trial = decode()
      object.ignoredKey = nil
      var seen: Set<String> = []
      let alternatives = trial.reads.filter {
        $0.object === object && $0.source == .old && $0.type == type && seen.insert($0.key).inserted
      }
      guard let key = alternatives.first(where: { replaces(read.key, $0.key, in: object, like: trial) })?.key else {
        continue
      }
      object.merge(read.key, with: key)
      pass = decode()
    }
  }

  /// Returns whether the model does not read `key` of the old value if `inputKey` has its value, and is then the same as that of `pass`.
  private func replaces(_ inputKey: String, _ key: String, in object: OverlayObject, like pass: Pass) -> Bool {
    object.substitutes[inputKey] = key
    let trial = decode()
    object.substitutes[inputKey] = nil
    guard !trial.reads(key, of: object), let found = values(of: trial), let known = values(of: pass) else {
      return false
    }
    return found == known
  }

  /// Returns whether the models of both passes differ only in the value of `key`, and no part of this value is lost. A value that is read
  /// as the same type from one of `others` may replace the value as a whole. A null may replace it if the value could be read from there.
  private func differs(
    _ trial: Pass, from pass: Pass, onlyIn key: String, of object: OverlayObject, readAs others: Set<String>
  ) -> Bool {
    // The value in the input cannot be decoded. Keeping the old value would hide the error.
    guard case .success = trial.result else { return true }
    let nulls = Set(trial.reads.lazy.filter { $0.object === object && $0.source == .null }.map(\.key))
    if others.isSubset(of: nulls) { return others.contains { replaces($0, key, in: object, like: pass) } }
    guard let found = values(of: trial), let known = values(of: pass) else { return false }
    let place = object.path + [key]
    guard Set(found.keys).union(known.keys).allSatisfy({ $0.starts(with: place) || found[$0] == known[$0] }) else {
      return false
    }
    let types = pass.reads.filter { $0.object === object && $0.key == key }.compactMap(\.type)
    let isReplaced = trial.reads.contains { read in
      read.object === object && others.contains(read.key) && types.contains { $0 == read.type }
    }
    return isReplaced || known.keys.allSatisfy { !$0.starts(with: place) || found[$0] != nil }
  }

  /// Returns the values that the model of a pass encodes, without nulls, by their paths; `nil` without a model.
  private func values(of pass: Pass) -> [[String]: String]? {
    guard case .success(let model) = pass.result else { return nil }
    var values: [[String]: String] = [:]
    do {
      try RecordedValue(model).collect(&values, at: [], .decoder(input), input.userInfo)
    } catch {
      return nil
    }
    return values
  }
}

extension RecordedValue {
  /// Adds the text of each value that is not null, by the keys that lead to it. An array is one value.
  fileprivate func collect(
    _ values: inout [[String]: String], at path: [String], _ position: CodingPosition,
    _ userInfo: [CodingUserInfoKey: Any]
  ) throws {
    if let keys = try first(at: position, userInfo: userInfo, where: { $0.keys }) {
      for (key, value) in keys { try value.collect(&values, at: path + [key], position, userInfo) }
    } else if let items = try first(at: position, userInfo: userInfo, where: { $0.items }) {
      values[path] = try items.map { item in
        var parts: [[String]: String] = [:]
        try item.collect(&parts, at: [], position, userInfo)
        return "\(parts.map { "\($0.key)=\($0.value)" }.sorted())"
      }.joined(separator: ",")
    } else if let value = try encodedScalar(at: position, userInfo: userInfo) {
      values[path] = "\(value)"
    }
  }

  /// Returns the value that encodes itself as itself, such as a number or a string.
  private func encodedScalar(at position: CodingPosition, userInfo: [CodingUserInfoKey: Any]) throws -> (any Encodable)?
  {
    var recorded = self
    while let value = recorded.value {
      let next = try recorded.expanded(at: position, userInfo: userInfo)
      guard let inner = next.value, type(of: inner) != type(of: value) else { return value }
      recorded = next
    }
    return nil
  }
}

/// One access to a key while a model is decoded.
struct OverlayRead {
  enum Source {
    /// The key has a value in the input, or is null in the input.
    case value, null
    /// The key is only in the old value.
    case old
  }

  struct Place: Hashable {
    let object: ObjectIdentifier
    let key: String
  }

  let object: OverlayObject
  let key: String
  let source: Source
  /// The type of the value; `nil` for other accesses, such as `contains(_:)`.
  var type: (any Any.Type)?

  var place: Place { Place(object: object.id, key: key) }
}

/// The reads of one pass.
final class OverlayLog {
  fileprivate(set) var reads: [OverlayRead] = []
  /// The key whose absence was reported last, and the length of the path of its object.
  fileprivate var missingKey: (key: String, depth: Int)?

  fileprivate func begin() { (reads, missingKey) = ([], nil) }

  func noteMissing(_ key: String, depth: Int) { missingKey = (key, depth) }
}

/// An object of the input, with what is known about its keys in all passes.
final class OverlayObject {
  private let log: OverlayLog
  /// The keys that lead to the object.
  fileprivate let path: [String]
  /// The keys in the input that the model's key types have.
  fileprivate private(set) var inputKeys: Set<String> = []
  fileprivate private(set) var oldKeys: Set<String> = []
  /// The keys of the old value whose values can be updated in place.
  fileprivate private(set) var updatableKeys: Set<String> = []
  /// The keys of the old value that are not read, because the input has another key for their values.
  private(set) var hiddenKeys: Set<String> = []
  /// For keys in the input, the key of the same value in the old value.
  private(set) var mergedKeys: [String: String] = [:]
  /// For keys in the input, the key in the old value whose value is read instead.
  fileprivate(set) var substitutes: [String: String] = [:]
  /// A key of the input that is not read.
  fileprivate(set) var ignoredKey: String?

  private var trial: (key: String, others: Set<String>)?
  private var members: [String: OverlayObject] = [:]
  private var decoded: [String: [ObjectIdentifier: Result<Any, any Error>]] = [:]

  fileprivate init(_ log: OverlayLog, path: [String] = []) {
    self.log = log
    self.path = path
  }

  fileprivate var id: ObjectIdentifier { ObjectIdentifier(self) }

  /// Returns the object that is the value of `key`.
  func member(_ key: String) -> OverlayObject {
    if let member = members[key] { return member }
    let member = OverlayObject(log, path: path + [key])
    members[key] = member
    return member
  }

  /// Records the keys of a container of the object.
  func note(inputKeys: some Sequence<String>, old: [String: RecordedValue]) {
    self.inputKeys.formUnion(inputKeys)
    guard oldKeys.isEmpty else { return }
    oldKeys = Set(old.keys)
    updatableKeys = Set(old.lazy.filter { $0.value.value is any DecoderUpdatable }.map(\.key))
  }

  /// Records an access to `key`.
  func noteRead(_ key: String, _ source: OverlayRead.Source) {
    beginReading(key, source)
    log.reads.append(OverlayRead(object: self, key: key, source: source))
  }

  /// Records an access to the value of `key`.
  func noteRead(_ key: String, _ source: OverlayRead.Source, as type: any Any.Type) {
    beginReading(key, source)
    log.reads.append(OverlayRead(object: self, key: key, source: source, type: type))
  }

  func noteMissing(_ key: String, depth: Int) { log.noteMissing(key, depth: depth) }

  private func beginReading(_ key: String, _ source: OverlayRead.Source) {
    guard source != .old, let trial, trial.others.contains(key), mergedKeys[key] == nil else { return }
    mergedKeys[key] = trial.key
  }

  /// Returns the value that `decode` returned for this key and type in an earlier pass, or calls it.
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

/// Changes for the following passes.
extension OverlayObject {
  /// Hides `key` of the old value. If one of `others` is read then, it is merged with the value of `key`.
  fileprivate func beginTrial(of key: String, instead others: Set<String>) {
    hiddenKeys.insert(key)
    trial = (key, others)
  }

  fileprivate func endTrial(isAccepted: Bool) {
    guard let trial else { return }
    self.trial = nil
    guard !isAccepted else { return }
    hiddenKeys.remove(trial.key)
    for (key, merged) in mergedKeys where merged == trial.key {
      mergedKeys[key] = nil
      decoded[key] = nil
    }
  }

  fileprivate func hide(_ key: String) { hiddenKeys.insert(key) }

  fileprivate func merge(_ key: String, with oldKey: String) {
    mergedKeys[key] = oldKey
    hiddenKeys.insert(oldKey)
    decoded[key] = nil
  }
}
