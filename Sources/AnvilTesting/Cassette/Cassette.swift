internal import AnvilClient
internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The exchanges of a recording as its file has them, secrets left out.
struct Cassette: Codable, Sendable {
  /// The version of the file's format.
  static let version = 1

  struct Field: Codable, Hashable, Sendable {
    var name: String
    var value: String
  }

  /// Bytes: as text where they are text, for a person to read and for differences to be seen.
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

  /// A request as far as it is compared, and its fields for who reads the file.
  struct Request: Codable, Hashable, Sendable {
    var method: String
    var url: String
    var headers: [Field]
    var body: Content?

    /// Whether `other` is the same request: by method, URL and body.
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
    /// Why there is no response, or not the whole of it.
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
