import AnvilBodies
import AnvilJSON
import Foundation
import Testing

@Suite struct URLFormEncoderTests {
  struct Item: Encodable {
    var id: Int
    var size: String?
  }

  struct Tagged: Encodable {
    var tags: [String]
  }

  /// A value under the key "v".
  struct Holder<Value: Encodable>: Encodable {
    var v: Value
  }

  /// Returns the encoded form of `value`, with readable names.
  private func form(_ value: some Encodable, _ encoder: URLForm.Encoder = URLForm.Encoder()) throws -> String {
    try String(decoding: encoder.encode(value), as: UTF8.self)
      .replacing("%5B", with: "[").replacing("%5D", with: "]")
  }

  @Test func nestedValuesAreNamedInBrackets() throws {
    struct Order: Encodable {
      var user = ["name": "ada"]
      var items = [Item(id: 1, size: "xl"), Item(id: 2)]
      var deep = ["a": ["b": ["c": true]]]
    }
    #expect(
      try form(Order()) == "user[name]=ada&items[0][id]=1&items[0][size]=xl&items[1][id]=2&deep[a][b][c]=true")
  }

  @Test func bracketsArePercentEncoded() throws {
    let data = try URLForm.Encoder().encode(["a b": ["ü&": ["1+1=2"]]])
    #expect(String(decoding: data, as: UTF8.self) == "a+b%5B%C3%BC%26%5D%5B%5D=1%2B1%3D2")
  }

  @Test func pairsAreWrittenInTheOrderOfEncoding() throws {
    struct Model: Encodable {
      var z = 1
      var a = 2
      var m = 3
    }
    #expect(try form(Model()) == "z=1&a=2&m=3")
  }

  @Test(arguments: [
    (URLForm.Encoder.ArrayStyle.brackets, "tags[]=a&tags[]="), (.indices, "tags[0]=a&tags[1]="),
    (.repeated, "tags=a&tags="),
  ])
  func arraysHaveThreeStyles(style: URLForm.Encoder.ArrayStyle, expected: String) throws {
    #expect(try form(Tagged(tags: ["a", ""]), URLForm.Encoder(arrays: style)) == expected)
  }

  @Test(arguments: [
    (URLForm.Encoder.ArrayStyle.brackets, "v[0][]=1&v[0][]=2&v[1][]=3"), (.indices, "v[0][0]=1&v[0][1]=2&v[1][0]=3"),
    (.repeated, "v[0]=1&v[0]=2&v[1]=3"),
  ])
  func arraysOfArraysHaveIndices(style: URLForm.Encoder.ArrayStyle, expected: String) throws {
    #expect(try form(Holder(v: [[1, 2], [3]]), URLForm.Encoder(arrays: style)) == expected)
  }

  @Test func nilAndEmptyCollectionsAreOmitted() throws {
    struct Model: Encodable {
      var missing: Int?
      var none: [Int] = []
      var empty: [String: Int] = [:]
      var text = ""
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(missing, forKey: .missing)  // a null, where the default would write nothing
        try container.encode(none, forKey: .none)
        try container.encode(empty, forKey: .empty)
        try container.encode(text, forKey: .text)
      }
      enum CodingKeys: CodingKey { case missing, none, empty, text }
    }
    #expect(try form(Model()) == "text=")
    #expect(try URLForm.Encoder().encode([String: Int]()).isEmpty)
  }

  @Test func scalarsAreWrittenAsText() throws {
    #expect(try form(Holder(v: Int128.min)) == "v=-170141183460469231731687303715884105728")
    #expect(try form(Holder(v: UInt64.max)) == "v=18446744073709551615")
    #expect(try form(Holder(v: 0.1)) == "v=0.1")
    #expect(try form(Holder(v: Float(2))) == "v=2")
    #expect(try form(Holder(v: Decimal(string: "3.14159265358979323846264338327950288"))).hasSuffix("288"))
    #expect(try form(Holder(v: #require(URL(string: "https://x.org/?a=b")))) == "v=https%3A%2F%2Fx.org%2F%3Fa%3Db")
    #expect(try form(Holder(v: Data([0xFB, 0xFF]))) == "v=%2B%2F8%3D")
    #expect(try form(Holder(v: "\0\u{1F389}\"\\")) == "v=%00%F0%9F%8E%89%22%5C")
  }

  @Test func boolsAreWordsOrDigits() throws {
    #expect(try form(Holder(v: [true, false])) == "v[]=true&v[]=false")
    #expect(try form(Holder(v: [true, false]), URLForm.Encoder(bools: .digits)) == "v[]=1&v[]=0")
  }

  @Test(arguments: [
    (JSON.DateFormat.iso8601, "2001-01-01T00%3A00%3A01.500Z"), (.secondsSince1970, "978307201.5"),
    (.millisecondsSince1970, "978307201500"),
  ])
  func datesAreWrittenInTheGivenFormat(format: JSON.DateFormat, expected: String) throws {
    let date = Date(timeIntervalSinceReferenceDate: 1.5)
    #expect(try form(["v": date], URLForm.Encoder(dates: format)) == "v=\(expected)")
  }

  @Test func typesSeeTheUserInfo() throws {
    struct Marked: Encodable {
      static let key = CodingUserInfoKey(rawValue: "mark")
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Self.key.flatMap { encoder.userInfo[$0] as? String }, forKey: .mark)
      }
      enum CodingKeys: CodingKey { case mark }
    }
    var encoder = URLForm.Encoder()
    encoder.userInfo[try #require(Marked.key)] = "seen"
    #expect(try form(Marked(), encoder) == "mark=seen")
  }

  @Test func superclassesAreEncodedUnderAKey() throws {
    class Base: Encodable {
      var id = 1
    }
    final class Derived: Base {
      var name = "ada"
      override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try super.encode(to: container.superEncoder())
      }
      enum CodingKeys: CodingKey { case name }
    }
    #expect(try form(Derived()) == "name=ada&super[id]=1")
  }

  /// A value that the format cannot represent is refused with its coding path, instead of being encoded ambiguously.
  @Test(arguments: [
    Refusal([1, 2], at: "", "The root of a form must be encoded in a keyed container."),
    Refusal("text", at: "", "The root of a form must be encoded in a keyed container."),
    Refusal(Int?.none, at: "", "The root of a form must be encoded in a keyed container."),
    Refusal(["a[b]": 1], at: "a[b]", keyReason),
    Refusal(["a": ["": 1]], at: "a.", keyReason),
    Refusal(["a": ["b": ["]": 1]]], at: "a.b.]", keyReason),
    Refusal(["a": [1, nil, 2]], at: "a.1", elementReason),
    Refusal(["a": [[1], []]], at: "a.1", elementReason),
    Refusal(["a": [Item?.none]], at: "a.0", elementReason),
    Refusal(["a": ["b": [[:], ["c": 1]]]], at: "a.b.0", elementReason),
    Refusal(Two(), at: "second.1.2", elementReason),
    Refusal(["a": Double.infinity], at: "a", nil),
    Refusal(["a": ["b": Float.nan]], at: "a.b", nil),
    Refusal(["a": Date.distantFuture.addingTimeInterval(1e12)], at: "a", "The date is not in the years 0 to 9999."),
  ])
  func rejectsValuesThatAFormCannotRepresent(_ refusal: Refusal) throws {
    let error = #expect(throws: EncodingError.self) { try URLForm.Encoder().encode(refusal) }
    guard case .invalidValue(_, let context) = try #require(error) else { return }
    #expect(
      context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".") == refusal.place)
    if let reason = refusal.reason { #expect(context.debugDescription == reason) }
  }

  struct Two: Encodable {
    var first = [[1], [2]]
    var second = [[1], [2, 3, nil]]
  }

  struct Refusal: Encodable, Sendable, CustomTestStringConvertible {
    let value: any Encodable & Sendable
    let place: String
    let reason: String?

    init(_ value: any Encodable & Sendable, at place: String, _ reason: String?) {
      (self.value, self.place, self.reason) = (value, place, reason)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(value)
    }

    var testDescription: String { "\(value)" }
  }

  private static let keyReason =
    "A form cannot represent a key that is empty or contains a bracket. Pass pairs to write names unchanged."
  private static let elementReason =
    "A form omits null and empty values, which would shift the elements after this one."

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300])
  func errorsAboutDatesCanBePrinted(_ seconds: Double) throws {
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    for dates: JSON.DateFormat in [.iso8601, .secondsSince1970, .millisecondsSince1970]
    where dates == .iso8601 || !seconds.isFinite {
      let form = URLForm.Encoder(dates: dates)
      let error = try #require(throws: EncodingError.self) { try form.encode(["a": date]) }
      #expect(!"\(error)".isEmpty && !String(reflecting: error).isEmpty)
    }
    struct Dates: Encodable {
      var dates: [Date]
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(dates.count)
      }
    }
    #expect(
      !"\(try #require(throws: EncodingError.self) { try URLForm.Encoder().encode(Dates(dates: [date])) })".isEmpty)
  }

  @Test func errorsThrownByTypesAreKept() {
    struct Broken: Encodable, Error, Equatable {
      func encode(to encoder: any Encoder) throws { throw Broken() }
    }
    #expect(throws: Broken()) { try URLForm.Encoder().encode(["a": Broken()]) }
  }

  @Test func rejectsEndlessNesting() {
    struct Endless: Encodable {
      var next: Endless { Endless() }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(next, forKey: .next)
      }
      enum CodingKeys: CodingKey { case next }
    }
    #expect(throws: EncodingError.self) { try URLForm.Encoder().encode(Endless()) }
  }
}
