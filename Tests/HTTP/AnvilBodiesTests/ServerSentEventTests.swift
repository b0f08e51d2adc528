import AnvilBodies
import AnvilHTTP
import AnvilTestSupport
import Foundation
import Testing

/// The HTML standard, §9.2.5 and §9.2.6, rule by rule.
@Suite struct ServerSentEventTests {
  /// An event as `type|data|id`.
  static func brief(_ event: HTTP.ServerSentEvent) -> String { "\(event.type)|\(event.data)|\(event.lastEventID)" }

  @Test(arguments: [
    // The standard's examples.
    ("data: YHOO\ndata: +2\ndata: 10\n\n", ["message|YHOO\n+2\n10|"]),
    (
      ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
      ["message|first event|1", "message|second event|", "message| third event|"]
    ),
    ("data\n\ndata\ndata\n\ndata:", ["message||", "message|\n|"]),
    ("data:test\n\ndata: test\n\n", ["message|test|", "message|test|"]),
    // Line ends.
    ("data:a\rdata:b\r\ndata:c\n\r\n", ["message|a\nb\nc|"]),
    ("data:a\r\rdata:b\r\n\r\ndata:c\n\n", ["message|a|", "message|b|", "message|c|"]),
    ("data:a\r\n\rdata:b\n\r", ["message|a|", "message|b|"]),
    ("\r\n\n\rdata:a\n\n\n\n", ["message|a|"]),
    // The byte order mark, once, at the beginning.
    ("\u{FEFF}data:a\n\n", ["message|a|"]),
    ("\u{FEFF}\u{FEFF}data:a\n\ndata:b\n\n", ["message|b|"]),
    ("data:a\n\n\u{FEFF}data:b\n\n", ["message|a|"]),
    ("\u{FEFF}\ndata:a\n\n", ["message|a|"]),
    // Types.
    ("event: add\ndata: 1\n\ndata: 2\n\n", ["add|1|", "message|2|"]),
    ("event: a\nevent: b\ndata: 1\n\nevent\ndata:2\n\n", ["b|1|", "message|2|"]),
    ("event: a\n\ndata: 1\n\n", ["message|1|"]),
    // IDs persist, also those of events without data. An ID with NUL is ignored; an empty ID resets the last one.
    ("id: 1\ndata: a\n\ndata: b\n\n", ["message|a|1", "message|b|1"]),
    ("id: 1\n\ndata: b\n\n", ["message|b|1"]),
    ("id: 1\ndata: a\n\nid: 2\u{0}\ndata: b\n\n", ["message|a|1", "message|b|1"]),
    ("id: 1\ndata: a\n\nid:\ndata: b\n\n", ["message|a|1", "message|b|"]),
    ("id: é 😀\ndata: a\n\n", ["message|a|é 😀"]),
    // Comments, unknown fields, case, colons and spaces.
    (":data:a\n:\ndata:b\n: c\n\n", ["message|b|"]),
    ("Data:a\nDATA:b\n data:c\ndata :d\ndata:e\nfoo:bar\nfoo\n\n", ["message|e|"]),
    ("data: a: b\ndata::c\ndata:\t d\n\n", ["message|a: b\n:c\n\t d|"]),
    // An unterminated event is discarded.
    ("data:a\n\ndata:b\n", ["message|a|"]), ("data:a", []), ("", []), ("\n\n\n", []), ("id:1\n\n", []),
  ])
  func streamsAreParsedByTheStandard(text: String, events: [String]) async {
    for body in HTTP.Body.cuttings(of: text) {
      let found = await body.events.all()
      #expect(found.elements.map(Self.brief) == events)
      #expect(found.error == nil)
    }
  }

  @Test func invalidUTF8IsReplaced() async {
    let data = Data("data:a".utf8) + [0xFF] + Data("\ndata:b".utf8) + [0xE2, 0x82] + Data("\n\n".utf8)
    for sizes in [[1], [100]] {
      #expect(await HTTP.Body.cut(data, sizes: sizes).events.all().elements.map(\.data) == ["a\u{FFFD}\nb\u{FFFD}"])
    }
  }

