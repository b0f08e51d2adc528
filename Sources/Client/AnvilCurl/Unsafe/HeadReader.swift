internal import AnvilBase
internal import AnvilHTTP

/// A parser for the head of a response, and later for its trailers. It receives the lines from libcurl.
///
/// libcurl is lenient. Lines that RFC 9112 does not allow are rejected here, because another parser might interpret one
/// message as two.
@safe
struct HeadReader {
  struct Malformed: Error {
    let reason: String
  }

  /// The status code; 0 until the status line was received.
  private(set) var code = 0
  private(set) var fields: [HTTP.Headers.Field] = []
  private(set) var hasTransferEncoding = false
  private(set) var hasContentEncoding = false
  private(set) var lengthLineCount = 0
  /// The value of a single `Content-Length`, if it consists of digits only.
  private(set) var length: Int?

  /// Fields whose values the client sends back as they are. They are read so that no byte changes.
  private static let opaqueFields: Set<HTTP.HeaderKey> = [.setCookie, .eTag, .location]

  /// Processes a line, including its CRLF. Returns `true` for the empty line that ends the head.
  mutating func take(_ line: RawSpan) throws(Malformed) -> Bool {
    try unsafe line.withUnsafeBytes { bytes throws(Malformed) in try unsafe take(bytes) }
  }

  // Safety of all calls below: the bytes are valid during the call, and subscripts check their bounds.

  private mutating func take(_ line: UnsafeRawBufferPointer) throws(Malformed) -> Bool {
    guard line.count >= 2, unsafe line[line.count - 1] == .lineFeed, unsafe line[line.count - 2] == .carriageReturn
    else {
      throw Malformed(reason: "a line of the head does not end with CRLF")
    }
    let text = unsafe UnsafeRawBufferPointer(rebasing: line[..<(line.count - 2)])
    guard unsafe !text.isEmpty else {
      guard code > 0 else { throw Malformed(reason: "the status line is missing or malformed") }
      return true
    }
    if code == 0 { try unsafe takeStatus(text) } else { try unsafe takeField(text) }
    return false
  }

  /// Parses `HTTP/1.1 200 OK`, or libcurl's line for later versions: `HTTP/2 200 `.
  private mutating func takeStatus(_ line: UnsafeRawBufferPointer) throws(Malformed) {
    guard let space = unsafe line.firstIndex(of: .space), space + 3 < line.count else {
      throw Malformed(reason: "the status line is missing or malformed")
    }
    var code = 0
    for index in space + 1...space + 3 {
      let digit = unsafe line[index]
      guard digit.isDigit else { throw Malformed(reason: "the status is not three digits") }
      code = code * 10 + Int(digit - .digit0)
    }
    let isWhole = unsafe space + 4 == line.count || line[space + 4] == .space
    guard isWhole, code >= 100 else {
      throw Malformed(reason: "the status is not a three-digit number of at least 100")
    }
    self.code = code
    fields.reserveCapacity(12)
  }

  private mutating func takeField(_ line: UnsafeRawBufferPointer) throws(Malformed) {
    if unsafe line[0].isBlank {
      // A folded line continues the previous value. Source: RFC 9112 §5.2.
      guard var last = fields.popLast().map({ (key: $0.key, value: $0.value.rawValue) }) else {
        throw Malformed(reason: "the first header line begins with a space or tab")
      }
      // The end of a body must not depend on whether a parser joins folded lines. libcurl does not join them.
      guard last.key != .transferEncoding, last.key != .contentLength else {
        throw Malformed(reason: "the header field \(last.key.rawValue) is folded over several lines")
      }
      if !last.value.isEmpty { last.value.append(" ") }
      last.value.append(try unsafe value(line, of: last.key))
      fields.append(.init(last.key, HTTP.HeaderValue(rawValue: last.value)))
      return
    }
    var end = 0
    while end < line.count, unsafe line[end] != .colon {
      guard unsafe line[end].isHTTPTokenByte else {
        throw Malformed(reason: "a header field name contains an invalid character")
      }
      end += 1
    }
    guard end < line.count, end > 0 else { throw Malformed(reason: "a line of the head is not a header field") }
    let key = unsafe HTTP.HeaderKey(rawValue: Self.asciiText(UnsafeRawBufferPointer(rebasing: line[..<end])))
    let value = try unsafe value(UnsafeRawBufferPointer(rebasing: line[(end + 1)...]), of: key)
    fields.append(.init(key, HTTP.HeaderValue(rawValue: value)))
    note(key, value)
  }

  /// Records the fields that determine the body's framing and coding. Names are compared only if they have the length of such a field.
  private mutating func note(_ key: HTTP.HeaderKey, _ value: String) {
    switch key.rawValue.utf8.count {
    case 14 where key == .contentLength:
      lengthLineCount += 1
      let isNumber = value.utf8.allSatisfy { $0.isDigit }
      length = lengthLineCount == 1 && isNumber ? Int(value) : nil
    case 16 where key == .contentEncoding: hasContentEncoding = true
    case 17 where key == .transferEncoding: hasTransferEncoding = true
    default: break
    }
  }

  /// Returns a field value without surrounding blanks. Bytes that are not valid UTF-8 are decoded as Latin-1, so that people can read
  /// them, except in fields that are sent back.
  private func value(_ bytes: UnsafeRawBufferPointer, of key: HTTP.HeaderKey) throws(Malformed) -> String {
    var (start, end) = (0, bytes.count)
    while start < end, unsafe bytes[start].isBlank { start += 1 }
    while end > start, unsafe bytes[end - 1].isBlank { end -= 1 }
    var all: UInt8 = 0
    for index in start..<end {
      let byte = unsafe bytes[index]
      if byte.isFieldControl {
        throw Malformed(reason: "a header field value contains a control character")
      }
      all |= byte
    }
    let value = unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<end])
    if all < 0x80 { return unsafe Self.asciiText(value) }
    let array = unsafe [UInt8](value)
    if Self.opaqueFields.contains(key) { return HTTP.HeaderValue(opaque: array).rawValue }
    return String(validating: array, as: UTF8.self) ?? String(String.UnicodeScalarView(array.map(Unicode.Scalar.init)))
  }

  private static func asciiText(_ bytes: UnsafeRawBufferPointer) -> String {
    // Safety: ASCII is UTF-8, and at most as many bytes are written as reserved.
    unsafe String(unsafeUninitializedCapacity: bytes.count) { room in
      unsafe UnsafeMutableRawBufferPointer(room).copyMemory(from: bytes)
      return bytes.count
    }
  }

  /// The fields of a trailer section, without fields that are not allowed there. Source: RFC 9110 §6.5.1.
  var trailers: HTTP.Headers {
    HTTP.Headers(fields.filter { !HTTP.Headers.forbiddenInTrailers.contains($0.key) })
  }

  static var forTrailers: HeadReader {
    var reader = HeadReader()
    reader.code = 200
    return reader
  }
}
