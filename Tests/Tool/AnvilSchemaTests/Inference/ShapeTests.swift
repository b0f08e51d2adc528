import AnvilJSON
import Testing

@testable import AnvilSchema

struct ShapeTests {
  private func shape(_ texts: String...) throws -> Shape {
    var shape = Shape()
    for text in texts { shape.add(try JSON(parsing: text)) }
    return shape
  }

  @Test func kindsAreCounted() throws {
    let shape = try shape("null", "true", "1", #""a""#, "[]", "{}", "2.5")
    #expect(shape.kinds == [.null, .bool, .number, .string, .array, .object])
    #expect(shape.count == 7)
    #expect(shape.numbers.count == 2)
    #expect(shape.numbers.fractions == 1)
  }

  @Test func membersKeepTheirOrder() throws {
    let shape = try shape(#"{"b": 1, "a": 2}"#, #"{"c": null, "a": 3}"#)
    #expect(shape.objects.count == 2)
    #expect(shape.objects.members.map(\.key) == ["b", "a", "c"])
    #expect(shape.objects.members.map(\.count) == [1, 2, 1])
    #expect(shape.objects["a"]?.shape.numbers.range == 2...3)
    #expect(shape.objects["c"]?.shape.kinds == [.null])
  }

  @Test func firstOfMembersThatShareAKeyCounts() throws {
    let shape = try shape(#"{"a": 1, "a": "x"}"#)
    #expect(shape.objects["a"]?.count == 1)
    #expect(shape.objects["a"]?.shape.kinds == [.number])
  }

  /// They are different keys of a decoder. Source: RFC 8259 §8.3.
  @Test func keysThatDifferOnlyInTheirUnicodeFormAreDifferent() throws {
    let shape = try shape("{\"\u{E9}\": 1}", "{\"e\u{301}\": 1}")
    #expect(shape.objects.members.map(\.count) == [1, 1])
    #expect(shape.objects["\u{E9}"]?.count == 1)
    let models = SwiftModels(of: shape, name: "Doc", style: .codable(.codingKeys)).source
    #expect(models.contains("let \u{E9}: Int?") && models.contains("let \u{E9}2: Int?"), "\(models)")
  }

  @Test func elementsOfAllArraysShareOneShape() throws {
    let shape = try shape("[1]", "[]", "[null, 2.0]")
    #expect(shape.arrays.count == 3)
    #expect(shape.arrays.greatestCount == 2)
    #expect(shape.arrays.elements?.count == 3)
    #expect(shape.arrays.elements?.numbers.integers == 1)
  }

  @Test(arguments: [
    ("0", 1, 0, 0), ("-9223372036854775809", 1, 0, 0), ("1.0", 0, 0, 0), ("1e2", 0, 0, 0), ("1e400", 0, 0, 1),
    ("1e-400", 0, 0, 1), ("0.09e-400", 0, 0, 1), ("0e-400", 0, 0, 0),
    ("1\(String(repeating: "0", count: 40))", 1, 1, 0),
    ("1\(String(repeating: "0", count: 400))", 1, 1, 1),
  ])
  func numbersAreClassifiedByTheirNotation(text: String, integers: Int, huge: Int, beyond: Int) throws {
    let numbers = try shape(text).numbers
    #expect(numbers.integers == integers)
    #expect(numbers.hugeIntegers == huge)
    #expect(numbers.beyondDouble == beyond)
  }

  @Test(
    arguments: [
      ("2013-01-10T07:58:30Z", [.date, .schemaDate]),
      ("2013-01-10T07:58:30.5+01:00", [.date, .schemaDate]),
      ("2013-01-10T07:58:30+0100", [.date]),
      ("2016-12-31T23:59:60Z", [.date, .schemaDate]),
      ("2013-01-10 07:58:30Z", []),
      ("2013-13-10T07:58:30Z", []),
      ("2013-01-10", [.day]),
      ("2013-02-29", []),
      ("https://example.com/a?b=c#d", [.url, .schemaURI]),
      ("https://example.com/100%", []),
      ("12", [.integer, .number]),
      ("-1.5e3", [.number]),
      ("007", []),
      ("https://example.com/a{/b}", []),
      ("https://", [.schemaURI]),
      ("mailto:a@example.com", []),
      ("//example.com", []),
      ("https://example.com/a b", []),
      ("6BA7B810-9dad-11d1-80b4-00c04fd430c8", [.uuid]),
      ("", []),
    ] as [(String, StringFormats)])
  func formatsOfStringsAreRecognised(text: String, formats: StringFormats) throws {
    #expect(try shape("\"\(text)\"").strings.formats == formats)
  }

  @Test func formatIsKeptOnlyIfAllStringsHaveIt() throws {
    let dates = try shape(#"["2013-01-10T07:58:30Z", "2013-01-10T07:58:30.25Z"]"#).arrays.elements
    #expect(dates?.strings.formats == [.date, .schemaDate])
    let texts = try shape(#"["2013-01-10T07:58:30Z", "soon"]"#).arrays.elements
    #expect(texts?.strings.formats == [])
  }

  @Test func valuesOfStringsAreKeptUpToALimit() throws {
    let few = try shape(#"["a", "b", "a"]"#).arrays.elements
    #expect(few?.strings.values == [.init(text: "a", count: 2), .init(text: "b", count: 1)])
    let many = JSON.array((0...Shape.Strings.mostValues).map { "\"\($0)\"" })
    #expect(try shape(many).arrays.elements?.strings.values == nil)
    let long = String(repeating: "a", count: Shape.Strings.longestValue + 1)
    #expect(try shape("\"\(long)\"").strings.values == nil)
  }

  @Test func mergingShapesEqualsAddingTheirValues() throws {
    let texts = [
      #"{"a": [1, "x", null], "b": {"c": 1.5}}"#, #"{"a": [], "d": true}"#, #"{"b": null, "a": [{"e": "y"}]}"#,
    ]
    var added = Shape()
    var merged = Shape()
    for text in texts {
      let json = try JSON(parsing: text)
      added.add(json)
      merged.merge(Shape(of: json))
    }
    #expect(String(describing: added.comparable) == String(describing: merged.comparable))
    #expect(added.objects["a"]?.shape.arrays.elements?.objects["e"]?.shape.strings.count == 1)
  }

  @Test func objectsWithTooManyKeysAreDictionaries() throws {
    let members = (0...Shape.Objects.mostMembers).map { "\"key\($0)\": \($0)" }.joined(separator: ",")
    var shape = try shape("{\(members)}")
    #expect(shape.objects.haveTooManyKeys)
    #expect(shape.objects.areDictionaries)
    #expect(shape.objects.members.isEmpty)
    #expect(shape.objects.values.numbers.count == Shape.Objects.mostMembers + 1)
    shape.add(try JSON(parsing: #"{"more": "text"}"#))
    #expect(shape.objects.values.strings.count == 1)
    var other = try self.shape(#"{"a": true}"#)
    other.merge(shape)
    #expect(other.objects.haveTooManyKeys)
    #expect(other.objects.values.bools == 1)
    #expect(other.objects.count == 3)
  }

  @Test(arguments: [
    (#"{"1": "a", "2": "b"}"#, true),
    (#"{"138586341": {"id": 1, "name": "a"}, "138586345": {"id": 2, "name": null}}"#, true),
    (#"{"6ba7b810-9dad-11d1-80b4-00c04fd430c8": 1}"#, true),
    (#"{"2026-01-01": 1, "2026-01-02": 2.5}"#, true),
    (#"{"text/html": 1, "text/plain": 2, "image/png": 3}"#, true),
    (#"{"1": "a", "2": 2}"#, false),
    (#"{"1": {"a": 1}, "2": {"b": 1}}"#, false),
    (#"{"1": [{"a": 1}], "2": [{"a": 2}]}"#, true),
    (#"{"1": [{"a": 1}], "2": [{"b": 1}]}"#, false),
    (#"{"width": 1, "height": 2}"#, false),
    (#"{"-": 1}"#, false),
    (#"{"0123456789abcdef": 1}"#, true),
    (#"{"0123456789ABCDEF": 1}"#, true),
    (#"{"0123456789abcde": 1}"#, false),
    (#"{"abcdefabcdefabcdef": 1}"#, false),
    (#"{"0123456789abcdefg": 1}"#, false),
    (#"{"1": {"11": 1}, "2": {"22": 2}}"#, true),
    ("{}", false),
  ])
  func dictionariesAreRecognised(text: String, isDictionary: Bool) throws {
    #expect(try shape(text).objects.areDictionaries == isDictionary)
  }

  @Test(arguments: [
    (#"{"a": {"11": 1}, "b": {"22": 1}}"#, true),
    (#"{"a": {"11": 1}, "b": {"x": 1}}"#, false),
    (#"{"a": {"x": 1}, "b": {"22": 1}}"#, false),
    (#"{"a": {"x": 1, "y": 2}, "b": {"x": 1, "z": 2}}"#, true),
  ])
  func valuesOfDictionariesAreComparedRegardlessOfTheirKeys(text: String, areAlike: Bool) throws {
    #expect(try shape(text).objects.valuesAreAlike == areAlike)
  }
}

extension JSON {
  fileprivate static func array(_ elements: [String]) -> String { "[\(elements.joined(separator: ","))]" }
}

extension Shape {
  /// A description for comparisons.
  fileprivate var comparable: [String] {
    [
      "\(nulls) \(bools) \(numbers) \(strings) \(arrays.count) \(arrays.greatestCount) \(objects.count)",
      "\(arrays.elements?.comparable ?? [])",
    ] + objects.members.map { "\($0.key) \($0.count) \($0.shape.comparable)" }
  }
}

extension Shape {
  /// Creates the shape of one value.
  init(of json: JSON) {
    self.init()
    add(json)
  }
}
