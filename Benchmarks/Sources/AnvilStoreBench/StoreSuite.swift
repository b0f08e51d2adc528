import CStoreLoop
import Foundation
import Rounds

/// Measures storing and reading records. Implementations take turns, each in a separate process with a separate file.
struct StoreSuite {
  /// The operations to measure. The records are inserted first, whether this is measured or not.
  let orders: [Order]
  let shape: Shape
  let count: Int
  let rounds: Int
  let folder: URL

  fileprivate struct Runner {
    let implementation: Implementation
    let process: RoundProcess
    let file: String
    var seconds: [Order: [Seconds]] = [:]
  }

  func run() throws {
    let folder = folder.appending(path: "anvil-store-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var runners = try runners(in: folder)
    for round in 0...rounds {
      for index in runners.indices {
        for order in Order.allCases where runners[index].implementation.orders.contains(order) {
          guard order == .insert || orders.contains(order) else { continue }
          // Inserts need new files, for the database and for the log.
          if order == .insert { Self.remove(runners[index].file) }
          let answer = try runners[index].process.ask("\(order.rawValue) \(runners[index].file)")
          guard let seconds = Seconds(answer) else { throw BenchmarkError("a process answers \(answer.prefix(80))") }
          // The first round is a warm-up.
          if round > 0, orders.contains(order) { runners[index].seconds[order, default: []].append(seconds) }
        }
      }
      if round == 0 { try Self.checkAgreement(runners.map { ($0.implementation.rawValue, $0.file) }) }
    }
    report(runners)
  }

  private func runners(in folder: URL) throws -> [Runner] {
    try Implementation.allCases.compactMap { implementation in
      guard orders.contains(where: implementation.orders.contains) else { return nil }
      let file = folder.appending(path: "\(implementation).db").path()
      var arguments = [
        "rounds", "--key", shape.rawValue, "--rows", "\(count)", "--implementation", implementation.rawValue,
      ]
      var program = Tool.ownPath
      if implementation.isPeer {
        guard let peer = implementation.program else {
          note("\(implementation.rawValue): not set up, left out (Benchmarks/setup-peers)")
          return nil
        }
        program = peer.path()
        arguments =
          try PeerInput.write(shape.type, count, to: folder) + [implementation == .sqliteUtils ? "all" : "each"]
      }
      return Runner(implementation: implementation, process: try RoundProcess(program, arguments), file: file)
    }
  }

  private static func remove(_ file: String) {
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + suffix) }
  }

  /// - Throws: if the implementations have stored different data.
  private static func checkAgreement(_ files: [(name: String, path: String)]) throws {
    var summaries: [String] = []
    for file in files {
      guard let loop = store_loop_open(file.path, 0) else { throw BenchmarkError("cannot open \(file.path)") }
      defer { store_loop_close(loop) }
      var text = [CChar](repeating: 0, count: 1_024)
      guard store_loop_summarize(loop, &text, text.count) else {
        throw BenchmarkError("\(file.name): \(String(cString: store_loop_message(loop)))")
      }
      summaries.append(String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
      guard summaries.last == summaries.first else {
        throw BenchmarkError("\(file.name) has stored \(summaries.last ?? ""), not \(summaries.first ?? "")")
      }
    }
    note("all have stored \(summaries.first ?? "")")
  }

  private func report(_ runners: [Runner]) {
    let base = runners.first { $0.implementation == .loop }
    print("\(count) records, by \(shape.rawValue), \(rounds) rounds; medians, and how many times the C loop's they are")
    print("order     implementation              processor ms   ratio    elapsed ms   ratio   processor us a record")
    for order in Order.allCases {
      for runner in runners {
        guard let processor = runner.median(order, \.processor), let elapsed = runner.median(order, \.elapsed) else {
          continue
        }
        let baseOrder = order == .stream ? Order.fetch : order
        print(
          pad(order.rawValue, 10) + pad(runner.implementation.rawValue, 26)
            + columns(processor, base?.median(baseOrder, \.processor))
            + columns(elapsed, base?.median(baseOrder, \.elapsed))
            + String(format: "%24.2f", processor * 1e6 / Double(count)))
      }
    }
  }

  private func columns(_ seconds: Double, _ base: Double?) -> String {
    String(format: "%14.1f", seconds * 1e3) + (base.map { String(format: "%8.2f", seconds / $0) } ?? "        ")
  }

  private func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }
}

extension StoreSuite.Runner {
  fileprivate func median(_ order: Order, _ value: KeyPath<Seconds, Double>) -> Double? {
    guard let seconds = seconds[order], !seconds.isEmpty else { return nil }
    return seconds.map { $0[keyPath: value] }.sorted()[seconds.count / 2]
  }
}
