internal import AnvilBase
internal import AnvilBodies
internal import AnvilHTTP
internal import AnvilServer
internal import Foundation
internal import Synchronization

/// Answers requests from a recording.
final class RecordingServer: Sendable {
  let player: RecordingPlayer
  private let options: ServeOptions
  /// The recorded origins. Redirects to them lead to this server.
  private let origins: Set<HTTP.Origin>
  private let log: @Sendable (String) -> Void
  private let replyCount = Mutex(0)

  /// Creates a server that answers from `recording`.
  ///
  /// - Parameter log: Prints a line.
  init(_ recording: Recording, options: ServeOptions, log: @escaping @Sendable (String) -> Void) {
    self.options = options
    self.log = log
    let base = options.origin.map { NormalizedURL($0) }
    let exchanges = recording.exchanges.filter { base?.contains(NormalizedURL($0.url)) ?? true }
    player = RecordingPlayer(exchanges, mode: options.mode)
    origins = Set(exchanges.compactMap { URL(string: $0.url).flatMap { HTTP.Origin($0) } })
  }

  /// The hosts of the recorded origins, each once.
  var hosts: [String] { Set(origins.map(\.host)).sorted() }

  func reply(to request: LoopbackServer.Request) -> LoopbackServer.Reply {
    guard request.isForLoopback(or: origins.map(\.host)) else {
      log("\(request.method) → 421, unknown host\n")
      return .unknownHost
    }
    let count = replyCount.withLock { count in
      count += 1
      return count
    }
    let shown = "\(request.method) \(HTTP.Redaction(queryValues: .shownUnlessSecret).shown(reference: request.target))"
    let key = RequestKey(
      method: request.method.rawValue, target: request.target, body: request.body,
      contentType: request.headers[.contentType])
    if let fault = options.faults.first(where: { count.isMultiple(of: $0.interval) }) {
      if options.isVerbose { log("\(shown) → fault \(fault.description)\n") }
      return fault.reply.after(latency(of: player.peek(key)))
    }
    guard let exchange = player.take(key) else { return unmatched(key, shown).after(latency(of: nil)) }
    if options.isVerbose { log("\(shown) → \(exchange.description)\n") }
    return reply(with: exchange).after(latency(of: exchange))
  }

  private func unmatched(_ key: RequestKey, _ shown: String) -> LoopbackServer.Reply {
    let hint = player.hint(for: key)
    log("\(shown) → 404, not recorded\(hint)\n")
    return .text("anvil: the recording has no response to \(shown)\(hint)\n", status: .clientError(.notFound))
  }

  /// Returns the delay of the reply.
  ///
  /// - Parameter exchange: The recorded exchange for the request; `nil` if the request was not recorded.
  private func latency(of exchange: RecordedExchange?) -> Duration {
    switch options.latency {
    case .fixed(let latency): latency
    case .recorded: exchange?.time ?? .zero
    }
  }

  private func reply(with exchange: RecordedExchange) -> LoopbackServer.Reply {
    let status = HTTP.Status(code: exchange.status)
    var headers = exchange.headers
    if let location = headers[.location] { headers[.location] = HTTP.HeaderValue(rawValue: local(location.rawValue)) }
    switch exchange.ending {
    case .complete: return .status(status, headers: headers, body: exchange.body)
    case .lost: return .fault(.closeBeforeHead)
    case .timedOut: return .fault(.neverAnswers)
    case .withoutBody:
      return .text("anvil: the body of this response was not recorded\n", status: .serverError(.badGateway))
    case .cutShort:
      let rest = Mutex<Data?>(exchange.body.isEmpty ? nil : exchange.body)
      return .streamed(status, headers: headers, length: exchange.body.count + 1) {
        guard let chunk = rest.withLock({ $0.take() }) else { throw CancellationError() }
        return chunk
      }
    }
  }

  /// Returns `location` without its origin if the origin was recorded; otherwise `location` unchanged.
  private func local(_ location: String) -> String {
    guard let url = URL(string: location), let origin = HTTP.Origin(url), origins.contains(origin) else {
      return location
    }
    let path = location.withoutOrigin
    // A path that begins with two slashes would be read as another host.
    if path.hasPrefix("//") { return "/.\(path)" }
    return path.hasPrefix("/") ? String(path) : "/\(path)"
  }
}
