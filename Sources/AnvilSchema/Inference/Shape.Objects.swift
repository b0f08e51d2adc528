internal import AnvilJSON

extension Shape {
  /// The objects at one place.
  package struct Objects: Sendable {
    /// How many different members are told apart. Objects with more are dictionaries.
    package static let mostMembers = 1000

    /// The members with one key.
    package struct Member: Sendable {
      package let key: String
      /// How many objects have the member: an object may lack it where that is less than their ``Objects/count``.
      package internal(set) var count: Int
      /// What the values have in common; of members that share a key in one object the first counts.
      package internal(set) var shape: Shape
      /// The number of the object that had it last.
      fileprivate var lastObject: Int
    }

    /// How many objects there were.
    package internal(set) var count = 0
    /// The members in the order in which they were first seen; none where there were too many to tell apart.
    package private(set) var members: [Member] = []
    private var places: [String: Int] = [:]
    // A shape cannot hold one directly: one, or none as long as members are told apart.
    private var merged: [Shape] = []

    /// Whether there were more than ``mostMembers`` different members, which are no longer told apart.
    package var areCountless: Bool { !merged.isEmpty }

    /// What the values of all members have in common, whatever their keys.
    package var values: Shape {
      members.reduce(into: merged.first ?? Shape()) { $0.merge($1.shape) }
    }

    /// The members with `key`; `nil` where there were none or members are not told apart.
    package subscript(key: String) -> Member? { places[key].map { members[$0] } }

    mutating func add(_ json: JSON) {
      count += 1
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
      count += other.count
      if other.areCountless { forgetKeys() }
      if areCountless {
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

    /// The place of the members with `key`, which is made if there is none.
    private mutating func place(of key: String) -> Int {
      if let place = places[key] { return place }
      places[key] = members.count
      members.append(Member(key: key, count: 0, shape: Shape(), lastObject: 0))
      return members.count - 1
    }

    private mutating func forgetKeys() {
      guard merged.isEmpty else { return }
      merged = [values]
      members = []
      places = [:]
    }
  }
}
