package import AnvilBase
package import AnvilHTTP

/// The exchanges in the file of a recording, with secrets left out. `CassetteSession` writes it, and `anvil serve` answers from it.
package struct Cassette: Codable, Sendable {
  /// The version of the file's format.
  package static let version = 1

  package struct Field: Codable, Hashable, Sendable {
    package var name: String
    package var value: String

    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The bytes of a body. Text is stored as text, so that people can read it and diffs show changes.
  package enum Content: Codable, Hashable, Sendable {
    case text(String)
    case base64(String)

    package init(_ data: Data) {
      self = String(validating: data, as: UTF8.self).map(Content.text) ?? .base64(data.base64EncodedString())
    }

    /// The bytes; `nil` if they are not valid base64.
    package var data: Data? {
      switch self {
      case .text(let text): Data(text.utf8)
      case .base64(let text): Data(base64Encoded: text)
      }
    }
  }

  /// The recorded form of a request. Of its fields, which are not compared, `anvil serve` reads only `Content-Type`.
  package struct Request: Codable, Hashable, Sendable {
    package var method: String
    package var url: String
    package var headers: [Field]
    package var body: Content?

    package init(method: String, url: String, headers: [Field], body: Content? = nil) {
      self.method = method
      self.url = url
      self.headers = headers
      self.body = body
    }
  }

  package struct Response: Codable, Hashable, Sendable {
    package var status: Int
    package var headers: [Field]
    package var body: Content?
    package var trailers: [Field]?

    package init(status: Int, headers: [Field], body: Content? = nil, trailers: [Field]? = nil) {
      self.status = status
      self.headers = headers
      self.body = body
      self.trailers = trailers
    }
  }

  package struct Failure: Codable, Hashable, Sendable {
    package var code: String
    package var phase: String?
    package var reason: String?

    package init(code: String, phase: String? = nil, reason: String? = nil) {
      self.code = code
      self.phase = phase
      self.reason = reason
    }
  }

  package struct Exchange: Codable, Hashable, Sendable {
    package var request: Request
    package var response: Response?
    /// The error that ended the exchange, either before the response or during its body.
    package var failure: Failure?

    package init(request: Request, response: Response? = nil, failure: Failure? = nil) {
      self.request = request
      self.response = response
      self.failure = failure
    }
  }

  package var version = Cassette.version
  package var exchanges: [Exchange] = []

  package init(exchanges: [Exchange] = []) {
    self.exchanges = exchanges
  }
}

extension Cassette {
  /// Returns the recorded bytes of a body that is `shown` without secrets. If that is only a mark, a hash distinguishes it from others.
  package static func recorded(_ body: Data, shown: Data) -> Data {
    let mark = HTTP.Redaction.mark
    guard shown == Data(mark.utf8), shown != body else { return shown }
    return Data("\(mark) \(String(FNV1a(body).value, radix: 16))".utf8)
  }
}

extension Cassette.Request {
  package var contentType: HTTP.HeaderValue? {
    headers.first { $0.name.lowercased() == "content-type" }.map { HTTP.HeaderValue(rawValue: $0.value) }
  }
}
