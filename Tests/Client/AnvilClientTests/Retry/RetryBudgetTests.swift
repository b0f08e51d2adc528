import AnvilHTTP
import AnvilTesting
import Foundation
import Testing

@testable import AnvilClient

/// The number of retries to an origin.
@Suite struct RetryBudgetTests {
  private func origin(_ host: String = "a") throws -> HTTP.Origin {
    try #require(URL(string: "https://\(host).example.com").flatMap { HTTP.Origin($0) })
  }

  private func taken(of budget: RetryPolicy.Budget, _ origin: HTTP.Origin) -> Int {
    var count = 0
    while count < 10_000, budget.takeRetry(to: origin) { count += 1 }
    return count
  }

  @Test(arguments: [(0, 10), (4, 10), (5, 11), (100, 30)]) func r8_theBudgetIsAFifthOfTheRequestsWithAMinimum(
    requests: Int, retries: Int
  )
    throws
  {
    let budget = RetryPolicy.Budget(clock: TestClock())
    let origin = try origin()
    for _ in 0..<requests { budget.countRequest(to: origin) }
    #expect(taken(of: budget, origin) == retries)
  }

  @Test func r8_eachOriginHasASeparateBudget() throws {
    let budget = RetryPolicy.Budget(ratio: 0, minimum: 1, clock: TestClock())
    #expect(try taken(of: budget, origin("a")) == 1)
    #expect(try taken(of: budget, origin("b")) == 1)
    #expect(try taken(of: budget, origin("a")) == 0)
  }

  @Test func r8_theWindowMovesOn() throws {
    let clock = TestClock()
    let budget = RetryPolicy.Budget(ratio: 0.5, minimum: 0, window: .seconds(10), clock: clock)
    let origin = try origin()
    for _ in 0..<10 { budget.countRequest(to: origin) }
    #expect(taken(of: budget, origin) == 5)
    clock.advance(by: .seconds(9))
    #expect(!budget.takeRetry(to: origin))
    for _ in 0..<4 { budget.countRequest(to: origin) }
    // Fourteen requests allow seven retries, five of which are used.
    #expect(taken(of: budget, origin) == 2)
    clock.advance(by: .seconds(1))
    // The four requests of a second ago allow the two retries of that time.
    #expect(!budget.takeRetry(to: origin))
    clock.advance(by: .seconds(100))
    #expect(!budget.takeRetry(to: origin))
  }

  @Test func r8_usedBudgetIsRestoredAfterTheWindow() throws {
    let clock = TestClock()
    let budget = RetryPolicy.Budget(ratio: 0, minimum: 3, window: .seconds(10), clock: clock)
    let origin = try origin()
    for _ in 0..<3 {
      #expect(taken(of: budget, origin) == 3)
      clock.advance(by: .seconds(9))
      #expect(taken(of: budget, origin) == 0)
      clock.advance(by: .seconds(1))
    }
  }

  @Test(arguments: [-1, .nan, .infinity, 1e300] as [Double]) func r8_oddRatiosDoNotTrap(ratio: Double) throws {
    let budget = RetryPolicy.Budget(ratio: ratio, minimum: -5, window: .zero, clock: TestClock())
    budget.countRequest(to: try origin())
    #expect(taken(of: budget, try origin()) <= 1_000)
  }

  @Test func originsOfLongAgoAreForgotten() throws {
    let clock = TestClock()
    let budget = RetryPolicy.Budget(clock: clock)
    for index in 0..<1_000 {
      budget.countRequest(to: try origin("h\(index)"))
      clock.advance(by: .seconds(1))
    }
    #expect(taken(of: budget, try origin("h0")) == 10)
  }
}
