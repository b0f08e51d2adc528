/// Decodes a model from an input and its old value. A key in the input takes precedence over a key that only the old value has.
///
/// This is simple if each value has one key: `OverlayKeyedContainer` has the keys of the input, and those that only the old value has. But
/// a model can read a value from one of several keys, and only the model knows which keys these are. If it finds the key of the old value
/// first, it does not read the key in the input.
///
/// If the input has a key that the model does not write, or has not read, the model is therefore decoded from the input alone, which shows
/// the keys that it reads then. A key of the old value is used if the model still reads each of these keys as often with it as without it.
/// Otherwise the key of the old value is replaced, and the input is decoded again without it. If a model reads all keys in any case, its
/// values show which key is replaced: one under which the model decoded from the input alone has a value of the input.
///
/// A trial decodes the input with none, some or all keys that only the old value has. No value is ever shown under another key, and no
/// key of the input is hidden, so that an initialiser which traps in a trial would also trap on an input.
struct OverlayUpdate<Model: Codable> {
  /// The number of accesses to keys after which the search ends. All keys of the old value that were not found until then are used.
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

  func model() throws -> Model {
    // The recorded accesses refer to objects that refer to the session.
    defer { session.begin(isTrial: false) }
    let whole = decode(isTrial: false)
    guard var search = search(whole) else { return try whole.result.get() }
    var run = whole
    let updatesOthers = keepReplacements(search, whole)
    if updatesOthers || !search.replaced.isEmpty { run = decode(isTrial: false) }
    guard let values = values(of: run) else { return try run.result.get() }
    let keys = search.addReplaced(by: values)
    guard !keys.isEmpty else { return try run.result.get() }
    hide(Set(search.replaced.keys))
    let other = decode(isTrial: false)
    // Otherwise the model reads its value from elsewhere.
    let isRight = self.values(of: other).map { found in keys.allSatisfy { found[$0.path] == search.values?[$0.path] } }
    return try (isRight == true ? other : run).result.get()
  }

  /// Returns the keys in the input from which the model reads the value of `key`, although it writes the value under `key`. If it reads several
  /// keys instead, only one with the value of the model is certain.
  func alternatives(of key: String) -> [String] {
    defer { session.begin(isTrial: false) }
    guard let search = search(decode(isTrial: false)) else { return [] }
    let key = OverlayKey(object: root, name: key)
    let others = (search.replaced[key] ?? search.inputKeysWithValue(of: key)).filter { $0.object === root }
    guard others.count > 1, let value = search.values?[key.path] else { return others.map(\.name) }
    let equal = others.filter { search.trees[$0] == value }
    return equal.count == 1 ? equal.map(\.name) : []
  }

  private func decode(isTrial: Bool) -> OverlayRun<Model> {
    session.begin(isTrial: isTrial)
    let result = Result { try Model(from: OverlayDecoder(new: input, old: old, object: root)) }
    return OverlayRun(result, session)
  }

  /// The objects that the model has read, each after the object that contains it.
  private var objects: [OverlayObject] {
    var objects = [root]
    var index = 0
    while index < objects.count {
      objects += objects[index].members.values
      index += 1
    }
    return objects
  }

  private func values(of run: OverlayRun<Model>) -> ValueTree? {
    guard case .success(let model) = run.result else { return nil }
    return ValueTree(model, at: .decoder(input), userInfo: input.userInfo)
  }
}

