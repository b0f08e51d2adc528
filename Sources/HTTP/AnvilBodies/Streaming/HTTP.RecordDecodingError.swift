public import AnvilHTTP

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP {
  /// The error for a record of a JSON text sequence that could not be decoded.
  public struct RecordDecodingError: Error {
    /// The number of the record, counted from 1.
    public let record: Int
    /// The number of bytes of the body before the record, including the separator.
    public let offset: Int
    /// The reason: usually a `DecodingError`, whose positions are relative to the record. For a damaged record it is
    /// ``HTTP/BodyError/recordTruncated`` or ``HTTP/BodyError/recordNotSeparated``.
    public let underlyingError: any Error
  }
}

extension HTTP.RecordDecodingError: CustomStringConvertible {
  /// The record, and the position in it where decoding failed, without values; safe to log.
  public var description: String {
    let reason =
      (underlyingError as? DecodingError)?.summary ?? (underlyingError as? HTTP.BodyError)?.description
      ?? "\(type(of: underlyingError))"
    return "record \(record) (byte \(offset)) cannot be decoded: \(reason)"
  }
}

extension HTTP.RecordDecodingError: LocalizedError {
  /// The same text as ``HTTP/RecordDecodingError/description``.
  public var errorDescription: String? { description }
}
