import Anvil
import Foundation

extension Operation {
  /// Lines of JSON, read as they arrive.
  static let lines = Operation(name: "lines", weight: 6, isStreamed: true) { call, random in
    let count = 1 + random.below(200)
    let response = try await call.request("lines", count).stream()
    call.checkEcho(response)
    var next = 0
    for try await line in response.body.jsonLines(of: Numbered.self) {
      call.findings.expect(line.version == next, "line \(next) is \(line.version)")
      next += 1
    }
    call.findings.expect(next == count, "\(next) of \(count) lines arrived")
  }

  /// A body of which only the beginning is read.
  static let abandoned = Operation(name: "abandoned", weight: 4, isStreamed: true) { call, random in
    let response = try await call.request("lines", 20_000).stream()
    call.checkEcho(response)
    var left = random.below(40)
    for try await line in response.body.jsonLines(of: Numbered.self) {
      left -= 1
      if left <= 0 || line.version < 0 { break }
    }
  }

  /// A file, resumed after an interrupted transfer.
  static let download = Operation(name: "download", weight: 4, isUnlimited: true) { call, random in
    let count = 1 + random.below(200_000)
    let file = call.folder.appending(path: "file")
    try FileManager.default.createDirectory(at: call.folder, withIntermediateDirectories: true)
    var options = DownloadOptions()
    options.backoff = ExponentialBackoff(base: .milliseconds(20), delayLimit: .milliseconds(200))
    options.idleTimeout = .seconds(6)
    _ = try await call.request("files", count).download(to: file, options: options)
    call.findings.expect(
      try Data(contentsOf: file) == Content.bytes(seed: count, count: count),
      "a downloaded file of \(count) bytes differs")
  }

  /// A body sent from memory, from a file, or as a stream.
  static let upload = Operation(name: "upload", weight: 6) { call, random in
    let count = random.below(60_000)
    let data = Content.bytes(seed: count, count: count)
    var request = call.request("uploads", method: .put)
    switch random.below(3) {
    case 0: request.body = HTTP.Body(data, contentType: .applicationOctetStream)
    case 1:
      try FileManager.default.createDirectory(at: call.folder, withIntermediateDirectories: true)
      let file = call.folder.appending(path: "upload")
      try data.write(to: file)
      request.body = .file(file)
    default:
      let (stream, continuation) = AsyncStream.makeStream(of: Data.self)
      for start in stride(from: 0, to: count, by: 9_000) {
        continuation.yield(Data(data.dropFirst(start).prefix(9_000)))
      }
      continuation.finish()
      request.body = .stream(stream, length: random.oneIn(2) ? count : nil)
    }
    let response = try await request.execute().value
    let echo = try response.body.decode(as: Echo.self)
    call.check(echo, response)
    call.findings.expect(
      echo.version == count && echo.sum == "\(Content.checksum(data))",
      "\(echo.version) bytes of an upload of \(count) bytes arrived, operation \(call.id)")
  }

  /// All pages of a list.
  static let pages = Operation(name: "pages", weight: 5) { call, random in
    let count = 1 + random.below(5)
    var next = 0
    for try await element in call.request("pages", count).pages(of: [Numbered].self, by: .linkHeader).items() {
      call.findings.expect(element.version == next, "element \(next) of the pages is \(element.version)")
      next += 1
    }
    call.findings.expect(next == count * 3, "\(count) pages had \(next) elements")
  }

  /// Events of a server that ends its connections.
  static let events = Operation(name: "events", weight: 3, isUnlimited: true) { call, random in
    var left = 1 + random.below(12)
    var next = 1
    for try await event in call.request("events").events(
      reconnection: .init(
        time: .milliseconds(10), backoff: ExponentialBackoff(base: .milliseconds(10), delayLimit: .milliseconds(200))))
    {
      call.findings.expect(
        event.lastEventID == "\(next)" && event.data == Content.text(next, 1),
        "event \(next) is \(event.lastEventID): \(event.data), operation \(call.id)")
      next += 1
      left -= 1
      if left <= 0 { break }
    }
  }
}
