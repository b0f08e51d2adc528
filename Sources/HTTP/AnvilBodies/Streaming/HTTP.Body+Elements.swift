public import AnvilBase
public import AnvilHTTP
package import AnvilJSON

extension HTTP.Body {
  /// Returns the elements of a body that is a JSON array, decoded as they arrive.
  ///
  ///     for try await user in response.body.elements(of: User.self) { … }
  ///
  /// An element is available as soon as it is complete: a string, an array or an object with its last byte, a number or a literal
  /// name with the following byte. A chunk is read only when the next element is not available yet. At most an element and a chunk
  /// are in memory. An element that lies within one chunk is decoded without copying it.
  ///
  /// The text is validated as strictly as a complete document: the sequence ends without an error only if the array is closed and
  /// only white space follows. The text must be UTF-8, with or without a byte order mark; UTF-16 and UTF-32 are rejected. The array
  /// must be JSON even if the format reads JSON5. The format decodes each element as a separate document.
  ///
  /// A body whose media type is not JSON, such as the page of a proxy, is an error before its first element. Without a type, and with
  /// `text/plain`, `application/octet-stream` or a type that is not known, the body is read. If a server states a wrong type, set the body's
  /// `contentType` to `nil`. `decode(as:)` reads a document of any type, because a page is not JSON as a whole.
  ///
  /// Reading throws
  /// - `DecodingError`, whose path begins with the element's index. If the text is not JSON, not an array or truncated, the error is
  ///   `dataCorrupted` with an underlying `JSON.SyntaxError`. Its offset, line and column refer to the whole body (a format other than
  ///   `JSON.Decoder` reports errors within an element in a different way);
  /// - `dataCorrupted` with the code `tooLarge` for an element of more than `limit` bytes, and with `tooDeep` if more containers are
  ///   nested than the `JSON.Decoder` allows, including the array (512 by default);
  /// - `dataCorrupted` with the underlying error ``HTTP/BodyError/notJSON(contentType:)`` for a body of another media type;
  /// - any other error thrown by the type's `init(from:)` or by reading the body,
  /// - if the task is cancelled, `CancellationError` or, for the body of a response, the transport's error with the code `cancelled`.
  ///
  /// The sequence ends after an error. To continue after an element that is valid JSON but not a valid `Value`, use
  /// ``Values/results``. Invalid JSON ends the results as well, because the start of the next element cannot be found.
  ///
  /// - Parameters:
  ///   - format: The format of an element; ``decodingFormat`` if `nil`.
  ///   - limit: The maximum number of bytes of an element, by default 16 MiB.
  public func elements<Value: Decodable>(
    of type: Value.Type, with format: (any DecodingFormat)? = nil, sizeLimit limit: Int = 16 << 20
  ) -> Values<Value, any Error> {
    Values { [format = format ?? decodingFormat] in ElementReader(self, format: format, limit: limit) }
  }
}

package struct ElementReader: ValueReader {
  private var elements: PieceReader<ElementSplitter>
  private let format: any DecodingFormat

  package init(_ body: HTTP.Body, format: any DecodingFormat, limit: Int) {
    let options = (format as? JSON.Decoder)?.parsingOptions ?? JSON.ParsingOptions()
    elements = PieceReader(json: body, ElementSplitter(sizeLimit: limit, depthLimit: options.depthLimit))
    self.format = format
  }

  package mutating func next() async throws -> ElementSplitter.Element? {
    try await elements.next()
  }

  /// The error of an element that is valid JSON but cannot be decoded is returned. Errors after which the start of the next
  /// element cannot be found are thrown.
  mutating func next<Value: Decodable>(as type: Value.Type) async throws -> Result<Value, any Error>? {
    guard let element = try await elements.next() else { return nil }
    do {
      return .success(try format.decode(type, from: element.bytes))
    } catch {
      let located = elements.splitter.locating(error, in: element)
      if elements.splitter.isJSON(element) { return .failure(located) }
      elements.stop()
      throw located
    }
  }

  /// Returns `error` with a path that starts with the index of the element.
  package static func locating(_ error: DecodingError, at index: Int) -> DecodingError {
    error.inElement(index) { _ in nil }
  }

  mutating func stop() {
    elements.stop()
  }
}

