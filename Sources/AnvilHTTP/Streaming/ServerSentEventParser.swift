#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Reads an event stream that comes in chunks.
///
///     parser.append(chunk)
///     while let event = try parser.next() { … }      // then the next chunk
///
/// Source: the HTML standard, §9.2.5 and §9.2.6.
package struct ServerSentEventParser {
  /// The last event ID that a blank line has confirmed: what to send as `Last-Event-ID` when connecting again.
  package private(set) var lastEventID: String
  /// The last `retry` field; `nil` when there was none.
  package private(set) var retry: Duration?

  private let limit: Int
  private var lines: LineSplitter
  private var type = ""
  private var id: String
  /// The values of the event's data fields, with an LF between them; `nil` when it has none.
  private var data: Data?

  /// A parser of one stream from its beginning.
  ///
  /// - Parameters:
  ///   - limit: how many bytes a line, and an event's data, may have.
  ///   - lastEventID: that of the stream which this one goes on with. Events without an `id` field have it. The standard
  ///     would have them none after connecting again, and thereby the client forget where it was; browsers keep it.
  package init(limit: Int, lastEventID: String = "") {
    self.limit = max(0, limit)
    self.lastEventID = lastEventID
    id = lastEventID
    lines = LineSplitter(ends: .lineFeedOrReturn, limit: limit)
  }

  /// Takes the stream's next bytes; those before have been used up: ``next()`` has returned `nil`.
  package mutating func append(_ chunk: Data) {
    lines.append(chunk)
  }

  /// The next event; `nil` when it does not end in what has been given.
  ///
  /// - Throws: ``HTTP/BodyError/eventTooLarge(limit:)``; the parser must not be used after.
  package mutating func next() throws(HTTP.BodyError) -> HTTP.ServerSentEvent? {
    while let line = try nextLine() {
      if line.isEmpty {
        if let event = endEvent() { return event }
      } else {
        try take(line)
      }
    }
    return nil
  }

  /// Ends the stream, and with it the event that has not ended: it is none.
  package func finish() -> HTTP.ServerSentEvent? { nil }

  private mutating func nextLine() throws(HTTP.BodyError) -> Data? {
    do throws(HTTP.BodyError) {
      return try lines.next()
    } catch {
      throw .eventTooLarge(limit: limit)
    }
  }

  /// What a blank line does.
  private mutating func endEvent() -> HTTP.ServerSentEvent? {
    lastEventID = id
    defer {
      type = ""
      data = nil
    }
    guard let data else { return nil }
    return HTTP.ServerSentEvent(
      type: type.isEmpty ? "message" : type, data: String(decoding: data, as: UTF8.self),
      lastEventID: lastEventID, retry: retry)
  }

  /// What a field, or a comment, does.
  private mutating func take(_ line: Data) throws(HTTP.BodyError) {
    let colon = line.offset(of: UInt8(ascii: ":"), from: 0) ?? line.count
    var value = line.dropFirst(colon + 1)
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    // One byte more than the longest name that means anything.
    switch String(decoding: line.prefix(min(colon, 6)), as: UTF8.self) {
    case "data": try takeData(value)
    case "event": type = String(decoding: value, as: UTF8.self)
    case "id": if !value.contains(0) { id = String(decoding: value, as: UTF8.self) }
    case "retry": retry = Self.milliseconds(value) ?? retry
    default: break
    }
  }

  private mutating func takeData(_ value: Data) throws(HTTP.BodyError) {
    guard data != nil else {
      // Mostly there is only one: a slice will do.
      data = value
      return
    }
    guard value.count < limit - (data?.count ?? 0) else { throw .eventTooLarge(limit: limit) }
    data?.append(UInt8(ascii: "\n"))
    data?.append(value)
  }

  /// The time that `digits` spells; the longest there is when it is longer; `nil` where there is anything but digits.
  private static func milliseconds(_ digits: Data) -> Duration? {
    guard !digits.isEmpty else { return nil }
    var value: Int64 = 0
    for byte in digits {
      guard case 0x30...0x39 = byte else { return nil }
      let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tens.addingReportingOverflow(Int64(byte - 0x30))
      value = overflow || carry ? .max : sum
    }
    return .milliseconds(value)
  }
}
