public import AnvilBase

extension HTTP {
  /// An error of reading or encoding a body.
  @nonexhaustive
  public enum BodyError: Error, Hashable, CustomStringConvertible {
    /// The body is a file, a stream, or a form that contains one, so its bytes are not in memory. Call `collect` first.
    ///
    /// What to do: call `collect` first.
    case notCollected
    /// The body is a stream that was already read.
    ///
    /// What to do: read the stream once, or collect it and keep the data.
    case alreadyConsumed
    /// The body has more than `limit` bytes.
    ///
    /// What to do: stream the body, or raise the limit.
    case tooLarge(limit: Int)
    /// A value of this type cannot be encoded.
    ///
    /// What to do: correct the value: `reason` names its location.
    case unencodable(type: String, reason: String)
    /// The body was announced with `expected` bytes, but has `found` bytes: a stream has another length than it declares, or a file has changed
    /// while it was sent. If `found` is the larger number, there may be even more.
    ///
    /// What to do: declare the right length, or none; do not change a file while it is sent.
    case wrongLength(expected: Int, found: Int)
    /// The file could not be opened or read; `reason` is usually the system's message.
    ///
    /// What to do: check the path and the permissions.
    case unreadableFile(name: String, reason: String)
    /// The media type of this form part contains a control character, which would split the part.
    ///
    /// What to do: correct the media type.
    case invalidContentType(part: String)
    /// This form part has the content coding `coding`, such as `gzip`, which a part has no field for, so the server would not decode it.
    /// Source: RFC 7578 §4.8.
    ///
    /// What to do: compress the whole form. To send the compressed bytes as such, set the part's `contentEncoding` to `nil` and its media
    /// type to that of the bytes, such as `application/gzip`.
    case encodedPart(_ part: String, coding: String)
    /// The line with this number, counted from 1, has more than `limit` bytes.
    ///
    /// What to do: check that the body has lines; raise the limit.
    case lineTooLong(line: Int, limit: Int)
    /// The record with this number, counted from 1, has more than `limit` bytes.
    ///
    /// What to do: check that the body is a JSON text sequence; raise the limit.
    case recordTooLong(record: Int, limit: Int)
    /// A record ends with a number or a literal name that is not followed by white space. It may have been truncated.
    ///
    /// What to do: treat the records before it as complete, and request the rest again.
    case recordTruncated
    /// There is text before the first record separator.
    ///
    /// What to do: check that the body is a JSON text sequence; lines need no separator.
    case recordNotSeparated
    /// There was not enough memory to compress the body.
    ///
    /// What to do: send the body uncompressed.
    case compressionFailed
    /// A server-sent event, or one of its lines, has more than `limit` bytes.
    ///
    /// What to do: check that the body is an event stream; raise the limit.
    case eventTooLarge(limit: Int)
    /// The body is not a stream of server-sent events: it has the media type `contentType`, or it has no type that excludes events, but no
    /// event, and lines that are not fields of events.
    ///
    /// What to do: read the body, which is often the API's explanation; check the URL and the `Accept` of the request.
    case notAnEventStream(contentType: String?)
    /// The values of a JSON array, of lines of JSON or of a JSON text sequence are read from a body with the media type `contentType`, which
    /// is not JSON. It is the underlying error of a `DecodingError`.
    ///
    /// What to do: read the body, which is often the page of a proxy; check the URL. If the server states a wrong type, set the body's
    /// `contentType` to `nil`.
    case notJSON(contentType: String)

    /// A description of the error that is safe to log.
    public var description: String {
      switch self {
      case .notCollected: "the body is a stream or a file: collect it before decoding"
      case .alreadyConsumed: "the body is a stream that was already read"
      case .tooLarge(let limit): "the body has more than \(limit) bytes"
      case .unencodable(let type, let reason): "a value of type \(type) cannot be encoded: \(reason.loggable)"
      case .wrongLength(let expected, let found): "the body was announced with \(expected) bytes but had \(found)"
      case .unreadableFile(let name, let reason): "the file \(name) cannot be read: \(reason)"
      case .invalidContentType(let part): "the media type of the form's part \(part.loggable) has a control character"
      case .encodedPart(let part, let coding):
        "the form's part \(part.loggable) has the content coding \(coding.loggable), which a part cannot state"
      case .lineTooLong(let line, let limit): "line \(line) has more than \(limit) bytes"
      case .recordTooLong(let record, let limit): "record \(record) has more than \(limit) bytes"
      case .recordTruncated: "the record may be truncated: its number or literal name is not followed by white space"
      case .recordNotSeparated: "there is text before the first record separator"
      case .compressionFailed: "there is not enough memory to compress the body"
      case .eventTooLarge(let limit): "a server-sent event has more than \(limit) bytes"
      case .notAnEventStream(let type?):
        "the body is not an event stream: expected text/event-stream, found \(type.loggable)"
      case .notAnEventStream(nil):
        "the body is not an event stream: it has no event, and a line that is not a field of an event"
      case .notJSON(let type): "the body is not JSON: its media type is \(type.loggable)"
      }
    }
  }
}

extension HTTP.BodyError: LocalizedError {
  /// The same text as ``HTTP/BodyError/description``.
  public var errorDescription: String? { description }
}
