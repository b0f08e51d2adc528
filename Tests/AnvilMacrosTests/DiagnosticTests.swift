import AnvilTestSupport
import SwiftDiagnostics
import SwiftSyntax
import Testing

@testable import AnvilMacroExpansion

/// The errors of the macros, with the line and the column.
@Suite struct DiagnosticTests {
  private func expect(
    _ source: String, _ expected: String..., sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) {
    let expander = Expander(source)
    #expect(
      expander.diagnostics.map(expander.description) == expected, sourceLocation: sourceLocation)
    if let diagnostic = expander.diagnostics.first(where: { $0.diagMessage.severity != .error }) {
      Issue.record("\(diagnostic.message) is not an error", sourceLocation: sourceLocation)
    }
  }

  @Test func keysAreDistinct() {
    expect(
      """
      @JSONCodable struct A {
        @CodingKey("b") var a: Int
        var b: Int
        @CodableAlias("c") var d: Int
        var c: Int
      }
      """, "3:7: a has the key b, too", "5:7: d has the key c, too")
    expect(
      """
      @JSONCodable struct A {
        @CodingKey("a", "b") var x: Int
        @CodingKey("a", "b") var y: Int
        @CodingKey("a") var z: Int
      }
      """, "3:28: x has the key a.b, too", "2:28: the key a is a value of its own, z",
      "3:28: the key a is a value of its own, z")
    expect(
      """
      @JSONCodable enum A {
        case a, b
        @CodingKey("a") case c
        @CodableAlias("b") case d
      }
      """, "1:19: the cases a and c have the same key a", "1:19: the cases b and d have the same key b")
    expect("@JSONCodable struct A { @CodableAlias(\"a\") var a: Int }", "1:48: a has the key a, too")
  }

  @Test func oneAttributeCodesAType() {
    expect(
      "@JSONDecodable @JSONEncodable struct A { var a: Int }",
      "1:16: @JSONDecodable codes the type already: for both directions write @JSONCodable alone")
    expect(
      "@JSONCodable @JSONDecodable enum A: String { case a }",
      "1:14: @JSONCodable codes the type already: for both directions write @JSONCodable alone")
  }

  @Test func keysAreLiterals() {
    expect(
      #"@JSONCodable struct A { @CodingKey(key) var a: Int; @CodingKey("a\(b)") var b: Int }"#,
      "1:36: a key must be a string literal", "1:64: a key must be a string literal")
    expect(
      "@JSONCodable @CodableNaming(naming) struct A {}", "1:14: write one of the namings here, such as .snakeCase")
  }

  @Test func typesAreWritten() {
    expect(
      """
      @JSONCodable struct A {
        var a = 1
        var b = [1], c = f()
        let (d, e) = (1, 2)
      }
      """, "2:7: a macro cannot infer types: write the type of a",
      "3:7: a macro cannot infer types: write the type of b",
      "3:16: a macro cannot infer types: write the type of c",
      "4:7: a property in a pattern cannot be coded: declare each on its own")
  }

  @Test func someModifiersCannotBeCoded() {
    expect(
      """
      @JSONCodable final class A {
        lazy var a: Int = 1
        weak var b: A?
        unowned let c: A
        @CodableIgnored lazy var d = 1
        @CodableIgnored weak var e: A?
        init() {}
      }
      """, "2:3: a lazy property cannot be coded: add @CodableIgnored",
      "3:3: a weak property cannot be coded: add @CodableIgnored",
      "4:3: an unowned property cannot be coded: add @CodableIgnored")
  }

  @Test func conditionalPropertiesAreNotSeen() {
    expect(
      """
      @JSONCodable struct A {
        var a: Int
        #if DEBUG
        var b: Int
        #endif
        #if DEBUG
        func f() {}
        static let x = 1
        var computed: Int { 1 }
        #endif
      }
      """, "3:3: a macro cannot see which side of #if is compiled: move the property out of it")
    expect(
      """
      @JSONCodable enum A {
        case a
        #if DEBUG
        case b
        #endif
      }
      """, "3:3: a macro cannot see which side of #if is compiled: move the case out of it")
  }

  @Test func defaultsAreOfTheKindOfTheProperty() {
    expect(
      """
      @JSONCodable struct A {
        @CodableDefault("1") var a: Int
        @CodableDefault(1.5) var b: Int?
        @CodableDefault(1) var c: String
        @CodableDefault([]) var d: [String: Int]
        @CodableDefault([:]) var e: [Int]
        @CodableDefault(true) var f: Double
        @CodableDefault(0) var g: Date
        @CodableDefault(1) var h: Double
        @CodableDefault(-1) var i: Int
        @CodableDefault("x") var j: Something
        @CodableDefault(nil) var k: Int
        @CodableDefault(nil) var l: Int?
      }
      """, "2:19: the default is a string, but the property is of type Int",
      "3:19: the default is a number, but the property is of type Int",
      "4:19: the default is an integer, but the property is of type String",
      "5:19: the default is an array, but the property is of type [String: Int]",
      "6:19: the default is a dictionary, but the property is of type [Int]",
      "7:19: the default is a Boolean, but the property is of type Double",
      "8:19: the default is an integer, but the property is of type Date",
      "12:19: the default is nil, but the property is of type Int")
    expect(
      "@JSONCodable struct A { @CodableDefault var a: Int }",
      "1:25: a default is needed: as the argument, or as the initial value of the property")
    expect(
      "@JSONCodable struct A { @CodableDefault(1) @Wrapper var a: Int }",
      "1:25: a property wrapper decodes its own value: remove one of the two")
  }

  @Test func tagsAreNotKeys() {
    expect(
      """
      @JSONCodable @JSONTagged(by: "type")
      enum A {
        case a(type: Int)
        case b(Box)
        case c(kind: Int)
      }
      """, "3:10: the key type is that of the tag")
    expect(
      """
      @JSONCodable @JSONTagged(by: "type", content: "type")
      enum A { case a(Int) }
      """, "1:14: the tag and the content have the same key type")
    expect(
      """
      @JSONCodable @JSONTagged(by: "type")
      enum A {
        case a(Int)
        case b([Box])
        case c(Box?)
        case d(JSON)
        case e(_ value: Date)
      }
      """,
      "3:10: the tag is a member of the value, which Int has no place for: add content: to @JSONTagged",
      "4:10: the tag is a member of the value, which [Box] has no place for: add content: to @JSONTagged",
      "5:10: the tag is a member of the value, which Box? has no place for: add content: to @JSONTagged",
      "6:10: the tag is a member of the value, which JSON has no place for: add content: to @JSONTagged",
      "7:10: the tag is a member of the value, which Date has no place for: add content: to @JSONTagged")
  }

  @Test func tagsAreForEnumerationsWithValues() {
    expect(
      "@JSONCodable @JSONTagged(by: \"a\") struct A {}", "1:14: @JSONTagged is for enums with associated values")
    expect(
      "@JSONCodable @JSONTagged enum A: String { case a }",
      "1:14: an enum with raw values is coded by them: remove @JSONTagged")
    expect(
      #"@JSONCodable @JSONTagged(by: tag) enum A { case a }"#, "1:30: a key must be a string literal")
  }

  @Test func modelsHaveValues() {
    expect("@JSONCodable enum A {}", "1:19: an enum without cases has no values to code")
    expect("@JSONCodable actor A { var a = 1 }", "1:14: a model is a struct, an enum or a final class")
    expect("@JSONCodable protocol A {}", "1:14: a model is a struct, an enum or a final class")
  }

  @Test func extensionsSeeTheType() {
    expect(
      """
      struct A {
        @JSONCodable private struct B {}
        @JSONCodable fileprivate struct C {}
        @JSONCodable private enum D { case a }
      }
      @JSONCodable private struct E {}
      """, "2:16: extensions do not see a private type inside another type: make it fileprivate",
      "4:16: extensions do not see a private type inside another type: make it fileprivate")
  }

  @Test func propertiesHaveTypesWithNames() {
    expect(
      """
      @JSONCodable struct A {
        var a: (Int, Int)
        var b: (() -> Void)?
        @CodableIgnored var c: (Int, Int) = (1, 2)
        var d: (Int)
      }
      """, "2:7: a tuple cannot be coded: use a type with a name, or add @CodableIgnored",
      "3:7: a function cannot be coded: use a type with a name, or add @CodableIgnored")
    expect(
      "@JSONCodable enum A: Character { case a }", "1:19: a Character is not Codable: use raw values of type String")
  }

  @Test func unknownCasesAreUnambiguous() {
    expect(
      "@JSONCodable enum A { case a; @CodableUnknown case b; @CodableUnknown case c }",
      "1:19: only one case can be @CodableUnknown")
    expect(
      "@JSONCodable enum A { case a; @CodableUnknown case b(x: String) }",
      "1:19: a case for unknown texts has no value, or one without a label")
    expect(
      "@JSONCodable enum A { case a(Int); @CodableUnknown case b(String) }",
      "1:19: b needs @JSONTagged: without a tag nothing says that a value is unknown")
  }

  @Test func markersNeedAModel() {
    expect(
      """
      struct A {
        @CodingKey("b") var a: Int
        @CodableIgnored var c = 1
      }
      @CodableNaming(.snakeCase) struct B {}
      enum C {
        @CodableUnknown case a
      }
      """, "2:3: @CodingKey has no effect without @JSONCodable on the type",
      "3:3: @CodableIgnored has no effect without @JSONCodable on the type",
      "5:1: @CodableNaming has no effect without @JSONCodable on the type",
      "7:3: @CodableUnknown has no effect without @JSONCodable on the type")
    expect(
      "@JSONEncodable struct A { @CodingKey(\"b\") var a: Int; struct B { @CodingKey(\"c\") var d: Int } }",
      "1:66: @CodingKey has no effect without @JSONCodable on the type")
  }

  @Test func ignoredPropertiesHaveInitialValues() {
    expect(
      """
      @JSONCodable struct A {
        @CodableIgnored var a: Int
        @CodableIgnored let b: Int?
        @CodableIgnored var c: Int?
        @CodableIgnored var d = 1
      }
      """, "2:3: an ignored property needs an initial value", "3:3: an ignored property needs an initial value")
  }

  @Test func markersAreForOneProperty() {
    // The first is the expansion's own, which the compiler has, too.
    expect(
      "@JSONCodable struct A { @CodingKey(\"c\") var a: Int, b: Int }",
      "1:25: peer macro can only be applied to a single variable",
      "1:25: this applies to one property: declare each on its own", "1:53: a has the key c, too")
    expect(
      "@JSONCodable enum A { @CodingKey(\"c\") case a, b }",
      "1:23: this applies to one case: declare each on its own", "1:19: the cases a and b have the same key c")
    expect(
      "@JSONCodable struct A { @CodingKey(\"c\") var a: Int { 1 } }", "1:25: only stored properties are coded")
  }

  @Test func ownKeysCoverAllProperties() {
    expect(
      """
      @JSONCodable struct A {
        var a: Int
        var b: Int
        var c: Int?
        var d: Int = 1
        enum CodingKeys: String, CodingKey { case a }
      }
      """, "3:7: CodingKeys has no case b, so the property needs an initial value")
  }

  @Test func storedModelsAreStructs() {
    expect(
      "@StoredModel final class A { var a: Int = 0 }",
      "1:20: a stored model is a struct, whose properties are the columns of a row")
    expect("@StoredModel struct A {}", "1:14: a stored model needs a property to store")
    expect(
      "@StoredModel struct A<T: Codable> { var a: T }",
      "1:22: a stored model cannot be generic: its table has one set of columns")
  }

  @Test func columnsAreDistinct() {
    expect(
      """
      @StoredModel struct A {
        @Column("Name") var a: Int
        var name: String
      }
      """, "3:7: a has the column name, too")
    expect(
      """
      @JSONCodable @StoredModel struct A {
        @CodableIgnored @Column("x") var a = 1
        @Column("") var b: Int
        @Column(name) var c: Int
      }
      """, "2:19: an ignored property has no column", "3:3: a column needs a name",
      "4:11: the name of a column must be a string literal")
    expect(
      """
      @JSONCodable struct A {
        @Column("b") var a: Int
        @MatchKey var id: Int
      }
      """, "2:3: @Column has no effect without @StoredModel on the type",
      "3:3: @MatchKey has no effect without @StoredModel on the type")
  }

  @Test func matchKeysAreFoundInPayloads() {
    expect(
      """
      @JSONCodable @StoredModel struct A {
        @MatchKey var a: Int?
        @MatchKey @CodingKey("b", "c") var b: Int
      }
      """, "2:17: a match key cannot be nil: nothing could find the row again",
      "3:38: a match key has one key, which is found before the payload is decoded")
  }

  @Test func aStoredModelReportsEachErrorOnce() {
    expect("@JSONCodable @StoredModel struct A { var a = 1 }", "1:42: a macro cannot infer types: write the type of a")
    expect("@StoredModel struct A { var a = 1 }", "1:29: a macro cannot infer types: write the type of a")
  }
}
