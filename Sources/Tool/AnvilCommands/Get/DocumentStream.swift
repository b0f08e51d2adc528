internal import Anvil
internal import AnvilHTTP
internal import Foundation

/// The JSON texts of a stream: the data of server-sent events, or the lines that are not blank.
struct DocumentStream {
  private enum Source {
    case events(HTTP.Body.Events.AsyncIterator)
    case lines(HTTP.Body.Lines.AsyncIterator)
  }

  private var source: Source

  init(_ response: HTTP.Response) {
    source =
      response.isEventStream
      ? .events(response.body.events.makeAsyncIterator()) : .lines(response.body.lines.makeAsyncIterator())
  }

  /// Returns the next text, or `nil` at the end. `[DONE]` also ends the stream, because several model servers send it.
  mutating func next() async throws -> String? {
    while let text = try await nextText() {
      if !text.allSatisfy(\.isWhitespace), text != "[DONE]" { return text }
    }
    return nil
  }

  private mutating func nextText() async throws -> String? {
    switch source {
    case .events(var iterator):
      let event = try await iterator.next()
      source = .events(iterator)
      return event?.data
    case .lines(var iterator):
      let line = try await iterator.next()
      source = .lines(iterator)
      return line
    }
  }
}

extension HTTP.Response {
  private var mediaType: String {
    headers[.contentType]?.mediaType ?? ""
  }

  /// True if the body is a stream of server-sent events.
  var isEventStream: Bool { mediaType == "text/event-stream" }

  /// True if the body has a JSON document in each line.
  var hasLines: Bool {
    [
      "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines",
      "application/jsonlines",
    ]
    .contains(mediaType)
  }

  /// True if the body is a stream of documents.
  var hasDocuments: Bool { isEventStream || hasLines }

  /// True if the media type of the body is JSON.
  var isJSON: Bool { mediaType == "application/json" || mediaType.hasSuffix("+json") }
}

extension Data {
  /// True if the first character that is not blank begins an object or an array. Also true if all characters are blank,
  /// because such a character may follow.
  var looksLikeJSON: Bool {
    guard let first = first(where: { $0 > 0x20 }) else { return true }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }

  /// Returns `true` for binary data: it contains a NUL or is not valid UTF-8. A character that is cut off at the end
  /// counts as valid.
  ///
  /// - Parameter follows: True if the bytes may begin within a character, as in a later chunk.
  func isBinary(follows: Bool) -> Bool {
    if contains(0) { return true }
    var text = self[...]
    while follows, let first = text.first, first & 0xC0 == 0x80, text.count > count - 3 { text.removeFirst() }
    if String(validating: text, as: UTF8.self) != nil { return false }
    // A leading byte with too few continuation bytes.
    guard let start = text.suffix(3).lastIndex(where: { $0 >= 0xC2 }) else { return true }
    return text[start...].dropFirst().contains { $0 & 0xC0 != 0x80 } || text[start] > 0xF4
      || String(validating: text[..<start], as: UTF8.self) == nil
  }
}
