import Foundation
import Rounds

let usage = """
  Usage: anvil-store-bench save [--rows N] [--rounds N] [--key number|text] [--folder DIR]
         anvil-store-bench gets [--rows N] [--rounds N] [--key number|text] [--folder DIR]
         anvil-store-bench query [--rows N] [--rounds N] [--key number|text] [--folder DIR]
         anvil-store-bench relations [--rows N] [--rounds N] [--folder DIR]
         anvil-store-bench body [--rows N] [--folder DIR]
         anvil-store-bench scale [--workers N,…] [--partitions N] [--pages N] [--rows N] [--latency MS] [--seconds N]
                                 [--missing kept|deleted] [--processes N] [--connections N] [--statements yes]
         anvil-store-bench observers [--stores N,…] [--observers N] [--rows N] [--writers N] [--seconds N] [--processes N]
                                     [--statements yes]

  save       stores N records (100000) by key in a new file, stores them again with a tenth of them changed, and reads them.
  gets       reads each of N records (20000) by its key: in a transaction for each, and in one transaction.
  query      reads the tenth of N records (100000) that match a condition on a column without an index.
  relations  selects some of N rows (100000) by conditions on arrays of references.
  body       stores a JSON array of N records as it arrives, and prints the peak resident memory of this process.
  scale      shares a listing of N partitions (10000) among 1, 10, 100 and 1000 workers, in PostgreSQL.
  observers  commits changes in PostgreSQL while 0, 1, 10 and 100 stores observe them.

  Files are created in DIR (the folder for temporary files). scale and observers run in scripts/with-postgres.

  """

/// The options of the command line by their names.
var options: [String: String] = [:]
var words = CommandLine.arguments.dropFirst(2)
while let name = words.popFirst() { options[name] = words.popFirst() ?? "" }
let command = CommandLine.arguments.dropFirst().first
let rows = max(Int(options["--rows"] ?? "") ?? (command == "gets" ? 20_000 : 100_000), 1)
let rounds = max(Int(options["--rounds"] ?? "") ?? 7, 1)
let folder = options["--folder"].map { URL(filePath: $0) } ?? FileManager.default.temporaryDirectory

func note(_ message: String) {
  FileHandle.standardError.write(Data("anvil-store-bench: \(message)\n".utf8))
}

/// The work of a process with one implementation: reads an order and a file from each line, and replies with the time.
@MainActor
func answerOrders() async throws {
  guard let implementation = Implementation(rawValue: options["--implementation"] ?? ""),
    let shape = Shape(rawValue: options["--key"] ?? "")
  else { throw BenchmarkError("there is no such implementation or shape") }
  let contender = try implementation.contender(shape.type, count: rows)
  while let line = readLine() {
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    guard words.count == 2, let order = Order(rawValue: words[0]) else { throw BenchmarkError("no order: \(line)") }
    let start = Seconds.now()
    try await contender.perform(order, file: words[1])
    print((Seconds.now() - start).answer)
    fflush(nil)
  }
}

@MainActor
func measure(_ orders: [Order]) throws {
  for shape in Shape.allCases where (options["--key"] ?? shape.rawValue) == shape.rawValue {
    try StoreSuite(orders: orders, shape: shape, count: rows, rounds: rounds, folder: folder).run()
  }
}

func printReport(_ report: some Encodable) throws {
  print(String(decoding: try JSONEncoder().encode(report), as: UTF8.self))
}

do {
  switch command {
  case "save": try measure([.insert, .update, .fetch, .stream])
  case "gets": try measure([.get, .getWithin])
  case "query": try measure([.query])
  case "relations": try await RelationRun(count: rows, rounds: rounds, folder: folder).run()
  case "body": try await BodyRun(count: rows, folder: folder).run()
  case "scale": try await ScaleRun(options).run()
  case "scale-worker":
    guard let url = options["--url"], let moment = Double(options["--from"] ?? ""),
      let count = Int(options["--workers"] ?? ""), let connections = Int(options["--connections"] ?? "")
    else { throw BenchmarkError("scale starts this command") }
    let workers = try await ScaleWorkers(ScaleSettings(options), url: url, connections: connections, count: count)
    try printReport(try await workers.run(from: Date(timeIntervalSince1970: moment)))
  case "observers": try await ObserverRun(options).run()
  case "observer-worker":
    guard let url = options["--url"], let moment = Double(options["--from"] ?? ""),
      let stores = Int(options["--stores"] ?? ""), let observers = Int(options["--observers"] ?? ""),
      let seconds = Double(options["--seconds"] ?? "")
    else { throw BenchmarkError("observers starts this command") }
    let workers = ObserverWorkers(url: url, stores: stores, observers: observers, seconds: seconds)
    try printReport(try await workers.run(from: Date(timeIntervalSince1970: moment)))
  case "rounds": try await answerOrders()
  default:
    FileHandle.standardError.write(Data(usage.utf8))
    exit(64)
  }
} catch {
  note("\(error)")
  exit(1)
}
