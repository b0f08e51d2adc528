/// A content coding that can be decoded. Source: RFC 9110 §8.4.1, RFC 7932, RFC 8878.
enum ContentCoding: String, CaseIterable {
  case gzip
  case deflate
  case brotli = "br"
  case zstandard = "zstd"

  /// Creates the coding with this name, which must be in lower case. Returns `nil` if it cannot be decoded.
  init?(name: String) {
    // Source: RFC 9110 §8.4.1.3.
    self.init(rawValue: name == "x-gzip" ? "gzip" : name)
    guard Self.available.contains(self) else { return nil }
  }

  /// The codings that can be decoded, because their libraries are installed.
  static let available = allCases.filter { coding in
    switch coding {
    case .gzip, .deflate: true
    case .brotli: BrotliLibrary.shared != nil
    case .zstandard: ZstandardLibrary.shared != nil
    }
  }

  /// Returns a decoder for the coding; `nil` if its library is not installed or memory runs out.
  func makeDecoder() -> (any ContentDecoder)? {
    switch self {
    case .gzip: InflatingDecoder(.gzip)
    case .deflate: InflatingDecoder(.deflate)
    case .brotli: BrotliLibrary.shared.flatMap(BrotliDecoder.init)
    case .zstandard: ZstandardLibrary.shared.flatMap(ZstandardDecoder.init)
    }
  }
}

/// An incremental decoder of one content coding.
protocol ContentDecoder: AnyObject {
  /// Decodes bytes of `input` to `output`, beginning at the start of both, until all input is read or the output is full.
  ///
  /// - Throws: ``MalformedContent`` if the input is not valid in the coding.
  func decode(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(MalformedContent) -> (consumed: Int, produced: Int)

  /// True if the decoded content is complete. If it is false at the end of the input, the input is truncated.
  var isAtEnd: Bool { get }
}

/// The error for bytes that are not valid in the content coding that the message declares.
struct MalformedContent: Error {
  /// A description of the problem.
  let reason: String
}
