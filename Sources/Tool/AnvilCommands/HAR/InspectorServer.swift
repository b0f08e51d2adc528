internal import AnvilHTTP
internal import AnvilServer
internal import Foundation

/// Serves the page of an archive, and the archive after it has changed.
struct InspectorServer: Sendable {
  let archive: FollowedArchive
  /// The path of the page, which ends with a slash and cannot be guessed.
  let path: String

  /// Returns the reply to a request.
  func reply(to request: LoopbackServer.Request) -> LoopbackServer.Reply {
    guard request.isForLoopback(or: []) else { return .unknownHost }
    guard request.method == .get || request.method == .head else {
      return .text("anvil: only GET is allowed\n", status: .clientError(.methodNotAllowed))
    }
    switch request.target {
    case path: return page()
    case path + "archive": return data(request.headers[.ifNoneMatch]?.rawValue)
    default: return .text("anvil: not found\n", status: .clientError(.notFound))
    }
  }

  private func page() -> LoopbackServer.Reply {
    switch archive.current.data {
    case .success(let data):
      let page = InspectorPage.page(title: archive.title, data: data, .polled)
      return .status(.success(.ok), headers: Self.headers("text/html; charset=utf-8"), body: page)
    case .failure(let failure): return broken(failure)
    }
  }

  private func data(_ known: String?) -> LoopbackServer.Reply {
    let version = archive.current
    if known == version.tag {
      return .status(.redirection(.notModified), headers: [.eTag: .init(rawValue: version.tag)])
    }
    switch version.data {
    case .success(let data):
      var headers = Self.headers("application/json")
      headers[.eTag] = HTTP.HeaderValue(rawValue: version.tag)
      return .status(.success(.ok), headers: headers, body: Data(data))
    case .failure(let failure): return broken(failure)
    }
  }

  private func broken(_ failure: ArchiveFile.Failure) -> LoopbackServer.Reply {
    .text(failure.message(archive.title) + "\n", status: .serverError(.internalServerError))
  }

  private static func headers(_ type: HTTP.HeaderValue) -> HTTP.Headers {
    [
      .contentType: type, .cacheControl: "no-store", "X-Content-Type-Options": "nosniff",
      "Referrer-Policy": "no-referrer",
      "Cross-Origin-Resource-Policy": "same-origin", "Content-Security-Policy": "frame-ancestors 'none'",
    ]
  }
}
