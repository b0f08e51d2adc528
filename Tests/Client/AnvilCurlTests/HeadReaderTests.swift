import AnvilHTTP
import Testing

@testable import AnvilCurl

/// The parsing of a head's lines, and the lines that are refused.
@Suite struct HeadReaderTests {
  private func head(_ text: String) throws -> Read { try Read(Array(text.utf8)) }

  private func fields(_ lines: String) throws -> [String] {
    try head("HTTP/1.1 200 OK\r\n\(lines)\r\n\r\n").headers.map { "\($0.key.rawValue)=\($0.value.rawValue)" }
  }

  @Test(arguments: [
    ("HTTP/1.1 200 OK", 200), ("HTTP/1.1 200 ", 200), ("HTTP/1.1 200", 200), ("HTTP/1.0 404 Not Found", 404),
    ("HTTP/2 204 ", 204), ("HTTP/1.1 100 Continue", 100), ("HTTP/1.1 999 ?", 999), ("HTTP/1.1 200 \u{E9}", 200),
  ])
  func parsesStatusLines(line: String, code: Int) throws {
    #expect(try head("\(line)\r\n\r\n").code == code)
  }

  @Test(arguments: [
    "", "HTTP/1.1", "HTTP/1.1 ", "HTTP/1.1 20", "HTTP/1.1 2000 OK", "HTTP/1.1 2 0", "HTTP/1.1 -20", "HTTP/1.1 099 OK",
    "HTTP/1.1 000", "HTTP/1.1 20x OK", "HTTP/1.1  200 OK", "HTTP/1.1 200OK", "HTTP/1.1 ２００",
  ])
  func rejectsMalformedStatusLines(line: String) {
    #expect(throws: HeadReader.Malformed.self) { try head("\(line)\r\n\r\n") }
  }

  @Test(arguments: [
    ("A: b", ["A=b"]), ("A:b", ["A=b"]), ("A:  \tb \t ", ["A=b"]), ("A:", ["A="]), ("A: \t ", ["A="]),
    ("A: b: c", ["A=b: c"]), ("a: 1\r\nA: 2", ["a=1", "A=2"]),
    ("!#$%&'*+-.^_`|~09azAZ: x", ["!#$%&'*+-.^_`|~09azAZ=x"]),
    ("A: b\tc", ["A=b\tc"]), ("A: \u{E9}\u{20AC}", ["A=\u{E9}\u{20AC}"]),
  ])
  func parsesFields(line: String, expected: [String]) throws {
    #expect(try fields(line) == expected)
  }

  @Test(arguments: [
    ("A: b\r\n c", ["A=b c"]), ("A: b\r\n\t  c  \r\n d", ["A=b c d"]), ("A:\r\n b", ["A=b"]), ("A: b\r\n ", ["A=b "]),
    ("A: b\r\n c\r\nD: e", ["A=b c", "D=e"]),
  ])
  func joinsFoldedLines(line: String, expected: [String]) throws {
    #expect(try fields(line) == expected)
  }

  @Test(arguments: [
    "A", ": b", "A : b", "A\t: b", " A: b", "\tA: b", "A b: c", "A(: b", "A\u{E9}: b", "A: b\u{0}", "A: \u{1}b",
    "A: b\u{7F}c", "A: b\rc", "A: b\n c", "A: b\nC: d", "A\u{0}: b",
  ])
  func rejectsMalformedFields(line: String) {
    #expect(throws: HeadReader.Malformed.self) { try fields(line) }
  }

  @Test(arguments: ["HTTP/1.1 200 OK\n\n", "HTTP/1.1 200 OK\r\nA: b\n\r\n", "HTTP/1.1 200 OK\r\nA: b", "\n", "\r\n"])
  func rejectsLinesWithoutCRLF(text: String) {
    #expect(throws: HeadReader.Malformed.self) { try head(text) }
  }

