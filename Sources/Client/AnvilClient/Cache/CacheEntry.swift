public import AnvilHTTP
internal import AnvilJSON

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A stored response, without its body.
public struct CacheEntry: Sendable, Hashable {
  /// An identifier of this response's body that is unique across storages and processes.
  public let id: UUID
  /// A digest of the credentials and the fields that `Vary` names, which selects the requests that the entry may answer. A URL has one
  /// entry for each variant.
  public let variant: String
  /// The fields that `Vary` names, in lower case and sorted.
  package let varyingFields: [String]
  /// The status code.
  public let status: Int
  /// The header fields, without `Set-Cookie` and hop-by-hop fields.
  public internal(set) var headers: HTTP.Headers {
    didSet { cacheControl = CacheControl(headers) }
  }
  /// The time at which the request for the response was sent. After a validation, the time at which the validating request was sent.
  package internal(set) var requestTime: Date
  /// The time at which the head of the response was received. After a validation, the time at which the head of the 304 was received.
  package internal(set) var responseTime: Date
  /// The length of the body in bytes.
  public let bodyLength: Int
  /// The directives of `Cache-Control`.
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

  /// The approximate size of the entry with its body in bytes, which counts against the limit of a storage.
  public var size: Int {
    headers.reduce(bodyLength + 256) { $0 + $1.key.rawValue.utf8.count + $1.value.rawValue.utf8.count + 4 }
  }
}

/// The storable form of an entry.
extension CacheEntry {
  /// Returns the encoded entry, which is stored with its body.
  package func encoded() throws -> Data {
    try JSON.Encoder().encode(Stored(self))
  }

  /// Creates an entry from the result of ``encoded()``.
  ///
  /// - Throws: `DecodingError` for invalid data.
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
