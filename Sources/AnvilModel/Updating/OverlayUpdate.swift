/// Decodes a model from an input and its old value. A key in the input takes precedence over a key that only the old value has.
///
/// This is simple if each value has one key: `OverlayKeyedContainer` has the keys of the input, and those that only the old value has. But
/// a model can read a value from one of several keys, and only the model knows which keys these are. If the model tries the key of the old
/// value first, it does not read the key in the input.
///
/// Two keys are alternatives if the old value is the same model after its value has been moved from one key to the other. This is tried
/// with the old value alone, without any value of the input, so that it has no effect on objects that the input updates in place. It is
/// only tried for keys in the input that the model does not write: other models are decoded once. The input is then decoded again, without
/// the keys of the old value that have an alternative in the input.
///
/// The order in which the model tries its keys shows which of them are probably alternatives. If this is right, all of them are confirmed by
/// one trial, whatever their number. Otherwise they are tried one by one, until ``accessLimit`` is reached.
struct OverlayUpdate<Model: Codable> {
  /// The number of accesses to keys after which no further pairs of keys are tried one by one.
  private static var accessLimit: Int { 100_000 }

  private let input: any Decoder
  private let old: RecordedValue
  private let session = OverlaySession()
  private let root: OverlayObject

  /// - Parameter old: The encoded form of the old value.
  init(input: any Decoder, old: RecordedValue) {
    self.input = input
    self.old = old
    root = OverlayObject(session)
  }

  /// Returns the updated model.
  ///
  /// - Throws: An error of the model's `init(from:)`.
  func model() throws -> Model {
    // The recorded accesses refer to objects that refer to the session.
    defer { session.begin(.update) }
    let first = decode(.update)
    let found = findAlternatives(first)
    guard !found.isEmpty else { return try first.get() }
    for pair in found { pair.input.object.forget(pair.input.name) }
    return try decode(.update).get()
  }

  /// Returns the keys in the input from which the model reads the value of `key`, although it writes the value under `key`.
  func alternatives(of key: String) -> [String] {
    defer { session.begin(.update) }
    return findAlternatives(decode(.update))
      .filter { $0.old.object === root && $0.old.name == key && $0.input.object === root }
      .map(\.input.name)
  }

  /// A key in the input, and the key in the old value for which it stands.
  private struct Pair {
    let input: OverlayKey
    let old: OverlayKey
  }

  private func decode(_ mode: OverlaySession.Mode) -> Result<Model, any Error> {
    session.begin(mode)
    defer { session.mode = .update }
    return Result { try Model(from: OverlayDecoder(new: input, old: old, object: root)) }
  }

  private func findAlternatives(_ first: Result<Model, any Error>) -> [Pair] {
    if case .failure = first { session.hasFailed = true }
    guard objects.contains(where: { $0.foreignKeys.contains { _ in true } }),
      objects.contains(where: { $0.oldKeys.contains { _ in true } })
    else { return [] }
    session.accessCount = 0
    let accesses = probe()
    guard let reference = values(of: decode(.trial)) else { return [] }
    var found: [Pair] = []
    var unpaired = Neighbours(accesses)
    for neighbours in [unpaired.previous, unpaired.next] {
      let pairs = unpaired.keys.compactMap { key in neighbours[key].map { Pair(input: key, old: $0) } }
      guard !pairs.isEmpty, areAlternatives(pairs, reference) else { continue }
      found += pairs
      unpaired.keys.removeAll { neighbours[$0] != nil }
    }
    let hidden = accesses.lazy.filter { $0.kind == .hidden }.map(\.key)
    let given = accesses.lazy.filter { $0.kind == .given }.map(\.key)
    let oldKeys = unique(
      Array(hidden) + Array(given)
        + objects.flatMap { object in
          object.oldKeys.map { OverlayKey(object: object, name: $0.key) }
        })
    for key in unpaired.keys {
      let nearest = [unpaired.previous[key], unpaired.next[key]].compactMap(\.self)
      for other in nearest + oldKeys {
        guard session.accessCount < Self.accessLimit else { return found }
        let pair = Pair(input: key, old: other)
        guard areAlternatives([pair], reference) || replaces(pair, in: first) else { continue }
        found.append(pair)
        break
      }
    }
    return found + findCaughtKeys(unique(Array(given)), first, reference)
  }

  /// Finds keys in the input that the model reads only after an error for a key that must be present, as in
  /// `(try? container.decode(String.self, forKey: .email)) ?? container.decode(String.self, forKey: .mail)`.
  private func findCaughtKeys(
    _ required: [OverlayKey], _ first: Result<Model, any Error>, _ reference: [[String]: String]
  ) -> [Pair] {
    var found: [Pair] = []
    guard objects.contains(where: { object in object.foreignKeys.contains(where: object.isUnread) }) else { return [] }
    for key in required {
      guard session.accessCount < Self.accessLimit else { break }
      guard key.object.hiddenKeys.insert(key.name).inserted else { continue }
      session.substitute = key.object.oldValue(of: key.name)
      let values = values(of: decode(.trial))
      session.substitute = nil
      key.object.hiddenKeys.remove(key.name)
      let others = unique(session.accesses.lazy.filter { $0.kind == .foreign }.map(\.key)).filter {
        $0.object.isUnread($0.name)
      }
      let pairs = others.map { Pair(input: $0, old: key) }
      if values == reference, !pairs.isEmpty {
        for pair in pairs { apply(pair) }
        found += pairs
      } else if let pair = pairs.first(where: { replaces($0, in: first) }) {
        found.append(pair)
      }
    }
    return found
  }