  @Test(
    arguments: [
      ("retry: 1500\n", .milliseconds(1_500)), ("retry:0\n", .zero), ("retry: 007\n", .milliseconds(7)),
      ("retry\n", nil), ("retry: \n", nil),
      ("retry: 1.5\n", nil), ("retry: -1\n", nil), ("retry: +1\n", nil), ("retry:  1\n", nil), ("retry: 1 \n", nil),
      ("retry: ١\n", nil),
      ("retry: 1\nretry: x\n", .milliseconds(1)), ("retry: 1\nretry: 2\n\n", .milliseconds(2)),
      ("retry: 9223372036854775807\n", .milliseconds(Int64.max)),
      ("retry: 9223372036854775808\n", .milliseconds(Int64.max)),
      ("retry: 99999999999999999999999999\n", .milliseconds(Int64.max)),
    ] as [(String, Duration?)])
  func retryMustBeDigits(field: String, retry: Duration?) async {
    for body in HTTP.Body.cuttings(of: "\(field)data:a\n\ndata:b\n\n") {
      #expect(await body.events.all().elements.map(\.retry) == [retry, retry])
    }
  }

  @Test func eventsAreCompleteAtTheBlankLine() throws {
    var parser = ServerSentEventParser(limit: 100)
    parser.append(Data("data:a\r\n".utf8))
    #expect(try parser.next() == nil)
    parser.append(Data("\r".utf8))
    #expect(try parser.next()?.data == "a")
    #expect(try parser.next() == nil)
    parser.append(Data("\ndata:b\n\n".utf8))
    #expect(try parser.next()?.data == "b")
  }

