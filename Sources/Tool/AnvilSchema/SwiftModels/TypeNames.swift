/// The names of the generated types, and the structs in which they are nested. Names of enums are unique only in their scope.
struct TypeNames {
  private(set) var names: [String]
  /// The struct that each type is nested in; `nil` at the top level.
  private(set) var hosts: [Int?]

  private static let deepestHost = 6

  private let types: [ModelTypes.GeneratedType]
  private let root: Int?
  private let users: [[Int]]

  init(_ types: ModelTypes, rootName: String) {
    self.types = types.types
    root = types.rootStructure
    users = Self.users(of: types.types)
    names = Array(repeating: "", count: types.types.count)
    hosts = Array(repeating: nil, count: types.types.count)
    for index in self.types.indices { hosts[index] = host(of: index, in: types) }
    let named = types.root.parts.last.flatMap { if case .made(let index) = $0 { index } else { nil } }
    if let named { names[named] = rootName }
    // Outer types get the shorter names.
    let depths = self.types.indices.map(depth)
    let order = self.types.indices.filter { $0 != named }.sorted { (depths[$0], $0) < (depths[$1], $1) }
    let isStructure = self.types.map { if case .structure = $0.body { true } else { false } }
    var used = Set(names)
    for index in order where isStructure[index] {
      names[index] = firstName(of: index) { !used.contains($0) }
      used.insert(names[index])
    }
    for index in order where !isStructure[index] { names[index] = enumName(index) }
  }

  /// Returns the struct to nest a type in: the only one that uses it, or the root if several do or the nesting would be too deep.
  private func host(of index: Int, in types: ModelTypes) -> Int? {
    if index == root { return nil }
    guard let owner = self.types[index].owner, let root else { return nil }
    let isShared = users[index].contains { $0 != owner && !isInside($0, index) }
    if isShared { return root }
    return depth(of: owner) < Self.deepestHost ? owner : root
  }

  private func depth(of index: Int) -> Int { scopes(around: hosts[index]).count }

  /// Returns the struct `inner` and the structs around it, from the inside.
  private func scopes(around inner: Int?) -> [Int] {
    inner.map { Array(sequence(first: $0) { hosts[$0] }) } ?? []
  }

  private static func users(of types: [ModelTypes.GeneratedType]) -> [[Int]] {
    var users: [[Int]] = Array(repeating: [], count: types.count)
    for (index, type) in types.enumerated() {
      let user = if case .structure = type.body { index } else { type.owner }
      guard let user else { continue }
      for case .made(let used) in type.body.types.flatMap(\.parts) { users[used].append(user) }
    }
    return users
  }

  /// Returns whether the type `index` is `outer`, or was found inside `outer`.
  private func isInside(_ index: Int, _ outer: Int) -> Bool {
    sequence(first: index) { types[$0].owner }.contains(outer)
  }

  private func enumName(_ index: Int) -> String {
    // The names that are visible in one of the two scopes, and those at the top level.
    let others = types.indices.filter { other in
      hosts[other] == root || hosts[index] == root || isAround(hosts[other], hosts[index])
        || isAround(hosts[index], hosts[other]) || isAround(other, hosts[index])
    }
    let used = Set(others.map { names[$0] })
    return firstName(of: index) { !used.contains($0) }
  }

  /// Returns whether `outer` is `inner`, or is a struct around it. The top level, `nil`, is around every type.
  private func isAround(_ outer: Int?, _ inner: Int?) -> Bool {
    outer.map(scopes(around: inner).contains) ?? true
  }

  /// Returns the first available name: that made from the key, after the last word of the outer type's name, after all of it, and numbered.
  private func firstName(of index: Int, where isFree: (String) -> Bool) -> String {
    let type = types[index]
    // The enum that contains this alternative has the plain name.
    let name = SwiftName.type(origin(of: type).name) + (isAlternative(index) ? "Object" : "")
    let outer = type.owner.map { names[$0] } ?? ""
    let lastWord = KeyWords(outer).words.last.map { word in outer.suffix(word.count) } ?? ""
    var candidates = [name, lastWord + name, outer + name]
    if origin(of: type).isElement, SwiftName.isTaken(name) { candidates.insert(name + "Item", at: 1) }
    for candidate in candidates where !SwiftName.isTaken(candidate) && isFree(candidate) { return candidate }
    var number = 2
    while !isFree("\(outer)\(name)\(number)") { number += 1 }
    return "\(outer)\(name)\(number)"
  }

  private func isAlternative(_ index: Int) -> Bool {
    types.contains { type in
      guard case .choice(let alternatives, _) = type.body else { return false }
      return alternatives.contains { $0.type == .made(index) }
        && type.origins[0].name.words == origin(of: types[index]).name.words
    }
  }

  /// Returns the origin with the most frequent name; the first one if several names are equally frequent.
  private func origin(of type: ModelTypes.GeneratedType) -> TypeGraph.Origin {
    let counts = Dictionary(type.origins.map { ($0.name.words, 1) }, uniquingKeysWith: +)
    let most = counts.values.max() ?? 0
    return type.origins.first { counts[$0.name.words] == most } ?? type.origins[0]
  }
}
