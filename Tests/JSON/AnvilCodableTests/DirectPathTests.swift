import AnvilCodable
import AnvilDiagnosis
import AnvilTestSupport
import Foundation
import Testing

/// The direct path of the coders and the containers give the same results and the same errors, whatever the strategies.
@Suite struct DirectPathTests {
  /// A model with texts of it, without its type.
  struct Subject: Sendable, CustomTestStringConvertible {
    let name: String
    let texts: [String]
    /// Returns the difference between the ways to decode; `nil` if they agree.
    let decoding: @Sendable (Data, JSON.Decoder) -> String?
    /// Returns whether the default decoder accepts a text.
    let accepts: @Sendable (Data) -> Bool
    /// Returns the difference between the ways to encode the value of a text; `nil` if they agree.
    let encoding: @Sendable (Data, JSON.Encoder) -> String?

    var testDescription: String { name }

    init<T: Model & Equatable & JSONDirectlyDecodable & SendableMetatype>(_ type: T.Type, _ texts: String...) {
      name = "\(type)"
      self.texts = texts
      decoding = { data, decoder in
        let containers = Outcome { try decoder.withoutDirectPath.decode(type, from: data) }
        return Self.difference(Outcome { try decodeUnknown(type, from: data, with: decoder) }, containers)
          ?? Self.difference(Outcome { try decoder.decode(type, from: data) }, containers)
      }
      accepts = { data in (try? JSON.Decoder().decode(type, from: data)) != nil }
      encoding = { data, encoder in
        guard let value = try? JSON.Decoder().decode(type, from: data) else { return nil }
        return DirectPathTests.encodingDifference(value, encoder)
      }
    }

    private static func difference<T>(_ direct: Outcome<T>, _ containers: Outcome<T>) -> String? {
      // Compares the descriptions, because NaN is not equal to itself.
      direct == containers || "\(direct)" == "\(containers)" ? nil : "\(direct), containers: \(containers)"
    }
  }

  static func encodingDifference<T: Encodable>(_ value: T, _ encoder: JSON.Encoder) -> String? {
    func text(_ data: Data) -> String { String(decoding: data, as: UTF8.self) }
    let direct = Outcome { text(try encodeUnknown(value, with: encoder)) }
    let containers = Outcome { text(try encoder.withoutDirectPath.encode(value)) }
    // The order of a dictionary's members may differ: LossyDictionary makes a dictionary each time.
    if case .value(let left) = direct, case .value(let right) = containers, left.utf8.sorted() == right.utf8.sorted(),
      let json = try? JSON(parsing: left), json == (try? JSON(parsing: right))
    {
      return nil
    }
    return direct == containers ? nil : "\(direct), containers: \(containers)"
  }