  /// Returns the accesses to keys that the model would like to read, in order.
  private func probe() -> [OverlaySession.Access] {
    let accesses = probe(opensObjects: false)
    guard session.hasForeignObjects else { return accesses }
    let others = probe(opensObjects: true)
    return others.contains { $0.kind == .opened } ? others + accesses : accesses
  }

  /// If the model cannot do without a key that seemed to be absent, it is probed again with this key.
  private func probe(opensObjects: Bool) -> [OverlaySession.Access] {
    var accesses: [OverlaySession.Access] = []
    while true {
      let result = decode(.probe(opensObjects: opensObjects))
      accesses += session.accesses
      guard case .failure = result, let (key, _) = session.hidden, session.accessCount < Self.accessLimit,
        key.object.requiredKeys.insert(key.name).inserted
      else { return accesses }
    }
  }

  /// Returns whether the old value is the same model with its values under the other keys. If so, the pairs stay applied.
  private func areAlternatives(_ pairs: [Pair], _ reference: [[String]: String]) -> Bool {
    let hidden = pairs.filter(apply)
    if values(of: decode(.trial)) == reference { return true }
    for pair in hidden { pair.old.object.hiddenKeys.remove(pair.old.name) }
    for pair in pairs { pair.input.object.move(nil, to: pair.input.name) }
    return false
  }

  /// Moves a value. Returns whether its key was not hidden before.
  @discardableResult
  private func apply(_ pair: Pair) -> Bool {
    pair.input.object.move(pair.old.object.oldValue(of: pair.old.name), to: pair.input.name)
    return pair.old.object.hiddenKeys.insert(pair.old.name).inserted
  }

  /// Returns whether the model reads a value of another type from the key in the input if the old key is absent, and is otherwise the same.
  /// The old key is then hidden.
  private func replaces(_ pair: Pair, in first: Result<Model, any Error>) -> Bool {
    let (object, name) = (pair.old.object, pair.old.name)
    guard !pair.input.object.hasRead(pair.input.name), !object.replacedKeys.contains(name),
      let known = values(of: first)
    else { return false }
    object.replacedKeys.insert(name)
    session.isTentative = true
    let trial = decode(.update)
    session.isTentative = false
    let place = pair.old.path
    if session.foundKeys.contains(pair.input), let found = values(of: trial),
      found.keys.contains(where: { $0.starts(with: place) }),
      Set(found.keys).union(known.keys).allSatisfy({ $0.starts(with: place) || found[$0] == known[$0] })
    {
      return true
    }
    object.replacedKeys.remove(name)
    return false
  }

  /// The objects that the model has read.
  private var objects: [OverlayObject] {
    var objects = [root]
    var index = 0
    while index < objects.count {
      objects += objects[index].members.values
      index += 1
    }
    return objects
  }

  private func unique(_ keys: some Sequence<OverlayKey>) -> [OverlayKey] {
    var seen: Set<OverlayKey> = []
    return keys.filter { seen.insert($0).inserted }
  }

  /// Returns the values that a model encodes, without nulls, by their paths; `nil` without a model.
  private func values(of result: Result<Model, any Error>) -> [[String]: String]? {
    guard case .success(let model) = result else { return nil }
    var values: [[String]: String] = [:]
    do {
      try RecordedValue(model).collect(&values, at: [], .decoder(input), input.userInfo)
    } catch {
      return nil
    }
    return values
  }
}

/// The foreign keys of the input in the order in which a model tries them, with the nearest keys of the old value.
private struct Neighbours {
  var keys: [OverlayKey] = []
  /// The last key before each key that seemed to be absent.
  var previous: [OverlayKey: OverlayKey] = [:]
  /// The next key after each key.
  var next: [OverlayKey: OverlayKey] = [:]

  init(_ accesses: [OverlaySession.Access]) {
    var seen: Set<OverlayKey> = []
    var last: OverlayKey?
    for access in accesses {
      switch access.kind {
      case .hidden: last = access.key
      case .foreign:
        guard seen.insert(access.key).inserted else { continue }
        keys.append(access.key)
        previous[access.key] = last
      case .opened: seen.insert(access.key)
      case .given: break
      }
    }
    var following: OverlayKey?
    for access in accesses.reversed() {
      switch access.kind {
      case .hidden, .given: following = access.key
      case .foreign: next[access.key] = following
      case .opened: break
      }
    }
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
    var last: (any Encodable)?
    return try first(at: position, userInfo: userInfo) { recorded in
      guard let value = recorded.value else { return last }
      if let last, type(of: last) == type(of: value) { return value }
      last = value
      return nil
    } ?? last
  }
}
