import Anvil
import Foundation

let usage = """
  Usage: anvil-stream-bench download [--bytes N] [--as chunks|slow-chunks|elements|array|foundation-array]
         anvil-stream-bench upload   [--bytes N] [--from file|sequence]

  download  reads a JSON array of N bytes or more (100000000): its bytes or elements as they arrive, or all of it.
  upload    sends a body of N bytes.

  Both start a server in another process and print the amount transferred, the time taken and the peak resident
  memory of this process.

  """

/// The options of the command line by their names.
var options: [String: String] = [:]
var words = CommandLine.arguments.dropFirst(2)
while let name = words.popFirst() { options[name] = words.popFirst() ?? "" }
let byteCount = Int(options["--bytes"] ?? "100000000") ?? 0

/// The peak resident memory of this process, in bytes; 0 where it is not known.
func peakResidentByteCount() -> Int {
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
  return (line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
}

func report(_ what: String, _ count: Int, _ unit: String, since start: ContinuousClock.Instant) {
  let seconds = (ContinuousClock.now - start) / .seconds(1)
  print("\(what): \(count) \(unit), \(seconds) s, at most \(peakResidentByteCount() / 1_000_000) MB resident")
}

func download(_ consumer: Consumer) async throws {
  let server = try ServerProcess(byteCount: byteCount)
  let start = ContinuousClock.now
  var gateway = Gateway(baseURL: server.url)
  gateway.timeout = .seconds(600)
  let response = try await gateway.request("records").stream()
  report("download as \(consumer.rawValue)", try await consumer.consume(response.body), consumer.unit, since: start)
}

func upload(fromFile: Bool) async throws {
  let server = try ServerProcess(byteCount: 0)
  let file = FileManager.default.temporaryDirectory.appending(path: "anvil-stream-bench-\(UUID().uuidString)")
  defer { try? FileManager.default.removeItem(at: file) }
  let body: HTTP.Body
  if fromFile {
    guard FileManager.default.createFile(atPath: file.path(), contents: nil) else {
      throw BenchmarkError("cannot write to \(file.path())")
    }
    let handle = try FileHandle(forWritingTo: file)
    for chunk in RecordArray(byteCount: byteCount) { try handle.write(contentsOf: chunk) }
    try handle.close()
    body = .file(file)
  } else {
    body = .stream(Chunks(RecordArray(byteCount: byteCount)))
  }
  let start = ContinuousClock.now
  let request = AnyRequest<HTTP.Response>(
    method: .put, url: server.url.appending(path: "upload"), body: body, timeout: 600)
  let text = try await BackendService().execute(request).body.string ?? ""
  report("upload", Int(text) ?? 0, "bytes", since: start)
}

/// An asynchronous sequence of another sequence's chunks.
struct Chunks: AsyncSequence, Sendable {
  let chunks: RecordArray

  init(_ chunks: RecordArray) {
    self.chunks = chunks
  }

  struct AsyncIterator: AsyncIteratorProtocol {
    var iterator: RecordArray.Iterator
    mutating func next() async -> Data? { iterator.next() }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(iterator: chunks.makeIterator()) }
}

do {
  switch CommandLine.arguments.dropFirst().first {
  case "serve": try ServerProcess.serve(byteCount: byteCount)
  case "download": try await download(Consumer(rawValue: options["--as"] ?? "") ?? .chunks)
  case "upload": try await upload(fromFile: options["--from"] != "sequence")
  default:
    FileHandle.standardError.write(Data(usage.utf8))
    exit(64)
  }
} catch {
  FileHandle.standardError.write(Data("anvil-stream-bench: \(error)\n".utf8))
  exit(1)
}