  static let subjects = [
    Subject(
      User.self, #"{"id": 1, "full_name": "Ada", "tags": ["a"], "company": "b"}"#,
      #"{"company": null, "full_name": "Ada", "id": 1}"#),
    Subject(
      Repository.self,
      #"{"name": "n", "owner": {"login": "l", "site": "http://a.b/c"}, "counts": {"stars": 1, "forks": 2}, "a": {"b": {"c": true, "d": false}, "x": 1}}"#,
      #"{"a": {"z": {}, "b": {"c": true}}, "owner": {"login": "l"}, "name": "n"}"#),
    Subject(
      Aliased.self, #"{"older": 3, "old": 4, "new": 1, "owner": {"number": 3, "id": 2}}"#,
      #"{"old": 1, "nick": "n", "labels": [], "owner": {"id": 2}, "size": {"width": 1.5}}"#),
    Subject(
      Defaulted.self,
      #"{"count": 3, "text": "none", "list": [1, 2], "map": {"a": 1}, "empty": {}, "optional": 5, "sort": "byName", "initial": 9, "member": "bySize", "set": [1], "negative": -1}"#,
      #"{"count": null}"#),
    Subject(Partly.self, #"{"id": 1, "version": 7, "cache": [], "note": "x", "kind": 4, "observed": 0}"#),
    Subject(Page<User>.self, #"{"items": [{"id": 1, "full_name": "Ada"}], "meta": {"total": 4}}"#),
    Subject(Node.self, #"{"value": 1, "next": {"value": 2, "next": {"value": 3, "next": null}}}"#),
    Subject(Kind.self, #""user""#),
    Subject(State.self, #""in-progress""#, #""x""#),
    Subject(
      Plain.self, #"{"dot":{}}"#, #"{"circle":{"radius":1.5,"_1":2}}"#, #"{"user":{"id":1,"name":"a"}}"#,
      #"{"optional":{}}"#),
    Subject(
      NamedPlain.self, #"{"old": {"_0": 1, "label": "x"}}"#, #"{"2nd": {}}"#, #"{"first_case": {"someValue": 1}}"#),
    Subject(
      Filter.self, #""all""#, #"{"newer": {"than": 1}}"#, #"{"any": ["all", {"named": "x"}, {"oneOf": []}]}"#,
      #"{"maybe": 1}"#),
    Subject(OpenFilter.self, #""all""#, #"{"named": "x"}"#, #"{"sized": {"width": 1}}"#),
    Subject(ClosedFilter.self, #"{"sized": {"width": 1}}"#, #""all""#),
    Subject(
      Shape.self, #"{"type": "circle", "radius": 1}"#, #"{"height": 2, "width": 1, "type": "rectangle"}"#,
      #"{"type": "nested", "shapes": [{"type": "dot"}, {"shapes": [], "type": "nested"}]}"#,
      #"{"type": "hexagon", "a": [1, {"b": 2}]}"#),
    Subject(
      Envelope.self, #"{"type": "event", "kind": "x", "width": 1}"#,
      #"{"type": "again", "inner": "event", "kind": "user-joined", "userName": "a"}"#),
    Subject(
      Message.self, #"{"t": "move", "c": {"x": 1}}"#, #"{"t": "list", "c": [{"t": "ping"}]}"#, #"{"t": "maybe"}"#,
      #"{"t": "allOptional", "c": {"b": 1}}"#),
    Subject(OpenMessage.self, #"{"t": "text", "c": "x"}"#, #"{"t": "new", "c": 1}"#),
    Subject(
      Integers.self,
      #"{"int": -1, "int8": -128, "int16": 32767, "int32": -2147483648, "int64": 9223372036854775807, "uint": 1, "uint8": 255, "uint16": 65535, "uint32": 4294967295, "uint64": 18446744073709551615}"#
    ),
    Subject(
      Scalars.self,
      #"{"bool": true, "double": -1.5e100, "float": 0.25, "string": "é\n\"🙂\\/", "decimal": 12345678901234567890.5}"#
    ),
    Subject(
      FoundationValues.self,
      #"{"url": "https://example.com/a?b", "uuid": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "data": "AQI=", "date": "2026-01-02T03:04:05Z", "urls": ["a"], "dates": {"a": "2026-01-02T03:04:05Z"}}"#,
      #"{"url": "x", "uuid": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "data": "AQI=", "date": 1234.5}"#,
      #"{"url": "x", "uuid": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "data": [1, 2], "date": 1234}"#),
    Subject(Documents.self, #"{"json": {"a": [1, null, "x"]}, "optional": 1, "list": [true, {}], "map": {"a": []}}"#),
    Subject(
      Containers.self,
      #"{"list": [1], "lists": [["a"], []], "map": {"b": 2}, "maps": {"x": {"y": true}}, "optionals": [1, null], "optionalValues": {"a": null, "b": "c"}, "users": [{"id": 1, "full_name": ""}], "explicit": 1, "array": [2], "dictionary": {"z": 3}}"#
    ),
    Subject(
      OnlyCodable.self,
      #"{"set": [7], "plain": [1, 2], "list": [[5, 6]], "byNumber": {"1": "a"}, "range": [1, 2], "other": [0, 0], "a": {"b": [1, 1]}, "raw": "a", "stamp": {"date": 1}, "dates": [3]}"#,
      #"{"set": [7], "plain": [1, 2], "list": [], "byNumber": {}, "range": [1, 2], "a": {"b": [1, 1]}, "raw": "a", "stamp": {"date": "2026-01-02T03:04:05Z"}}"#
    ),
    Subject(
      AllOptional.self, "{}",
      #"{"a": 1, "b": "x", "c": [1], "d": {"id": 1, "full_name": "", "tags": []}, "e": [1, 2], "f": {"g": 1}, "h": 2000, "i": "user", "j": {"type": "dot"}}"#
    ),
    Subject(
      Strategies.self,
      #"{"seconds": 1.5, "milliseconds": 2500, "iso": "2026-01-02T03:04:05Z", "data": "AQI=", "number": "12", "dates": [1, 2], "numbers": ["1.5"], "old": "3", "a": {"b": "cba"}, "withDefault": "x"}"#
    ),
    Subject(
      Keys.self,
      #"{"with space": 1, "quo\"te": 2, "back\\slash": 3, "dotted.key": 4, "ümläut": 5, "🙂": 6, "": 7, "new\nline": 8, "\u0001": 9, "a very long key of more than sixty-three bytes, which is compared in another way": 10, "größe": 11}"#
    ),
    Subject(Slashed.self, #"{"a/b": "c/d", "url": "x/y"}"#),
    Subject(
      Lossy.self,
      #"{"list": [1, "x", 2, null], "map": {"a": 1, "b": "c"}, "number": "12", "state": "zzz", "names": ["a", 1]}"#),
    Subject(
      LossyDefaults.self, #"{"a": {}}"#, #"{"list": [1], "zero": 2, "old": 5, "a": {"b": 6}, "lossy": [7, "x"]}"#),
    Subject(
      Shop.self,
      #"{"orders": [{"note": "a\n", "total": "1.5", "state": "user", "items": [{"id": 1, "name": "x"}, {"id": "x"}], "date": 5, "mark": {"text": "m"}, "id": 1}, {"note": "b", "total": 2, "count": null, "state": "zzz", "items": [1]}], "stock": {"a": 1}, "byNumber": {"1": {"id": 2, "name": "y"}, "x": 1}, "optional": {"a": null, "c": "x"}, "lists": [[1, "x"], 2], "deep": {"dates": [5, "2026-01-02T03:04:05Z"]}, "marks": [{"text": "q"}, {}], "points": [{"x": 1}, null, {"y": 2}]}"#
    ),
    Subject(Branch.self, #"{"branches": [{"branches": [], "name": "b"}, {"branches": [{}]}], "name": "a"}"#),
    Subject(OptionalNumbers.self, #"{"first": "1", "a": {"b": 2}, "third": null}"#, #"{"a": {}}"#),
    Subject(Library.Book.self, #"{"isbn": "1", "title": "A", "state": "free", "a": {"b": "x"}, "related": []}"#),
    Subject(Library.Shelf.self, #"{"number": 1, "name": "X", "authors": [{"name": "a"}]}"#),
    Subject([User?].self, #"[{"id": 1, "full_name": "Ada"}, null]"#),
    Subject([String: [Shape]].self, #"{"a": [{"type": "dot"}], "b": []}"#),
  ]

  /// The number of documents for each model.
  private static let roundsPerSubject = (isThorough ? 100_000 : 4000) / subjects.count

  @Test(arguments: subjects)
  func validDocumentsAreDecodedTheSameOnBothPaths(_ subject: Subject) {
    for text in subject.texts {
      for setting in Setting<JSON.Decoder>.all {
        let decoder = JSON.Decoder()
        setting.apply(decoder)
        for data in [Data(text.utf8), Data("\u{FEFF}\(text)".utf8), text.data(using: .utf16BigEndian) ?? Data()] {
          if let difference = subject.decoding(data, decoder) { Issue.record("\(setting.name): \(difference)") }
        }
      }
    }
  }

  @Test(arguments: subjects)
  func truncatedDocumentsFailTheSameOnBothPaths(_ subject: Subject) {
    for text in subject.texts {
      for count in 0..<text.utf8.count {
        let data = Data(text.utf8.prefix(count))
        if let difference = subject.decoding(data, JSON.Decoder()) { Issue.record("\(difference)") }
      }
    }
  }

  @Test(arguments: Array(subjects.enumerated()))
  func damagedDocumentsAreDecodedTheSameOnBothPaths(_ index: Int, _ subject: Subject) throws {
    var documents = try DamagedDocuments(of: subject.texts, seed: UInt64(index))
    let settings = Setting<JSON.Decoder>.all.map { setting in
      let decoder = JSON.Decoder()
      setting.apply(decoder)
      return (setting.name, decoder)
    }
    var acceptedCount = 0
    for round in 0..<Self.roundsPerSubject {
      let data = documents.next()
      if subject.accepts(data) { acceptedCount += 1 }
      // Every other round uses the default, which exercises the direct path most.
      let (name, decoder) = round.isMultiple(of: 2) ? settings[0] : settings[round / 2 % settings.count]
      if let difference = subject.decoding(data, decoder) {
        Issue.record("\(name): \(String(decoding: data, as: UTF8.self)): \(difference)")
      }
    }
    // Some documents are accepted and some are rejected.
    #expect((Self.roundsPerSubject / 20..<Self.roundsPerSubject * 19 / 20).contains(acceptedCount))
  }

  @Test(arguments: Array(subjects.enumerated()))
  func valuesAreEncodedTheSameOnBothPaths(_ index: Int, _ subject: Subject) throws {
    var documents = try DamagedDocuments(of: subject.texts, seed: UInt64(index))
    for round in 0..<Self.roundsPerSubject {
      let data = round < subject.texts.count ? Data(subject.texts[round].utf8) : documents.next()
      for (place, setting) in Setting<JSON.Encoder>.all.enumerated()
      where round < subject.texts.count || place == 0 || place == round % Setting<JSON.Encoder>.all.count {
        let encoder = JSON.Encoder()
        setting.apply(encoder)
        if let difference = subject.encoding(data, encoder) { Issue.record("\(setting.name): \(difference)") }
      }
    }
  }

  @Test(arguments: Setting<JSON.Encoder>.all.map(\.name))
  func unencodableValuesFailTheSameOnBothPaths(setting name: String) throws {
    let setting = try #require(Setting<JSON.Encoder>.all.first { $0.name == name })
    let encoder = JSON.Encoder()
    setting.apply(encoder)
    func expectSame<T: Encodable>(_ value: T) {
      if let difference = Self.encodingDifference(value, encoder) { Issue.record("\(difference)") }
    }
    let url = try #require(URL(string: "http://a/b?c=d"))
    for double in [Double.infinity, -.infinity, .nan, .greatestFiniteMagnitude, .leastNonzeroMagnitude, -0.0] {
      expectSame(Scalars(bool: true, double: double, float: 1, string: "/", decimal: 1))
      expectSame([Scalars(bool: true, double: 1, float: Float(double), string: "\u{2028}\u{7F}", decimal: .nan)])
      expectSame(["k/ey": Page(items: [double], next: nil, total: 1)])
      expectSame(Shape.nested(Shapes(shapes: [.circle(radius: double)])))
      let date = Date(timeIntervalSince1970: double)
      expectSame(
        FoundationValues(
          url: url, uuid: UUID(), data: Data([1, 2]), date: date, urls: nil, dates: ["a": date], optionalDate: nil))
    }
    for seconds in [1.5, -1e11, 1e12, -62_135_596_801, 0.1234567] {
      let date = Date(timeIntervalSince1970: seconds)
      expectSame(
        FoundationValues(
          url: url, uuid: UUID(), data: Data(), date: date, urls: [url], dates: [:], optionalDate: date))
      expectSame(OnlyEncodable(id: 1, date: date))
    }
  }

  @Test(arguments: [1, 100, 511, 512, 513, 600])
  func nestedValuesAreTheSameOnBothPaths(depth: Int) throws {
    var node = Node(value: 0)
    for value in 1..<depth { node = Node(value: value, next: node) }
    #expect(Self.encodingDifference(node, JSON.Encoder()) == nil)
    let text = String(repeating: #"{"value":1,"next":"#, count: depth) + "null" + String(repeating: "}", count: depth)
    let decoder = JSON.Decoder()
    let direct = Outcome { try decoder.decode(Node.self, from: Data(text.utf8)) }
    let containers = Outcome { try decoder.withoutDirectPath.decode(Node.self, from: Data(text.utf8)) }
    #expect(direct == containers)
  }
}
