public import AnvilHTTP
internal import AnvilJSON

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A response in a cache, without its body.
public struct CacheEntry: Sendable, Hashable {
  /// Tells this response's body from that of any other, in whatever storage and process.
  public let id: UUID
  /// Which requests it may answer: a digest of the credentials and the fields that `Vary` names. A URL has one entry
  /// for each.
  public let variant: String
  /// The fields that `Vary` names, in lower case and in order.
  public let varyingFields: [String]
  /// The status code.
  public let status: Int
  /// The header fields, without `Set-Cookie` and those of the connection that they came over.
  public internal(set) var headers: HTTP.Headers {
    didSet { cacheControl = CacheControl(headers) }
  }
  /// When the request was sent that the response, or its last confirmation, answers.
  public internal(set) var requestTime: Date
  /// When that answer's head had come.
  public internal(set) var responseTime: Date
  /// How many bytes the body has.
  public let bodyLength: Int
  /// What the fields' `Cache-Control` says.
  private(set) var cacheControl: CacheControl

  package init(
    id: UUID = UUID(), variant: String, varyingFields: [String], status: Int, headers: HTTP.Headers,
    requestTime: Date, responseTime: Date, bodyLength: Int
  ) {
    self.id = id
    self.variant = variant
    self.varyingFields = varyingFields
    self.status = status
    self.headers = headers
    self.requestTime = requestTime
    self.responseTime = responseTime
    self.bodyLength = bodyLength
    cacheControl = CacheControl(headers)
  }

  /// About how many bytes the entry takes with its body, by which storages are limited.
  public var size: Int {
    headers.reduce(bodyLength + 256) { $0 + $1.key.rawValue.utf8.count + $1.value.rawValue.utf8.count + 4 }
  }
}

/// The storable form of an entry.
extension CacheEntry {
  /// The entry as bytes, to be kept beside its body.
  package func encoded() throws -> Data {
    try JSON.Encoder().encode(Stored(self))
  }

  /// The entry that ``encoded()`` made bytes of.
  ///
  /// - Throws: `DecodingError` for anything else.
  package init(encoded data: Data) throws {
    self = try JSON.Decoder().decode(Stored.self, from: data).entry
  }

  private struct Stored: Codable {
    var id: UUID
    var variant: String
    var varyingFields: [String]
    var status: Int
    var names: [String]
    var values: [String]
    var requestTime: Double
    var responseTime: Double
    var bodyLength: Int

    init(_ entry: CacheEntry) {
      id = entry.id
      variant = entry.variant
      varyingFields = entry.varyingFields
      status = entry.status
      names = entry.headers.map(\.key.rawValue)
      values = entry.headers.map(\.value.rawValue)
      requestTime = entry.requestTime.timeIntervalSince1970
      responseTime = entry.responseTime.timeIntervalSince1970
      bodyLength = entry.bodyLength
    }

    var entry: CacheEntry {
      CacheEntry(
        id: id, variant: variant, varyingFields: varyingFields, status: status,
        headers: HTTP.Headers(
          zip(names, values).map { HTTP.Headers.Field(.init(rawValue: $0), .init(rawValue: $1)) }),
        requestTime: Date(timeIntervalSince1970: requestTime),
        responseTime: Date(timeIntervalSince1970: responseTime), bodyLength: bodyLength)
    }
  }
}
