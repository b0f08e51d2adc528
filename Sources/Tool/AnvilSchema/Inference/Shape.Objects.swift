internal import AnvilJSON

extension Shape {
  /// The objects at one position of the samples.
  package struct Objects: Sendable {
    /// The maximum number of different members. Objects with more are dictionaries, and their keys are not kept.
    package static let mostMembers = 1000

    /// The members of all objects that have the same key.
    package struct Member: Sendable {
      package let key: String
      /// The number of objects that have the member. If it is less than ``Objects/count``, the member is optional.
      package internal(set) var count: Int
      /// The common shape of the values. If an object repeats the key, its first value is used.
      package internal(set) var shape: Shape
      /// The number of the last object that had the member, counted from 1.
      fileprivate var lastObject: Int
    }

    /// The number of objects.
    package internal(set) var count = 0
    /// The members in the order in which they were first seen; empty if there were more than ``mostMembers``.
    package private(set) var members: [Member] = []
    private var places: [String: Int] = [:]
    // The shape of all values once keys are no longer kept; empty until then. An array, because a struct cannot contain
    // itself.
    private var merged: [Shape] = []
    /// The objects in groups, for each member that may identify their types.
    var groupings: [Grouping] = []
    /// The number of nested levels at which objects are grouped. It limits the cost, because an object in a group is added twice.
    let groupingLevels: Int
    /// True for the objects of a group, which are not grouped again. The values of their members are.
    let isGroup: Bool

    init(groupingLevels: Int, isGroup: Bool = false) {
      self.groupingLevels = groupingLevels
      self.isGroup = isGroup
    }

    /// True if there were more than ``mostMembers`` different members. Their keys are not kept.
    package var haveTooManyKeys: Bool { !merged.isEmpty }

    /// The common shape of the values of all members.
    package var values: Shape {
      members.reduce(into: merged.first ?? Shape(groupingLevels: groupingLevels)) { $0.merge($1.shape) }
    }

    /// Returns the members with `key`; `nil` if no object has the key, or if keys are not kept.
    package subscript(key: String) -> Member? { places[key].map { members[$0] } }

    mutating func add(_ json: JSON) {
      count += 1
      group(json)
      var place = 0
      for (key, value) in json.members {
        guard merged.isEmpty else {
          merged[0].add(value)
          continue
        }
        // Objects at one place mostly have the same members in the same order.
        if place == members.count || members[place].key != key { place = self.place(of: key) }
        if members[place].lastObject != count {
          members[place].lastObject = count
          members[place].count += 1
          members[place].shape.add(value)
        }
        place += 1
        if members.count > Self.mostMembers { forgetKeys() }
      }
    }

    mutating func merge(_ other: Objects) {
      mergeGroupings(of: other)
      count += other.count
      if other.haveTooManyKeys { forgetKeys() }
      if haveTooManyKeys {
        merged[0].merge(other.values)
        return
      }
      for member in other.members {
        let place = place(of: member.key)
        members[place].count += member.count
        members[place].shape.merge(member.shape)
      }
      if members.count > Self.mostMembers { forgetKeys() }
    }

    /// Returns the index of the members with `key`, which are added if necessary.
    private mutating func place(of key: String) -> Int {
      if let place = places[key] { return place }
      places[key] = members.count
      let levels = groupings.isEmpty ? groupingLevels : groupingLevels - 1
      members.append(Member(key: key, count: 0, shape: Shape(groupingLevels: levels), lastObject: 0))
      return members.count - 1
    }

    private mutating func forgetKeys() {
      guard merged.isEmpty else { return }
      groupings = []
      merged = [values]
      members = []
      places = [:]
    }
  }
}
