import Testing

@testable import AnvilBase

@Suite struct QueueTests {
  @Test func elementsAreRemovedInTheOrderOfInsertion() {
    var queue = Queue<Int>()
    var next = 0
    for number in 0..<1_000 {
      queue.append(number)
      guard number % 3 != 0 else { continue }
      #expect(queue.popFirst() == next)
      next += 1
    }
    #expect(Array(queue) == Array(next..<1_000))
    #expect(queue.first == next && queue.last == 999 && queue[1] == next + 1)
    #expect(queue.popLast() == 999)
    #expect(queue.removeAll() == Array(next..<999))
    #expect(queue.isEmpty && queue.popFirst() == nil && queue.popLast() == nil)
  }

  @Test func removedElementsAreReleased() {
    final class Element {}
    var queue = Queue<Element>()
    weak var first: Element?
    do {
      let element = Element()
      first = element
      queue.append(element)
      queue.append(Element())
    }
    queue.popFirst()
    #expect(first == nil && queue.count == 1)
  }

  @Test func storageIsAtMostTwiceTheElements() {
    var queue = Queue<Int>()
    for number in 0..<10_000 { queue.append(number) }
    while queue.popFirst() != nil { #expect(queue.slots.count <= 2 * queue.count + 64) }
    for number in 0..<10_000 {
      queue.append(number)
      if number >= 10 { queue.popFirst() }
      #expect(queue.slots.count <= 2 * queue.count + 64)
    }
  }

  @Test func elementsAreRemovedByACondition() {
    var queue = Queue<Int>()
    for number in 0..<10 { queue.append(number) }
    queue.popFirst()
    queue.removeAll { $0 % 2 == 0 }
    #expect(Array(queue) == [1, 3, 5, 7, 9])
  }
}
