import Foundation
import Testing

@testable import AnvilJSON

@Suite struct ValueAccessTests {
  private let sample = """
    {"null": null, "yes": true, "no": false, "text": "grüße", "one": 1, "half": 0.5, "big": 340282366920938463463374607431768211455,
     "huge": 1e400, "list": [1, [2, 3], {"a": 4}, "x"], "same": 1, "same": {"b": 2}, "empty": {}, "none": []}
    """
  private func json(_ text: String) throws -> JSON { try JSON(parsing: text) }

  @Test func accessorsReturnScalarsOnlyOfTheirType() throws {
    let json = try json(sample)
    #expect(json["null"]?.isNull == true && json["yes"]?.isNull == false)
    #expect(json["yes"]?.bool == true && json["no"]?.bool == false)
    #expect(json["text"]?.string == "grüße")
    #expect(json["one"]?.int == 1 && json["one"]?.double == 1 && json["one"]?.numberText == "1")
    #expect(json["half"]?.int == nil && json["half"]?.double == 0.5 && json["half"]?.decimal == Decimal(string: "0.5"))
    #expect(json["big"]?.int == nil && json["big"]?.integer(as: UInt128.self) == .max)
    #expect(json["big"]?.integer(as: Int128.self) == nil)
    #expect(json["huge"]?.double == nil && json["huge"]?.numberText == "1e400" && json["huge"]?.kind == .number)
  }

  @Test(arguments: ["null", "true", "1", #""1""#, "[1]", #"{"a": 1}"#])
  func accessorsDoNotConvertValues(text: String) throws {
    let json = try json(text)
    #expect(json.isNull == (json.kind == .null))
    #expect((json.bool != nil) == (json.kind == .bool))
    #expect((json.string != nil) == (json.kind == .string))
    let isNumber = json.kind == .number
    #expect((json.int != nil) == isNumber && (json.double != nil) == isNumber)
    #expect((json.decimal != nil) == isNumber && (json.numberText != nil) == isNumber)
    #expect((json.integer(as: Int8.self) != nil) == isNumber)
    #expect(json.elements.isEmpty == (json.kind != .array))
    #expect(json.members.isEmpty == (json.kind != .object) && json.keys.isEmpty == (json.kind != .object))
  }

  @Test func elementsAreInOrderAndComplete() throws {
    let list = try #require(try json(sample)["list"])
    #expect(list.elements.map(\.description) == ["1", "[2,3]", #"{"a":4}"#, #""x""#])
    #expect(list.elements.count == 4 && list.elements.first?.int == 1)
    #expect(list.elements.indices.map { list.elements[$0].kind } == [.number, .array, .object, .string])
    #expect(list.elements.dropFirst(2).first?["a"]?.int == 4)
    #expect(try json("[]").elements.first == nil)
  }

  @Test func membersAreInOrderAndIncludeRepeatedKeys() throws {
    let json = try json(#"{"b": 1, "a": [2, 3], "b": {"c": 3}, "": null}"#)
    #expect(json.members.map(\.key) == ["b", "a", "b", ""])
    #expect(json.members.map(\.value.description) == ["1", "[2,3]", #"{"c":3}"#, "null"])
    #expect(Array(json.keys) == ["b", "a", "b", ""] && json.keys.count == 4 && json.members.count == 4)
    #expect(json.members.indices.map { json.members[$0].key } == ["b", "a", "b", ""])
    #expect(json["b"]?.int == 1)
  }

  /// As in Foundation's decoder.
  @Test func subscriptReturnsTheFirstOfRepeatedKeys() throws {
    let text = #"{"same": 1, "same": 2}"#
    let foundation = try JSONDecoder().decode([String: Int].self, from: Data(text.utf8))
    #expect(try json(text)["same"]?.int == foundation["same"])
  }

  @Test(arguments: [
    "1e999999999999999999999", "-1e-99999999999999999999", "0e99999999999999999999", "1e127", "1e128", "1e-128",
    "1e9223372036854775807", "1e-9223372036854775808", "123456789012345678901234567890123456789012345678901234567890",
    "0.0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001e200",
  ])
  func extremeNumbersDoNotTrapForAnyType(text: String) throws {
    let json = try json(text)
    _ = (json.decimal, json.double, json.integer(as: Int128.self), json.integer(as: UInt8.self), json.int)
    #expect(json.numberText == text)
  }

  // MARK: Place

  @Test func stepsLeadFromTheRootToEveryValue() throws {
    var generator = ValueGenerator(seed: 1)
    for _ in 0..<300 {
      let json = try generator.value()
      var pending = [json]
      while let value = pending.popLast() {
        #expect(value.root.index == 0 && value.root.document === value.document)
        // Searched by hand, because a key may repeat. The step's key is that of the member that contains the value.
        var found = json
        for step in value.stepsFromRoot {
          switch step {
          case .index(let index): found = try #require(found[index])
          case .key(let key):
            let member = found.members.first {
              $0.key.utf8.elementsEqual(key.utf8) && $0.value.index <= value.index
                && value.index < $0.value.index + $0.value.word.span
            }
            found = try #require(member).value
          }
        }
        #expect(found.index == value.index)
        pending += value.elements
        pending += value.members.map(\.value)
      }
    }
  }

  @Test func rootHasNoSteps() throws {
    #expect(try json(sample).stepsFromRoot.isEmpty)
    #expect(try json("1").stepsFromRoot.isEmpty)
    #expect(try json(sample)["list"]?[2]?["a"]?.stepsFromRoot == [.key("list"), .index(2), .key("a")])
  }

  @Test func stepsAreEqualByScalars() {
    #expect(JSON.Step.key("\u{E9}") != .key("e\u{301}") && JSON.Step.key("a") == .key("a"))
    #expect(JSON.Step.key("0") != .index(0) && JSON.Step.index(1) != .index(0))
    #expect(Set([JSON.Step.key("a"), .key("a"), .index(0)]).count == 2)
  }
}