/// The search for keys of the old value that are replaced by other keys of the input.
extension OverlayUpdate {
  private func search(_ whole: OverlayRun<Model>) -> ReplacedKeys? {
    let objects = objects
    lazy var reads = whole.reads()
    func mayReplace(_ key: OverlayKey) -> Bool {
      guard key.object.writes(key.name) else { return true }
      return !whole.hasFailed && key.object.members[key.name] == nil && reads[key] == nil
    }
    guard objects.contains(where: { $0.oldKeys.contains { _ in true } }),
      objects.contains(where: { object in
        object.inputKeys.contains { mayReplace(OverlayKey(object: object, name: $0)) }
      })
    else { return nil }
    session.accessCount = 0
    guard let alone = decodeAlone(mayLackKeys: !whole.hasFailed) else { return nil }
    let values = values(of: alone)
    let foreign = foreignKeys(alone, values, reads)
    guard !foreign.isEmpty else { return nil }
    var search = ReplacedKeys(values: values, hasFailed: alone.hasFailed, reads: foreign)
    for key in foreign.keys {
      let tree = alone.values[key].flatMap { ValueTree($0, at: .decoder(input), userInfo: input.userInfo) }
      search.trees[key] = tree
      for part in Set(tree?.parts ?? []) { search.keysOfValues[part, default: []].append(key) }
    }

    let candidates = candidates(alone, whole)
    let (determined, gaps) = (
      candidates.filter { values?[$0.path] != nil }, candidates.filter { values?[$0.path] == nil }
    )
    search.determined = determined
    if search.lost(in: whole).isEmpty { return search }
    var hidden = Set(candidates)
    show(gaps.map { [$0] }, run: determined.isEmpty ? whole : nil, &hidden, &search)
    show(grouped(determined), run: hidden.count == determined.count ? whole : nil, &hidden, &search)
    hide(Set(search.replaced.keys))
    return search
  }

  /// Returns the keys of the input that the model reads and does not write, with the number of accesses to them. A model may also write a
  /// value under two keys and read one of them.
  private func foreignKeys(
    _ alone: OverlayRun<Model>, _ values: ValueTree?, _ reads: [OverlayKey: Int]
  ) -> [OverlayKey: Int] {
    let position = CodingPosition.decoder(input)
    lazy var oldValues = try? ValueTree(old, at: position, userInfo: input.userInfo)
    let model = (try? alone.result.get()).map(RecordedValue.init)
    return alone.reads().filter { key, _ in
      let path = key.path
      guard key.object.writes(key.name) || model?.writes(path[...], at: position, userInfo: input.userInfo) == true
      else { return true }
      guard reads[key] == nil, let old = oldValues?[path], let value = values?[path] else { return false }
      return key.object.oldKeys.contains { name in
        let other = key.object.path + [name]
        return oldValues?[other] == old && values?[other] == value
      }
    }
  }

  /// Decodes the model from the input, and from keys of the old value only where the model cannot be decoded without them.
  ///
  /// If an error names a key, this key is added, otherwise the last key that seemed to be absent, unless it turns out not to be needed. The
  /// result is an error if the model cannot read a value of the input. It has then read this value.
  ///
  /// - Parameter mayLackKeys: Whether any error may be due to an absent key.
  private func decodeAlone(mayLackKeys: Bool) -> OverlayRun<Model>? {
    session.readsInputAlone = true
    defer { session.readsInputAlone = false }
    var guesses: [OverlayKey] = []
    while true {
      var run = decode(isTrial: true)
      guard case .failure(let error) = run.result, session.failedRead == nil else {
        for key in guesses.dropLast() where session.accessCount < Self.accessLimit {
          key.object.requiredKeys.remove(key.name)
          let other = decode(isTrial: true)
          if other.hasFailed { key.object.requiredKeys.insert(key.name) } else { run = other }
        }
        return run
      }
      var missing: String?
      if case DecodingError.keyNotFound(let key, _) = error { missing = key.stringValue }
      guard mayLackKeys || missing != nil, session.accessCount < Self.accessLimit,
        let key = run.absentKeys.last(where: { $0.name == missing }) ?? run.absentKeys.last
      else { return nil }
      key.object.requiredKeys.insert(key.name)
      if key.name != missing { guesses.append(key) }
    }
  }