extension HTTP.Body {
  /// Returns the values of a body with one JSON value per line, decoded as they arrive.
  ///
  ///     for try await event in response.body.jsonLines(of: LogEvent.self) { … }
  ///
  /// Lines end with LF or CR LF; the end of the last line may be missing. Blank lines are skipped, and a UTF-8 byte order mark at the
  /// start is ignored. A chunk is read only when the next value is not available yet. At most a line and a chunk are in memory.
  ///
  /// Reading throws ``HTTP/ValueDecodingError`` for a line that cannot be decoded, ``HTTP/BodyError/lineTooLong(line:limit:)``, errors of
  /// reading the body, and the errors of a cancelled task and of another media type, as for ``elements(of:with:sizeLimit:)``. The sequence
  /// ends after an error. To continue after a line that cannot be decoded, use ``Values/results``.
  ///
  /// Source: JSON Lines 1.0 (jsonlines.org); ndjson-spec 1.0.
  ///
  /// - Parameters:
  ///   - format: The format of a line; ``decodingFormat`` if `nil`.
  ///   - limit: The maximum number of bytes of a line, by default 16 MiB.
  public func jsonLines<Value: Decodable>(
    of type: Value.Type, with format: (any DecodingFormat)? = nil, sizeLimit limit: Int = 16 << 20
  ) -> Values<Value, HTTP.ValueDecodingError> {
    Values { [format = format ?? decodingFormat] in
      NumberedReader(self, LineSplitter(ends: .lineFeed, limit: limit), format: format)
    }
  }

  /// Returns the values of the body, which is a JSON text sequence (`application/json-seq`), decoded as they arrive.
  ///
  ///     for try await event in response.body.jsonSequence(of: LogEvent.self) { … }
  ///
  /// Each record follows a record separator (U+001E) and ends with a line feed; it may contain line feeds. A chunk is read only when
  /// the next value is not available yet. At most a record and a chunk are in memory.
  ///
  /// Reading throws
  /// - ``HTTP/ValueDecodingError`` for a record that cannot be decoded. A number, `true`, `false` or `null` that is not followed by
  ///   white space may have been truncated: the underlying error is ``HTTP/BodyError/recordTruncated``. For text before the first
  ///   separator it is ``HTTP/BodyError/recordNotSeparated``;
  /// - ``HTTP/BodyError/recordTooLong(record:limit:)``, errors of reading the body, and the errors of a cancelled task and of another media
  ///   type, as for ``elements(of:with:sizeLimit:)``.
  ///
  /// The sequence ends after an error. To continue after a record that cannot be decoded, use ``Values/results``.
  ///
  /// Source: RFC 7464.
  ///
  /// - Parameters:
  ///   - format: The format of a record; ``decodingFormat`` if `nil`.
  ///   - limit: The maximum number of bytes of a record, by default 16 MiB.
  public func jsonSequence<Value: Decodable>(
    of type: Value.Type, with format: (any DecodingFormat)? = nil, sizeLimit limit: Int = 16 << 20
  ) -> Values<Value, HTTP.ValueDecodingError> {
    Values { [format = format ?? decodingFormat] in NumberedReader(self, RecordSplitter(limit: limit), format: format) }
  }
}

/// Reads the values of a body that has one in each line, or in each record.
struct NumberedReader<Splitter: NumberedSplitter>: ValueReader {
  private var pieces: PieceReader<Splitter>
  private let format: any DecodingFormat

  init(_ body: HTTP.Body, _ splitter: Splitter, format: any DecodingFormat) {
    pieces = PieceReader(json: body, splitter)
    self.format = format
  }

  mutating func next<Value: Decodable>(
    as type: Value.Type
  ) async throws -> Result<Value, HTTP.ValueDecodingError>? {
    while let piece = try await pieces.next() {
      do {
        guard try pieces.splitter.isValue(piece) else { continue }
        return .success(try format.decode(type, from: piece))
      } catch {
        return .failure(
          HTTP.ValueDecodingError(
            number: pieces.splitter.count, offset: pieces.splitter.pieceOffset, underlyingError: error,
            unit: Splitter.unit))
      }
    }
    return nil
  }

  mutating func stop() {
    pieces.stop()
  }
}

/// A splitter whose pieces are JSON texts.
protocol NumberedSplitter: ChunkSplitter where Piece == Data {
  /// The name of a piece.
  static var unit: String { get }
  /// The number of pieces that have been returned.
  var count: Int { get }
  /// The number of bytes of the text before the piece that was returned last.
  var pieceOffset: Int { get }
  /// Returns whether the piece that was returned last is to be decoded. Throws an error if it is damaged.
  func isValue(_ piece: Data) throws(HTTP.BodyError) -> Bool
}

extension LineSplitter: NumberedSplitter {
  static var unit: String { "line" }

  func isValue(_ line: Data) -> Bool {
    !line.allSatisfy { $0 == .space || $0 == .tab || $0 == .carriageReturn }
  }
}

extension RecordSplitter: NumberedSplitter {
  static var unit: String { "record" }

