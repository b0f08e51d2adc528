import Foundation

/// Another library in a process of its own, which does a round when it is told to: Peers/README.md has the words.
final class Peer {
  let name: String
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var unread = Data()

  /// Those that `setup-peers` has set up, ready to do the case `test` with the document in `file`.
  static func all(for test: String, file: URL) throws -> [Peer] {
    try installed().map { try Peer($0, test, file) }
  }

  /// What is said when a peer is not there, once for a run.
  static func noteAbsent() {
    let names = Set(installed().map(\.lastPathComponent))
    for name in known where !names.contains(name) {
      Console.note("\(name): not set up, left out (Benchmarks/setup-peers)")
    }
  }

  private static let known = ["serde_json", "simdjson", "msgspec", "orjson"]

  private static func installed() -> [URL] {
    var folder = URL(filePath: Tool.ownPath)
    while folder.path() != "/", folder.lastPathComponent != ".build" { folder.deleteLastPathComponent() }
    let programs = folder.appending(path: "peers/bin")
    return known.map { programs.appending(path: $0) }
      .filter { FileManager.default.isExecutableFile(atPath: $0.path()) }
  }

  private init(_ program: URL, _ test: String, _ file: URL) throws {
    name = program.lastPathComponent
    process.executableURL = program
    process.arguments = [test, file.path()]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// The implementation's name in a table.
  var title: String { name == "orjson" ? "orjson (untyped)" : name }

  /// Whether it writes JSON too.
  var encodes: Bool { name != "simdjson" }

  /// Says so when the peer makes something else of the document `test` than `value`: serde_json, as Debian builds it, rounds
  /// some doubles of canada to a neighbour of the nearest.
  func check<Model: Decodable & Equatable>(_ value: Model, of test: String) throws {
    guard encodes else { return }
    let text = try ask("text")
    if try JSONDecoder().decode(Model.self, from: Data(text.utf8)) != value {
      Console.note("\(name): its values of \(test) are not quite Foundation's")
    }
  }

  /// How many seconds each of `repetitions` decodings or encodings took.
  func seconds(_ order: String, _ repetitions: Int) throws -> Double {
    let answer = try ask("\(order) \(repetitions)")
    guard let seconds = Double(answer) else { throw BenchmarkError("\(name) answers \(answer.prefix(80))") }
    return seconds
  }

  private func ask(_ line: String) throws -> String {
    try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
    while true {
      if let end = unread.firstIndex(of: 0x0A) {
        let answer = String(decoding: unread[..<end], as: UTF8.self)
        unread = Data(unread[(end + 1)...])
        return answer
      }
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { throw BenchmarkError("\(name) has ended") }
      unread += more
    }
  }
}
