import Foundation
import Rounds

let usage = """
  Usage: anvil-transport-bench load [--bodies 500,10000,1000000,100000000] [--concurrency 1,16,64,256] [--versions 1,2]
                                    [--contenders c,pool,exec,urlsession,go,httpx] [--rounds N] [--seconds S]
         anvil-transport-bench road [--concurrency 1,64] [--versions 1,2] [--contenders pool,exec,urlsession]
                                    [--rounds N] [--seconds S]
         anvil-transport-bench instructions [--concurrency 1] [--versions 1] [--contenders memory,pool] [--requests N]

  load  requests bodies of those sizes. Bodies of 100 MB are requested one at a time and discarded as they arrive.
  road  requests an object of 500 bytes and decodes it into a model, compared with the transport alone. The contender
        "memory" is a session that responds without a connection.
  instructions
        counts the instructions that each road of `road` executes for one request, on all threads, outside the kernel
        (valgrind), from the difference between the counts of N (500) and of 2 N requests.

  A round takes S seconds (1); N rounds (5) of each contender take turns, and medians are printed. The server is that of
  scripts/with-nginx: Benchmarks/measure-transport starts it, and pins it and the contenders to different processors.

  """

/// The options of the command line by their names.
var options: [String: String] = [:]
let arguments = Array(CommandLine.arguments.dropFirst())
var words = arguments.dropFirst()
if !["rounds", "requests"].contains(arguments.first) {
  while let name = words.popFirst() { options[name] = words.popFirst() ?? "" }
}
let rounds = max(Int(options["--rounds"] ?? "") ?? 5, 1)
let seconds = max(Double(options["--seconds"] ?? "") ?? 1, 0.01)

func note(_ message: String) {
  FileHandle.standardError.write(Data("anvil-transport-bench: \(message)\n".utf8))
}

/// Returns the elements of an option's comma-separated list, converted with `parse`.
@MainActor
func list<Element>(_ name: String, _ fallback: String, _ parse: (String) -> Element?) throws -> [Element] {
  try (options[name] ?? fallback).split(separator: ",").map { word in
    guard let element = parse(String(word)) else { throw BenchmarkError("\(name): there is no \(word)") }
    return element
  }
}

@MainActor
func loads(
  _ sizes: [Int], server: Server, path: (Int) -> String, concurrency: String, versions: String = "1,2"
) throws -> [Load] {
  let versions = try list("--versions", versions, Load.Version.init(rawValue:))
  let concurrencies = try list("--concurrency", concurrency) { Int($0).flatMap { $0 > 0 ? $0 : nil } }
  return sizes.flatMap { size in
    versions.flatMap { version in
      (size < 10_000_000 ? concurrencies : [1]).map {
        Load(server: server, path: path(size), byteCount: size, version: version, concurrency: $0)
      }
    }
  }
}

/// The work of a separate process: a contender, a road and a load.
func ownRun(_ arguments: [String]) throws -> LoadRun {
  guard arguments.count > 2, let contender = Contender(rawValue: arguments[0]), let road = Road(rawValue: arguments[1])
  else { throw BenchmarkError("there is no such contender or road") }
  return try LoadRun(contender, road: road, load: Load(arguments: Array(arguments[2...])))
}

/// Runs `work` and ends the process. The main thread waits: with an asynchronous main program it would end, and
/// valgrind would crash.
func end(with work: @escaping @Sendable () async throws -> Void) -> Never {
  Task.detached {
    do {
      try await work()
      exit(0)
    } catch {
      note("\(error)")
      exit(1)
    }
  }
  while true { pause() }
}

@MainActor
func run() throws {
  switch arguments.first {
  case "load":
    let sizes = try list("--bodies", "500,10000,1000000,100000000", Int.init)
    let contenders = try list(
      "--contenders", Contender.standard.map(\.rawValue).joined(separator: ","), Contender.init(rawValue:))
    for load in try loads(sizes, server: Server(), path: { "/bytes/\($0)" }, concurrency: "1,16,64,256") {
      try TransportSuite(load: load, contenders: contenders, rounds: rounds, seconds: seconds).run()
    }
  case "road":
    let contenders = try list("--contenders", "pool,exec,urlsession", Contender.init(rawValue:))
    for load in try loads([500], server: Server(), path: { _ in "/bytes/500.json" }, concurrency: "1,64") {
      try RoadSuite(load: load, contenders: contenders, rounds: rounds, seconds: seconds).run()
    }
  case "instructions":
    let contenders = try list("--contenders", "memory,pool", Contender.init(rawValue:))
    let count = max(Int(options["--requests"] ?? "") ?? 500, 1)
    let versions = options["--versions"] ?? "1"
    guard let counter = InstructionCounter(of: Tool.ownPath) else { throw BenchmarkError("valgrind is not installed") }
    defer { counter.cleanUp() }
    for load in try loads(
      [500], server: Server(), path: { _ in "/bytes/500.json" }, concurrency: "1", versions: versions)
    {
      try InstructionSuite(load: load, contenders: contenders, requestCount: count, counter: counter).run()
    }
  case "rounds":
    let run = try ownRun(Array(arguments.dropFirst()))
    end { try await run.run() }
  case "requests":
    let run = try ownRun(Array(arguments.dropFirst(2)))
    let count = arguments.count > 1 ? Int(arguments[1]) ?? 1 : 1
    end { try await run.perform(count: count) }
  default:
    FileHandle.standardError.write(Data(usage.utf8))
    exit(64)
  }
}

// A contender that has ended is left out, and does not end this process.
signal(SIGPIPE, SIG_IGN)
do {
  try run()
} catch {
  note("\(error)")
  exit(1)
}
