/// A content coding that can be decoded. Source: RFC 9110 §8.4.1, RFC 7932, RFC 8878.
enum ContentCoding: String, CaseIterable {
  case gzip
  case deflate
  case brotli = "br"
  case zstandard = "zstd"

  /// Creates the coding with this name, in lower case, if it can be decoded.
  init?(name: String) {
    // Source: RFC 9110 §8.4.1.3.
    self.init(rawValue: name == "x-gzip" ? "gzip" : name)
    guard Self.available.contains(self) else { return nil }
  }

  /// The codings whose libraries are installed.
  static let available = allCases.filter { coding in
    switch coding {
    case .gzip, .deflate: true
    case .brotli: BrotliLibrary.shared != nil
    case .zstandard: ZstandardLibrary.shared != nil
    }
  }

  /// Returns a decoder for the coding; `nil` if memory runs out.
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
  /// Decodes from the start of `input` to the start of `output`, until either is used up.
  ///
  /// - Throws: ``MalformedContent`` if the input is not valid in the coding.
  func decode(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(MalformedContent) -> (consumed: Int, produced: Int)

  /// True if the decoded content is complete, so that the input may end here.
  var isAtEnd: Bool { get }
}

/// An error for bytes that are not in the coding that their message declares.
struct MalformedContent: Error {
  /// A description of the problem.
  let reason: String
}
