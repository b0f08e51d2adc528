import AnvilBase
import Testing

@Suite struct DeadlineTests {
  @Test(arguments: [nil, .seconds(1_000_000_001), .seconds(Int64.max)] as [Duration?])
  func aVeryLongLimitIsNoDeadline(limit: Duration?) {
    let deadline = Deadline(after: limit)
    #expect(deadline.end == nil && !deadline.hasPassed && deadline.pollTimeout == -1)
  }

  @Test(arguments: [.zero, .seconds(-5)] as [Duration]) func aDeadlineWithoutTimeHasAlreadyPassed(limit: Duration) {
    let deadline = Deadline(after: limit)
    #expect(deadline.end == deadline.start && deadline.hasPassed && deadline.pollTimeout == 0)
  }

  @Test func aPollEndsAfterTheDeadlineButWithinAMinute() {
    let deadline = Deadline(after: .seconds(1_000_000_000))
    #expect(!deadline.hasPassed && deadline.pollTimeout == 60_001)
    #expect((1...60_001).contains(Deadline(after: .seconds(30)).pollTimeout))
  }

  @Test func durationsAreClamped() {
    #expect(Duration.seconds(-1).clampedForClocks == .zero && Duration.seconds(-1).asLimit == .zero)
    #expect(Duration.seconds(3).clampedForClocks == .seconds(3) && Duration.seconds(3).asLimit == .seconds(3))
    #expect(Duration.seconds(Int64.max).clampedForClocks == .seconds(1_000_000_000))
  }
}
