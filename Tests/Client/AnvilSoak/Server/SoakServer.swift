import Anvil
import AnvilCurl
import AnvilTesting
import Foundation
import Synchronization

/// The server of the soak test. It responds, misbehaves at random, and keeps a ledger of its actions.
///
/// It occasionally redirects to a stranger, a server on another host that must not receive secrets.
final class SoakServer: Sendable {
  /// The field with the operation of a request.
  static let operationField: HTTP.HeaderKey = "X-Soak-Operation"
  /// The field with the operation of a response.
  static let echoField: HTTP.HeaderKey = "X-Soak-Echo"

  let ledger = Ledger()
  /// The counts of misbehaviours.
  let misbehaviours = Tally()
  /// The number of received requests.
  let requestCount = Atomic(0)
  private let server: LoopbackServer
  private let stranger: LoopbackServer
  private let random: SharedRandomSource
  private let secrets: Secrets
  private let findings: Findings

  init(seed: UInt64, secrets: Secrets, findings: Findings) throws {
    server = try LoopbackServer()
    stranger = try LoopbackServer()
    random = SharedRandomSource(seed: seed)
    self.secrets = secrets
    self.findings = findings
    // Requests without a route are not recorded, because those of many hours would fill the memory.
    server.onAnythingElse { [weak self] request in self?.reply(to: request) ?? .text("stopped", status: 410) }
    stranger.onAnythingElse { [weak self] request in
      self?.requestCount.add(1, ordering: .relaxed)
      self?.secrets.search(
        "\(request.target) \(request.headers.map { "\($0.key.rawValue): \($0.value.rawValue)" })",
        in: "a stranger's request")
      return Answer.json(#"{"echo": "stranger", "version": 0}"#, headers: Self.echo(of: request)).reply
    }
  }

  var url: URL { server.url }

  /// The stranger's host name, which is not in DNS. Cookies belong to a host, regardless of the port (RFC 6265 §8.5).
  var strangerOverride: CurlSession.Configuration.ResolveOverride {
    .init(host: "stranger.test", port: stranger.port, addresses: ["127.0.0.1"])
  }

  /// Closes idle connections, which the client may be about to use.
  func closeIdleConnections() { server.closeIdleConnections() }

  /// Ends all connections and threads.
  func stop() {
    server.stop()
    stranger.stop()
  }

  private static func echo(of request: LoopbackServer.Request) -> HTTP.Headers {
    request.headers[operationField].map { [echoField: $0] } ?? [:]
  }

  private func reply(to request: LoopbackServer.Request) -> LoopbackServer.Reply {
    requestCount.add(1, ordering: .relaxed)
    var random = random.fork()
    let id = request.headers[Self.operationField]?.rawValue ?? ""
    let path = request.path.split(separator: "/").map(String.init)
    if let refusal = refusal(of: request, path, &random) {
      ledger.add(fault: "401", to: id)
      return refusal
    }
    var misbehaviour = Misbehaviour.pick(&random)
    if case .redirect = misbehaviour, request.method != .get { misbehaviour = .redirect(random.oneIn(2) ? 307 : 308) }
    if let misbehaviour {
      misbehaviours.add(misbehaviour.name)
      if !misbehaviour.isHarmless { ledger.add(fault: misbehaviour.name, to: id) }
      switch misbehaviour {
      case .refuse(let status, let delay):
        let headers: HTTP.Headers = delay.map { [.retryAfter: .init(rawValue: "\($0)")] } ?? [:]
        return .json(
          #"{"message": "not now"}"#, status: HTTP.Status(code: status),
          headers: headers.merging(Self.echo(of: request)))
      case .redirect(let status):
        return redirect(request, status, id, &random)
      default: break
      }
    }
    var answer = Answers(ledger: ledger, secrets: secrets, findings: findings).answer(to: request, path, id, &random)
    answer.headers = answer.headers.merging(Self.echo(of: request))
    if random.oneIn(20) {
      answer.headers.add(.setCookie, .init(rawValue: "sid=\(secrets.secret("cookie"))-\(random.below(1000)); Path=/"))
    }
    return misbehaviour.map { answer.reply($0, &random) } ?? answer.reply
  }

  /// The 401 for a request without a valid token.
  private func refusal(
    of request: LoopbackServer.Request, _ path: [String], _ random: inout RandomSource
  ) -> LoopbackServer.Reply? {
    guard path.first != "token" else { return nil }
    let cookies = request.headers.values(for: .cookie).map(\.rawValue).joined()
    findings.expect(
      cookies.isEmpty || cookies.contains(secrets.secret("cookie")), "an unknown cookie: \(cookies)")
    let authorization = request.headers[.authorization]?.rawValue ?? ""
    let isRevoking = random.oneIn(80)
    guard
      !ledger.isValid(String(authorization.dropFirst(7)), isRevoking: isRevoking, pause: .seconds(13))
    else { return nil }
    misbehaviours.add("expired-token")
    return .status(401, headers: Self.echo(of: request).merging([.wwwAuthenticate: "Bearer realm=\"soak\""]))
  }

  private func redirect(
    _ request: LoopbackServer.Request, _ status: Int, _ id: String, _ random: inout RandomSource
  ) -> LoopbackServer.Reply {
    var target = request.target
    if request.query.contains(where: { $0.name == "stranger" }) {
      target = "http://\(strangerOverride.host):\(stranger.port)/elsewhere"
      ledger.add(fault: "stranger", to: id)
    } else if random.oneIn(2) {
      target = server.url(target).absoluteString
    }
    return .status(
      HTTP.Status(code: status),
      headers: Self.echo(of: request).merging([.location: .init(rawValue: target), .cacheControl: "no-store"]))
  }
}
