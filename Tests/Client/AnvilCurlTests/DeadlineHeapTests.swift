import Testing

@testable import AnvilCurl

/// The heap, compared with a list that is sorted for each query.
@Suite struct DeadlineHeapTests {
  private final class Holder: DeadlineHolder {
    var heapIndex: Int?
    var deadline: UInt64?
  }

  @Test func isEmptyAtFirst() {
    let heap = DeadlineHeap<Holder>()
    #expect(heap.earliest == nil)
    #expect(heap.due(at: .max) == nil)
  }

  @Test func behavesLikeASortedList() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<20 {
      var heap = DeadlineHeap<Holder>()
      let holders = (0..<Int.random(in: 1...60)).map { _ in Holder() }
      for _ in 0..<500 {
        guard let holder = holders.randomElement(using: &random) else { return }
        // Few different values, so that many are equal.
        let deadline = Bool.random(using: &random) ? UInt64.random(in: 0..<40) : nil
        if deadline == nil, Bool.random(using: &random) { heap.remove(holder) } else { heap.set(deadline, for: holder) }
        holder.deadline = deadline
        let sorted = holders.compactMap(\.deadline).sorted()
        #expect(heap.earliest == sorted.first)
        #expect((holder.heapIndex != nil) == (deadline != nil))
        if let earliest = sorted.first {
          #expect(heap.due(at: earliest)?.deadline == earliest)
          if earliest > 0 { #expect(heap.due(at: earliest - 1) == nil) }
        }
      }
      var taken: [UInt64] = []
      while let holder = heap.due(at: .max) {
        if let deadline = holder.deadline { taken.append(deadline) }
        heap.remove(holder)
      }
      #expect(taken == holders.compactMap(\.deadline).sorted())
    }
  }
}
