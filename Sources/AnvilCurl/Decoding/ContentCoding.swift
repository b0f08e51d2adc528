/// A content coding that can be undone here. Source: RFC 9110 §8.4.1, RFC 7932, RFC 8878.
enum ContentCoding: String, CaseIterable {
  case gzip
  case deflate
  case brotli = "br"
  case zstandard = "zstd"

  /// The coding that a field calls `name`, in lower case, if it can be undone here.
  init?(name: String) {
    // Source: RFC 9110 §8.4.1.3.
    self.init(rawValue: name == "x-gzip" ? "gzip" : name)
    guard Self.available.contains(self) else { return nil }
  }

  /// Those whose libraries are there.
  static let available = allCases.filter { coding in
    switch coding {
    case .gzip, .deflate: true
    case .brotli: BrotliLibrary.shared != nil
    case .zstandard: ZstandardLibrary.shared != nil
    }
  }

  /// What undoes it; `nil` without memory.
  func makeDecoder() -> (any ContentDecoder)? {
    switch self {
    case .gzip: InflatingDecoder(.gzip)
    case .deflate: InflatingDecoder(.deflate)
    case .brotli: BrotliLibrary.shared.flatMap(BrotliDecoder.init)
    case .zstandard: ZstandardLibrary.shared.flatMap(ZstandardDecoder.init)
    }
  }
}

/// Undoes one content coding, piece by piece.
protocol ContentDecoder: AnyObject {
  /// Decodes from the start of `input` to the start of `output`, as far as either lasts.
  ///
  /// - Throws: ``MalformedContent`` for what is not in the coding.
  func decode(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(MalformedContent) -> (consumed: Int, produced: Int)

  /// Whether what was decoded is whole, so that the input may end here.
  var isAtEnd: Bool { get }
}

/// Bytes that are not in the coding that their message states.
struct MalformedContent: Error {
  /// What is wrong with them.
  let reason: String
}
