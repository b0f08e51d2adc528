import AnvilJSON
import Foundation
import Rounds

/// Measures documents that arrive in pieces, with a value after each piece, beside the parser of whole documents and jiter.
struct PartialSuite {
  private let rounds: Int
  private let corpora: URL
  private var rows = [["document", "bytes", "pieces of", "pieces", "ms", "whole = 1", "jiter = 1"]]

  init(rounds: Int, corpora: String) {
    self.rounds = rounds
    self.corpora = URL(filePath: corpora)
  }

  /// Measures and prints a table of processor times. The ratio to jiter is that of the throughputs.
  mutating func run() throws {
    let jiter = Peer.program(named: "jiter")
    if jiter == nil { Console.note("jiter: not set up, left out (Benchmarks/setup-peers)") }
    let documents = [
      ("github_events", 16), ("github_events", 256), ("twitter", 256), ("citm_catalog", 1024), ("canada", 1024),
    ]
    for (name, size) in documents {
      try measure(name, size, jiter)
    }
    print(Columns.text(rows))
  }

  private mutating func measure(_ name: String, _ size: Int, _ jiter: URL?) throws {
    let file = corpora.appending(path: "bench/\(name).json")
    let bytes = [UInt8](try Data(contentsOf: file))
    let pieces = stride(from: 0, to: bytes.count, by: size).map { Data(bytes[$0..<min($0 + size, bytes.count)]) }
    let peer = try jiter.map { try RoundProcess($0.path(), [file.path(), "\(size)"]) }
    var (ours, whole, theirs): ([Double], [Double], [Double]) = ([], [], [])
    for _ in 0..<rounds {
      whole.append(try Self.seconds { _ = try JSON(parsing: bytes) })
      ours.append(
        try Self.seconds {
          var parser = JSON.PartialParser()
          for piece in pieces {
            try parser.append(piece)
            guard parser.value != nil else { throw BenchmarkError("no value") }
          }
          _ = try parser.finish()
        })
      if let peer { theirs.append(try peer.seconds("partial 1")) }
    }
    let time = Self.median(ours)
    rows.append([
      name, "\(bytes.count)", "\(size)", "\(pieces.count)", String(format: "%.2f", 1000 * time),
      String(format: "%.1f", time / Self.median(whole)),
      theirs.isEmpty ? "" : String(format: "%.0f", Self.median(theirs) / time),
    ])
  }

  private static func seconds(_ body: () throws -> Void) rethrows -> Double {
    let start = Seconds.now()
    try body()
    return (Seconds.now() - start).processor
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}
