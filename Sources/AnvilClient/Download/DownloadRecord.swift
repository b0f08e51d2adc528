internal import AnvilHTTP
internal import AnvilJSON

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What is kept beside the first part of a file, so that a later download can go on with it.
struct DownloadRecord: Codable, Hashable, Sendable {
  /// How the record is laid out; another is not read.
  private static let currentFormat = 1

  private var format = currentFormat
  /// What was asked for, in a form that tells no secret.
  private let source: String
  private let validator: String
  /// How many bytes there are in all, where that is known.
  var total: Int?
  /// How many bytes have reached the disk.
  var count: Int

  /// The record of `count` bytes of what `validator` stands for.
  init(source: String, validator: StrongValidator, total: Int?, count: Int) {
    self.source = source
    self.validator = validator.value
    self.total = total
    self.count = count
  }

  /// The record in `data`, and its validator, if it is one of `source` that `size` bytes can belong to; otherwise `nil`.
  static func read(
    _ data: Data, source: String, size: Int
  ) -> (record: DownloadRecord, validator: StrongValidator)? {
    guard let record = try? JSON.Decoder().decode(DownloadRecord.self, from: data), record.format == currentFormat,
      record.source == source, record.count > 0, record.count <= size, record.count <= record.total ?? .max,
      let validator = StrongValidator(kept: record.validator)
    else { return nil }
    return (record, validator)
  }

  /// The record as it is kept.
  var data: Data? { try? JSON.Encoder().encode(self) }

  /// What `request` asks for, with what may choose between representations: a hash, as URLs can hold secrets.
  ///
  /// A date as validator does not tell representations apart. Source: RFC 9110 §12.1; FNV-1a of 64 bits, by Fowler, Noll and Vo.
  static func source(of request: HTTP.Request) -> String {
    let chosen = [HTTP.HeaderKey.accept, .acceptLanguage].map { request.headers[$0]?.rawValue ?? "" }
    let text = ([request.method.rawValue, request.url.absoluteString] + chosen).joined(separator: "\n")
    let hash = text.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return String(hash, radix: 16)
  }
}
