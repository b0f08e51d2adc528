import Foundation
import Synchronization

/// Records the mutants that each suite reaches, and the time that the suite takes.
struct Reach: Codable {
  struct Suite: Codable {
    /// Of the sources and the tests that this was recorded with.
    var signature: UInt64
    var seconds: Double
    var passes: Bool
    var reached: Set<Int>
    /// `true` if the suite was ended because it took too long.
    var isSlow = false
  }

  private(set) var suites: [String: Suite] = [:]

  /// The suites that reach a mutant: first the suites of its module, and fast suites before slow ones.
  func suites(for number: Int, of module: String) -> [(name: String, seconds: Double)] {
    func isOwn(_ name: String) -> Bool { name.hasPrefix("\(module)Tests.") }
    return suites.filter { $1.passes && $1.reached.contains(number) }
      .sorted { (isOwn($0.key) ? 0 : 1, $0.value.seconds) < (isOwn($1.key) ? 0 : 1, $1.value.seconds) }
      .map { ($0.key, $0.value.seconds) }
  }

  /// Runs each suite without a mutant, except where neither the sources nor its target changed since the last time.
  ///
  /// - Parameter file: The file with the records.
  static func record(
    _ program: TestProgram, copy: WorkCopy, targets: PackageTargets, tests: Set<String>, count: Int, file: URL,
    jobs: Int
  ) throws -> Reach {
    let previous = (try? JSONDecoder().decode(Reach.self, from: Data(contentsOf: file))) ?? Reach()
    let sources = try copy.signature(of: "Sources", seed: UInt64(count))
    var signatures: [String: UInt64] = [:]
    for target in targets.targets where target.isTest {
      signatures[target.name] = try copy.signature(of: target.path, seed: sources)
    }
    var reach = Reach()
    var pending: [String] = []
    for name in try program.suites() {
      let target = String(name.prefix { $0 != "." })
      guard tests.contains(target) else { continue }
      if let known = previous.suites[name], known.passes || known.isSlow, known.signature == signatures[target] {
        reach.suites[name] = known
      } else {
        pending.append(name)
      }
    }
    report("recording what \(pending.count) of \(pending.count + reach.suites.count) suites reach")
    let recorded = Mutex(reach.suites)
    try forEach(pending, jobs: jobs) { [signatures] name in
      let target = String(name.prefix { $0 != "." })
      let suite = try measure(name, program, count: count, signature: signatures[target] ?? 0)
      if !suite.passes { report("not used: \(name)") }
      // Kept each time: the tool may be ended and called again.
      try recorded.withLock { suites in
        suites[name] = suite
        try JSONEncoder().encode(Reach(suites: suites)).write(to: file)
      }
    }
    reach.suites = recorded.withLock { $0 }
    return reach
  }

  /// The limit for a suite. A slower suite is not used, because it would run again for every mutant that it reaches.
  private static let limit = Duration.seconds(60)

  private static func measure(_ name: String, _ program: TestProgram, count: Int, signature: UInt64) throws -> Suite {
    let map = FileManager.default.temporaryDirectory.appending(path: "reached-\(UUID().uuidString)")
    try Data(count: count + 1).write(to: map)
    defer { try? FileManager.default.removeItem(at: map) }
    var suite = Suite(signature: signature, seconds: 0, passes: false, reached: [])
    // Twice, should the first time fail for another reason than the test.
    for _ in 1...2 where !suite.passes {
      let started = ContinuousClock.now
      let environment = ["ANVIL_MUTANTS_REACHED": map.path]
      let result = try program.run([name], environment: environment, limit: limit)
      suite.seconds = (ContinuousClock.now - started) / .seconds(1)
      suite.passes = result == .passed
      suite.isSlow = result == .timedOut
      if suite.isSlow { break }
      if case .failed(let issue) = result { report("without a mutant: \(name): \(issue)") }
    }
    suite.reached = Set(try Data(contentsOf: map).enumerated().filter { $0.element != 0 }.map(\.offset))
    return suite
  }
}

/// Calls `body` for each element, on as many threads as there are jobs; throws the first error.
func forEach<Element: Sendable>(
  _ elements: [Element], jobs: Int, _ body: @Sendable (Element) throws -> Void
) throws {
  let next = Mutex(0)
  let failure = Mutex<(any Error)?>(nil)
  DispatchQueue.concurrentPerform(iterations: min(jobs, elements.count)) { _ in
    while true {
      let index = next.withLock { next in
        defer { next += 1 }
        return next
      }
      guard index < elements.count, failure.withLock({ $0 == nil }) else { return }
      do {
        try body(elements[index])
      } catch {
        failure.withLock { $0 = $0 ?? error }
      }
    }
  }
  if let error = failure.withLock({ $0 }) { throw error }
}

extension WorkCopy {
  /// The FNV-1a hash of the names and contents of a folder's files.
  func signature(of folder: String, seed: UInt64) throws -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ seed
    for file in files where file.hasPrefix(folder + "/") {
      guard let data = try? Data(contentsOf: self.folder.appending(path: file)) else { continue }
      for byte in Array(file.utf8) + data { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
    return hash
  }
}
