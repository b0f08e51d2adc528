import AnvilTestSupport
import SwiftDiagnostics
import SwiftSyntax
import Testing

@testable import AnvilMacroExpansion

/// The errors of the macros, with their lines and columns.
@Suite struct DiagnosticTests {
  func expect(
    _ source: String, _ expected: String..., sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) {
    let expander = Expander(source)
    #expect(
      expander.diagnostics.map(expander.description) == expected, sourceLocation: sourceLocation)
    if let diagnostic = expander.diagnostics.first(where: { $0.diagMessage.severity != .error }) {
      Issue.record("\(diagnostic.message) is not an error", sourceLocation: sourceLocation)
    }
  }

  @Test func repeatedKeysAreReported() {
    expect(
      """
      @JSONCodable struct A {
        @CodingKey("b") var a: Int
        var b: Int
        @CodableAlias("c") var d: Int
        var c: Int
      }
      """, "3:7: a already has the key b", "5:7: d already has the key c")
    expect(
      """
      @JSONCodable struct A {
        @CodingKey("a", "b") var x: Int
        @CodingKey("a", "b") var y: Int
        @CodingKey("a") var z: Int
      }
      """, "3:28: x already has the key a.b", "2:28: the key a cannot contain other keys: it is the key of z",
      "3:28: the key a cannot contain other keys: it is the key of z")
    expect(
      """
      @JSONCodable enum A {
        case a, b
        @CodingKey("a") case c
        @CodableAlias("b") case d
      }
      """, "3:24: the cases a and c have the same key a", "4:27: the cases b and d have the same key b")
    expect("@JSONCodable struct A { @CodableAlias(\"a\") var a: Int }", "1:48: a already has the key a")
  }

  @Test func optionalsInWhichNullHasTwoMeaningsAreReported() {
    let message = "an optional of an optional cannot be coded here, because null would have two meanings: write"
    expect(
      """
      @JSONCodable struct A {
        var a: Date??
        var b: Swift.Optional<Int?>?
        var c: (Int?)???
        var d: Optional<Swift.Optional<Int>>
        var e: [Int?]?
        @Wrapper var f: Int??
      }
      """, "3:7: \(message) Swift.Optional<Int?>", "4:7: \(message) (Int?)??", "7:16: \(message) Int?")
    expect(
      "@JSONCodable enum A { case a(x: Int??), b(Int??), c(_ x: Int??), d(x: Int???) }",
      "1:43: \(message) Int?", "1:53: \(message) Int?", "1:68: \(message) Int??")
    expect("@JSONCodable @StoredModel struct A { var a: Date?? }", "1:42: \(message) Date?")
  }

  @Test func invalidRestsAreReported() {
    let message = "the rest of an object is a dictionary with keys of type String: write"
    expect(
      """
      @JSONCodable struct A {
        @CodableRest var a: JSON
        @CodableRest var b: [Int: JSON]
        @CodableRest var c: [String: Int]?
        @CodableRest var d: Extras
        @CodableRest var e: Set<String>
      }
      """, "2:20: \(message) [String: JSON]", "3:20: \(message) [String: JSON]", "4:20: \(message) [String: Int]",
      "5:20: \(message) [String: JSON]", "6:20: \(message) [String: JSON]")
    expect(
      "@JSONCodable struct A { @CodableRest var a: [String: JSON]; @CodableRest var b: [String: JSON] }",
      "1:78: only one property can contain the rest of an object")
    expect(
      """
      @JSONCodable struct A {
        @CodingKey("b") @CodableRest var a: [String: JSON]
      }
      @JSONCodable struct B {
        @CodableRest @CodableDefault([:]) @LossyDictionary var b: [String: JSON]
      }
      @JSONCodable struct C {
        @CodableRest let c: [String: JSON] = [:]
      }
      @JSONCodable @StoredModel struct D {
        var d: Int
        @CodableRest var e: [String: JSON]
      }
      """, "2:3: the rest of an object has no key: remove @CodingKey",
      "5:16: the rest of an object has no key: remove @CodableDefault",
      "5:3: the rest of an object cannot have a property wrapper",
      "8:20: a constant with an initial value cannot be decoded: write var",
      "12:20: the rest of an object has no column: declare its members as properties")
    expect(
      "@JSONCodable enum A { @CodableRest case a }", "1:23: @CodableRest is for properties: move it there, or remove it"
    )
    expect(
      "struct A { @CodableRest var a: [String: JSON] }",
      "1:12: @CodableRest has no effect without @JSONCodable on the type")
  }

  @Test func invalidNullsAreReported() {
    expect(
      """
      @JSONCodable struct A {
        @CodableNull var a: Int
        @CodableNull var b: Int??
        @CodableNull @NumberOrString var c: Int?
        @CodableNull @CodableBy(.iso8601) var d: Date?
      }
      """, "2:3: a is never nil: remove @CodableNull, or write Int?",
      "3:3: an optional of an optional already has a value that is written as null, .some(nil): remove @CodableNull",
      "4:3: a property wrapper codes its own value: remove one of the two")
  }

  @Test func typesThatWrappersCannotWrapAreReported() {
    expect(
      """
      @JSONCodable struct A {
        @LossyArray var a: [Int]?
        @LossyArray var b: Set<Int>
        @CodableDefault([]) @LossyArray var c: Swift.Optional<[Int]>
        @LossyDictionary var d: [String: Int]?
        @LossyDictionary var e: [Int]
        @LossyArray var f: [Int]
        @LossyArray var g: List
      }
      """,
      "2:19: @LossyArray wraps an array that is not optional: write [Int] and add @CodableDefault([]) before it",
      "3:19: @LossyArray wraps an array, and b is of type Set<Int>",
      "4:39: @LossyArray wraps an array that is not optional: write [Int] and add @CodableDefault([]) before it",
      "5:24: @LossyDictionary wraps a dictionary that is not optional: write [String: Int] and add @CodableDefault([:]) before it",
      "6:24: @LossyDictionary wraps a dictionary, and e is of type [Int]")
  }

  @Test func markersWithoutEffectAreReported() {
    expect(
      """
      @JSONCodable struct A {
        @CodingKey("b") @CodingKey("c") var a: Int
        @CodableAlias("d") @CodableAlias("e") var f: Int
        @CodableDefault(1) @CodableDefault(2) var g: Int
        @CodableIgnored @CodableDefault(1) var h = 1
      }
      """, "2:19: @CodingKey is already there: remove one of the two",
      "4:22: @CodableDefault is already there: remove one of the two",
      "5:19: an ignored property is not coded: remove @CodableDefault")
    expect(
      """
      @JSONCodable struct A {
        enum CodingKeys: String, CodingKey { case a = "A" }
        @CodingKey("b") var a: Int
      }
      """, "3:3: CodingKeys already has the key of a: remove @CodingKey")
    expect(
      """
      @JSONCodable enum A {
        @CodingKey("a", "b") case c
        @CodableIgnored case d
        @CodableDefault(1) case e(Int)
      }
      """, "3:3: @CodableIgnored is for properties: move it there, or remove it",
      "4:3: @CodableDefault is for properties: move it there, or remove it",
      "2:3: a case has a single key, not a path")
    expect(
      """
      @JSONCodable @CodableNaming(.snakeCase) enum A: String {
        @CodingKey("b") case a
        @CodableAlias("d") case c
      }
      """, "1:14: the texts are the raw values: change those, and remove @CodableNaming",
      "2:3: the texts are the raw values: change those, and remove @CodingKey",
      "3:3: the texts are the raw values: change those, and remove @CodableAlias")
  }

  @Test func typesInPrivateNestedTypesAreReported() {
    expect(
      """
      class View {
        private struct Reply {
          @JSONCodable struct Item { var x: Int }
        }
      }
      """,
      "3:18: extensions cannot access a type in Reply, which is private and nested: make Reply fileprivate")
  }

  @Test func secondCodingAttributeIsReported() {
    expect(
      "@JSONDecodable @JSONEncodable struct A { var a: Int }",
      "1:16: @JSONDecodable already generates code for the type: for both directions, use only @JSONCodable")
    expect(
      "@JSONCodable @JSONDecodable enum A: String { case a }",
      "1:14: @JSONCodable already generates code for the type: for both directions, use only @JSONCodable")
  }

  @Test func keysThatAreNotLiteralsAreReported() {
    expect(
      #"@JSONCodable struct A { @CodingKey(key) var a: Int; @CodingKey("a\(b)") var b: Int }"#,
      "1:36: a key must be a string literal", "1:64: a key must be a string literal")
    expect(
      "@JSONCodable @CodableNaming(naming) struct A {}", "1:14: specify the naming directly, such as .snakeCase")
  }

  @Test func missingTypeAnnotationsAreReported() {
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
      "4:7: a property in a pattern cannot be coded: declare each property separately")
  }

  @Test func unsupportedModifiersAreReported() {
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

  @Test func conditionalAttributesAreReported() {
    let message = "a macro cannot see which branch of #if is compiled: move the attribute out of it"
    expect(
      """
      @JSONCodable
      #if os(Linux)
      @CodableNaming(.snakeCase)
      #endif
      struct A {
        #if DEBUG
        @CodingKey("b")
        #endif
        var a: Int
        #if DEBUG
        #if os(Linux)
        @LossyArray
        #endif
        #else
        @CodableIgnored
        #endif
        var b: [Int] = []
        #if DEBUG
        @available(*, deprecated)
        #endif
        var c: Int
      }
      """, "2:1: \(message)", "6:3: \(message)", "10:3: \(message)")
    expect(
      """
      @JSONCodable enum A {
        #if DEBUG
        @CodableAlias("b")
        #endif
        case a
      }
      """, "2:3: \(message)")
    expect(
      """
      @JSONCodable struct A {
        #if os(Linux)
        @MainActor @ObservationIgnored
        #endif
        var a: Int
      }
      """)
  }

  @Test func typesWithRawValuesAreReported() {
    let message =
      "a type with a raw value is coded by it: remove the macro, and declare Codable, JSONReadable and JSONWritable"
    expect("@JSONCodable struct A: OptionSet { let rawValue: Int }", "1:24: \(message)")
    expect("@JSONCodable struct A: Sendable, Swift.RawRepresentable { var rawValue: String }", "1:34: \(message)")
    expect("@JSONDecodable final class A: Sendable & RawRepresentable { let rawValue: Int }", "1:31: \(message)")
    expect("@JSONCodable enum A: RawRepresentable { case a, b(Int) }", "1:22: \(message)")
    expect("@JSONCodable enum A: String, RawRepresentable { case a }")
    expect("@JSONCodable enum A: Int, Sendable { case a = 1 }")
  }

  @Test func parameterPacksAreReported() {
    expect(
      "@JSONCodable struct A<each T: Codable> { var a: Int }",
      "1:23: a model cannot have a parameter pack: its types have no single requirement")
  }

  @Test(arguments: ["struct CodingKeys: CodingKey {}", "typealias CodingKeys = Keys"])
  func keysThatAreNotVisibleAreReported(keys: String) {
    let message = "a macro can only see keys in an enum here: write enum CodingKeys, with a case for each property"
    expect("@JSONCodable struct A { var a: Int; \(keys) }", "1:37: \(message)")
    expect("@JSONCodable enum A { case a(x: Int), b; \(keys) }", "1:42: \(message)")
    expect("@JSONCodable struct A { var a: Int; \(keys); init(from: any Decoder) {} }", "1:37: \(message)")
    expect(
      "@JSONCodable struct A { var a: Int; \(keys); init(from: any Decoder) {}; func encode(to: any Encoder) {} }")
  }

  @Test func suppressedConformancesAreReported() {
    expect("@JSONCodable struct A: ~Copyable { var a: Int }", "1:24: Codable types are Copyable: remove ~Copyable")
    expect("@JSONCodable struct A: ~Sendable { var a: Int }")
  }

  @Test func macrosOfOtherPackagesAreNotPropertyWrappers() {
    let expander = Expander(
      "@Observable @JSONCodable final class A { var a: Int; @ObservationIgnored var b: Int = 3; @Guide(description: \"\") var c: Int }"
    )
    #expect(expander.diagnostics.isEmpty)
    #expect(expander.expansion.contains("self.b = try") && !expander.expansion.contains("_Expansion.wrapper"))
  }

  @Test func conditionalPropertiesAreReported() {
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
      """, "3:3: a macro cannot see which branch of #if is compiled: move the property out of it")
    expect(
      """
      @JSONCodable enum A {
        case a
        #if DEBUG
        case b
        #endif
      }
      """, "3:3: a macro cannot see which branch of #if is compiled: move the case out of it")
  }

  @Test func defaultsAndStrategiesThatThrowOrWaitAreReported() {
    expect(
      """
      @JSONCodable struct A {
        @CodableDefault(try f()) var a: Int
        @CodableDefault(1 + (try g())) var b: Int
        @CodableDefault(await h()) var c: Int
        @CodableBy(try s()) var d: Int
        @CodableDefault(try! f()) var e: Int
        @CodableDefault(try? f()) var f: Int?
        @CodableDefault(list.map { try! $0.f() }) var g: [Int]
        @CodableDefault(i({ try await j() })) var h: Int
      }
      """, "2:19: a default cannot throw: write try!, or another expression",
      "3:24: a default cannot throw: write try!, or another expression", "4:19: a default cannot wait",
      "5:14: a strategy cannot throw: write try!, or another expression")
  }

  @Test func defaultsOfAWrongKindAreReported() {
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
      "@JSONCodable struct A { @CodableBy(.text) @Wrapper var a: Int }",
      "1:25: a property wrapper codes its own value: remove one of the two")
  }

  @Test func typesThatCannotBeModelsAreReported() {
    expect("@JSONCodable enum A {}", "1:19: an enum without cases has no values to code")
    expect("@JSONCodable actor A { var a = 1 }", "1:14: a model must be a struct, an enum or a final class")
    expect("@JSONCodable protocol A {}", "1:14: a model must be a struct, an enum or a final class")
  }

  @Test func privateNestedTypesAreReported() {
    expect(
      """
      struct A {
        @JSONCodable private struct B {}
        @JSONCodable fileprivate struct C {}
        @JSONCodable private enum D { case a }
      }
      @JSONCodable private struct E {}
      """, "2:16: extensions cannot access a private nested type: make it fileprivate",
      "4:16: extensions cannot access a private nested type: make it fileprivate")
  }

  @Test func propertiesOfUnnamedTypesAreReported() {
    expect(
      """
      @JSONCodable struct A {
        var a: (Int, Int)
        var b: (() -> Void)?
        @CodableIgnored var c: (Int, Int) = (1, 2)
        var d: (Int)
        var e: some Hashable = 1
      }
      """, "2:7: a tuple cannot be coded: use a named type, or add @CodableIgnored",
      "3:7: a function cannot be coded: use a named type, or add @CodableIgnored",
      "6:7: an opaque type cannot be coded: use a named type, or add @CodableIgnored")
    expect(
      "@JSONCodable enum A: Character { case a }", "1:19: a Character is not Codable: use raw values of type String")
  }

  @Test func markersWithoutAModelAreReported() {
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

  @Test func markersInTheWrongPlaceAreReported() {
    expect(
      """
      @JSONCodable @CodingKey("a") @CodableBy(.base64) struct A {
        @CodableNaming(.snakeCase) var a: Int
        @JSONTagged(by: "type") var b: Int
        @CodableUnknown var c: Int
        @CodingKey("d") func d() {}
      }
      @JSONCodable enum B { @CodableNaming(.snakeCase) case a }
      @JSONCodable @StoredModel @MatchKey struct C { @Column("b") var a: Int }
      """, "2:3: @CodableNaming is for types: move it there, or remove it",
      "3:3: @JSONTagged is for types: move it there, or remove it",
      "4:3: @CodableUnknown is for cases: move it there, or remove it",
      "5:3: @CodingKey is for properties and cases: move it there, or remove it",
      "1:14: @CodingKey is for properties and cases: move it there, or remove it",
      "1:30: @CodableBy is for properties: move it there, or remove it",
      "7:23: @CodableNaming is for types: move it there, or remove it",
      "8:27: @MatchKey is for properties: move it there, or remove it")
  }

  @Test func ignoredPropertiesWithoutInitialValuesAreReported() {
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

  @Test func markersOnSeveralPropertiesAreReported() {
    // The first error is that of the expansion, which the compiler also reports.
    expect(
      "@JSONCodable struct A { @CodingKey(\"c\") var a: Int, b: Int }",
      "1:25: peer macro can only be applied to a single variable",
      "1:25: this applies to a single property: declare each property separately", "1:53: a already has the key c")
    expect(
      "@JSONCodable enum A { @CodingKey(\"c\") case a, b }",
      "1:23: this applies to a single case: declare each case separately", "1:47: the cases a and b have the same key c"
    )
    expect(
      "@JSONCodable struct A { @CodingKey(\"c\") var a: Int { 1 } }", "1:25: only stored properties are coded")
  }

  @Test func propertiesWithoutADeclaredKeyAreReported() {
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
}
