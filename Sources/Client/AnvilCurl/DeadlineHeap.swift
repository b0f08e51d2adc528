/// An object that can be in one ``DeadlineHeap`` at a time.
protocol DeadlineHolder: AnyObject {
  /// The index in the heap. Only the heap sets it.
  var heapIndex: Int? { get set }
}

/// A heap of elements ordered by deadline, earliest first. Elements store their index, so that each can be moved and removed.
struct DeadlineHeap<Element: DeadlineHolder> {
  private var entries: [(deadline: UInt64, element: Element)] = []

  var earliest: UInt64? { entries.first?.deadline }

  func due(at now: UInt64) -> Element? {
    guard let first = entries.first, first.deadline <= now else { return nil }
    return first.element
  }

  /// Adds `element`, or changes its deadline. `nil` removes it.
  mutating func set(_ deadline: UInt64?, for element: Element) {
    guard let deadline else { return remove(element) }
    if let index = element.heapIndex {
      entries[index].deadline = deadline
      moveUp(index)
      moveDown(element.heapIndex ?? index)
    } else {
      entries.append((deadline, element))
      element.heapIndex = entries.count - 1
      moveUp(entries.count - 1)
    }
  }

  mutating func remove(_ element: Element) {
    guard let index = element.heapIndex else { return }
    element.heapIndex = nil
    let last = entries.removeLast()
    guard index < entries.count else { return }
    entries[index] = last
    last.element.heapIndex = index
    moveUp(index)
    moveDown(last.element.heapIndex ?? index)
  }

  private mutating func moveUp(_ start: Int) {
    var index = start
    while index > 0 {
      let parent = (index - 1) / 2
      guard entries[index].deadline < entries[parent].deadline else { return }
      swap(index, parent)
      index = parent
    }
  }

  private mutating func moveDown(_ start: Int) {
    var index = start
    while true {
      let left = index * 2 + 1
      guard left < entries.count else { return }
      let right = left + 1
      let child = right < entries.count && entries[right].deadline < entries[left].deadline ? right : left
      guard entries[child].deadline < entries[index].deadline else { return }
      swap(index, child)
      index = child
    }
  }

  private mutating func swap(_ first: Int, _ second: Int) {
    entries.swapAt(first, second)
    entries[first].element.heapIndex = first
    entries[second].element.heapIndex = second
  }
}
