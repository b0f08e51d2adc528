import Anvil
import AnvilTesting
import Foundation

/// The server's responses without misbehaviour.
struct Answers {
  let ledger: Ledger
  let secrets: Secrets
  let findings: Findings

  /// Executes a request for `path` and returns the response.
  func answer(
    to request: LoopbackServer.Request, _ path: [String], _ id: String, _ random: inout RandomSource
  ) -> Answer {
    let number = path.dropFirst().first.flatMap { Int($0) } ?? 0
    switch path.first {
    case "token": return token(request, &random)
    case "echo": return .json(#"{"echo": "\#(id)", "version": 1}"#)
    case "items": return .json(entity(number, &random))
    case "lists":
      let ids = Entities.items(of: number)
      return .json("[\(ids.map { entity($0, &random) }.joined(separator: ","))]")
    case "readings":
      let ids = Entities.readings(of: number)
      return .json("[\(ids.map { entity($0, &random) }.joined(separator: ","))]")
    case "cached": return cached(number, request, &random)
    case "orders": return order(request, id)
    case "payments":
      let count = ledger.act(for: id)
      findings.expect(count == 1, "a payment without an idempotency key was made \(count) times, operation \(id)")
      return .json(#"{"echo": "\#(id)", "version": 1}"#)
    case "lines":
      let lines = (0..<number).map { "{\"version\": \($0)}\n" }.joined()
      return Answer(
        headers: [.contentType: "application/x-ndjson", .cacheControl: "no-store"], body: Data(lines.utf8))
    case "files": return file(number, request)
    case "uploads":
      return .json(
        #"{"echo": "\#(id)", "version": \#(request.body.count), "sum": "\#(Content.checksum(request.body))"}"#)
    case "pages": return page(number, request)
    case "events": return events(request, &random)
    default: return Answer(status: 404)
    }
  }

  private func token(_ request: LoopbackServer.Request, _ random: inout RandomSource) -> Answer {
    let form = String(decoding: request.body, as: UTF8.self)
    findings.expect(form.contains(secrets.secret("password")), "a token was requested without the password: \(form)")
    let token = ledger.issueToken { "\(secrets.secret("token"))-\($0)" }
    let expiry = random.oneIn(2) ? #", "expires_in": 20"# : ""
    return .json(#"{"access_token": "\#(token)", "version": 1\#(expiry)}"#)
  }

  private func entity(_ id: Int, _ random: inout RandomSource) -> String {
    let version = ledger.version(of: id, isNew: random.oneIn(2))
    return #"{"id": \#(id), "version": \#(version), "text": "\#(Content.text(id, version))"}"#
  }

  private func cached(_ id: Int, _ request: LoopbackServer.Request, _ random: inout RandomSource) -> Answer {
    let version = ledger.cachedVersion(of: id, isNew: random.oneIn(10))
    let reader = request.headers["X-Soak-Reader"]?.rawValue ?? ""
    var headers: HTTP.Headers = [.eTag: .init(rawValue: "\"\(id)-\(version)-\(reader)\""), .vary: "X-Soak-Reader"]
    headers.add(.cacheControl, ["max-age=2", "no-cache", "max-age=1, must-revalidate", "private"][id % 4])
    if request.headers[.ifNoneMatch] == headers[.eTag] { return Answer(status: 304, headers: headers) }
    return .json(
      #"{"id": \#(id), "version": \#(version), "text": "\#(Content.text(id, version))", "reader": "\#(reader)"}"#,
      headers: headers)
  }

  private func order(_ request: LoopbackServer.Request, _ id: String) -> Answer {
    guard let key = request.headers[.idempotencyKey]?.rawValue else {
      findings.add("an order without an idempotency key, operation \(id)")
      return Answer(status: 400)
    }
    let number = ledger.order(key: key, for: id)
    let record = ledger.record(of: id)
    findings.expect(record.keys.count <= 1, "an order had several keys, operation \(id): \(record.keys)")
    return .json(#"{"echo": "\#(id)", "version": \#(number)}"#)
  }

  /// A file, or the part that is selected by `Range`. Source: RFC 9110 §14.
  private func file(_ number: Int, _ request: LoopbackServer.Request) -> Answer {
    let data = Content.bytes(seed: number, count: number)
    let tag = HTTP.HeaderValue(rawValue: "\"file-\(number)\"")
    var answer = Answer(
      headers: [.eTag: tag, .acceptRanges: "bytes", .contentType: .applicationOctetStream, .cacheControl: "no-store"],
      body: data)
    guard let range = request.headers[.range]?.rawValue, range.hasPrefix("bytes="), range.hasSuffix("-"),
      let start = Int(range.dropFirst(6).dropLast()),
      request.headers[.ifRange] == nil || request.headers[.ifRange] == tag
    else { return answer }
    guard start < data.count else {
      answer.status = 416
      answer.headers[.contentRange] = .init(rawValue: "bytes */\(data.count)")
      answer.body = Data()
      return answer
    }
    answer.status = 206
    answer.headers[.contentRange] = .init(rawValue: "bytes \(start)-\(data.count - 1)/\(data.count)")
    answer.body = Data(data.dropFirst(start))
    return answer
  }

  /// A page of three numbers, with a link to the next one until there are `count` pages.
  private func page(_ count: Int, _ request: LoopbackServer.Request) -> Answer {
    let page = request.query["page"].flatMap { Int($0) } ?? 0
    let elements = (0..<3).map { #"{"version": \#(page * 3 + $0)}"# }
    var answer = Answer.json("[\(elements.joined(separator: ","))]")
    if page + 1 < count {
      answer.headers.add(.link, .init(rawValue: "</pages/\(count)?page=\(page + 1)>; rel=\"next\""))
    }
    return answer
  }

  /// Some events after the last one that the client has received.
  private func events(_ request: LoopbackServer.Request, _ random: inout RandomSource) -> Answer {
    let last = request.headers["Last-Event-ID"].flatMap { Int($0.rawValue) } ?? 0
    let events = (1...(1 + random.below(5))).map { offset in
      "retry: 20\nid: \(last + offset)\ndata: \(Content.text(last + offset, 1))\n\n"
    }
    return Answer(
      headers: [.contentType: "text/event-stream", .cacheControl: "no-store"], body: Data(events.joined().utf8))
  }
}

/// The entities of each worker. Workers share none, so that each knows the expected contents of the store.
enum Entities {
  static func items(of worker: Int) -> Range<Int> { (worker * 100)..<(worker * 100 + 12) }
  static func readings(of worker: Int) -> Range<Int> { (worker * 100 + 20)..<(worker * 100 + 80) }
}
