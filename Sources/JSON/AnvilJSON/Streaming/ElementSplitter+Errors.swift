#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Errors and their locations. They are computed only after parsing has failed.
extension ElementSplitter {
  func position(at offset: Int) -> StreamPosition {
    var position = chunkPosition
    position.advance(over: chunk.bytes, in: 0..<offset)
    return position
  }

  /// The offset of the next byte in the whole text.
  var offset: Int { chunkPosition.offset + at }

  var elementPosition: StreamPosition { pendingPosition ?? position(at: start) }

  func unexpected(_ byte: UInt8, _ expected: String) -> JSON.SyntaxError {
    // The first two characters of an array are ASCII, so a NUL among them, or half a byte-order mark, means UTF-16 or UTF-32.
    if (offset < 2 && byte == 0) || (offset == 0 && byte >= 0xFE) { return StreamPosition().error(.invalidEncoding) }
    return position(at: at).error(.unexpectedByte(byte, expected: expected))
  }

  /// Returns the error in `bytes`, an incomplete element; `nil` if they may still become valid, such as an incomplete
  /// number.
  func firstError(inUnfinished bytes: Data) -> JSON.SyntaxError? {
    Self.firstError(in: bytes).map { locating($0, in: bytes) }
  }

  /// Returns the error that makes `bytes` invalid JSON; `nil` if they are valid.
  @inline(never)
  static func firstError(in bytes: Data) -> JSON.SyntaxError? {
    do throws(JSON.SyntaxError) {
      _ = try Document.parse(
        bytes.bytes, options: JSON.ParsingOptions(depthLimit: .max), for: .call, in: .utf8WithoutMark)
      return nil
    } catch {
      return error
    }
  }

  /// Converts `error`, which was found in the bytes of the element, to an error in the whole text.
  func locating(_ error: JSON.SyntaxError, in bytes: Data) -> JSON.SyntaxError {
    var error = error
    if error.code == .unexpectedEnd, at < chunk.count,
      let other = Self.firstError(in: bytes + chunk.slice(at..<(at + 1)))
    {
      // The next byte makes the unfinished name or number invalid.
      error = other
    }
    if error.code == .trailingContent, let byte = bytes.slice(error.offset..<bytes.count).first {
      error = JSON.SyntaxError(
        code: .unexpectedByte(byte, expected: "',' or ']'"), offset: error.offset, line: error.line,
        column: error.column)
    }
    return elementPosition.locating(error)
  }

  func decodingError(_ error: JSON.SyntaxError) -> DecodingError {
    let isOtherEncoding = error.code == .invalidEncoding && error.offset == 0
    return .dataCorrupted(
      DecodingError.Context(
        codingPath: isInElement ? [DecodingKey(intValue: index)] : [],
        debugDescription: isOtherEncoding
          ? "The text is not in UTF-8." : "The text is not a JSON array: \(error)",
        underlyingError: error))
  }
}
