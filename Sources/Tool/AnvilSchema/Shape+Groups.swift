internal import AnvilJSON

/// Objects of several types, which the text of one member identifies: `{"type": "circle", "radius": 1}`, `{"type": "square", "side": 2}`.
extension Shape.Objects {
  /// The objects at one position, in groups by the text of one member.
  struct Grouping: Sendable {
    struct Group: Sendable {
      let text: String
      var objects: Shape.Objects
    }

    let key: String
    let detail: Shape.Detail
    var groups: [Group] = []

    /// Adds an object, or the shape of several. Returns false if there are too many groups.
    mutating func add(to text: String, _ body: (inout Shape.Objects) -> Void) -> Bool {
      if let index = groups.firstIndex(where: { $0.text == text }) {
        body(&groups[index].objects)
        return true
      }
      guard groups.count < Shape.Objects.mostGroups else { return false }
      var objects = Shape.Objects(detail, isGroup: true)
      body(&objects)
      groups.append(Group(text: text, objects: objects))
      return true
    }
  }

  /// The number of nested levels at which objects are grouped.
  static let mostGroupingLevels = 3
  /// The same within a group. Each level triples the cost of the values in it.
  private static let mostLevelsInGroups = 1
  /// The maximum number of groups. A member with more texts does not identify a type.
  static let mostGroups = 16
  private static let usualKeys: Set<String> = [
    "type", "kind", "__typename", "@type", "_type", "event", "op", "tag", "shape", "variant",
  ]

  /// Adds an object to its groups. The members that may identify types are chosen from those of the first object.
  mutating func group(_ json: JSON) {
    if count == 1, detail.groupingLevels > 0, !isGroup {
      var detail = detail
      detail.groupingLevels = min(detail.groupingLevels - 1, Self.mostLevelsInGroups)
      groupings = Self.keys(in: json).map { Grouping(key: $0, detail: detail) }
    }
    for index in groupings.indices.reversed() {
      guard let text = json[groupings[index].key]?.string, Shape.Strings.isName(text),
        groupings[index].add(to: text, { $0.add(json) })
      else {
        groupings.remove(at: index)
        continue
      }
    }
  }

  mutating func mergeGroupings(of other: Shape.Objects) {
    if other.count == 0 { return }
    if count == 0 { return groupings = other.groupings }
    for index in groupings.indices.reversed() {
      let groups = other.groupings.first { $0.key == groupings[index].key }?.groups
      let isMerged = groups?.allSatisfy { group in groupings[index].add(to: group.text) { $0.merge(group.objects) } }
      if isMerged != true { groupings.remove(at: index) }
    }
  }

  /// Returns the keys of the first member with a usual key, and of the first other member that may identify types.
  private static func keys(in json: JSON) -> [String] {
    var keys: [String] = []
    var hasUsual = false
    var hasOther = false
    for (key, value) in json.members.prefix(100) {
      guard let text = value.string, Shape.Strings.isName(text), !keys.contains(key) else { continue }
      if usualKeys.contains(key) {
        if hasUsual { continue }
        hasUsual = true
        keys.insert(key, at: 0)
      } else if !hasOther, KeyWords(key).words.last.map(Shape.Strings.openWords.contains) == false {
        hasOther = true
        keys.append(key)
      }
    }
    return keys
  }

  /// The groups by the member that identifies the types of the objects; `nil` if no member does.
  ///
  /// At least two groups have a member that all of their objects and no others have. Of the members that some objects lack, at least half
  /// are in all objects of a group or in none. The members may also be those of an object beside the member: `{"type": "push", "payload":
  /// {…}}`.
  var tagged: Grouping? { groupings.first(where: areTypes) }

  private func areTypes(by grouping: Grouping) -> Bool {
    let groups = grouping.groups.map(\.objects)
    guard groups.count > 1, !groups.contains(where: \.haveTooManyKeys) else { return false }
    if areTypes(groups) { return true }
    return members.contains { member in
      guard member.count == count, member.shape.objects.count == count, !member.shape.objects.haveTooManyKeys else {
        return false
      }
      return member.shape.objects.areTypes(groups.compactMap { $0[member.key]?.shape.objects })
    }
  }

  private func areTypes(_ groups: [Shape.Objects]) -> Bool {
    var owners: Set<Int> = []
    var partial = 0
    var explained = 0
    for member in members where member.count < count {
      partial += 1
      let counts = groups.map { $0[member.key]?.count ?? 0 }
      guard zip(counts, groups).allSatisfy({ $0 == 0 || $0 == $1.count }) else { continue }
      explained += 1
      let present = counts.indices.filter { counts[$0] > 0 }
      if present.count == 1 { owners.insert(present[0]) }
    }
    return owners.count > 1 && explained * 2 >= partial
  }
}
