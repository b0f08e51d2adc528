import AnvilJSON
import CAllocations
import Foundation
import Rounds

/// Measures memory: the size of a tree, and the peak of decoding a large document.
struct MemorySuite: CaseVisitor {
  var megabytes: Int
  private(set) var figures: [Figure] = []

  init(megabytes: Int) {
    self.megabytes = megabytes
    if anvil_live_bytes() < 0 { Console.note("kept memory is not known on this system") }
  }

  /// The heap bytes of a `JSON` for each byte of the document, including the copy of its text. The second of two is
  /// measured, because the parser's buffers are allocated with the first.
  mutating func visit<Case: BenchmarkCase>(_ name: String, _ case: Case.Type, _ data: Data) throws {
    guard anvil_live_bytes() >= 0 else { return }
    let first = try JSON(parsing: data)
    let before = anvil_live_bytes()
    let second = try JSON(parsing: data)
    let bytes = anvil_live_bytes() - before
    withExtendedLifetime((first, second)) {}
    figures.append(
      Figure(
        suite: "memory", test: name, implementation: "Anvil JSON", metric: .keptMemory,
        value: Double(bytes) / Double(data.count)))
  }

  /// The operations on the large document. Each runs in a separate process, which ends without freeing the results.
  private static let implementations: [(name: String, run: @Sendable (Data) throws -> Any)] = [
    ("input alone", { $0 }),
    ("Foundation JSONDecoder", { try JSONDecoder().decode([SmallObject].self, from: $0) }),
    ("JSONSerialization", { try JSONSerialization.jsonObject(with: $0) }),
    ("Anvil JSON.Decoder", { try JSON.Decoder().decode([SmallObject].self, from: $0) }),
    ("Anvil => mapping", { try [SmallObject].decode(JSON(parsing: $0)) }),
    ("Anvil JSON", { try JSON(parsing: $0) }),
  ]

  /// The peak memory of each implementation for a large array of records, without the input itself.
  mutating func measurePeaks() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "anvil-bench-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    let size = try Self.writeRecords(to: file, megabytes: megabytes)
    Console.note("\(size) bytes of input; peaks are what comes on top of a process that only holds them")
    var alone = 0.0
    for implementation in Self.implementations {
      let output = try Tool.run(
        Tool.ownPath, ["peak", "--implementation", implementation.name, "--input", file.path()])
      guard let peak = Double(output.output.trimmingCharacters(in: .whitespacesAndNewlines)) else {
        throw BenchmarkError("\(implementation.name) gives no peak")
      }
      if implementation.name == "input alone" {
        alone = peak
        continue
      }
      Console.note(
        "\(implementation.name): \(Int(peak / 1e6)) MB at most, \(Int((peak - alone) / 1e6)) MB beside the input")
      figures.append(
        Figure(
          suite: "memory", test: "\(megabytes) MB", implementation: implementation.name, metric: .peakMemory,
          value: (peak - alone) / Double(size)))
    }
  }

  /// Runs `implementation` on `file` and prints the peak resident memory of this process, in bytes.
  static func printPeak(of implementation: String, file: String) throws {
    guard let run = implementations.first(where: { $0.name == implementation })?.run else {
      throw BenchmarkError("no implementation is called \(implementation)")
    }
    let data = try Data(contentsOf: URL(filePath: file))
    let result = try run(data)
    let peak = peakResidentBytes()
    withExtendedLifetime((data, result)) {}
    print(peak)
  }

  /// The high-water mark of this process alone: `getrusage` on Linux also counts the process that started it.
  private static func peakResidentBytes() -> Int {
    if let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
      let kilobytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
    {
      return kilobytes * 1024
    }
    #if canImport(Darwin)
    var usage = rusage()
    getrusage(RUSAGE_SELF, &usage)
    return Int(usage.ru_maxrss)
    #else
    return 0
    #endif
  }

  /// Writes an array of slightly different records, at least so many megabytes long, and returns its size.
  static func writeRecords(to file: URL, megabytes: Int) throws -> Int {
    var record = try JSONDecoder().decode(SmallObject.self, from: SmallObject.json)
    let encoder = JSON.Encoder()
    var text = Data("[".utf8)
    text.reserveCapacity(megabytes * 1_000_000 + 1000)
    while text.count < megabytes * 1_000_000 {
      record.id += 1
      record.stars = record.id % 10_007
      record.score = Double(record.id % 9973) / 9973
      record.name = "bellows-\(record.id)"
      if text.count > 1 { text.append(0x2C) }
      text.append(try encoder.encode(record))
    }
    text.append(0x5D)
    try text.write(to: file)
    return text.count
  }
}
