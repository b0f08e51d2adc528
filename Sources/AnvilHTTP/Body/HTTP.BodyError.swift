#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP {
  /// Why a body could not be read.
  @nonexhaustive
  public enum BodyError: Error, Hashable, CustomStringConvertible {
    /// The body is a file or a stream and its bytes are not in memory: `collect` it first.
    case notCollected
    /// The body is a stream that was read before.
    case alreadyConsumed
    /// The body has more than `limit` bytes.
    case tooLarge(limit: Int)
    /// A value of the type of this name cannot be encoded.
    case unencodable(type: String, reason: String)
    /// The stream gave `found` bytes, or more, and had promised `expected`.
    case wrongLength(expected: Int, found: Int)
    /// The file could not be opened or read; `reason` is the system's.
    case unreadableFile(name: String, reason: String)
    /// The media type of the form's part of this name has a control character, which would split the part.
    case invalidContentType(part: String)
    /// The body's line of this number, counted from 1, has more than `limit` bytes.
    case lineTooLong(line: Int, limit: Int)
    /// The body's record of this number, counted from 1, has more than `limit` bytes.
    case recordTooLong(record: Int, limit: Int)
    /// A number or a name ends a record without white space behind it: the record may have been cut off.
    case recordTruncated
    /// Text stands before the first record separator.
    case recordNotSeparated
    /// There was not enough memory to compress the body.
    case compressionFailed
    /// A server-sent event, or a line of it, has more than `limit` bytes.
    case eventTooLarge(limit: Int)

    /// What went wrong, in a sentence that is safe to log.
    public var description: String {
      switch self {
      case .notCollected: "the body is a stream or a file: collect it before decoding"
      case .alreadyConsumed: "the body is a stream that was read before"
      case .tooLarge(let limit): "the body has more than \(limit) bytes"
      case .unencodable(let type, let reason): "a value of type \(type) cannot be encoded: \(reason.loggable)"
      case .wrongLength(let expected, let found): "the stream promised \(expected) bytes and gave \(found)"
      case .unreadableFile(let name, let reason): "the file \(name) cannot be read: \(reason)"
      case .invalidContentType(let part): "the media type of the form's part \(part.loggable) has a control character"
      case .lineTooLong(let line, let limit): "line \(line) has more than \(limit) bytes"
      case .recordTooLong(let record, let limit): "record \(record) has more than \(limit) bytes"
      case .recordTruncated: "the record may have been cut off: no white space follows its number or name"
      case .recordNotSeparated: "no record separator stands before the text"
      case .compressionFailed: "there is not enough memory to compress the body"
      case .eventTooLarge(let limit): "a server-sent event has more than \(limit) bytes"
      }
    }
  }
}

extension HTTP.BodyError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}
