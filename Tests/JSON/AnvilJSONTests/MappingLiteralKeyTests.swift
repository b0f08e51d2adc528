import AnvilJSON
import Testing

/// Literal keys find the same members as keys in variables. They are compared in words that are computed at compile
/// time.
@Suite struct MappingLiteralKeyTests {
  /// Keys of the lengths around which the comparison changes.
  private static let keys: [StaticString] = [
    "", "a", "ab", "abc", "abcd", "abcde", "abcdef", "abcdefg", "abcdefgh", "abcdefghi", "abcdefghijklmno",
    "abcdefghijklmnop", "abcdefghijklmnopq", "abcdefghijklmnopqrstuvw", "abcdefghijklmnopqrstuvwx",
    "abcdefghijklmnopqrstuvwxy", "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz", "é", "ключ", "鍵鍵鍵鍵鍵鍵",
  ]

  private static func object(_ members: [(key: String, value: Int)]) throws -> JSON {
    try JSON(parsing: "{\(members.map { #""\#($0.key)": \#($0.value)"# }.joined(separator: ", "))}")
  }

  /// `count` members that are never looked up.
  private static func others(_ count: Int) -> [(key: String, value: Int)] {
    (0..<count).map { ("other \($0)", -$0 - 1) }
  }

  @Test(arguments: [0, 3, 4, 12, 300]) func findsTheFirstMemberAmongOthers(count: Int) throws {
    for key in Self.keys {
      let others = Self.others(count)
      let json = try Self.object(
        others.prefix(count / 2) + [(key.description, 1)] + others.suffix(count / 2) + [(key.description, 2)])
      for _ in 0..<3 {
        let found: Int = try json => JSON.Path(stringLiteral: key)
        let optional: Int? = try json =>? JSON.OptionalPath(stringLiteral: key)
        #expect(found == 1 && optional == 1, "\(key)")
      }
    }
  }

  @Test(arguments: [0, 12]) func isNotMistakenForAKeyThatDiffersInOneByte(count: Int) throws {
    for key in Self.keys {
      let bytes = Array(key.description.utf8)
      for position in bytes.indices where bytes[position] < 0x80 {
        var other = bytes
        other[position] = 0x7E
        let json = try Self.object(Self.others(count) + [(String(decoding: other, as: UTF8.self), 1)])
        for _ in 0..<3 {
          let found: Int? = try json =>? JSON.OptionalPath(stringLiteral: key)
          #expect(found == nil, "\(key) at \(position)")
        }
      }
    }
  }

  @Test func allKeysOfOneObjectAreFoundInAnyOrder() throws {
    let json = try Self.object(Self.keys.enumerated().map { ($0.element.description, $0.offset) })
    for (offset, key) in Array(Self.keys.enumerated()) + Self.keys.enumerated().reversed() {
      let found: Int = try json => JSON.Path(stringLiteral: key)
      #expect(found == offset, "\(key)")
    }
  }

  @Test func valuesOfOtherKindsThrowTypeMismatch() throws {
    let json = try JSON(
      parsing:
        #"{"a": "1", "b": 1.5, "c": 9223372036854775807, "d": null, "e": true, "f": 2.0, "g": 18446744073709551615}"#)
    #expect(throws: TypeMismatchError.self) { let _: Int = try json => "a" }
    #expect(throws: TypeMismatchError.self) { let _: Int = try json => "b" }
    #expect(try json => "c" == Int.max)
    #expect(throws: TypeMismatchError.self) { let _: Int = try json => "d" }
    #expect(throws: TypeMismatchError.self) { let _: Int = try json => "e" }
    #expect(try json => "f" == 2)
    #expect(throws: TypeMismatchError.self) { let _: Int? = try json =>? "g" }
    #expect(try json => "e" == true)
    #expect(throws: TypeMismatchError.self) { let _: Bool = try json => "d" }
    #expect(throws: TypeMismatchError.self) { let _: Bool? = try json =>? "f" }
    let none: Bool? = try json =>? "d"
    #expect(none == nil)
  }

  @Test func errorsHaveTheKeyInTheirPath() throws {
    let json = try JSON(parsing: #"{"a": {"b": [1, "x"], "c": [0.5, null]}}"#)
    #expect(
      try message { let _: [Int] = try json => "a" => "b" }
        == "TypeMismatchError at object.a.b[1]: expected Int, found string in \"x\"")
    #expect(
      try message { let _: Inner = try json => "a" }
        == "TypeMismatchError at object.a.b[1]: expected Int, found string in \"x\"")
    #expect(
      try message { let _: [Double] = try json => "a" => "c" }
        == "TypeMismatchError at object.a.c[1]: expected Double, found null in null")
    #expect(try message { let _: Int = try json => "z" }.hasPrefix("MissingKeyError at object: z in {"))
  }

  @Test(arguments: ["[1]", "1", "null", #""a""#]) func memberLookupInOtherValuesThrowsTypeMismatch(text: String) throws
  {
    let json = try JSON(parsing: text)
    #expect(throws: TypeMismatchError.self) { let _: Int = try json => "a" }
    #expect(throws: TypeMismatchError.self) { let _: Int? = try json =>? "a" }
  }

  @Test func emptyContainersDecode() throws {
    let json = try JSON(parsing: #"{"a": [], "b": {}}"#)
    #expect(try json => "a" == [Int]())
    #expect(try json => "a" == [Double]())
    #expect(try json => "a" == [String]())
    #expect(try json => "b" == [String: Int]())
  }

  private struct Inner: JSONDecodable {
    let b: [Int]
    static func decode(_ json: JSON) throws -> Inner { try Inner(b: json => "b") }
  }

  private func message(_ body: () throws -> Void) throws -> String {
    let error = #expect(throws: (any Error).self) { try body() }
    return "\(try #require(error))"
  }
}