  @Test func decodesInvalidUTF8AsLatin1() throws {
    let bytes = Array("HTTP/1.1 200 OK\r\nA: ".utf8) + [0x63, 0xE9, 0xFF] + Array("\r\n\r\n".utf8)
    #expect(try Read(bytes).headers["A"]?.rawValue == "c\u{E9}\u{FF}")
  }

  /// U+EFE9 stands for a byte, so that its own bytes are not read as text.
  @Test(arguments: ["Set-Cookie", "etag", "Location"]) func keepsTheBytesOfFieldsThatAreSentBack(name: String) throws {
    let values: [[UInt8]] = [
      [0x63, 0xE9, 0xFF, 0x80], Array("\u{E9}\u{EFE9}a".utf8), [0xEE, 0xBE], Array("\u{E9}".utf8),
    ]
    for value in values {
      let bytes =
        Array("HTTP/1.1 200 OK\r\n\(name): ".utf8) + value + Array("\r\n ".utf8) + value + Array("\r\n\r\n".utf8)
      #expect(try Read(bytes).headers.first?.value.bytes == value + [0x20] + value)
    }
    let text = try head("HTTP/1.1 200 OK\r\n\(name): \u{E9}\r\n\r\n").headers.first?.value.rawValue
    #expect(text == "\u{E9}")
  }

  @Test func detectsFramingFields() throws {
    let head = try head(
      "HTTP/1.1 200 OK\r\nContent-Length: 1\r\ncontent-length: 1\r\nTRANSFER-ENCODING: x\r\nContent-encoding: y\r\n\r\n"
    )
    #expect(head.lengthLineCount == 2)
    #expect(head.hasTransferEncoding)
    #expect(head.hasContentEncoding)
    let plain = try self.head("HTTP/1.1 200 OK\r\nContent-Type: a/b\r\n\r\n")
    #expect(plain.lengthLineCount == 0)
    #expect(!plain.hasTransferEncoding)
    #expect(!plain.hasContentEncoding)
  }

  @Test func removesForbiddenTrailers() throws {
    let text = "A: 1\r\nContent-Length: 5\r\nset-cookie: a\r\nHost: b\r\nTRAILER: A\r\nAuthorization: x\r\nB: 2\r\n\r\n"
    #expect(try Read.trailers(Array(text.utf8)).map(\.key.rawValue) == ["A", "B"])
  }

  @Test func randomInputDoesNotTrap() {
    var random = SystemRandomNumberGenerator()
    let alphabet: [UInt8] = [0x0D, 0x0A, 0x20, 0x09, 0x3A, 0x41, 0x32, 0x30, 0x00, 0xFF, 0xC3, 0x2F]
    for _ in 0..<20_000 {
      let count = Int.random(in: 0..<24, using: &random)
      let noise = (0..<count).map { _ in alphabet.randomElement(using: &random) ?? 0 }
      _ = try? Read(noise)
      _ = try? Read(Array("HTTP/1.1 200 OK\r\n".utf8) + noise + [0x0D, 0x0A])
      _ = try? Read.trailers(noise)
    }
  }
}

/// A head that was read line by line.
private struct Read {
  let reader: HeadReader
  var code: Int { reader.code }
  var headers: HTTP.Headers { HTTP.Headers(reader.fields) }
  var lengthLineCount: Int { reader.lengthLineCount }
  var hasTransferEncoding: Bool { reader.hasTransferEncoding }
  var hasContentEncoding: Bool { reader.hasContentEncoding }
  var length: Int? { reader.length }

  init(_ bytes: [UInt8]) throws {
    var reader = HeadReader()
    try Self.feed(bytes, to: &reader)
    self.reader = reader
  }

  static func trailers(_ bytes: [UInt8]) throws -> HTTP.Headers {
    var reader = HeadReader.forTrailers
    try feed(bytes, to: &reader)
    return reader.trailers
  }

  private static func feed(_ bytes: [UInt8], to reader: inout HeadReader) throws {
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
      // Safety: the bytes are valid during the call.
      if try unsafe reader.take(bytes[start..<end].span.bytes) { break }
      start = end
    }
  }
}
