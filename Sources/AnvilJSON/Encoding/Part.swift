/// A stretch of text that grows apart from what is around it, because the container around it was written to again while
/// it was open. What the session holds of the part that it works on is exchanged with this object's.
final class Part {
  let output = OutputMemory(capacity: 256)
  let places = SessionStack<Place>(capacity: 4)
  let members = SessionStack<EncodedMember>(capacity: 8)
  let keys = SessionStack<any CodingKey>(capacity: 4)
  var holes: [Hole] = []
  /// The identity of the place around it; `nil` for the part with the root.
  let parent: Int?
  /// The identity of its outermost place.
  let root: Int

  init(parent: Int?, root: Int) {
    self.parent = parent
    self.root = root
  }

  deinit {
    output.deallocate()
    places.deallocate()
    members.deallocate()
    keys.deallocate()
  }
}

/// Where a part belongs in the text around it.
struct Hole {
  var offset: Int
  let part: Part
}
