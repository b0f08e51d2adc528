/// The members of an object in a ``Draft``, in order. Lookup by key is O(1).
struct DraftObject {
  struct Slot {
    let key: ScalarKey
    var node: Draft.Node
  }

  /// The members in order, with gaps left by removed members.
  private(set) var slots: [Slot?] = []
  private var positions: [ScalarKey: Int] = [:]

  var isEmpty: Bool { positions.isEmpty }

  /// Accesses the member with the key. A new member is appended; setting an existing one keeps its position.
  subscript(key: ScalarKey) -> Draft.Node? {
    @inline(never)
    get { positions[key].flatMap { slots[$0]?.node } }
    @inline(never)
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