  func isValue(_ record: Data) throws(HTTP.BodyError) -> Bool {
    guard isSeparated else { throw .recordNotSeparated }
    guard !record.isOpenEnded else { throw .recordTruncated }
    return true
  }
}

extension Data {
  /// A Boolean value that indicates whether the record is a number or a literal name such as `true` without following white space. Such a
  /// record may have been truncated. Arrays, objects and strings have an explicit end. Source: RFC 7464 §2.4.
  fileprivate var isOpenEnded: Bool {
    guard let first = first(where: { !$0.isJSONWhitespace }), let last else { return false }
    let isDelimited = first == .openBrace || first == .openBracket || first == .quote
    return !isDelimited && !last.isJSONWhitespace
  }
}

/// Splits a JSON text sequence that arrives in chunks into records, with at most a record and a chunk in memory.
///
/// A record starts after a record separator and ends before the next one or at the end of the text. Adjacent separators enclose no
/// record. White space and a byte order mark before the first separator are ignored. Source: RFC 7464 §2.1.
struct RecordSplitter {
  private static let separator: UInt8 = 0x1E

  private let limit: Int
  private var chunk = Data()
  /// The number of bytes of the chunk that have been read.
  private var position = 0
  /// The part of the current record that arrived before the chunk.
  private var pending = Data()
  private var pendingIsSeparated = false

  private(set) var count = 0
  /// The number of bytes of the text before the record that was returned last.
  private(set) var pieceOffset = 0
  /// A Boolean value that indicates whether the record that was returned last was preceded by a separator.
  private(set) var isSeparated = false
  /// The number of bytes of the text that have been read.
  private var offset = 0

  init(limit: Int) {
    self.limit = max(0, limit)
  }

  mutating func append(_ chunk: Data) {
    assert(position == self.chunk.count)
    self.chunk = chunk
    position = 0
  }

  /// - Throws: ``HTTP/BodyError/recordTooLong(record:limit:)``; the splitter must not be used afterwards.
  mutating func next() throws(HTTP.BodyError) -> Data? {
    while position < chunk.count {
      let separator = chunk.offset(of: Self.separator, from: position)
      let part = chunk[(chunk.startIndex + position)..<(chunk.startIndex + (separator ?? chunk.count))]
      guard part.count <= limit - pending.count else { throw .recordTooLong(record: count + 1, limit: limit) }
      position += part.count
      offset += part.count
      guard separator != nil else {
        pending.append(part)
        return nil
      }
      let record = takeRecord(endingWith: part)
      position += 1
      offset += 1
      pendingIsSeparated = true
      if let record { return record }
    }
    return nil
  }

  mutating func finish() -> Data? {
    takeRecord(endingWith: Data())
  }

  /// `nil` if the text between two separators is empty, or if the text before the first separator is blank.
  private mutating func takeRecord(endingWith part: Data) -> Data? {
    var record = part
    if !pending.isEmpty {
      record = Data()
      swap(&record, &pending)
      record.append(part)
    }
    let isIgnored = pendingIsSeparated ? record.isEmpty : record.isBlankAfterByteOrderMark
    guard !isIgnored else { return nil }
    pieceOffset = offset - record.count
    isSeparated = pendingIsSeparated
    count += 1
    return record
  }
}

extension Data {
  /// A Boolean value that indicates whether the data is empty or only white space, optionally after a byte order mark.
  fileprivate var isBlankAfterByteOrderMark: Bool {
    (starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self).allSatisfy(\.isJSONWhitespace)
  }
}

extension HTTP {
  /// The error for a line or a record of a body that could not be decoded.
  public struct ValueDecodingError: Error {
    /// The number of the line or record, counted from 1. Blank lines count.
    public let number: Int
    /// The number of bytes of the body before the line, or before the record including its separator.
    public let offset: Int
    /// The reason: usually a `DecodingError`, whose positions are relative to the line or record. For a damaged record it is
    /// ``HTTP/BodyError/recordTruncated`` or ``HTTP/BodyError/recordNotSeparated``.
    public let underlyingError: any Error
    /// The name of the part that the number counts.
    fileprivate let unit: String
  }
}

extension HTTP.ValueDecodingError: CustomStringConvertible, LocalizedError {
  /// The line or record, and the position in it where decoding failed, without values; safe to log.
  public var description: String {
    let reason =
      (underlyingError as? DecodingError)?.summary ?? (underlyingError as? HTTP.BodyError)?.description
      ?? "\(type(of: underlyingError))"
    return "\(unit) \(number) (byte \(offset)) cannot be decoded: \(reason)"
  }

  /// The same text as ``HTTP/ValueDecodingError/description``.
  public var errorDescription: String? { description }
}
