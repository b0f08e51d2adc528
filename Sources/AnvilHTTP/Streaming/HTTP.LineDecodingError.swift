#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP {
  /// A line of a body did not become the value that was asked for.
  public struct LineDecodingError: Error {
    /// The line's number, counted from 1, blank ones included.
    public let line: Int
    /// Bytes of the body before the line.
    public let offset: Int
    /// Why: mostly a `DecodingError`, whose places are those in the line.
    public let underlyingError: any Error
  }
}

extension HTTP.LineDecodingError: CustomStringConvertible {
  /// Which line and where in it decoding stopped, without values: safe to log.
  public var description: String {
    let reason = (underlyingError as? DecodingError)?.summary ?? "\(type(of: underlyingError))"
    return "line \(line) (byte \(offset)) cannot be decoded: \(reason)"
  }
}

extension HTTP.LineDecodingError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}
