import Foundation
import Rounds

/// Compares decoding valid texts with the same program built without the diagnosis.
struct DiagnosisSuite: CaseVisitor {
  let rounds: Int
  let corpora: String
  /// The program without the diagnosis.
  let without: String
  /// The number of processes of each program. The two programs take turns.
  private static let processes = 7
  private let withCounter: InstructionCounter?
  private let withoutCounter: InstructionCounter?
  private(set) var rows = [["document", "implementation", "µs without", "µs with", "ratio", "instructions", "ratio"]]

  init(rounds: Int, corpora: String, without: String) {
    (self.rounds, self.corpora, self.without) = (rounds, corpora, without)
    withCounter = InstructionCounter(of: Tool.ownPath)
    withoutCounter = InstructionCounter(of: without)
  }

  /// Removes the temporary files.
  func cleanUp() {
    withCounter?.cleanUp()
    withoutCounter?.cleanUp()
  }

  mutating func visit<Case: BenchmarkCase>(_ name: String, _ case: Case.Type, _ data: Data) throws {
    let decoders = Implementations.decoders(of: `case`).map(\.name).dropFirst() + [SingleRun.parsing]
    for decoder in decoders { try compare(decoder, decoder, "json.decode", name, data.count) }
    try compare("Anvil JSON.Decoder", SingleRun.explaining, "json.decode", name, data.count)
    for encoder in Implementations.encoders(of: `case`).map(\.name).dropFirst() {
      try compare(encoder, encoder, "json.encode", name, data.count)
    }
  }

  /// A row with the cost of `other` with the diagnosis and of `implementation` without it.
  private mutating func compare(
    _ implementation: String, _ other: String, _ suite: String, _ test: String, _ bytes: Int
  ) throws {
    let options = { [corpora] in ["--corpora", corpora, "--suite", suite, "--case", test, "--implementation", $0] }
    // The memory layout of a process varies at random and changes times by up to 8 %: several processes of each.
    let contenders = try (0..<Self.processes).flatMap { _ in
      let before = try RoundProcess(without, ["rounds"] + options(implementation))
      let after = try RoundProcess(Tool.ownPath, ["rounds"] + options(other))
      return [
        Contender(implementation: "without") { try before.seconds("\($0)") },
        Contender(implementation: "with") { try after.seconds("\($0)") },
      ]
    }
    let figures = try measure(suite: suite, test: test, bytes: bytes, rounds: rounds, contenders: contenders)
    let times = ["without", "with"].map { program in
      let medians = figures.filter { $0.metric == .time && $0.implementation == program }.map(\.value)
      return medians.sorted()[medians.count / 2]
    }
    var row = [test, other] + times.map { String(format: "%.2f", $0) } + [Self.ratio(times)]
    if let withCounter, let withoutCounter {
      let few = bytes < 10_000 ? 200 : 2
      let counts = [
        try withoutCounter.perDocument(options(implementation), repetitions: few),
        try withCounter.perDocument(options(other), repetitions: few),
      ]
      row += [String(format: "%.0f", counts[1]), Self.ratio(counts)]
    }
    rows.append(row)
  }

  /// The peak memory of each program for a large document.
  func peaks(megabytes: Int) throws -> [[String]] {
    let file = FileManager.default.temporaryDirectory.appending(path: "anvil-bench-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    _ = try MemorySuite.writeRecords(to: file, megabytes: megabytes)
    var rows = [["\(megabytes) MB", "peak MB without", "with"]]
    for implementation in ["input alone", "Anvil JSON.Decoder", "Anvil => mapping", "Anvil JSON"] {
      let peaks = try [without, Tool.ownPath].map { program in
        let arguments = ["peak", "--implementation", implementation, "--input", file.path()]
        let answer = try Tool.run(program, arguments).output.trimmingCharacters(in: .whitespacesAndNewlines)
        guard let peak = Double(answer) else { throw BenchmarkError("\(implementation) gives no peak") }
        return String(format: "%.1f", peak / 1e6)
      }
      rows.append([implementation] + peaks)
    }
    return rows
  }

  private static func ratio(_ values: [Double]) -> String { String(format: "%.3f", values[1] / values[0]) }
}
