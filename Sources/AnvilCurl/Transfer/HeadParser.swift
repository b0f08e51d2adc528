internal import AnvilHTTP

/// A response's head or its trailer section, line by line as libcurl hands it over, taken apart.
///
/// libcurl is lenient; a line that RFC 9112 does not allow is refused here, as what one reader takes for one message another
/// may take for two.
struct HeadParser {
  /// Why a head is refused.
  struct Malformed: Error {
    let reason: String
  }

  /// A head, taken apart.
  struct Head {
    var code = 0
    var headers = HTTP.Headers()
    /// Whether any field says something of the body's framing or coding, and the rest of them has to be looked at.
    var hasTransferEncoding = false
    var hasContentEncoding = false
    var lengthLineCount = 0
    /// The value of the one `Content-Length`, where it is digits only.
    var length: Int?
  }

  /// The head in `bytes`, which end with an empty line.
  static func head(_ bytes: [UInt8]) throws(Malformed) -> Head {
    var head = Head()
    var fields: [HTTP.Headers.Field] = []
    fields.reserveCapacity(16)
    var position = try statusLine(bytes, &head)
    while let (line, next) = try line(bytes, from: position) {
      position = next
      if !line.isEmpty { try field(bytes, line, &fields, &head) }
    }
    head.headers = HTTP.Headers(fields)
    return head
  }

  /// The trailer fields in `bytes`; those that a trailer may not have are left out. Source: RFC 9110 §6.5.1.
  static func trailers(_ bytes: [UInt8]) throws(Malformed) -> HTTP.Headers {
    var unused = Head()
    var fields: [HTTP.Headers.Field] = []
    var position = 0
    while let (line, next) = try line(bytes, from: position) {
      position = next
      if !line.isEmpty { try field(bytes, line, &fields, &unused) }
    }
    let forbidden: [HTTP.HeaderKey] = [
      .contentLength, .transferEncoding, .host, .contentEncoding, .contentType, .setCookie, .authorization, "Trailer",
    ]
    return HTTP.Headers(fields.filter { !forbidden.contains($0.key) })
  }

  /// Where the line that begins at `start` lies, without its end, and where the next one begins.
  private static func line(_ bytes: [UInt8], from start: Int) throws(Malformed) -> (Range<Int>, Int)? {
    guard start < bytes.count else { return nil }
    var end = start
    while end < bytes.count, bytes[end] != 0x0A { end += 1 }
    guard end < bytes.count, end > start, bytes[end - 1] == 0x0D else {
      throw Malformed(reason: "a line of the head does not end with CRLF")
    }
    return (start..<end - 1, end + 1)
  }

  /// `HTTP/1.1 200 OK`, or what libcurl writes for the later versions: `HTTP/2 200 `.
  private static func statusLine(_ bytes: [UInt8], _ head: inout Head) throws(Malformed) -> Int {
    guard let (line, next) = try line(bytes, from: 0),
      let space = bytes[line].firstIndex(of: 0x20), space + 3 < line.upperBound
    else { throw Malformed(reason: "no status line") }
    for byte in bytes[(space + 1)...(space + 3)] {
      guard (0x30...0x39).contains(byte) else { throw Malformed(reason: "the status is not three digits") }
      head.code = head.code * 10 + Int(byte - 0x30)
    }
    let isWhole = space + 4 == line.upperBound || bytes[space + 4] == 0x20
    guard isWhole, head.code >= 100 else { throw Malformed(reason: "the status is not three digits from 100 on") }
    return next
  }

  private static func field(
    _ bytes: [UInt8], _ line: Range<Int>, _ fields: inout [HTTP.Headers.Field], _ head: inout Head
  ) throws(Malformed) {
    var start = line.lowerBound
    if bytes[start] == 0x20 || bytes[start] == 0x09 {
      // A line folded: it goes on with the value before. Source: RFC 9112 §5.2.
      guard let last = fields.popLast() else { throw Malformed(reason: "the first field begins with a blank") }
      let more = try value(bytes, line)
      let joined = last.value.rawValue.isEmpty ? more : "\(last.value.rawValue) \(more)"
      return fields.append(.init(last.key, HTTP.HeaderValue(rawValue: joined)))
    }
    while start < line.upperBound, bytes[start] != 0x3A {
      guard isTokenByte[Int(bytes[start])] else {
        throw Malformed(reason: "a field's name has a character that it cannot have")
      }
      start += 1
    }
    guard start < line.upperBound, start > line.lowerBound else {
      throw Malformed(reason: "a line of the head is no field")
    }
    let key = HTTP.HeaderKey(rawValue: String(decoding: bytes[line.lowerBound..<start], as: UTF8.self))
    let value = try value(bytes, start + 1..<line.upperBound)
    note(key, value, &head)
    fields.append(.init(key, HTTP.HeaderValue(rawValue: value)))
  }

  /// Only names of the lengths of those that matter are compared.
  private static func note(_ key: HTTP.HeaderKey, _ value: String, _ head: inout Head) {
    switch key.rawValue.utf8.count {
    case 14 where key == .contentLength:
      head.lengthLineCount += 1
      let isNumber = value.utf8.allSatisfy { (0x30...0x39).contains($0) }
      head.length = head.lengthLineCount == 1 && isNumber ? Int(value) : nil
    case 16 where key == .contentEncoding: head.hasContentEncoding = true
    case 17 where key == .transferEncoding: head.hasTransferEncoding = true
    default: break
    }
  }

  /// The text between the blanks around it: UTF-8, or where it is not that, Latin-1, which loses nothing.
  private static func value(_ bytes: [UInt8], _ range: Range<Int>) throws(Malformed) -> String {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, bytes[start] == 0x20 || bytes[start] == 0x09 { start += 1 }
    while end > start, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
    var isASCII = true
    for byte in bytes[start..<end] {
      if byte < 0x20 ? byte != 0x09 : byte == 0x7F {
        throw Malformed(reason: "a field's value has a control character")
      }
      if byte >= 0x80 { isASCII = false }
    }
    let text = bytes[start..<end]
    if isASCII { return String(decoding: text, as: UTF8.self) }
    return String(validating: text, as: UTF8.self) ?? String(String.UnicodeScalarView(text.map(Unicode.Scalar.init)))
  }

  /// Which bytes a token can have. Source: RFC 9110 §5.6.2.
  private static let isTokenByte: [Bool] = (0..<256).map { byte in
    switch UInt8(byte) {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
    default: false
    }
  }
}
