internal import AnvilBase
internal import AnvilHTTP
internal import AnvilJSON

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A record that is stored with a partial file, so that a later download can resume it.
struct DownloadRecord: Codable, Hashable, Sendable {
  /// The version of the format. Other versions are not read.
  private static let currentFormat = 1

  private var format = currentFormat
  /// A hash that identifies the request without revealing secrets of its URL.
  private let source: String
  private let validator: String
  /// The total number of bytes, if it is known.
  var total: Int?
  /// The number of bytes that are on the disk.
  var count: Int
  /// The least total number of bytes, because a range with the validator ended there; `nil` if no range exceeds ``count``.
  private(set) var leastCount: Int?

  /// Creates a record for the first `count` bytes of the resource in the state that `validator` identifies.
  init(source: String, validator: StrongValidator, total: Int?, count: Int, leastCount: Int? = nil) {
    self.source = source
    self.validator = validator.value
    self.total = total
    self.count = count
    self.leastCount = leastCount
  }

  /// Returns the record in `data` and its validator, if it belongs to `source` and to a file of `size` bytes; otherwise `nil`.
  static func read(
    _ data: Data, source: String, size: Int
  ) -> (record: DownloadRecord, validator: StrongValidator)? {
    guard let record = try? JSON.Decoder().decode(DownloadRecord.self, from: data), record.format == currentFormat,
      record.source == source, record.count > 0, record.count <= size, record.count <= record.total ?? .max,
      let validator = StrongValidator(kept: record.validator)
    else { return nil }
    return (record, validator)
  }

  /// The encoded record.
  var data: Data? { try? JSON.Encoder().encode(self) }

  /// Returns a hash of the parts of `request` that identify the resource and may select a representation. The parts are hashed because URLs
  /// can contain secrets.
  ///
  /// Fields are included because a `Last-Modified` date does not distinguish representations. Source: RFC 9110 §12.1.
  static func source(of request: HTTP.Request) -> String {
    let chosen = [HTTP.HeaderKey.accept, .acceptLanguage].map { request.headers[$0]?.rawValue ?? "" }
    let text = ([request.method.rawValue, request.url.absoluteString] + chosen).joined(separator: "\n")
    return String(FNV1a(text.utf8).value, radix: 16)
  }
}
