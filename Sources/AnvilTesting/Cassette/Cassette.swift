internal import AnvilClient
internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The exchanges in the file of a recording, with secrets left out.
struct Cassette: Codable, Sendable {
  /// The version of the file's format.
  static let version = 1

  struct Field: Codable, Hashable, Sendable {
    var name: String
    var value: String
  }

  /// The bytes of a body. Text is stored as text, so that people can read it and diffs show changes.
  enum Content: Codable, Hashable, Sendable {
    case text(String)
    case base64(String)

    init(_ data: Data) {
      self = String(bytes: data, encoding: .utf8).map(Content.text) ?? .base64(data.base64EncodedString())
    }

    var data: Data {
      get throws {
        switch self {
        case .text(let text): return Data(text.utf8)
        case .base64(let text):
          guard let data = Data(base64Encoded: text) else {
            throw CassetteError(description: "a body is not base64")
          }
          return data
        }
      }
    }
  }

  /// The parts of a request that are compared, and its fields, which are for readers of the file only.
  struct Request: Codable, Hashable, Sendable {
    var method: String
    var url: String
    var headers: [Field]
    var body: Content?

    /// Returns whether `other` has the same method, URL and body.
    func matches(_ other: Request) -> Bool {
      method == other.method && url == other.url && body == other.body
    }
  }

  struct Response: Codable, Hashable, Sendable {
    var status: Int
    var headers: [Field]
    var body: Content?
  }

  struct Failure: Codable, Hashable, Sendable {
    var code: String
    var phase: String?
    var reason: String?
  }

  struct Exchange: Codable, Hashable, Sendable {
    var request: Request
    var response: Response?
    /// The error that ended the exchange, either before the response or during its body.
    var failure: Failure?
  }

  var version = Cassette.version
  var exchanges: [Exchange] = []
}

extension Cassette.Failure {
  init(_ error: TransportError) {
    code = error.code.kind.rawValue
    phase = error.phase?.rawValue
    reason = error.reason
  }

  var error: TransportError {
    TransportError(
      code: TransportError.Code.Kind(rawValue: code)?.code ?? .other,
      phase: phase.flatMap(TransportError.Phase.init(rawValue:)), reason: reason)
  }
}
