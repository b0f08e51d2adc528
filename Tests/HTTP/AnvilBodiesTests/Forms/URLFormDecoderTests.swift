import AnvilBase
import AnvilBodies
import AnvilJSON
import Foundation
import Testing

@Suite struct URLFormDecoderTests {
  struct Item: Decodable, Equatable {
    var id: Int
    var size: String?
  }

  /// A value under the key "v".
  struct Holder<Value: Decodable>: Decodable {
    var v: Value
  }

  private func decode<T: Decodable>(
    _ type: T.Type, _ form: String, _ decoder: URLForm.Decoder = URLForm.Decoder()
  ) throws -> T {
    try decoder.decode(type, from: Data(form.utf8))
  }

  /// Decodes the value of the key "v".
  private func value<T: Decodable>(_ type: T.Type, _ form: String) throws -> T {
    try decode(Holder<T>.self, form).v
  }

  /// The results of Python's `urllib.parse.parse_qsl(form, keep_blank_values=True)`.
  @Test(arguments: [
    ("a=1&b=2&a=3", ["a": ["1", "3"], "b": ["2"]]),
    ("a+b=c%26d%3De%2Bf&%C3%BC=100%25", ["a b": ["c&d=e+f"], "ü": ["100%"]]),
    ("=x&y&&z=", ["": ["x"], "y": [""], "z": [""]]),
    ("%5Bq%5D=%zz%4&p=%", ["[q]": ["%zz%4"], "p": ["%"]]),
    ("a=b=c&%61=%3d", ["a": ["b=c", "="]]),
    ("x=%F0%9F%8E%89+%0A&tilde=~*-._/?", ["x": ["🎉 \n"], "tilde": ["~*-._/?"]]),
    ("semi=a;b&c=d", ["semi": ["a;b"], "c": ["d"]]),
  ])
  func decodesTheSamePairsAsPython(form: String, expected: [String: [String]]) throws {
    #expect(try decode([String: [String]].self, form) == expected)
  }

