internal import AnvilBase

/// A form as a sequence of bodies: the header lines and the content of each part, and the closing boundary.
package struct MultipartForm: Sendable, Equatable {
  private let parts: [HTTP.FormPart]
  private let boundary: String

  /// A Boolean value that indicates whether a part is a value to be encoded. The head of such a part has no media type yet.
  let isDeferred: Bool

  /// The error that makes the form unwritable; `nil` if it can be written.
  let error: HTTP.BodyError?

  init(_ parts: [HTTP.FormPart], boundary: String) {
    self.parts = parts
    self.boundary = boundary
    isDeferred = parts.contains { $0.body.isDeferred }
    error = parts.lazy.compactMap(\.error).first
  }

  /// Returns the form with its values encoded, in `format` unless they specify one.
  func encoded(in format: (any EncodingFormat)?) throws(HTTP.BodyError) -> MultipartForm {
    var parts = parts
    for index in parts.indices {
      parts[index].body = try parts[index].body.encoded(in: parts[index].body.ownEncodingFormat ?? format)
    }
    return MultipartForm(parts, boundary: boundary)
  }

  /// The bytes in memory, or the form if it cannot be in memory.
  var storage: HTTP.Body.Storage { data.map(HTTP.Body.Storage.data) ?? .form(self) }

  private var pieces: [HTTP.Body] {
    var pieces: [HTTP.Body] = []
    pieces.reserveCapacity(2 * parts.count + 1)
    var delimiter = "--\(boundary)"
    for part in parts {
      pieces.append(HTTP.Body(delimiter + Self.head(of: part), contentType: nil))
      pieces.append(part.body)
      delimiter = "\r\n--\(boundary)"
    }
    pieces.append(HTTP.Body(delimiter + "--\r\n", contentType: nil))
    return pieces
  }

  /// The number of bytes; `nil` if the length of a part is unknown or the form cannot be written.
  var length: Int? {
    guard error == nil else { return nil }
    var length = 0
    for piece in pieces {
      guard let count = piece.length else { return nil }
      let (sum, overflow) = length.addingReportingOverflow(count)
      guard !overflow else { return nil }
      length = sum
    }
    return length
  }

  /// The bytes; `nil` if a part is not in memory or the form cannot be written.
  var data: Data? {
    guard error == nil, parts.allSatisfy({ $0.body.data != nil }) else { return nil }
    return pieces.reduce(into: Data()) { bytes, piece in bytes.append(piece.data ?? Data()) }
  }

  /// Whether all parts except values to be encoded are in memory.
  var isInMemoryOnceEncoded: Bool { parts.allSatisfy { $0.body.isInMemoryOnceEncoded } }

  var isReplayable: Bool { parts.allSatisfy(\.body.isReplayable) }

  var isReadable: Bool { parts.allSatisfy(\.body.isReadable) }

  func makeChunks() -> any ChunkProducer { PieceChunks(pieces) }

  private static func head(of part: HTTP.FormPart) -> String {
    var head = "\r\nContent-Disposition: form-data; name=\"\(escapeForQuotedString(part.name))\""
    if let filename = part.filename { head += "; filename=\"\(escapeForQuotedString(filename))\"" }
    if let type = part.body.contentType { head += "\r\nContent-Type: \(type.rawValue)" }
    return head + "\r\n\r\n"
  }

  private static func escapeForQuotedString(_ name: String) -> String {
    name.replacingScalars { scalar in
      switch scalar {
      case "\"": "%22"
      case "\r": "%0D"
      case "\n": "%0A"
      default: nil
      }
    }
  }

  static func randomBoundary() -> String {
    "anvil-" + UInt128.random(in: .min ... .max).text(digits: 32, radix: 16)
  }

  /// Without quotation marks. Source: RFC 2046 §5.1.1, except characters that RFC 9110 §5.6.2 does not allow in a token.
  package static func isBoundary(_ text: String) -> Bool {
    (1...70).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        $0.isLetter || $0.isDigit || [.apostrophe, .plus, .minus, .period, .underscore].contains($0)
      }
  }
}

extension HTTP.FormPart {
  /// The reason why the part cannot be written; `nil` if it can.
  fileprivate var error: HTTP.BodyError? {
    if body.contentType?.isValid == false { return .invalidContentType(part: name) }
    return body.contentEncoding.map { .encodedPart(name, coding: $0.rawValue) }
  }
}

/// The chunks of several bodies in sequence. Each body is opened when its turn comes.
private final class PieceChunks: ChunkProducer {
  private var pieces: ArraySlice<HTTP.Body>
  private var current: HTTP.Body.AsyncIterator?

  init(_ pieces: [HTTP.Body]) {
    self.pieces = pieces[...]
  }

  func next() async throws -> Data? {
    while true {
      if let chunk = try await current?.next() { return chunk }
      guard let piece = pieces.popFirst() else { return nil }
      current = piece.makeAsyncIterator()
    }
  }
}
