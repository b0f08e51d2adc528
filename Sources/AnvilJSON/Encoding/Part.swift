/// A section of text that is written separately, because the container around it was written to again while it was
/// open. The session's state for its current part is swapped with the state in this object.
final class Part {
  let output = OutputMemory(capacity: 256)
  let places = SessionStack<Place>(capacity: 4)
  let members = SessionStack<EncodedMember>(capacity: 8)
  let keys = SessionStack<any CodingKey>(capacity: 4)
  var holes: [Hole] = []
  /// The identity of the place around it; `nil` for the part that contains the root.
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

/// The position of a part in the text around it.
struct Hole {
  var offset: Int
  let part: Part
}
