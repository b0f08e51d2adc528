#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What is wrong, and where; asked for only then.
extension ElementSplitter {
  func position(at offset: Int) -> StreamPosition {
    var position = chunkPosition
    position.advance(over: chunk.bytes, in: 0..<offset)
    return position
  }

  /// How many bytes of the text stand before the next.
  var offset: Int { chunkPosition.offset + at }

  var elementPosition: StreamPosition { pendingPosition ?? position(at: start) }

  func unexpected(_ byte: UInt8, _ expected: String) -> JSON.SyntaxError {
    // The first two characters of an array are ASCII: a NUL among them, or half a mark, is UTF-16 or UTF-32.
    if (offset < 2 && byte == 0) || (offset == 0 && byte >= 0xFE) { return StreamPosition().error(.invalidEncoding) }
    return position(at: at).error(.unexpectedByte(byte, expected: expected))
  }

  /// What is wrong with `bytes`, an element that is not whole; `nil` where nothing is, as in half a number.
  func firstError(inUnfinished bytes: Data) -> JSON.SyntaxError? {
    Self.firstError(in: bytes).map { locating($0, in: bytes) }
  }

  /// Why `bytes` are not JSON; `nil` when they are.
  static func firstError(in bytes: Data) -> JSON.SyntaxError? {
    do throws(JSON.SyntaxError) {
      _ = try Document.parse(
        bytes.bytes, options: JSON.ParsingOptions(depthLimit: .max), for: .call, in: .utf8WithoutMark)
      return nil
    } catch {
      return error
    }
  }

  /// The error that `error`, which the element's bytes alone are found to have, is in the whole text.
  func locating(_ error: JSON.SyntaxError, in bytes: Data) -> JSON.SyntaxError {
    var error = error
    if error.code == .unexpectedEnd, at < chunk.count,
      let other = Self.firstError(in: bytes + chunk.slice(at..<(at + 1)))
    {
      // A name or a number that is cut off by what stands behind it.
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
          ? "The text is not in UTF-8." : "The text is not an array in JSON: \(error)",
        underlyingError: error))
  }
}
