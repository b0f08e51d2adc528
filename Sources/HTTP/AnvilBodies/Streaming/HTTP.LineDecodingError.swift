public import AnvilHTTP

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP {
  /// The error for a line of a body that could not be decoded.
  public struct LineDecodingError: Error {
    /// The number of the line, counted from 1 and including blank lines.
    public let line: Int
    /// The number of bytes of the body before the line.
    public let offset: Int
    /// The reason: usually a `DecodingError`, whose positions are relative to the line.
    public let underlyingError: any Error
  }
}

extension HTTP.LineDecodingError: CustomStringConvertible {
  /// The line, and the position in it where decoding failed, without values; safe to log.
  public var description: String {
    let reason = (underlyingError as? DecodingError)?.summary ?? "\(type(of: underlyingError))"
    return "line \(line) (byte \(offset)) cannot be decoded: \(reason)"
  }
}

extension HTTP.LineDecodingError: LocalizedError {
  /// The same text as ``HTTP/LineDecodingError/description``.
  public var errorDescription: String? { description }
}
