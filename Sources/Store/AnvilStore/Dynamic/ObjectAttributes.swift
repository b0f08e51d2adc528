internal import AnvilBase
internal import AnvilJSON

/// The names of the members of objects, and the kinds of values that each member has.
struct ObjectAttributes {
  private(set) var names: [String] = []
  private(set) var kinds: [ObservedKinds] = []
  /// The indices of the names. Keys are folded names, which are equal if a database treats the names as equal.
  private var indices: [String: Int] = [:]
  /// For each name, the number of the last object that has the member.
  private var lastObjects: [Int] = []
  /// For each name, whether the last object that has the member spells it in the same way.
  private var areSpelledAlike: [Bool] = []
  private var objectCount = 0
  private let maximumNameLength: Int
  private let reservedNames: Set<String>

  /// Creates attributes for the existing columns. Names of members that are longer than the maximum are shortened.
  init(columns: [EntitySchema.Column], maximumNameLength: Int, reservedNames: Set<String>) {
    self.maximumNameLength = maximumNameLength
    self.reservedNames = reservedNames
    for column in columns { _ = add(column.name) }
  }

  /// Returns the attributes in a new order: first one attribute for each of `columns`, then the attributes without a column.
  func moved(after columns: [EntitySchema.Column]) throws -> ObjectAttributes {
    var moved = ObjectAttributes(
      columns: columns, maximumNameLength: maximumNameLength, reservedNames: reservedNames)
    for (name, kinds) in zip(names, kinds) {
      do throws(UnstorableObject.Reason) {
        moved.kinds[try moved.index(of: name)].formUnion(kinds)
      } catch {
        throw UnstorableObject(index: nil, error)
      }
    }
    return moved
  }

  /// Records an object's members.
  ///
  /// - Throws: The reason why a name cannot be the name of a column.
  mutating func note(_ object: JSON) throws(UnstorableObject.Reason) {
    try members(of: object) { (attributes, index, value) throws(UnstorableObject.Reason) in
      attributes.kinds[index].formUnion(ObservedKinds(of: value))
    }
  }

  /// Calls `body` with the index of each name and its value. Of members with the same name, only the first is used. A name that differs from
  /// a known one only in the case of ASCII letters is the same name, but not within one object.
  mutating func members(
    of object: JSON, _ body: (inout ObjectAttributes, Int, JSON) throws(UnstorableObject.Reason) -> Void
  ) throws(UnstorableObject.Reason) {
    objectCount &+= 1
    var next = 0
    for (member, value) in object.members {
      let name = member.utf8.count > maximumNameLength ? member.hashed(to: maximumNameLength) : member
      // Most objects have the same members in the same order.
      let isExpected = next < names.count && isSame(names[next], name)
      let index = isExpected ? next : try index(of: name)
      next = index &+ 1
      let isSpelledAlike = isExpected || isSame(names[index], name)
      guard lastObjects[index] != objectCount else {
        guard isSpelledAlike, areSpelledAlike[index] else {
          throw UnstorableObject.Reason("a database does not distinguish \(object.spellings(of: name))")
        }
        continue
      }
      lastObjects[index] = objectCount
      areSpelledAlike[index] = isSpelledAlike
      try body(&self, index, value)
    }
  }

  private mutating func index(of name: String) throws(UnstorableObject.Reason) -> Int {
    guard let index = indices[name.foldedName] else {
      guard !name.isEmpty, !name.utf8.contains(0) else {
        throw UnstorableObject.Reason(
          name.isEmpty ? "a member's name is empty" : "a member's name contains a NUL character")
      }
      guard name.foldedName != EntitySchema.orderColumn else {
        throw UnstorableObject.Reason("the member name \(name) is reserved by the store")
      }
      guard !reservedNames.contains(name) else {
        throw UnstorableObject.Reason("the member name \(name) is reserved by the database")
      }
      return add(name)
    }
    return index
  }

  private mutating func add(_ name: String) -> Int {
    indices[name.foldedName] = names.count
    names.append(name)
    kinds.append([])
    lastObjects.append(0)
    areSpelledAlike.append(true)
    return names.count &- 1
  }
}

extension JSON {
  /// Returns the value of the member that a column is for: the member with the column's name, otherwise the first one whose name differs only
  /// in the case of ASCII letters.
  func member(forColumn name: String) -> JSON? {
    if let value = self[name] { return value }
    guard kind == .object else { return nil }
    let folded = name.foldedName
    return members.first { $0.key.utf8.count == name.utf8.count && $0.key.foldedName == folded }?.value
  }

  /// Returns the two spellings of a name in this object: `the names name and Name`.
  fileprivate func spellings(of name: String) -> String {
    let folded = name.foldedName
    let other = members.first { $0.key.foldedName == folded }?.key ?? name
    return "the names \(other.shortName) and \(name.shortName)"
  }
}

/// Returns `true` if both have the same scalars.
private func isSame(_ lhs: String, _ rhs: String) -> Bool {
  lhs == rhs && lhs.utf8.elementsEqual(rhs.utf8)
}

extension String {
  /// Returns the beginning of the name, followed by a hash of the whole name, so that names with a common beginning stay different. The
  /// result for a name is the same in all programs.
  fileprivate func hashed(to length: Int) -> String {
    let digits = String(FNV1a(utf8).value, radix: 16)
    let end = "_" + String(repeating: "0", count: 16 - digits.utf8.count) + digits
    var beginning = ""
    for scalar in unicodeScalars {
      guard beginning.utf8.count + String(scalar).utf8.count + end.utf8.count <= length else { break }
      beginning.unicodeScalars.append(scalar)
    }
    return beginning + end
  }
}
