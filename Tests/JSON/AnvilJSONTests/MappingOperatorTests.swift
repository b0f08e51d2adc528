import AnvilJSON
import Testing

/// The result of an operator.
private enum Outcome: Equatable, CustomTestStringConvertible {
  case value(Int)
  case none
  case missingKey
  case typeMismatch
  case other

  init(_ body: () throws -> Int?) {
    do {
      self = try body().map(Outcome.value) ?? .none
    } catch is MissingKeyError {
      self = .missingKey
    } catch is TypeMismatchError {
      self = .typeMismatch
    } catch {
      self = .other
    }
  }

  var testDescription: String { "\(self)" }
}

private struct Model: JSONDecodable {
  let id: Int

  static func decode(_ json: JSON) throws -> Model { try Model(id: json => "id") }
}

@Suite struct MappingOperatorTests {
  /// The table of the design: the result of each overload for a value, null, a missing key, another type, and an inner
  /// error.
  private static let table: [(text: String, strict: Outcome, nullable: Outcome, optional: Outcome, attempt: Outcome)] =
    [
      (#"{"key": {"id": 7}}"#, .value(7), .value(7), .value(7), .value(7)),
      (#"{"key": null}"#, .typeMismatch, .none, .none, .none),
      (#"{}"#, .missingKey, .missingKey, .none, .none),
      (#"{"key": 5}"#, .typeMismatch, .typeMismatch, .typeMismatch, .none),
      (#"{"key": {}}"#, .missingKey, .missingKey, .missingKey, .none),
      (#"{"key": {"id": "x"}}"#, .typeMismatch, .typeMismatch, .typeMismatch, .none),
      (#"{"key": {"id": null}}"#, .typeMismatch, .typeMismatch, .typeMismatch, .none),
      ("5", .typeMismatch, .typeMismatch, .typeMismatch, .none),
      ("null", .typeMismatch, .typeMismatch, .typeMismatch, .none),
    ]

  @Test(arguments: table.indices)
  func operatorsFollowTheTableOfResults(row: Int) throws {
    let (text, strict, nullable, optional, attempt) = Self.table[row]
    let json = try JSON(parsing: text)
    let key = JSON.Path("key")
    #expect(Outcome { try (json => "key" as Model).id } == strict)
    #expect(Outcome { try (json => key as Model).id } == strict)
    #expect(Outcome { try (json.value(at: "key") as Model).id } == strict)
    #expect(Outcome { try (json => "key" as Model?)?.id } == nullable)
    #expect(Outcome { try (json.value(at: "key") as Model?)?.id } == nullable)
    #expect(Outcome { try (json => JSON.OptionalPath(requiring: key) as Model?)?.id } == nullable)
    #expect(Outcome { try (json =>? "key" as Model?)?.id } == optional)
    #expect(Outcome { try (json =>? ["key"] as Model?)?.id } == optional)
    #expect(Outcome { try (json.value(ifPresentAt: "key") as Model?)?.id } == optional)
    #expect(
      Outcome {
        let model: Model? = try? json => "key"
        return model?.id
      } == attempt)
  }

  /// The steps of a chain that may be missing.
  private static let chains: [(text: String, strict: Outcome, first: Outcome, second: Outcome, both: Outcome)] = [
    (#"{"a": {"b": 1}}"#, .value(1), .value(1), .value(1), .value(1)),
    (#"{}"#, .missingKey, .none, .missingKey, .none),
    (#"{"a": {}}"#, .missingKey, .missingKey, .none, .none),
    (#"{"a": null}"#, .typeMismatch, .none, .typeMismatch, .none),
    (#"{"a": {"b": null}}"#, .typeMismatch, .none, .none, .none),
    (#"{"a": 1}"#, .typeMismatch, .typeMismatch, .typeMismatch, .typeMismatch),
    (#"{"a": [1]}"#, .typeMismatch, .typeMismatch, .typeMismatch, .typeMismatch),
    (#"{"a": {"b": "1"}}"#, .typeMismatch, .typeMismatch, .typeMismatch, .typeMismatch),
  ]

  @Test(arguments: chains.indices)
  func chainsKeepTheStrictnessOfEachStep(row: Int) throws {
    let (text, strict, first, second, both) = Self.chains[row]
    let json = try JSON(parsing: text)
    let a: JSON.Path = "a"
    #expect(Outcome { try json => "a" => "b" as Int } == strict)
    #expect(Outcome { try json => ["a", "b"] as Int } == strict)
    #expect(Outcome { try json =>? "a" => "b" } == first)
    #expect(Outcome { try json => "a" =>? "b" } == second)
    #expect(Outcome { try json =>? a =>? "b" } == second)
    #expect(Outcome { try json =>? "a" =>? "b" } == both)
    #expect(Outcome { try json =>? ["a", "b"] } == both)
  }

  @Test func allStepsOfTheFirstOperandAreRequired() throws {
    let json = try JSON(parsing: #"{"a": {}}"#)
    #expect(Outcome { try json => ["a", "b"] =>? "c" } == .missingKey)
    #expect(Outcome { try json => ["a"] =>? ["b", "c"] } == .none)
  }

  @Test func findsKeysOfEveryLength() throws {
    // Keys up to and beyond the lengths at which the comparison changes, each with neighbours that differ in one byte.
    for length in 0...40 {
      let key = String((0..<length).map { Character(Unicode.Scalar(UInt8(97 + $0 % 26))) })
      for position in 0..<length {
        var other = Array(key.utf8)
        other[position] ^= 0x01
        let twin = String(decoding: other, as: UTF8.self)
        let json = try JSON(parsing: #"{"\#(twin)": 1, "\#(key)é": 4, "x\#(key)": 3, "\#(key)": 2}"#)
        let found: [Int] = try [json => JSON.Path(key), json => JSON.Path(twin)]
        #expect(found == [2, 1])
      }
      let json = try JSON(parsing: #"{"\#(key)x": 1}"#)
      #expect(Outcome { try json => JSON.Path(key) as Int } == .missingKey)
    }
  }

  @Test func literalAndVariableKeysFindTheSameValue() throws {
    let json = try JSON(parsing: #"{"é": 1, "a key of more than sixteen bytes": 2, "": 3, "\u0041": 4, "日本": 5}"#)
    #expect(try json => "é" == 1)
    #expect(try json => JSON.Path("é") == 1)
    #expect(try json => "a key of more than sixteen bytes" == 2)
    #expect(try json => "" == 3)
    #expect(try json => "A" == 4)
    #expect(try json => "日本" == 5)
    #expect(try json =>? "日本" == 5)
    // Equal as Swift strings, with different scalars.
    #expect(try json =>? "e\u{301}" as Int? == nil)
  }

  @Test func firstOfSeveralMembersCounts() throws {
    let json = try JSON(parsing: #"{"b": 0, "a": 1, "a": 2}"#)
    #expect(try json => "a" == 1)
    #expect(try [String: Int].decode(json) == ["a": 1, "b": 0])
  }

  @Test(arguments: [-1, 2, Int.max, Int.min])
  func indicesBeyondTheEndAreMissing(index: Int) throws {
    let json = try JSON(parsing: "[1, 2]")
    #expect(Outcome { try json => JSON.Path(index) as Int } == .missingKey)
    #expect(Outcome { try json =>? JSON.OptionalPath(JSON.Path(index)) } == .none)
    #expect(try json => 1 == 2)
  }

  @Test func rootPathIsTheValueItself() throws {
    let json = try JSON(parsing: "5")
    #expect(try json => JSON.Path() == 5)
    #expect(try json => [] == 5)
    #expect(try json =>? JSON.OptionalPath() == 5)
  }

  @Test func pathOperatorsBindTighterThanCastsAndComparisons() throws {
    let json = try JSON(parsing: #"{"a": {"b": 1}}"#)
    let value = try json => "a" => "b" as Int
    #expect(value == 1)
    #expect(try json => "a" => "b" == 1)
    #expect(try json =>? "a" =>? "c" ?? 3 == 3)
  }

  @Test func fortyPropertiesDecode() throws {
    #expect(try WideModel.decode(JSON(parsing: WideModel.text)) == WideModel.expected)
  }
}
