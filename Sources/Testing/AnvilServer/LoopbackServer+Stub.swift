package import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension LoopbackServer {
  /// Records `request`, runs its route, and returns the reply without sending it. The body of the request must be in memory.
  package func replyWithoutConnection(to request: HTTP.Request) -> Reply {
    let text = request.url.absoluteString.dropFirst(url.absoluteString.count).prefix { $0 != "#" }
    let target = text.hasPrefix("/") ? String(text) : "/\(text)"
    let parts = RequestTarget(target)
    let body = request.body.data ?? Data()
    var headers: HTTP.Headers = [.host: "\(request.url.host() ?? ""):\(port)"]
    for field in request.headers where field.key != .contentLength { headers.add(field.key, field.value) }
    if !body.isEmpty { headers.add(.contentLength, "\(body.count)") }
    if !headers.contains(.contentType), let type = request.body.contentType { headers.add(.contentType, type) }
    return core.reply(
      to: Request(
        method: request.method, target: target, path: parts.path, query: parts.query, headers: headers,
        body: core.requestBodies == .kept ? body : Data(), bodyByteCount: body.count, connection: 0,
        informational: InformationalSender(nil)))
  }
}
