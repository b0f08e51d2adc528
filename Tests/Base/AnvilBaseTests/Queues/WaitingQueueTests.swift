import Synchronization
import Testing

@testable import AnvilBase

@Suite struct WaitingQueueTests {
  /// An identifier that counts how often identifiers are hashed and compared.
  private struct ID: Hashable {
    final class Work: Sendable {
      let count = Atomic(0)
    }

    let number: Int
    let work: Work

    static func == (lhs: ID, rhs: ID) -> Bool {
      lhs.work.count.add(1, ordering: .relaxed)
      return lhs.number == rhs.number
    }

    func hash(into hasher: inout Hasher) {
      work.count.add(1, ordering: .relaxed)
      hasher.combine(number)
    }
  }

  private func queue(_ numbers: Range<Int>) -> WaitingQueue<Int, String> {
    var queue = WaitingQueue<Int, String>()
    for number in numbers { queue.append("\(number)", id: number) }
    return queue
  }

  @Test func waitersAreRemovedInOrder() {
    var queue = queue(0..<3)
    #expect(queue.count == 3)
    #expect([queue.popFirst(), queue.popFirst(), queue.popFirst(), queue.popFirst()] == ["0", "1", "2", nil])
    #expect(queue.isEmpty)
  }

  @Test func aRemovedWaiterIsSkipped() {
    var queue = queue(0..<5)
    #expect(queue.remove(0) == "0" && queue.remove(2) == "2")
    #expect(queue.remove(2) == nil && queue.remove(9) == nil)
    #expect(queue.count == 3)
    #expect(queue.popFirst() == "1")
    #expect(queue.removeAll() == ["3", "4"])
    #expect(queue.isEmpty && queue.storedCount == 0)
  }

  /// Searching for each identifier would take 50 million comparisons.
  @Test(arguments: [false, true]) func removingManyWaitersTakesLinearTime(isBackwards: Bool) {
    let count = 10_000
    let work = ID.Work()
    let ids = (0..<count).map { ID(number: $0, work: work) }
    var queue = WaitingQueue<ID, Int>()
    for id in ids { queue.append(id.number, id: id) }
    for id in isBackwards ? ids.reversed() : ids {
      #expect(queue.remove(id) == id.number)
      #expect(queue.storedCount <= 2 * queue.count + 64)
    }
    #expect(queue.isEmpty)
    #expect(work.count.load(ordering: .relaxed) < 30 * count)
  }
}
