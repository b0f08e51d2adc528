/// The members of an object in a ``Draft``: in order, found by key in O(1).
struct DraftObject {
  struct Slot {
    let key: ScalarKey
    var node: Draft.Node
  }

  /// The members in order, with gaps where there were others.
  private(set) var slots: [Slot?] = []
  private var positions: [ScalarKey: Int] = [:]

  /// Whether there are no members.
  var isEmpty: Bool { positions.isEmpty }

  /// The member with that key. A new one comes last; one that is set again keeps its place.
  subscript(key: ScalarKey) -> Draft.Node? {
    get { positions[key].flatMap { slots[$0]?.node } }
    set {
      switch (positions[key], newValue) {
      case (let position?, let node?): slots[position] = Slot(key: key, node: node)
      case (nil, let node?):
        positions[key] = slots.count
        slots.append(Slot(key: key, node: node))
      case (let position?, nil):
        slots[position] = nil
        positions[key] = nil
      case (nil, nil): break
      }
    }
  }
}
