/// A section of text that is written separately, because the container around it was written to again while it was
/// open. The session's state for its current fragment is swapped with the state in this object.
final class TextFragment {
  let output = OutputMemory(capacity: 256)
  let slots = SessionStack<ValueSlot>(capacity: 4)
  let members = SessionStack<EncodedMember>(capacity: 8)
  let keys = SessionStack<any CodingKey>(capacity: 4)
  var gaps: [FragmentGap] = []
  /// The identity of the slot around it; `nil` for the fragment that contains the root.
  let parent: Int?
  /// The identity of its outermost slot.
  let root: Int

  init(parent: Int?, root: Int) {
    self.parent = parent
    self.root = root
  }

  deinit {
    output.deallocate()
    slots.deallocate()
    members.deallocate()
    keys.deallocate()
  }
}

/// The position of a fragment in the text around it.
struct FragmentGap {
  var offset: Int
  let fragment: TextFragment
}
