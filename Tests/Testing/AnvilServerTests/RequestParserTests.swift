internal import AnvilBase
internal import AnvilHTTP
internal import AnvilTestSupport
internal import Testing

@testable internal import AnvilServer

@Suite(.timeLimit(.minutes(15)))
struct RequestParserTests {
  private static let sample = """
    POST /a?b=c HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6;x=1\r\n world\r\n0\r\nA: b\r\n\r\n\
    PUT /d HTTP/1.1\r\nhost: x\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\nabc\
    \r\nGET / HTTP/1.0\r\nX: 1\r\nx:2\r\n\r\n
    """

  @Test func parsingDoesNotDependOnHowTheBytesAreSplit() throws {
    let whole = try Self.events(cut: .max)
    #expect(whole == ["POST /a?b=c hello world", "continue", "PUT /d abc", "GET / "])
    for size in 1...64 { #expect(try Self.events(cut: size) == whole) }
  }

  @Test func anyBytesAreParsedWithoutACrash() {
    var random = SeededGenerator(seed: 1)
    let sample = Array(Self.sample.utf8)
    for _ in 0..<3000 {
      var bytes = sample
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let position = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[position] = .random(in: 0...255, using: &random)
        case 1: bytes.remove(at: position)
        default: bytes.insert(sample.randomElement(using: &random) ?? 0, at: position)
        }
      }
      var parser = RequestParser()
      parser.append(bytes)
      var count = 0
      while case .some(let event) = try? parser.next() {
        if case .incomplete = event { break }
        if case .request(let message) = event { _ = LoopbackServer.Request(message, connection: 1) }
        count += 1
      }
      #expect(count <= bytes.count)
    }
  }

  @Test(arguments: [
    [0xC3], [0xE9], [0xFF], [0x80], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xC2, 0x80],
    [0xC2, 0x9B], [0x00], [0x09], [0x1B], [0x7F], [0x23],
  ])
  func rejectsTargetsThatAreNoTextOrContainControlCharacters(bytes: [UInt8]) {
    var parser = RequestParser()
    parser.append(Array("GET /a".utf8) + bytes + Array("b?c HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
    #expect { try parser.next() } throws: { ($0 as? BadRequest)?.status == 400 }
  }

  @Test func acceptsLinesAndHeadsUpToTheLimit() throws {
    let line = "X: " + String(repeating: "x", count: RequestParser.Limit.line - 3)
    var parser = RequestParser()
    parser.append(Array("GET / HTTP/1.1\r\nHost: x\r\n\(line)\r\n\r\n".utf8))
    guard case .request(let message) = try parser.next() else { throw Missing() }
    #expect(message.head.headers.count == 2)

    parser.append(Array("GET / HTTP/1.1\r\nHost: x\r\n\(line)x\r\n\r\n".utf8))
    #expect { try parser.next() } throws: { ($0 as? BadRequest)?.status == 431 }
  }

  @Test func rejectsAnEndlessLineBeforeItsEnd() {
    var parser = RequestParser()
    parser.append([UInt8](repeating: 0x61, count: RequestParser.Limit.line + 2))
    #expect { try parser.next() } throws: { ($0 as? BadRequest)?.status == 414 }
  }

  private struct Missing: Error {}

  private static func events(cut size: Int) throws -> [String] {
    var parser = RequestParser()
    var events: [String] = []
    var rest = Array(sample.utf8)[...]
    while !rest.isEmpty {
      parser.append(Array(rest.prefix(size)))
      rest = rest.dropFirst(size)
      reading: while true {
        switch try parser.next() {
        case .incomplete: break reading
        case .expectsContinue: events.append("continue")
        case .begins(let head): events.append("begins \(head.target)")
        case .content(let part): events.append("content \(String(decoding: part, as: UTF8.self))")
        case .request(let message):
          events.append(
            "\(message.head.method) \(message.head.target) \(String(decoding: message.body, as: UTF8.self))")
        }
      }
    }
    return events
  }

  @Test(arguments: [
    ("a b", 400), ("h1, h2", 400), ("u@h", 400), ("http://h/x", 400), ("h:port", 400), ("h?x", 400), ("", 200),
    ("h", 200),
    ("h:80", 200), ("h:", 200), ("[::1]:80", 200), ("[::1]", 200), ("ä.example", 200),
  ])
  func theHostIsAHostWithOrWithoutAPort(host: String, status: Int) throws {
    var parser = RequestParser()
    parser.append(Array("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n".utf8))
    if status == 200 {
      #expect(throws: Never.self) { try parser.next() }
    } else {
      #expect { try parser.next() } throws: { ($0 as? BadRequest)?.status == 400 }
    }
  }

  @Test(arguments: [("GET", false), ("OPTIONS", true)])
  func onlyOptionsAreOfTheWholeServer(method: String, isAccepted: Bool) {
    var parser = RequestParser()
    parser.append(Array("\(method) * HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
    var error: (any Error)?
    do { _ = try parser.next() } catch let failure { error = failure }
    #expect((error == nil) == isAccepted)
  }
}