  /// Returns the values that only the old value has and that are not required.
  ///
  /// A key that the model requests first comes last: keys that it requests only if this key is present come before it, so that a trial never
  /// has the key without them.
  private func candidates(_ alone: OverlayRun<Model>, _ whole: OverlayRun<Model>) -> [OverlayKey] {
    func order(_ requests: [OverlayKey]) -> [OverlayKey: Int] {
      Dictionary(requests.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    }
    let (first, second) = (order(alone.requests), order(whole.requests))
    let keys = objects.flatMap { object in
      object.oldKeys.lazy
        .filter { object.members[$0]?.isRecorded != true && !object.requiredKeys.contains($0) }
        .map { OverlayKey(object: object, name: $0) }
    }
    return keys.map { ($0, first[$0] ?? .max, second[$0] ?? .max) }
      .sorted { ($0.1, $0.2, $0.0.name) > ($1.1, $1.2, $1.0.name) }
      .map(\.0)
  }

  /// Shows the model the hidden keys in `groups` with which it still reads the found keys of the input. The other ones are replaced.
  ///
  /// - Parameter run: The decoding with all groups, if it has been done.
  private func show(
    _ groups: [[OverlayKey]], run: OverlayRun<Model>?, _ hidden: inout Set<OverlayKey>, _ search: inout ReplacedKeys
  ) {
    var rest = groups[...]
    var run = run
    func decode(showing count: Int) -> OverlayRun<Model> {
      hide(hidden.subtracting(rest.prefix(count).joined()))
      return self.decode(isTrial: true)
    }
    while !rest.isEmpty, session.accessCount < Self.accessLimit {
      var last = run ?? decode(showing: rest.count)
      run = nil
      var lost = search.lost(in: last)
      guard !lost.isEmpty else { break }
      var (low, high) = (0, rest.count)
      while high - low > 1 {
        let middle = (low + high) / 2
        let next = decode(showing: middle)
        let keys = search.lost(in: next)
        if keys.isEmpty { low = middle } else { (high, last, lost) = (middle, next, keys) }
      }
      hidden.subtract(rest.prefix(low).joined())
      let group = rest[rest.startIndex + low]
      if let shown = values(of: last), search.belongToOthers(lost, than: group, shown) {
        hidden.subtract(group)
        search.ignore(lost)
      } else {
        for key in group { search.replaced[key] = lost }
      }
      rest = rest.dropFirst(high)
    }
    hidden.subtract(rest.joined())
  }

  /// Returns the keys, with those of an object of the old value in one group if all of them are in `keys`.
  private func grouped(_ keys: [OverlayKey]) -> [[OverlayKey]] {
    var groups: [[OverlayKey]] = []
    var indices: [ObjectIdentifier: Int] = [:]
    var containers: [ObjectIdentifier: OverlayObject] = [:]
    for object in objects {
      for (name, member) in object.members where object.isOld(name) {
        containers[ObjectIdentifier(member)] = containers[ObjectIdentifier(object)] ?? member
      }
    }
    for key in keys {
      guard let container = containers[ObjectIdentifier(key.object)] else {
        groups.append([key])
        continue
      }
      if let index = indices[ObjectIdentifier(container)] {
        groups[index].append(key)
      } else {
        indices[ObjectIdentifier(container)] = groups.count
        groups.append([key])
      }
    }
    return groups
  }

  private func hide(_ keys: Set<OverlayKey>) {
    let objects = objects
    for object in objects { object.hiddenKeys = [] }
    for key in keys { key.object.hiddenKeys.insert(key.name) }
    for object in objects.reversed() {
      for (name, member) in object.members where object.isOld(name) && member.isHidden {
        object.hiddenKeys.insert(name)
      }
    }
  }

  /// Keeps what the trials found out about old values that are updated in place from another key of the input, if the model reads no such
  /// value under its own key. Returns whether there are any.
  private func keepReplacements(_ search: ReplacedKeys, _ whole: OverlayRun<Model>) -> Bool {
    let requested = Set(whole.requests)
    var isAny = false
    for object in objects {
      let isKept = object.filterReplacedKeys { name in
        let key = OverlayKey(object: object, name: name)
        return search.replaced[key] != nil || !requested.contains(key)
      }
      isAny = isAny || isKept
    }
    return isAny
  }
}

/// The result of a decoding, with the accesses of the model.
struct OverlayRun<Model> {
  let result: Result<Model, any Error>
  private let accesses: [OverlayKey]
  /// The accesses to keys that only the old value has.
  let requests: [OverlayKey]
  /// The keys of ``requests`` that seemed to be absent.
  let absentKeys: [OverlayKey]
  /// The values that were read from the input. They are only recorded in a trial.
  let values: [OverlayKey: Any]