  /// Compared with the standard's rules applied to the whole text.
  @Test func randomStreamsAreParsedCorrectly() async {
    var random = SeededGenerator(seed: 11)
    let pieces = [
      "data", "data:", "data: ", "event:", "event: e", "id", "id: 1", "id:2", "retry:", ":", " ", "x", "é", "\u{0}",
      "\u{FEFF}",
      "\n", "\r", "\r\n", "\n\n", "\r\r", "\r\n\r\n", "\n\r",
    ]
    for _ in 0..<2_000 {
      let text = (0..<Int.random(in: 0..<40, using: &random))
        .map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }.joined()
      let sizes = (0..<4).map { _ in Int.random(in: 1..<12, using: &random) }
      let found = await HTTP.Body.cut(Data(text.utf8), sizes: sizes).events.all().elements.map(Self.brief)
      #expect(found == Self.reference(text), "\(text.debugDescription)")
    }
  }

  private static func reference(_ text: String) -> [String] {
    var scalars = Array(text.unicodeScalars)
    if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
    var lines: [[Unicode.Scalar]] = [[]]
    for (index, scalar) in scalars.enumerated() {
      switch scalar {
      case "\n": if index == 0 || scalars[index - 1] != "\r" { lines.append([]) }
      case "\r": lines.append([])
      default: lines[lines.count - 1].append(scalar)
      }
    }
    var events: [String] = []
    var (data, type, id) = ("", "", "")
    for line in lines.dropLast() {
      if line.isEmpty {
        if !data.isEmpty { events.append("\(type.isEmpty ? "message" : type)|\(data.dropLast())|\(id)") }
        (data, type) = ("", "")
        continue
      }
      let name = line.prefix { $0 != ":" }
      var value = line.dropFirst(name.count + 1)
      if value.first == " " { value.removeFirst() }
      let text = value.reduce(into: "") { $0.unicodeScalars.append($1) }
      switch name.reduce(into: "", { $0.unicodeScalars.append($1) }) {
      case "data": data += text + "\n"
      case "event": type = text
      case "id": if !value.contains("\u{0}") { id = text }
      default: break
      }
    }
    return events
  }

  /// A connection that is lost within an event must be resumed before that event, not after it.
  @Test func theLastEventIDIsConfirmedByABlankLine() throws {
    var parser = ServerSentEventParser(limit: 100, lastEventID: "0")
    #expect(parser.lastEventID == "0")
    parser.append(Data("retry:5\ndata:a\n\nid:1\ndata:b\n".utf8))
    #expect(try parser.next() == HTTP.ServerSentEvent(data: "a", lastEventID: "0", retry: .milliseconds(5)))
    #expect(try parser.next() == nil)
    #expect(parser.lastEventID == "0")
    parser.append(Data("\n".utf8))
    #expect(try parser.next()?.lastEventID == "1")
    #expect(parser.lastEventID == "1")
    parser.append(Data("id:2\n\n".utf8))
    #expect(try parser.next() == nil)
    #expect(parser.lastEventID == "2")
  }

  @Test(arguments: [
    "data:123456\n\n", ":2345678901\n", "data:1234\ndata:56789\ndata:1\n\n", "event:12345\n",
    "data:12345\ndata:1234\ndata:\n\n",
  ])
  func eventSizesAreLimited(text: String) async {
    for body in HTTP.Body.cuttings(of: "data:12345\n\n\(text)") {
      let found = await body.events(sizeLimit: 10).all()
      #expect(found.elements.map(\.data) == ["12345"])
      #expect(found.error as? HTTP.BodyError == .eventTooLarge(limit: 10))
    }
    #expect("\(HTTP.BodyError.eventTooLarge(limit: 10))" == "a server-sent event has more than 10 bytes")
  }

  @Test func dataOfExactlyTheLimitIsAccepted() async {
    for body in HTTP.Body.cuttings(of: "data:12345\ndata:1234\n\ndata:12345\ndata:1234\n\n") {
      let found = await body.events(sizeLimit: 10).all()
      #expect(found.elements.map(\.data) == ["12345\n1234", "12345\n1234"])
      #expect(found.error == nil)
    }
  }

  @Test func dataDecodesAsJSON() async throws {
    let event = HTTP.ServerSentEvent(data: "{\"id\":\n7}")
    #expect(event.type == "message" && event.lastEventID.isEmpty && event.retry == nil)
    #expect(try event.decode(as: [String: Int].self) == ["id": 7])
    #expect(try event.decode(as: [String: Int].self, with: JSONDecoder()) == ["id": 7])
    #expect(throws: DecodingError.self) { try event.decode(as: [Int].self) }
  }

  @Test(
    arguments: [
      (#"{"error": "overloaded"}"#, "application/json"), ("", "application/json"), ("data: a\n\n", "application/json"),
      ("<html>data: a</html>\n", "text/html; charset=utf-8"), ("data: a\n\n", "text/event-streams"),
      // A type that says nothing: the content decides.
      (#"{"error": "overloaded"}"#, nil), ("{\"error\":\n \"data\"}\n\n", nil), ("no events here", "text/plain"),
      ("\u{0}\u{1}\u{2}", "application/octet-stream"),
      // A declared stream without any line of an event, such as an error of a gateway in front of the API.
      (#"{"error": "overloaded"}"#, "text/event-stream"), ("<html>\nsorry\n</html>\n", "text/event-stream"),
      // A line like a field among others, and an event that is not complete.
      ("quota exceeded\nid: 7\ntry again\n", nil), ("foo: bar\nid: 1\n\n", nil), (": comment\nsorry\n", "text/plain"),
      ("{\ndata: a\n}\n", nil), ("id: 7\nquota exceeded", nil), ("sorry\ndata: a", "text/plain"),
    ] as [(String, HTTP.HeaderValue?)])
  func aBodyThatIsNotAnEventStreamIsAnError(text: String, type: HTTP.HeaderValue?) async throws {
    for var body in HTTP.Body.cuttings(of: text) {
      body.contentType = type
      let found = await body.events.all()
      #expect(found.elements.isEmpty && found.error is HTTP.BodyError)
      var events = body.events.makeAsyncIterator()
      await #expect(throws: HTTP.BodyError.self) { try await events.next() }
      #expect(try await events.next() == nil)
    }
  }

  @Test(
    arguments: [
      ("data: a\n\n", "text/event-stream"), ("data: a\n\n", "Text/Event-Stream;charset=utf-8"), ("data: a\n\n", nil),
      ("data: a\n\n", "text/plain"), ("data: a\n\n", "application/octet-stream"),
      // Unknown fields beside an event are ignored, by the standard.
      ("foo: bar\ndata: a\n\n", nil), ("data: a\n\nfoo", nil), ("data: a\nfoo\n\nbar\n", "text/plain"),
    ] as [(String, HTTP.HeaderValue?)])
  func eventsAreReadFromBodiesOfAPossibleType(text: String, type: HTTP.HeaderValue?) async {
    let found = await HTTP.Body(Data(text.utf8), contentType: type).events.all()
    #expect(found.error == nil && found.elements.map(\.data) == ["a"])
  }

  /// A stream may end before its first event.
  @Test(arguments: ["", "\n", ": comment\n", ":", "retry: 1\n", "id", "event: a", ": a\nid: 1\n\n\n", "data:a"])
  func aStreamWithoutEventsIsNotAnError(text: String) async {
    for var body in HTTP.Body.cuttings(of: text) {
      body.contentType = nil
      let found = await body.events.all()
      #expect(found.error == nil && found.elements.isEmpty)
    }
    let declared = await HTTP.Body(Data("foo: bar\n".utf8), contentType: "text/event-stream").events.all()
    #expect(declared.error == nil && declared.elements.isEmpty)
  }
}
