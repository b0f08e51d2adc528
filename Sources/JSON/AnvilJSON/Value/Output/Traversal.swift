/// A depth-first walk over a value and everything in it. It uses an explicit stack, so the nesting depth is not limited.
struct Traversal {
  /// A position in the walk. Numbers are indices of tape words.
  enum Event {
    /// A member's key; its value is the next event.
    case key(Int)
    /// A value that is not a container.
    case scalar(Int)
    /// A container, whose members follow.
    case begin(Int)
    /// The end of the innermost container.
    case end(isObject: Bool)
  }

  /// The order in which the members of an object are visited.
  enum Order {
    /// The order of the document.
    case document
    /// The order of the keys. Members that share a key keep the order of the document.
    case sorted(KeyOrder)
    /// The order of the keys. Only the first of the members that share a key is visited.
    case sortedFirst(KeyOrder)
  }

  private struct Frame {
    let isObject: Bool
    /// The next element or key; with sorted members, the position in `sorted`.
    var next: Int
    let end: Int
    let sorted: [Member]
  }

  private let document: Document
  private let order: Order
  private var frames: [Frame] = []
  /// The value whose key was the last event; the root before the first event.
  private var pending: Int?

  init(_ json: JSON, order: Order) {
    document = json.document
    self.order = order
    pending = json.index
  }

  /// Returns the next event; `nil` at the end.
  mutating func next() -> Event? {
    if let value = pending {
      pending = nil
      return enter(value)
    }
    guard let last = frames.indices.last else { return nil }
    let frame = frames[last]
    guard frame.next < frame.end else {
      frames.removeLast()
      return .end(isObject: frame.isObject)
    }
    guard frame.isObject else {
      frames[last].next += document.tape[frame.next].span
      return enter(frame.next)
    }
    guard frame.sorted.isEmpty else {
      frames[last].next += 1
      pending = frame.sorted[frame.next].value
      return .key(frame.sorted[frame.next].key)
    }
    let value = frame.next + document.tape[frame.next].span
    frames[last].next = value + document.tape[value].span
    pending = value
    return .key(frame.next)
  }

  private mutating func enter(_ index: Int) -> Event {
    let word = document.tape[index]
    guard word.isContainer else { return .scalar(index) }
    let sorted = word.is(.object) ? sortedMembers(of: index) : []
    frames.append(
      sorted.isEmpty
        ? Frame(isObject: word.is(.object), next: index + 1, end: index + word.span, sorted: [])
        : Frame(isObject: true, next: 0, end: sorted.count, sorted: sorted))
    return .begin(index)
  }

  private func sortedMembers(of index: Int) -> [Member] {
    switch order {
    case .document: []
    case .sorted(let keys): document.sortedMembers(ofObjectAt: index, by: keys)
    case .sortedFirst(let keys): document.sortedFirstMembers(ofObjectAt: index, by: keys)
    }
  }
}