  init(_ result: Result<Model, any Error>, _ session: OverlaySession) {
    self.result = result
    if case .failure = result, let key = session.failedRead {
      accesses = session.reads + [key]
    } else {
      accesses = session.reads
    }
    requests = session.requests
    absentKeys = session.absentKeys
    values = session.values
  }

  var hasFailed: Bool { if case .failure = result { true } else { false } }

  /// Returns the number of accesses to each value of the input. A value whose error the model has thrown counts as read, one whose error the
  /// model has caught does not.
  func reads() -> [OverlayKey: Int] { Dictionary(accesses.lazy.map { ($0, 1) }, uniquingKeysWith: +) }
}

/// The result of a search, and the facts about the decoding of the input alone that it needs.
private struct ReplacedKeys {
  /// The values of the model that was decoded from the input alone; `nil` if this is not possible.
  let values: ValueTree?
  /// Whether decoding the input alone throws an error for a value of the input.
  let hasFailed: Bool
  /// The keys of the input that the model reads then and does not write, and the number of accesses to them.
  private(set) var reads: [OverlayKey: Int]
  /// The values of these keys that are not null.
  var trees: [OverlayKey: ValueTree] = [:]
  /// The keys by their values, and by all values in these.
  var keysOfValues: [ValueTree: [OverlayKey]] = [:]
  /// The keys of the old value under which the model that was decoded from the input alone has a value.
  var determined: [OverlayKey] = []
  /// The keys of the old value that are not used, with the keys of the input that the model reads instead.
  var replaced: [OverlayKey: [OverlayKey]] = [:]

  /// Returns the keys of the input that `run` reads less often than a decoding of the input alone.
  func lost<Model>(in run: OverlayRun<Model>) -> [OverlayKey] {
    if run.hasFailed && !hasFailed { return Array(reads.keys) }
    let others = run.reads()
    return reads.filter { others[$0.key, default: 0] < $0.value }.map(\.key)
  }

  /// Returns whether the values of `keys`, which are only read without `group`, belong to other properties: `group` then decides whether they are
  /// read, as the version of a format does.
  ///
  /// - Parameter shown: The values of the model with `group`.
  func belongToOthers(_ keys: [OverlayKey], than group: [OverlayKey], _ shown: ValueTree) -> Bool {
    guard let values else { return false }
    let parts = Set(keys.flatMap { trees[$0]?.parts ?? [] })
    guard !group.contains(where: { values[$0.path].map(parts.contains) == true }) else { return false }
    let isDetermined = group.allSatisfy { values[$0.path] != nil }
    return keys.allSatisfy { key in
      // Another property may have a common value by default.
      guard let tree = trees[key], !tree.isCommon else { return false }
      // The server may repeat a value that another property has already.
      return values.has(tree, unlike: isDetermined ? nil : shown)
    }
  }

  /// No longer requires that the model reads `keys`.
  mutating func ignore(_ keys: [OverlayKey]) {
    for key in keys { reads[key] = nil }
  }

  /// Adds the keys of the old value that are used in a model with `updated` values, although the model that was decoded from the input alone
  /// has a value of the input under them. Returns these keys.
  ///
  /// A value of the input that has already replaced a key is no evidence for another key. Neither is a value that more properties have than
  /// keys of the input: some of them have it by default.
  mutating func addReplaced(by updated: ValueTree) -> [OverlayKey] {
    let used = Set(replaced.values.joined())
    let rest = determined.filter { replaced[$0] == nil }
    let owners = Dictionary(grouping: rest) { values?[$0.path] }
    return rest.filter { key in
      guard let value = values?[key.path], value != updated[key.path], !value.isCommon else { return false }
      let keys = (keysOfValues[value] ?? []).filter { reads[$0] != nil && !used.contains($0) }
      guard !keys.isEmpty, keys.count >= owners[value]?.count ?? 0 else { return false }
      replaced[key] = keys
      return true
    }
  }

  /// Returns the keys of the input with the value that the model has under a key of the old value.
  func inputKeysWithValue(of key: OverlayKey) -> [OverlayKey] {
    guard determined.contains(key), let value = values?[key.path] else { return [] }
    return keysOfValues[value] ?? []
  }
}