  private struct Pairs: Decodable {
    struct Key: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    var pairs: [String] = []

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      for key in container.allKeys {
        pairs.append("\(key.stringValue)=\(try container.decode(String.self, forKey: key))")
      }
    }
  }

  private struct Accented: Decodable, Equatable {
    enum CodingKeys: String, CodingKey, CaseIterable { case accent = "\u{E9}" }

    var keys: [CodingKeys]
    var accent: String?

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      keys = container.allKeys
      accent = try container.decodeIfPresent(String.self, forKey: .accent)
    }
  }

  @Test(arguments: ["", "v", "w[]"]) func keysInDifferentUnicodeFormsAreDifferent(name: String) throws {
    func pair(_ key: String, _ value: Int) -> String { (name.isEmpty ? key : "\(name)[\(key)]") + "=\(value)" }
    let form = "\(pair("%C3%A9", 1))&\(pair("e%CC%81", 2))"
    func decoded<T: Decodable>(_ type: T.Type, _ form: String) throws -> T {
      switch name {
      case "": return try decode(type, form)
      case "v": return try decode([String: T].self, form)["v"]!
      default: return try decode([String: [T]].self, form)["w"]![0]
      }
    }
    let pairs = try decoded(Pairs.self, form).pairs
    #expect(pairs.map { Array($0.utf8) } == [Array("\u{E9}=1".utf8), Array("e\u{301}=2".utf8)])
    let both = try decoded(Accented.self, form)
    #expect(both.keys == [.accent] && both.accent == "1")
    let other = try decoded(Accented.self, pair("e%CC%81", 2))
    #expect(other.keys.isEmpty && other.accent == nil)
  }

  @Test(arguments: [
    "user[name]=ada&user[tags][]=a&user[tags][]=b", "user%5Bname%5D=ada&user%5btags%5d[]=a&user[tags]%5B]=b",
  ])
  func readsNestedNames(form: String) throws {
    struct Body: Decodable {
      struct User: Decodable, Equatable {
        var name: String
        var tags: [String]
      }
      var user: User
    }
    #expect(try decode(Body.self, form).user == Body.User(name: "ada", tags: ["a", "b"]))
  }

  @Test(arguments: ["v[]=1&v[]=2&v[]=3", "v[0]=1&v[1]=2&v[2]=3", "v=1&v=2&v=3", "v[10]=3&v[9]=2&v[08]=1"])
  func readsArraysInEveryStyle(form: String) throws {
    #expect(try value([Int].self, form) == [1, 2, 3])
  }

  @Test func aSingleValueDecodesAsAnArray() throws {
    #expect(try value([Int].self, "v=1") == [1])
    #expect(try value([String].self, "v=") == [""])
    #expect(try value(Set<Int>.self, "v[]=1&v[]=1") == [1])
  }

  @Test(arguments: [
    "v[0][id]=1&v[0][size]=xl&v[1][id]=2", "v[1][id]=2&v[0][id]=1&v[0][size]=xl", "v[][id]=1&v[][size]=xl&v[][id]=2",
  ])
  func readsArraysOfKeyedValues(form: String) throws {
    #expect(try value([Item].self, form) == [Item(id: 1, size: "xl"), Item(id: 2)])
  }

  @Test func aRepeatedNameStartsANewElement() throws {
    #expect(
      try value([[String: [String]]].self, "v[][a][]=1&v[][a][]=2&v[][b]=3&v[][b]=4") == [
        ["a": ["1", "2"], "b": ["3"]], ["b": ["4"]],
      ])
    #expect(try value([[Int]].self, "v[][]=1&v[][]=2") == [[1, 2]])
  }

  @Test func elementsOfDifferentKindsAreKeptApart() throws {
    enum Element: Decodable, Equatable {
      case text(String)
      case members([String: Int])
      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self = try (try? .members(container.decode([String: Int].self))) ?? .text(container.decode(String.self))
      }
    }
    #expect(
      try value([Element].self, "v[]=a&v[][x]=1&v[][y]=2&v[]=b&v[][x]=3") == [
        .text("a"), .members(["x": 1, "y": 2]), .text("b"), .members(["x": 3]),
      ])
  }

  @Test func hugeIndicesOnlyDetermineTheOrder() throws {
    let form = "v[99999999999999999999999999]=c&v[999999999]=b&v[00000000000000000000000000000]=a"
    #expect(try value([String].self, form) == ["a", "b", "c"])
    #expect(try value([Int: String].self, "v[999999999]=x&v[-1]=y") == [999_999_999: "x", -1: "y"])
  }

  @Test func theLastOfSeveralValuesIsUsed() throws {
    #expect(try value(Bool.self, "v=0&v=1"))
    #expect(try value(String.self, "v=a&w=b&v=") == "")
  }

  @Test(arguments: ["a[b", "a]b", "[a]", "[]", "a[b]c", "a[b[c]]", "a[[b]]", "a[b]]"])
  func unbalancedBracketsAreASingleKey(name: String) throws {
    #expect(try decode([String: String].self, "\(name)=x") == [name: "x"])
  }

  @Test func integersOfEveryWidthAreDecoded() throws {
    func check<T: FixedWidthInteger & Decodable>(_ type: T.Type) throws {
      #expect(try value(type, "v=\(T.min)") == T.min)
      #expect(try value([T].self, "v[]=\(T.max)") == [T.max])
      #expect(try value(type, "v=%2B007") == 7)
      for text in ["\(T.max)0", "", "1.0", "1e2", "0x1", "+1", "1 ", "٣", "-"] {
        #expect(throws: DecodingError.self, "\(type) \(text)") { try value(type, "v=\(text)") }
      }
    }
    try check(Int.self)
    try check(Int8.self)
    try check(Int16.self)
    try check(Int32.self)
    try check(Int64.self)
    try check(Int128.self)
    try check(UInt.self)
    try check(UInt8.self)
    try check(UInt16.self)
    try check(UInt32.self)
    try check(UInt64.self)
    try check(UInt128.self)
  }

  @Test(arguments: [("1", 1.0), ("-0.5", -0.5), (".5", 0.5), ("5.", 5), ("1e10", 1e10), ("1.5E-3", 0.0015), ("007", 7)])
  func decimalNumbersAreDecoded(text: String, expected: Double) throws {
    #expect(try value(Double.self, "v=\(text)") == expected)
    #expect(try value(Float.self, "v=\(text)") == Float(expected))
    #expect(try value(Decimal.self, "v=\(text)") == Decimal(string: "\(expected)"))
  }

  @Test(arguments: [
    "", ".", "-", "e5", ".e5", "1e", "1e-", "1e--1", "--1", "1.2.3", "inf", "nan", "-Infinity", "0x1p3", "1,5", "1x",
    "1 ",
    "1e400", "-1e400", "1e99999999999999999999", "e1",
  ])
  func otherTextsAreNotNumbers(text: String) {
    let form = "v=\(text)"
    #expect(throws: DecodingError.self) { try value(Double.self, form) }
    #expect(throws: DecodingError.self) { try value(Float.self, form) }
    #expect(throws: DecodingError.self) { try value(Decimal.self, form) }
  }

  @Test func floatsDoNotOverflow() throws {
    #expect(throws: DecodingError.self) { try value(Float.self, "v=1e39") }
    #expect(try value(Double.self, "v=1e39") == 1e39)
  }

  @Test func decimalsKeepTheirDigits() throws {
    let text = "1234567890.1234567890123456789012345678"
    #expect(try value(Decimal.self, "v=\(text)").description == text)
  }

  @Test func boolsAreDecodedFromWordsDigitsAndCheckBoxes() throws {
    #expect(try value([Bool].self, "v=true&v=1&v=on&v=false&v=0&v=off") == [true, true, true, false, false, false])
    for text in ["", "TRUE", "yes", "2"] {
      #expect(throws: DecodingError.self) { try value(Bool.self, "v=\(text)") }
    }
  }

  @Test func foundationTypesAreDecodedFromText() throws {
    let uuid = UUID()
    #expect(try value(UUID.self, "v=\(uuid)") == uuid)
    #expect(try value(URL.self, "v=https%3A%2F%2Fx.org%2F%3Fa%3Db").absoluteString == "https://x.org/?a=b")
    #expect(try value(Data.self, "v=%2B%2F8%3D") == Data([0xFB, 0xFF]))
    #expect(try value(Data.self, "v=").isEmpty)
    for form in ["v=x", "v=", "v[]=x"] {
      #expect(throws: DecodingError.self) { try value(UUID.self, form) }
    }
    #expect(throws: DecodingError.self) { try value(URL.self, "v=") }
    #expect(throws: DecodingError.self) { try value(Data.self, "v=*") }
  }

  @Test func datesAreDecodedInTheGivenFormat() throws {
    let date = Date(timeIntervalSinceReferenceDate: 1.5)
    #expect(try value(Date.self, "v=2001-01-01T01:00:01.5%2B01:00") == date)
    let seconds = URLForm.Decoder(dates: .secondsSince1970)
    #expect(try decode(Holder<Date>.self, "v=978307201.5", seconds).v == date)
    let milliseconds = URLForm.Decoder(dates: .millisecondsSince1970)
    #expect(try decode(Holder<Date>.self, "v=978307201500", milliseconds).v == date)
    #expect(throws: DecodingError.self) { try value(Date.self, "v=978307201.5") }
    #expect(throws: DecodingError.self) { try decode(Holder<Date>.self, "v=2001-01-01T00:00:00Z", seconds) }
    #expect(throws: DecodingError.self) { try decode(Holder<Date>.self, "v=nan", milliseconds) }
  }

  @Test func rawValuesAreDecoded() throws {
    enum Size: String, Decodable { case small = "s" }
    enum Level: Int, Decodable { case one = 1 }
    #expect(try value([Size: Level].self, "v[]=s&v[]=1") == [.small: .one])
    #expect(throws: DecodingError.self) { try value(Size.self, "v=m") }
    #expect(throws: DecodingError.self) { try value(Level.self, "v=s") }
  }

  @Test func missingNamesDecodeAsNil() throws {
    #expect(try value(Int?.self, "") == nil)
    #expect(try value(Item?.self, "v[id]=1") == Item(id: 1))
    #expect(try value(String?.self, "v=") == "")
    #expect(throws: DecodingError.self) { try value(Int?.self, "v=") }
  }

  @Test func missingNamesDecodeAsEmptyCollections() throws {
    struct Options: Decodable, Equatable {
      var a: Int?
      var b: [Int]
    }
    #expect(try value([Item].self, "") == [])
    #expect(try value([String: Int].self, "") == [:])
    #expect(try value(Options.self, "w=1") == Options(b: []))
    #expect(try decode([String: Options].self, "x[a]=1") == ["x": Options(a: 1, b: [])])
  }

  private class Person: Decodable {
    let name: String

    private enum CodingKeys: CodingKey { case name }

    required init(from decoder: any Decoder) throws {
      name = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
    }
  }

  private final class Employee: Person {}

  /// The classes of the people under "v", each decoded in a different way.
  private struct Classes: Decodable {
    var names: [String] = []

    init(from decoder: any Decoder) throws {
      let type: Person.Type = Employee.self
      var container = try decoder.unkeyedContainer()
      names.append("\(Swift.type(of: try container.decode(type)))")
      names.append("\(Swift.type(of: try #require(try container.decodeIfPresent(type))))")
      names.append("\(Swift.type(of: try container.superDecoder().singleValueContainer().decode(type)))")
    }
  }

  @Test func metatypesOfSubclassesDecide() throws {
    let type: Person.Type = Employee.self
    #expect(try decode(type, "name=Ada") is Employee)
    #expect(
      try value(Classes.self, "v[0][name]=a&v[1][name]=b&v[2][name]=c").names == ["Employee", "Employee", "Employee"])
  }

  @Test func containersCanBeUsedDirectly() throws {
    struct Model: Decodable {
      var log: [String] = []
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        log.append(container.allKeys.map(\.stringValue).joined(separator: ","))
        let nested = try container.nestedContainer(keyedBy: Key.self, forKey: .b)
        log.append(try nested.decode(String.self, forKey: .a))
        var elements = try container.nestedUnkeyedContainer(forKey: .a)
        log.append("\(elements.count ?? -1)")
        while !elements.isAtEnd {
          let isNil = try elements.decodeNil()
          log.append("\(isNil) \(elements.currentIndex) \(try elements.decode(Int128.self))")
        }
        log.append("\(try container.decodeNil(forKey: .a)) \(try container.decodeNil(forKey: .c))")
        log.append("\(try container.superDecoder().singleValueContainer().decodeNil())")
        log.append("\(try container.superDecoder(forKey: .a).codingPath.map(\.stringValue))")
        var none = try container.nestedUnkeyedContainer(forKey: .c)
        log.append("\(none.isAtEnd) \((try? none.decodeNil()).map(String.init) ?? "at end")")
      }
      enum Key: CodingKey { case a, b, c }
    }
    #expect(
      try decode(Model.self, "b[a]=x&unknown=1&a[]=1&a[]=2").log == [
        "b,a", "x", "2", "false 0 1", "false 1 2", "false true", "true", #"["a"]"#, "true at end",
      ])
  }

  @Test func failedElementsAreNotSkipped() throws {
    struct Model: Decodable {
      init(from decoder: any Decoder) throws {
        var elements = try decoder.container(keyedBy: Key.self).nestedUnkeyedContainer(forKey: .a)
        #expect(throws: DecodingError.self) { try elements.decode(Int.self) }
        #expect(throws: DecodingError.self) { try elements.nestedContainer(keyedBy: Key.self) }
        #expect(try elements.decode(String.self) == "x")
        #expect(throws: DecodingError.self) { try elements.superDecoder() }
      }
      enum Key: CodingKey { case a }
    }
    _ = try decode(Model.self, "a=x")
  }

  @Test func valuesUpdateInPlace() throws {
    struct User: Codable, DecoderUpdatable, Equatable {
      struct Address: Codable, DecoderUpdatable, Equatable {
        var street: String
        var city: String?
      }
      var name: String
      var tags: [String]
      var address: Address
    }
    let user = User(name: "ada", tags: ["a"], address: User.Address(street: "Main", city: "London"))
    let form = Data("address[street]=Side&tags[]=x&tags[]=y".utf8)
    let updated = try URLForm.Decoder().update(user, from: form)
    #expect(updated == User(name: "ada", tags: ["x", "y"], address: User.Address(street: "Side", city: "London")))
  }

  @Test func factoriesCreateModels() throws {
    struct Doubling: DecodingFactory {
      func create(from decoder: any Decoder) throws -> Int {
        let container = try decoder.container(keyedBy: Key.self)
        return try container.decode(Int.self, forKey: .n) * 2
      }
      enum Key: CodingKey { case n, list }
    }
    struct Lists: DecodingFactory {
      func create(from decoder: any Decoder) throws -> [Int] {
        try decoder.container(keyedBy: Doubling.Key.self).decode(using: Doubling().array, forKey: .list)
      }
    }
    let format = URLForm.Decoder()
    #expect(try format.decode(using: Doubling(), from: Data("n=4".utf8)) == 8)
    #expect(try format.decode(using: Lists(), from: Data("list[0][n]=1&list[1][n]=2".utf8)) == [2, 4])
  }

  @Test func typesSeeTheUserInfo() throws {
    struct Marked: Decodable {
      static let key = CodingUserInfoKey(rawValue: "mark")
      var mark: String?
      init(from decoder: any Decoder) throws { mark = Self.key.flatMap { decoder.userInfo[$0] as? String } }
    }
    var decoder = URLForm.Decoder()
    decoder.userInfo[try #require(Marked.key)] = "seen"
    #expect(try decode([String: [Marked]].self, "a[]=", decoder)["a"]?.first?.mark == "seen")
  }

  private final class Branch: Decodable {
    let text: String?
    let left: Branch?
    let right: Branch?

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      text = try? container.decode(String.self, forKey: .text)
      left = try? container.decode(Branch.self, forKey: .left)
      right = try? container.decode(Branch.self, forKey: .right)
    }

    private enum Keys: CodingKey { case text, left, right }
  }

  @Test(.timeLimit(.minutes(5)))
  func aTypeThatContainsItselfEnds() throws {
    let tree = try decode(Branch.self, "text=a&left[text]=b&left[left][text]=c")
    #expect(tree.text == "a" && tree.left?.left?.text == "c" && tree.left?.left?.left?.left == nil)
    #expect(tree.right?.right == nil)
  }
}
