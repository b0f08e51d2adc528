import AnvilCodable
import Foundation
import Testing

@testable import AnvilJSON

@Suite struct EnumerationTests {
  @Test func casesAreCodedByTheirRawValues() {
    expectAgreement("1", Level.low)
    expectAgreement("10", Level.high)
    expectAgreement("0.5", Ratio.half)
    expectAgreement("1", Ratio.whole)
    expectAgreement(#""♥""#, Suit.hearts)
    expectAgreement(#""spades""#, Suit.spades)
    expectAgreement(#""default""#, Suit.default)
    for text in ["2", #""1""#, "null", "1.5", "[1]"] { expectFailure(Level.self, text) }
    for text in [#""Spades""#, "1", "null", #""""#] { expectFailure(Suit.self, text) }
  }

  @Test func unknownRawValuesHaveACase() {
    expectAgreement("2", Grade.bad)
    expectAgreement("200", Grade.other, writing: "0")
    expectAgreement(#""group""#, Kind.group)
    expectAgreement(#""robot""#, Kind.other, writing: #""other""#)
    for text in ["300", "null", #""1""#] { expectFailure(Grade.self, text) }
    for text in ["1", "null", "{}"] { expectFailure(Kind.self, text) }
  }

  @Test func casesWithoutRawValuesAreCodedByTheirNames() {
    expectAgreement(#""open""#, State.open)
    expectAgreement(#""in-progress""#, State.active)
    expectAgreement(#""running""#, State.active, writing: #""in-progress""#)
    expectAgreement(#""lost""#, State.other("lost"))
    expectAgreement(#""READ_ONLY""#, Mode.readOnly)
    expectAgreement(#""readOnly""#, Mode.unknown, writing: #""UNKNOWN""#)
    for text in ["1", "null", "{}"] {
      expectFailure(State.self, text)
      expectFailure(Mode.self, text)
    }
  }

  @Test(arguments: [
    #"{"dot":{}}"#, #"{"circle":{"radius":1.5,"_1":2}}"#, #"{"user":{"id":1,"name":"a"}}"#, #"{"number":{"_0":1}}"#,
    #"{"pair":{"_0":1,"_1":2}}"#, #"{"optional":{"_0":3}}"#, #"{"optional":{}}"#,
    #"{"document":{"_id":"x","name":"y"}}"#, #"{"labelled":{"_0":1}}"#,
  ])
  func casesWithoutAMarkerAreCodedAsByTheCompiler(text: String) throws {
    let value = try #require(expectAgreement(text, as: Plain.self))
    let theirs = try JSONDecoder().decode(CompilersPlain.self, from: Data(text.utf8))
    #expect("\(theirs)" == "\(value)")
    #expect(try JSON(parsing: JSONEncoder().encode(theirs)) == JSON(parsing: JSON.write(value)))
  }

  @Test func valuesOfCasesMayHaveDefaults() {
    expectAgreement(
      #"{"user": {}}"#, Plain.user(id: nil, name: "none"), writing: #"{"user": {"name": "none"}}"#)
    expectAgreement(
      #"{"line": null, "type": "line", "from": 1}"#, Shape.line(from: 1, to: nil, style: "solid"),
      writing: #"{"type": "line", "from": 1, "style": "solid"}"#, by: .foundation)
  }

  @Test(arguments: [
    "{}", "[]", "null", #""dot""#, "1", #"{"dot":{},"number":{"_0":1}}"#, #"{"nope":{}}"#, #"{"dot":1}"#,
    #"{"number":{}}"#, #"{"number":{"_0":null}}"#, #"{"pair":{"_0":1}}"#,
  ])
  func malformedCasesAreErrors(text: String) { expectFailure(Plain.self, text) }

  @Test func unavailableCasesAreNeitherReadNorWritten() {
    expectAgreement(#"{"used": {"x": 1}}"#, Retired.Plain.used(x: 1))
    expectAgreement(#"{"sized": {"_0": 1}}"#, Retired.Plain.sized(1))
    expectAgreement(#"{"old": {}}"#, as: Retired.Plain.self)
    expectAgreement(#"{"used": {}}"#, Retired.Name.used)
    expectAgreement(#"{"type": "used", "x": 1}"#, Retired.Tagged.used(x: 1))
    expectAgreement(#""used""#, Retired.Level.used)
    expectFailure(Retired.Plain.self, #"{"user": {"x": 1}}"#)
    expectFailure(Retired.Name.self, #"{"gone": {}}"#)
    expectAgreement(#"{"type": "gone"}"#, Retired.Tagged.other, writing: #"{"type": "other"}"#)
    expectAgreement(#""gone""#, Retired.Level.other, writing: #""other""#)
  }

  @Test func namesOfCasesAndValuesCanBeChosen() {
    expectAgreement(#"{"first_case": {"someValue": 1}}"#, NamedPlain.firstCase(someValue: 1))
    expectAgreement(#"{"2nd": {}}"#, NamedPlain.secondCase)
    expectAgreement(#"{"other": {}}"#, NamedPlain.secondCase, writing: #"{"2nd": {}}"#)
    expectAgreement(
      #"{"old": {"_0": 1, "label": "x"}}"#, NamedPlain.thirdCase(1, label: "x"),
      writing: #"{"third_case": {"_0": 1, "label": "x"}}"#)
  }

  @Test func externalTagsAreKeysOrStrings() {
    expectAgreement(#""all""#, Filter.all)
    expectAgreement(#""nothing""#, Filter.none, writing: #""none""#)
    expectAgreement(#"{"named": "x"}"#, Filter.named("x"))
    expectAgreement(#"{"newer": {"than": 1}}"#, Filter.newer(than: 1, by: nil))
    expectAgreement(#"{"range": {"_0": 1, "_1": 2}}"#, Filter.range(1, 2))
    expectAgreement(
      #"{"any": ["all", {"named": "x"}, {"oneOf": []}]}"#, Filter.oneOf([.all, .named("x"), .oneOf([])]),
      writing: #"{"oneOf": ["all", {"named": "x"}, {"oneOf": []}]}"#)
    expectAgreement(#"{"maybe": 1}"#, Filter.maybe(1))
    expectAgreement(#"{"maybe": null}"#, Filter.maybe(nil))
    for text in [
      #""named""#, #""other""#, "null", "1", "{}", #"{"all": {}}"#, #"{"named": 1}"#, #"{"named": "x", "maybe": 1}"#,
      #"{"newer": {}}"#, #"{"zzz": 1}"#, #"{"range": [1, 2]}"#,
    ] { expectFailure(Filter.self, text) }
  }

  @Test func externalTagsOfCasesWithoutValuesAreStrings() {
    expectAgreement(#""up""#, Direction.up)
    expectAgreement(#""back""#, Direction.down, writing: #""down""#)
    expectAgreement(#""up""#, OpenDirection.up)
    for text in [#""left""#, "1", #"{"up": {}}"#] {
      expectFailure(Direction.self, text)
      expectAgreement(text, as: OpenDirection.self)
    }
  }

  /// The same as the compiler's `Codable`.
  @Test func otherMembersBesideTheNameOfACaseAreIgnored() {
    expectAgreement(#"{"x": 1, "number": {"_0": 1}, "y": []}"#, Plain.number(1), writing: #"{"number": {"_0": 1}}"#)
    expectAgreement(#"{"x": 1, "named": "a", "all": {}}"#, Filter.named("a"), writing: #"{"named": "a"}"#)
    expectAgreement(#"{"named": "a", "x": 1}"#, OpenFilter.named("a"), writing: #"{"named": "a"}"#)
  }

  @Test func unknownExternalTagsAreKept() {
    expectAgreement(#""all""#, OpenFilter.all)
    expectAgreement(#"{"named": "x"}"#, OpenFilter.named("x"))
    for text in [#""some""#, #"{"sized": {"width": 1}}"#, "7", "[1, 2]", "{}", #"{"a": 1, "b": 2}"#] {
      expectAgreement(text, as: OpenFilter.self)
    }
    expectAgreement(#"{"sized": {"width": 1}}"#, ClosedFilter.sized(width: 1))
    for text in [#""some""#, #"{"some": 1}"#, "7", "[]"] {
      expectAgreement(text, ClosedFilter.other, writing: #""other""#)
    }
    expectFailure(OpenFilter.self, #"{"named": 1}"#)
    expectFailure(ClosedFilter.self, #"{"named": 1}"#)
  }

  @Test func unknownValuesMayBeInTaggedValues() throws {
    let text = #"{"type":"inner","kind":"zz","firstValue":{"someKey":[1]}}"#
    expectAgreement(text, as: OpenOuter.self)
    expectAgreement(#"{"type": "inner", "kind": "point", "x": 1}"#, OpenOuter.inner(.point(x: 1)))
    let value = try JSON.read(OpenOuter.self, from: text)
    let encoder = JSON.Encoder()
    // Strategies for keys do not apply within a JSON value.
    encoder.keyEncodingStrategy = .convertToSnakeCase
    #expect(String(decoding: try encoder.encode(value), as: UTF8.self) == text)
    let list = try PropertyListEncoder().encode([value])
    #expect(try PropertyListDecoder().decode([OpenOuter].self, from: list) == [value])
  }

  @Test func rawTypesAreRecognizedByTheirCases() {
    expectAgreement(#""1st""#, Renamed.first)
    expectAgreement(#""second""#, Renamed.second)
    expectAgreement(#""1st""#, Qualified.first)
    expectAgreement(#""third""#, Qualified.other, writing: #""other""#)
    expectFailure(Renamed.self, #""first""#)
  }

  /// Two members with one key would not be read as what was written.
  @Test(arguments: [
    (Badge(first: 1, type: "x", last: ["type"]), #"{"type":"badge","first":1,"last":["type"]}"#),
    (Badge(type: "x"), #"{"type":"badge"}"#),
    (Badge(type: "x,\"}", last: [#""type":"#]), #"{"type":"badge","last":["\"type\":"]}"#),
    (Badge(first: 1), #"{"type":"badge","first":1}"#),
  ])
  func tagsReplaceMembersWithTheirKeys(badge: Badge, text: String) throws {
    let worn = Worn.badge(badge)
    #expect(String(decoding: try JSON.write(worn), as: UTF8.self) == text)
    #expect(String(decoding: try JSON.Encoder().encode(worn), as: UTF8.self) == text)
    #expect(String(decoding: try JSON.Encoder().withoutDirectPath.encode(worn), as: UTF8.self) == text)
    #expect(try JSON(parsing: JSONEncoder().encode(worn)) == JSON(parsing: text))
    #expect(try JSON(encoding: worn).serializedText() == text)
    let codable = Worn.set(.init(type: "x"))
    #expect(String(decoding: try JSON.write(codable), as: UTF8.self) == #"{"type":"set"}"#)
    #expect(String(decoding: try JSON.Encoder().withoutDirectPath.encode(codable), as: UTF8.self) == #"{"type":"set"}"#)
    #expect(try JSON(encoding: codable).serializedText() == #"{"type":"set"}"#)
  }

  @Test func internalTagsAreMembers() {
    expectAgreement(#"{"type": "circle", "radius": 1}"#, Shape.circle(radius: 1))
    expectAgreement(
      #"{"radius": 1, "other": [{"type": 1}], "type": "circle"}"#, Shape.circle(radius: 1),
      writing: #"{"type": "circle", "radius": 1}"#)
    expectAgreement(#"{"type": "box", "width": 1}"#, Shape.box(Box(width: 1, height: nil)))
    expectAgreement(
      #"{"height": 2, "width": 1, "type": "rectangle"}"#, Shape.box(Box(width: 1, height: 2)),
      writing: #"{"type": "box", "width": 1, "height": 2}"#)
    expectAgreement(#"{"type": "dot"}"#, Shape.dot)
    expectAgreement(#"{"type": "stored", "_id": "x"}"#, Shape.stored(_id: "x"))
    expectAgreement(
      #"{"type": "nested", "shapes": [{"type": "dot"}, {"shapes": [], "type": "nested"}]}"#,
      Shape.nested(Shapes(shapes: [.dot, .nested(Shapes(shapes: []))])))
    expectAgreement(#"{"type": "hexagon", "a": [1, {"b": 2}]}"#, Shape.other(["type": "hexagon", "a": [1, ["b": 2]]]))
    expectAgreement(#"{"kind": "user-joined", "userName": "a"}"#, Event.userJoined(userName: "a"))
    expectAgreement(#"{"kind": "user-left"}"#, Event.userLeft)
    expectAgreement(#"{"kind": "x", "width": 1}"#, Event.custom(Box(width: 1, height: nil)))
    expectAgreement(#"{"kind": "robot", "x": 1}"#, QuietEvent.other, writing: #"{"kind": "other"}"#)
    for text in [#"{"type": "circle"}"#, #"{"type": "box"}"#] { expectFailure(Shape.self, text) }
    for text in [
      "{}", "[]", "null", #""dot""#, #"{"kind": 1}"#, #"{"kind": null}"#, #"{"kind": []}"#, #"{"kind": {"kind": "x"}}"#,
    ] { expectFailure(Event.self, text) }
    for text in [#"{"kind": "userLeft"}"#, #"{"kind": "robot"}"#, #"{"type": "user-left"}"#] {
      expectFailure(Event.self, text)
    }
  }

  /// The written text can be read back.
  @Test(arguments: [
    "{}", #"{"a": 1}"#, #"{"type": null, "a": [1]}"#, #"{"type": 1}"#, #"{"type": true}"#, #"{"type": [1]}"#,
    #"{"type": {"type": "dot"}}"#, #"{"type": "hexagon"}"#, "[]", "[1]", "1", "true", #""dot""#,
  ])
  func valuesWithoutAKnownTagAreUnknown(text: String) throws {
    // Property lists have no null.
    let ways: Ways = text.contains("null") ? .foundation : .all
    expectAgreement(text, Shape.other(try JSON(parsing: text)), by: ways)
    expectAgreement(text, QuietEvent.other, writing: #"{"kind": "other"}"#)
    expectAgreement(text, OpenMessage.other(try JSON(parsing: text)), by: ways)
    expectAgreement(#"{"kind": "other"}"#, QuietEvent.other)
  }

  /// The tags of each case of `Coded`, the text that is written first.
  @Test func tagsMayBeNumbersAndBooleans() {
    expectAgreement(#"{"code": 1, "x": 2}"#, Coded.one(x: 2))
    expectAgreement(#"{"x": 2, "code": 1.0}"#, Coded.one(x: 2), writing: #"{"code": 1, "x": 2}"#)
    expectAgreement(#"{"code": "1", "x": 2}"#, Coded.one(x: 2), writing: #"{"code": 1, "x": 2}"#)
    expectAgreement(#"{"code": -2, "width": 1}"#, Coded.box(Box(width: 1)))
    expectAgreement(#"{"code": 20, "width": 1}"#, Coded.box(Box(width: 1)), writing: #"{"code": -2, "width": 1}"#)
    expectAgreement(#"{"code": 21, "width": 1}"#, Coded.box(Box(width: 1)), writing: #"{"code": -2, "width": 1}"#)
    expectAgreement(#"{"code": true}"#, Coded.yes)
    expectAgreement(#"{"code": "true"}"#, Coded.yes, writing: #"{"code": true}"#)
    expectAgreement(#"{"code": "3"}"#, Coded.text)
    expectAgreement(#"{"code": 3}"#, Coded.text, writing: #"{"code": "3"}"#)
    expectAgreement(#"{"code": 1.5}"#, Coded.half, writing: #"{"code": "1.5"}"#)
    expectAgreement(#"{"code": 18446744073709551615}"#, Coded.large, writing: #"{"code": "18446744073709551615"}"#)
    for text in [
      "{}", #"{"code": 2}"#, #"{"code": false}"#, #"{"code": null}"#, #"{"code": [1]}"#, #"{"code": "1.0", "x": 2}"#,
      #"{"code": "TRUE"}"#, #"{"code": 1}"#,
    ] { expectFailure(Coded.self, text) }
    expectAgreement(#"{"ok": true, "result": {"width": 1}}"#, Answered.success(Box(width: 1)))
    expectAgreement(#"{"result": "x", "ok": false}"#, Answered.failure("x"))
    expectAgreement(#"{"ok": 1}"#, Answered.other(["ok": 1]))
  }

  private func expectConflict<T: Model & Equatable>(_ value: T, sourceLocation: SourceLocation = #_sourceLocation) {
    for write in [
      { _ = try JSON.write(value) }, { _ = try JSON.Encoder().encode(value) },
      { _ = try JSON.Encoder().withoutDirectPath.encode(value) }, { _ = try JSONEncoder().encode(value) },
      { _ = try PropertyListEncoder().encode([value]) }, { _ = try JSON(encoding: value) },
    ] as [() throws -> Void] {
      let error = #expect(throws: (any Error).self, sourceLocation: sourceLocation) { try write() }
      #expect("\(String(describing: error))".contains("same member"), sourceLocation: sourceLocation)
    }
  }

  /// An object has one member for each key, so the inner case would be lost.
  @Test func valuesWithTheSameTagAreErrors() throws {
    expectAgreement(#"{"type": "plain", "x": 1}"#, SameTag.plain(x: 1))
    for text in [
      #"{"type": "inner", "v": 1}"#, #"{"type": "inner"}"#, #"{"type": "generic", "content": 1}"#,
      #"{"type": "j", "v": 1}"#,
    ] { expectFailure(SameTag.self, text) }
    expectConflict(SameTag.inner(.j(v: 1)))
    expectConflict(SameTag.generic(.some(1)))
    let error = #expect(throws: DecodingError.self) {
      try JSON.Decoder().decode(SameTag.self, from: Data(#"{"type": "inner", "v": 1}"#.utf8))
    }
    #expect("\(String(describing: error))".contains("SameTagValue"))
    // The case for unknown tags includes the tag.
    expectAgreement(#"{"type": "j", "v": 1}"#, Successor.old(.j(v: 1)))
    expectAgreement(#"{"type": "new", "x": 1}"#, Successor.new(x: 1))
    expectFailure(Successor.self, #"{"type": "zzz"}"#)
  }

  /// Reading such a value would not end.
  @Test(.timeLimit(.minutes(1)))
  func valuesThatContainThemselvesInTheSameObjectAreErrors() {
    expectAgreement(#"{"a": "end"}"#, CycleA.end)
    expectFailure(CycleA.self, #"{"a": "b", "b": "a"}"#)
    expectFailure(CycleA.self, #"{"a": "b", "b": "end"}"#)
    expectConflict(CycleA.b(.end))
    expectAgreement(#"{"type": "end"}"#, OpenCycle.end)
    for text in ["{}", #"{"type": "zzz"}"#, "null", "1"] { expectFailure(OpenCycle.self, text) }
    expectAgreement(#"{"op": "number", "value": 1}"#, BoxedExpression.number(value: 1))
    for text in [#"{"op": "negative"}"#, #"{"op": "reading"}"#, #"{"op": "negative", "value": 1}"#] {
      expectFailure(BoxedExpression.self, text)
      expectFailure([BoxedExpression].self, "[\(text)]")
    }
    expectAgreement(
      #"{"op": "negative", "args": {"op": "sum", "args": {"_0": {"op": "number", "args": 1}, "_1": {"op": "number", "args": 2}}}}"#,
      Expression.negative(.sum(.number(1), .number(2))))
  }

  @Test func recursiveValuesMayBeDeep() {
    var text = #"{"op":"number","args":1}"#
    var value = Expression.number(1)
    for _ in 0..<150 {
      text = #"{"args":\#(text),"op":"negative"}"#
      value = .negative(value)
    }
    expectAgreement(text, value, by: .foundation)
  }

  // MARK: - Tags behind their content

  @Test(arguments: [0, 1, 7, 8, 9, 20, 40])
  func tagsMayBeBehindNestedContent(depth: Int) {
    var text = #"{"lines":[["a]}","\"b"],[]],"type":"text","style":"plain"}"#
    var value = Block.text(.plain(lines: [["a]}", "\"b"], []]))
    for level in 0..<depth {
      if level.isMultiple(of: 2) {
        text = ##"{"tail":["{\##(level)"],"item":\##(text),"type":"group"}"##
        value = .group(item: value, tail: ["{\(level)"])
      } else {
        text = #"{ "blocks" : [ {"type":"end"} , \#(text) , {"style":{},"type":"end"} ] , "type" : "list" }"#
        value = .list(Blocks(blocks: [.end, value, .end]))
      }
    }
    do {
      let agreement = Agreement<Block>(text: text, ways: .all, sourceLocation: #_sourceLocation)
      #expect(try agreement.reading() == value)
      #expect(try JSON.read(Block.self, from: JSON.write(value)) == value)
    } catch {
      Issue.record("\(error)")
    }
  }

  /// The number of bytes that are scanned for tags is proportional to the text, whatever the depth.
  @Test(arguments: [
    (#"{"item":"#, #","tail":["x"],"type":"group"}"#),
    (#"{"tail":["x","y"],"item":"#, #","x":[1,{"y":[2]}],"type":"group"}"#),
    (#"{"type":"list","blocks":["#, #"]}"#), (#"{"blocks":["#, #"],"type":"list"}"#),
    (#"{"blocks":[{"item":"#, #","tail":[],"type":"group"}],"type":"list"}"#),
  ])
  func tagsAreFoundInLinearTime(prefix: String, suffix: String) throws {
    let end =
      #"{"lines":[\#([String](repeating: #"["x","y"]"#, count: 4000).joined(separator: ","))],"style":"plain","type":"text"}"#
    for depth in [1, 50, 150] {
      let text = String(repeating: prefix, count: depth) + end + String(repeating: suffix, count: depth)
      let measured = try JSON.read(Measured.self, from: text)
      #expect(measured.scannedCount <= 12 * text.utf8.count)
    }
  }

  private struct Measured: JSONReadable {
    let block: Block
    let scannedCount: Int

    static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Measured {
      let block = try Block.read(from: &reader)
      return Measured(block: block, scannedCount: reader.containerEnds.scannedCount)
    }
  }

  @Test func taggedValuesMayBeInTaggedValues() {
    for text in [
      #"{"type": "event", "kind": "user-left"}"#, #"{"type": "event", "kind": "x", "width": 1}"#,
      #"{"type": "again", "inner": "event", "kind": "user-joined", "userName": "a"}"#,
      #"{"type": "again", "inner": "choice", "none": {}}"#, #"{"type": "plain", "x": 1}"#,
    ] { expectAgreement(text, as: Envelope.self) }
  }

  @Test func adjacentTagsAreBesideTheContent() {
    expectAgreement(#"{"t": "ping"}"#, Message.ping)
    expectAgreement(#"{"c": {}, "t": "ping"}"#, Message.ping, writing: #"{"t": "ping"}"#)
    expectAgreement(#"{"c": "x", "t": "text"}"#, Message.text("x"))
    expectAgreement(#"{"t": "move", "c": {"x": 1}}"#, Message.move(x: 1, y: nil))
    expectAgreement(#"{"t": "pair", "c": {"_0": 1, "_1": "a"}}"#, Message.pair(1, "a"))
    expectAgreement(#"{"t": "maybe", "c": 1}"#, Message.maybe(1))
    expectAgreement(#"{"t": "maybe"}"#, Message.maybe(nil))
    expectAgreement(#"{"t": "allOptional", "c": {}}"#, Message.allOptional(a: nil, b: nil))
    expectAgreement(#"{"t": "allOptional", "c": {"b": 1}}"#, Message.allOptional(a: nil, b: 1))
    expectAgreement(
      #"{"t": "list", "c": [{"t": "ping"}]}"#, Message.many([.ping]), writing: #"{"t": "many", "c": [{"t": "ping"}]}"#)
    expectAgreement(#"{"t": "new", "c": 1}"#, OpenMessage.other(["t": "new", "c": 1]))
    for text in [
      "{}", #"{"t": "text"}"#, #"{"t": "text", "c": 1}"#, #"{"t": "zzz"}"#, #"{"t": "move", "c": []}"#, #"{"t": 1}"#,
    ] { expectFailure(Message.self, text) }
  }

  @Test func genericEnumerationsCodeTheirParameters() {
    expectAgreement(#"{"none": {}}"#, Choice<Int>.none)
    expectAgreement(#"{"one": {"_0": {"width": 1}}}"#, Choice.one(Box(width: 1, height: nil)))
    expectAgreement(#"{"many": {"values": ["a"]}}"#, Choice.many(values: ["a"]))
    expectAgreement(#"{"nested": {"_0": {"one": {"_0": 1}}}}"#, Choice.nested(.one(1), other: nil))
    expectAgreement(#"{"is": "success", "value": [1]}"#, Reply<[Int], String>.success(value: [1]))
    expectAgreement(#"{"is": "failure", "reason": "x"}"#, Reply<[Int], String>.failure(reason: "x", code: nil))
  }

  @Test func recursiveEnumerationsAreCoded() {
    expectAgreement(
      #"{"node": {"left": {"leaf": {"_0": 1}}, "right": {"node": {"left": {"leaf": {"_0": 2}}}}}}"#,
      Tree.node(left: .leaf(1), right: .node(left: .leaf(2), right: nil)))
  }

  @Test func keysAreThoseThatTheTypeDeclares() {
    expectAgreement(#"{"Circle": {"r": 1, "_1": 2}}"#, DeclaredKeys.circle(radius: 1, 2))
    expectAgreement(#"{"empty": {}}"#, DeclaredKeys.empty)
    expectFailure(DeclaredKeys.self, #"{"circle": {"radius": 1, "_1": 2}}"#)
  }

  @Test func nullIsAnObjectWithoutRequiredValues() {
    expectAgreement(#"{"empty": null}"#, Tree.empty(depth: nil), writing: #"{"empty": {"isRoot": false}}"#)
    expectAgreement(#"{"limited": null}"#, Filter.limited(to: nil), writing: #"{"limited": {}}"#)
    expectAgreement(#"{"page": null}"#, Filter.page(1), writing: #"{"page": 1}"#)
    expectFailure(Tree.self, #"{"leaf": null}"#)
    expectFailure(Filter.self, #"{"newer": null}"#)
  }

  @Test func namesMayBeRawIdentifiers() {
    expectAgreement(#"{"in progress": {"x": 1}}"#, RawCases.`in progress`(x: 1))
    expectAgreement(#"{"1h": {"the value": 1, "_1": 2}}"#, RawCases.`1h`(`the value`: 1, 2))
    expectAgreement(#"{"done": {}}"#, RawCases.`all done`, writing: #"{"all done": {}}"#)
    expectAgreement(#"{"self": {"self": 1}}"#, RawCases.`self`(self: 1))
    expectAgreement(#"{"x": 1, "type": "in progress"}"#, TaggedRawCases.`in progress`(x: 1))
    expectAgreement(
      #"{"type": "hour", "width": 1}"#, TaggedRawCases.`1h`(Box(width: 1)), writing: #"{"type": "1h", "width": 1}"#)
    expectAgreement(#"{"type": "all done"}"#, TaggedRawCases.`all done`)
    expectAgreement(#"{"x": 1}"#, TaggedRawCases.`something else`(["x": 1]))
    expectAgreement(#""in progress""#, RawTexts.`in progress`)
    expectAgreement(#""1h""#, RawTexts.`1h`)
    expectAgreement(#""x""#, RawTexts.`something else`, writing: #""something else""#)
    expectAgreement(
      #"{"1h": "low", "text": "7", "the date": 5}"#,
      RawScope.Inner(`1h`: .low, `in progress`: .low, `the date`: Date(timeIntervalSince1970: 5), text: 7),
      writing: #"{"1h": "low", "in progress": "low", "the date": 5, "text": "7"}"#)
    expectAgreement(
      #"{"self": 1, "h": 2, "a": {}}"#, as: RawNames.self, writing: #"{"self": 1, "1h": 2, "a": {"b c": 3, "d": 0}}"#)
  }

  @Test func strategiesMayHaveOptionalValues() {
    let date = Date(timeIntervalSince1970: 5)
    expectAgreement(
      #"{"date": 5, "a": {"b": 5}, "old": 5}"#, OptionalStrategies(date: date, deep: date, aliased: date),
      writing: #"{"date": 5, "a": {"b": 5}, "aliased": 5}"#)
    for text in ["{}", #"{"date": null, "a": null}"#, #"{"date": -1, "a": {"b": -1}}"#] {
      expectAgreement(text, OptionalStrategies(date: nil, deep: nil, aliased: nil), writing: "{}", by: .foundation)
    }
    expectFailure(OptionalStrategies.self, #"{"date": "x"}"#)
  }

  @Test(arguments: ["true", #""true""#, #""yes""#])
  func booleansAreAliasesOfATag(tag: String) {
    expectAgreement(#"{"ok": \#(tag), "x": 1}"#, AliasedTags.success(x: 1), writing: #"{"ok": "yes", "x": 1}"#)
  }

  @Test(arguments: ["false", "0", "-1", "1", #""no""#])
  func severalKindsOfAliasesIdentifyACase(tag: String) {
    expectAgreement(#"{"ok": \#(tag)}"#, AliasedTags.failure, writing: #"{"ok": 0}"#)
  }
}
