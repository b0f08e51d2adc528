#if !WITHOUT_DIAGNOSIS
import AnvilDiagnosis
import AnvilJSON
import Foundation
import Rounds

/// Measures finding and rendering all problems of an invalid text.
struct FailureSuite {
  /// The times for one text.
  private struct Line {
    var test: String
    var bytes: Int
    var problems: Int
    /// Decoding until the first error or the end.
    var decode: Double
    /// Decoding until all problems are found.
    var decodeAll: Double
    /// Rendering the problems for a terminal.
    var rendering: Double
  }

  private let rounds: Int
  private let corpora: String
  private var lines: [Line] = []

  init(rounds: Int, corpora: String) {
    (self.rounds, self.corpora) = (rounds, corpora)
  }

  /// Measures and prints a table; times are in milliseconds.
  mutating func run() throws {
    try measureTwitter()
    for megabytes in [1, 2, 4] {
      let records = try BrokenText.records(megabytes: megabytes, problems: 100)
      try measure("one line of \(megabytes) MB, 100 of its records wrong", [SmallObject].self, records)
      let incomplete = try BrokenText.records(megabytes: megabytes, problems: 100, missing: "size")
      try measure("one line of \(megabytes) MB, 100 keys missing", [SmallObject].self, incomplete)
    }
    for count in [25_000, 100_000] {
      try measure("\(count) elements, all wrong", [Int].self, BrokenText.strings(count))
      try measure("\(count) elements, all wrong, no limit", [Int].self, BrokenText.strings(count), limit: .max)
      try measure("\(count) members, the last 100 wrong", [String: Int].self, BrokenText.members(count))
    }
    try measure("500 levels, 100 elements wrong in the last", BrokenText.Nest.self, BrokenText.nest(levels: 500))
    for count in [500_000, 2_000_000] {
      try measure("\(count) colons", [Int].self, Data("[\(String(repeating: ":", count: count))".utf8))
      try measure("\(count) brackets", [Int].self, Data(String(repeating: "[", count: count).utf8))
      try measure(
        "\(count) bytes of a string without end", [Int].self, Data("[\"\(String(repeating: "a", count: count))".utf8))
      try measure("\(count) apostrophes", [Int].self, Data("[\(String(repeating: "'", count: count))".utf8))
    }
    print(table)
  }

  private mutating func measureTwitter() throws {
    let file = URL(filePath: corpora).appending(path: "bench/twitter.json")
    guard let data = try? Data(contentsOf: file) else {
      return Console.note("twitter: not found at \(file.path()), left out")
    }
    try measure("twitter", Twitter.Root.self, data)
    for problems in [1, 10, 100] {
      let broken = BrokenText.replacing(
        #""retweet_count": "#, with: #""retweet_count": -0.5e-"#, in: data, times: problems)
      try measure("twitter, \(problems) numbers wrong", Twitter.Root.self, broken)
      let incomplete = BrokenText.replacing(
        #""retweet_count": "#, with: #""repeat_count": "#, in: data, times: problems)
      try measure("twitter, \(problems) keys missing", Twitter.Root.self, incomplete)
    }
  }

  private mutating func measure<Model: Decodable>(
    _ test: String, _ model: Model.Type, _ data: Data, limit: Int = 100
  ) throws {
    let decoder = JSON.Decoder()
    var (decode, decodeAll, rendering): ([Double], [Double], [Double]) = ([], [], [])
    var problems = 0
    for _ in 0..<rounds {
      decode.append(Self.seconds { _ = try? decoder.decode(model, from: data) })
      var diagnosis: JSON.Diagnosis?
      let all = Self.seconds {
        do throws(JSON.Diagnosis) {
          _ = try decoder.decodeAll(model, from: data, problemLimit: limit)
        } catch {
          diagnosis = error
        }
      }
      decodeAll.append(all)
      rendering.append(Self.seconds { _ = diagnosis?.description })
      problems = diagnosis?.problems.count ?? 0
      // A slow case is measured only once.
      if all > 5 { break }
    }
    lines.append(
      Line(
        test: test, bytes: data.count, problems: problems, decode: Self.median(decode),
        decodeAll: Self.median(decodeAll), rendering: Self.median(rendering)))
  }

  private static func seconds(_ body: () -> Void) -> Double {
    let start = Seconds.now()
    body()
    return (Seconds.now() - start).processor
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  private var table: String {
    let head = ["text", "bytes", "problems", "decode ms", "decodeAll ms", "rendering ms"]
    let rows = lines.map { line in
      [line.test, "\(line.bytes)", "\(line.problems)"]
        + [line.decode, line.decodeAll, line.rendering].map { String(format: "%.2f", $0 * 1000) }
    }
    return Columns.text([head] + rows)
  }
}
#endif
