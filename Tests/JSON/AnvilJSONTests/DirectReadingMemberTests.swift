import AnvilJSON
import Testing

/// Matching of an object's members to properties.
@Suite struct DirectReadingMemberTests {
  struct Item: JSONReadable, Equatable {
    var id: Int
    var name: String
    var note: String?
    var tags: [String]

    static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Item {
      var id: Int?
      var name: String?
      var note: String??
      var tags: [String]?
      try reader.beginObject()
      repeat {
        try reader.read("id", into: &id)
        try reader.read("name", into: &name)
        try reader.read("note", into: &note)
        try reader.read("tags", into: &tags)
      } while try reader.hasMoreMembers()
      return try Item(
        id: reader.require(id, "id"), name: reader.require(name, "name"), note: note ?? nil,
        tags: reader.require(tags, "tags"))
    }
  }

  private static let item = Item(id: 1, name: "a", note: "n", tags: ["t"])
  private static let members = [#""id":1"#, #""name":"a""#, #""note":"n""#, #""tags":["t"]"#]

  @Test func membersInAnyOrderGiveTheSameValue() throws {
    var orders = [[Int]()]
    for next in 0..<4 {
      orders = orders.flatMap { order in
        (0...order.count).map { place in Array(order[..<place]) + [next] + Array(order[place...]) }
      }
    }
    #expect(orders.count == 24)
    for order in orders {
      for space in ["", " ", "\n    ", "\t"] {
        let text = "{" + order.map { "\(space)\(Self.members[$0])\(space)" }.joined(separator: ",") + "}"
        #expect(try JSON.read(Item.self, from: text) == Self.item, "\(text)")
      }
    }
  }

  @Test func unknownMembersAreSkippedAtAnyPosition() throws {
    for place in 0...4 {
      for unknown in [
        #""x":null"#, #""x":{"id":2,"deep":[[{}],"]",true]}"#, #""i":1"#, #""idd":3"#, #""":0"#, #""Id":3"#, #""\n":1"#,
        #""name\u0000":1"#,
      ] {
        var members = Self.members
        members.insert(contentsOf: [unknown, unknown], at: place)
        let text = "{" + members.joined(separator: ",") + "}"
        #expect(try JSON.read(Item.self, from: text) == Self.item, "\(text)")
      }
    }
  }

  @Test func firstOfEqualKeysWins() throws {
    for place in 0..<4 {
      for later in place...3 {
        for again in [#""id":9"#, #""name":"z""#, #""note":"z""#, #""tags":[]"#, #""note":null"#, #""\u0069d":9"#] {
          var members = Self.members
          members.insert(again, at: later + 1)
          let first = Self.members.firstIndex { $0.hasPrefix(again.prefix(4)) } ?? 0
          let text = "{" + members.joined(separator: ",") + "}"
          if first <= later { #expect(try JSON.read(Item.self, from: text) == Self.item, "\(text)") }
        }
      }
    }
    let text = #"{"note":null,"id":1,"note":"later","name":"a","tags":[]}"#
    #expect(try JSON.read(Item.self, from: text).note == nil)
  }

  @Test(arguments: [
    #"{"\u0069d":1,"name":"a","note":"n","tags":["t"]}"#,
    #"{"\u0069\u0064" : 1,"n\u0061me":"a","note":"n","tags":["t"]}"#,
    #"{"tag\u0073":["t"],"not\u0065": "n","nam\u0065":"a","i\u0064":1}"#,
  ])
  func escapedKeysMatchTheirUnescapedKeys(text: String) throws {
    #expect(try JSON.read(Item.self, from: text) == Self.item)
  }

  @Test func missingAndNullAreNilForOptionals() throws {
    #expect(try JSON.read(Item.self, from: #"{"id":1,"name":"a","tags":[]}"#).note == nil)
    #expect(try JSON.read(Item.self, from: #"{"id":1,"name":"a","note":null,"tags":[]}"#).note == nil)
  }

  @Test func nestedObjectsDoNotDisturbEachOther() throws {
    struct Node: JSONReadable, Equatable {
      var value: Int
      var children: [Node]

      static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Node {
        var value: Int?
        var children: [Node]?
        try reader.beginObject()
        repeat {
          try reader.read("value", into: &value)
          try reader.read("children", into: &children)
        } while try reader.hasMoreMembers()
        return try Node(value: reader.require(value, "value"), children: children ?? [])
      }
    }
    let text = #"{"children":[{"value":2},{"children":[{"value":4}],"value":3}],"x":{},"value":1}"#
    let expected = Node(
      value: 1,
      children: [Node(value: 2, children: []), Node(value: 3, children: [Node(value: 4, children: [])])])
    #expect(try JSON.read(Node.self, from: text) == expected)
  }

  /// Keys of every length and unusual keys, each as the only key of an object and among others.
  struct OddKeys: JSONReadable {
    var values: [Int?]

    static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> OddKeys {
      var values = [Int?](repeating: nil, count: 20)
      try reader.beginObject()
      repeat {
        try reader.read("", into: &values[0])
        try reader.read("a", into: &values[1])
        try reader.read("ab", into: &values[2])
        try reader.read("abc", into: &values[3])
        try reader.read("abcd", into: &values[4])
        try reader.read("abcdefg", into: &values[5])
        try reader.read("abcdefgh", into: &values[6])
        try reader.read("abcdefghi", into: &values[7])
        try reader.read("abcdefghijklmno", into: &values[8])
        try reader.read("abcdefghijklmnop", into: &values[9])
        try reader.read("abcdefghijklmnopqrstuvwxyz0123456", into: &values[10])
        try reader.read("abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_", into: &values[11])
        try reader.read("abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_-", into: &values[12])
        try reader.read("a\"", into: &values[13])
        try reader.read("a\":1,\"b", into: &values[14])
        try reader.read("a\\b", into: &values[15])
        try reader.read("日本", into: &values[16])
        try reader.read("line\nbreak", into: &values[17])
        try reader.read("a long key with a \"quotation\"", into: &values[18])
        try reader.read("\u{0}", into: &values[19])
      } while try reader.hasMoreMembers()
      return OddKeys(values: values)
    }
  }

  private static let oddKeys = [
    "", "a", "ab", "abc", "abcd", "abcdefg", "abcdefgh", "abcdefghi", "abcdefghijklmno", "abcdefghijklmnop",
    "abcdefghijklmnopqrstuvwxyz0123456", "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_",
    "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_-", #"a\""#, #"a\":1,\"b"#, #"a\\b"#, "日本",
    #"line\nbreak"#, #"a long key with a \"quotation\""#, #"\u0000"#,
  ]

  @Test(arguments: oddKeys.indices)
  func everyKeyIsReadAsTheOnlyMember(index: Int) throws {
    let values = try JSON.read(OddKeys.self, from: "{\"\(Self.oddKeys[index])\": 7}").values
    #expect(values[index] == 7)
    #expect(values.compactMap(\.self) == [7])
  }

  @Test func everyKeyIsReadAmongOtherMembers() throws {
    let members = Self.oddKeys.enumerated().map { "\"\($1)\":\($0)" }
    for text in [members, members.reversed()].map({ "{\($0.joined(separator: ","))}" }) {
      #expect(try JSON.read(OddKeys.self, from: text).values == Array(0..<20))
    }
  }

  /// Keys whose raw bytes resemble a property's key, but which are different keys.
  @Test(arguments: [#"{"a\b": 1}"#, #"{"a\u0000": 1}"#, #"{"abcdefghX": 1}"#, #"{"abcdefg\u0068i ": 1}"#, #"{"A":1}"#])
  func similarKeysMatchNoProperty(text: String) throws {
    #expect(try JSON.read(OddKeys.self, from: text).values.allSatisfy { $0 == nil })
  }

  /// A model with one key, which is not known at compile time.
  private struct OneKey: JSONReadable {
    @TaskLocal static var key: StaticString = ""

    var value: Int?

    static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> OneKey {
      var value: Int?
      try reader.beginObject()
      repeat {
        try reader.read(key, into: &value)
      } while try reader.hasMoreMembers()
      return OneKey(value: value)
    }
  }

  /// Keys of each length up to three words and a byte.
  private static let keysByLength: [StaticString] = [
    "a", "ab", "abc", "abcd", "abcde", "abcdef", "abcdefg", "abcdefgh", "abcdefghi", "abcdefghij", "abcdefghijk",
    "abcdefghijkl", "abcdefghijklm", "abcdefghijklmn", "abcdefghijklmno", "abcdefghijklmnop", "abcdefghijklmnopq",
    "abcdefghijklmnopqr", "abcdefghijklmnopqrs", "abcdefghijklmnopqrst", "abcdefghijklmnopqrstu",
    "abcdefghijklmnopqrstuv", "abcdefghijklmnopqrstuvw", "abcdefghijklmnopqrstuvwx", "abcdefghijklmnopqrstuvwxy",
  ]

  @Test func keysThatDifferInOneByteMatchNoProperty() throws {
    for key in Self.keysByLength {
      try OneKey.$key.withValue(key) { () throws in
        let text = key.description
        #expect(try JSON.read(OneKey.self, from: "{\"\(text)\": 1}").value == 1)
        for place in text.indices {
          let other = "\(text[..<place])~\(text[text.index(after: place)...])"
          #expect(try JSON.read(OneKey.self, from: "{\"\(other)\": 1}").value == nil, "\(other) for \(text)")
        }
      }
    }
  }

  @Test(arguments: ["!", "#", "/", ":", "A"])
  func characterBeforeAValueIsRefused(character: String) {
    for text in ["{\"ab\":\(character)1}", "{\"ab\": \(character)1}", "{\"ab\" :\(character)1}"] {
      #expect(throws: JSON.ReadingError.self, "\(text)") { try JSON.read(OddKeys.self, from: text) }
    }
  }

  @Test func rawControlCharactersInKeysAreRefused() {
    #expect(throws: JSON.ReadingError.self) { try JSON.read(OddKeys.self, from: "{\"line\nbreak\": 1}") }
    #expect(throws: JSON.ReadingError.self) { try JSON.read(OddKeys.self, from: "{\"\u{0}\": 1}") }
  }

  /// The comparison of a key at the end of the text does not read past the end.
  @Test(arguments: oddKeys.indices)
  func objectsTruncatedAnywhereAreErrors(index: Int) {
    let text = "{\"\(Self.oddKeys[index])\": 7}"
    for end in text.utf8.indices {
      #expect(throws: JSON.ReadingError.self) { try JSON.read(OddKeys.self, from: Array(text.utf8[..<end])) }
    }
  }

  @Test func membersCanBeReadWithACustomFunction() throws {
    struct Percent: JSONReadable {
      var value: Double

      static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Percent {
        var value: Double?
        try reader.beginObject()
        repeat {
          try reader.read("percent", into: &value, by: fraction)
        } while try reader.hasMoreMembers()
        return try Percent(value: reader.require(value, "percent"))
      }

      static func fraction(_ reader: inout JSON.Reader) throws(JSON.ReadingError) -> Double {
        let offset = reader.offset
        let value = try reader.read(Double.self)
        guard value <= 100 else { throw reader.dataCorrupted("more than the whole", at: offset) }
        return value / 100
      }
    }
    #expect(try JSON.read(Percent.self, from: #"{"percent": 50}"#).value == 0.5)
    #expect {
      try JSON.read(Percent.self, from: #"{"percent": 101}"#)
    } throws: { error in
      "\(error)"
        == "ReadingError at object.percent, line 1, column 13 (byte 12): more than the whole in 101"
    }
  }
}
