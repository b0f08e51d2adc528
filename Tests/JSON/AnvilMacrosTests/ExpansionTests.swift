import AnvilTestSupport
import Foundation
import SwiftParser
import SwiftSyntax
import Testing

@testable import AnvilMacroExpansion

/// The expansions of the models of AnvilCodableTests and of the store's contract, which compile and run there.
///
/// Of each kind of code that the macros write, a file of `Expansions` contains one example for people to read. After an intended change, run
/// the tests with `ANVIL_WRITE_EXPANSIONS=1` in the environment and review the differences.
@Suite struct ExpansionTests {
  /// The models whose expansions are in the files, by the names of their own files.
  private static let examples = [
    "Structures": ["User", "Repository", "Aliased", "Page"],
    "Classes": ["Account"],
    "Enumerations": ["Level", "State", "NamedPlain", "OpenFilter", "Shape", "OpenMessage"],
    "Initializers": ["Stamped"],
    "Wrapped": ["Lossy"],
    "Values": ["Strategies"],
    "Published": ["PublicModel", "Recorded"],
    "StoredModels": ["Repository"],
  ]

  private static let tests = URL(filePath: #filePath).deletingLastPathComponent()
  private static let expansions = tests.appending(path: "Expansions")
  private static let models = tests.appending(path: "../AnvilCodableTests/Models").standardized

  private static let storedModels = Checkout.root.appending(path: "Tests/Store/AnvilStoreTesting/StoredModels.swift")

  /// The files with models, by their names.
  private static let files: [String: URL] = {
    let files = try? FileManager.default.contentsOfDirectory(at: models, includingPropertiesForKeys: nil)
    let pairs = ((files ?? []) + [storedModels]).map { ($0.deletingPathExtension().lastPathComponent, $0) }
    return Dictionary(pairs) { first, _ in first }
  }()
  private static let names = files.keys.sorted()

  private static func source(_ name: String) throws -> String {
    try String(contentsOf: try #require(files[name]), encoding: .utf8)
  }

  /// Returns the declarations of `types` in the file `name`, in the order of the file.
  private static func source(_ name: String, of types: [String]) throws -> String {
    let declarations = Parser.parse(source: try source(name)).statements.filter { statement in
      (statement.item.asProtocol((any NamedDeclSyntax).self)?.name.text).map(types.contains) ?? false
    }
    #expect(declarations.count == types.count)
    return declarations.map(\.trimmedDescription).joined(separator: "\n\n") + "\n"
  }

  @Test(arguments: examples.keys.sorted())
  func expansionsOfExamplesMatchTheFiles(_ name: String) throws {
    let expansion = Expander(try Self.source(name, of: try #require(Self.examples[name]))).expansion
    let file = Self.expansions.appending(path: "\(name).txt")
    if ProcessInfo.processInfo.environment["ANVIL_WRITE_EXPANSIONS"] == "1" {
      try Data(expansion.utf8).write(to: file)
    }
    let expected = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
    let found = expansion.components(separatedBy: "\n")
    let line = zip(found, expected).prefix { $0 == $1 }.count + 1
    #expect(found == expected, "line \(line) of \(file.lastPathComponent)")
  }

  @Test func everyExpansionFileHasExamples() throws {
    let files = try FileManager.default.contentsOfDirectory(at: Self.expansions, includingPropertiesForKeys: nil)
    #expect(files.map { $0.deletingPathExtension().lastPathComponent }.sorted() == Self.examples.keys.sorted())
  }

  @Test(arguments: [("", ["let id =", "let text ="]), ("public ", ["public let id =", "let text ="])])
  func columnsAreNotMoreAccessibleThanTheModel(access: String, columns: [String]) {
    let expander = Expander("@StoredModel \(access)struct Item { public var id: Int; var text: String }")
    #expect(expander.diagnostics.isEmpty)
    let lines = expander.expansion.split(separator: "\n").map { $0.drop { $0 == " " } }
    for column in columns { #expect(lines.contains { $0.hasPrefix(column) }, "\(expander.expansion)") }
  }

  @Test func initialValuesOfStoredModelsAreOperands() {
    let expander = Expander(
      """
      @StoredModel struct Item {
        @MatchKey var id: Int
        var isOn: Bool = Flags.a || Flags.b
        var count: Int = Flags.a ? 1 : 2
        var size: Int = limit
        var text: String = "a"
        init() {}
      }
      """)
    #expect(expander.diagnostics.isEmpty)
    for text in [
      "?? (Flags.a || Flags.b)", "?? (Flags.a ? 1 : 2)", #"?? "a""#, "?? Columns.sizeDefault",
      "{ (Flags.a || Flags.b) as (Bool) }",
      "{ Columns.sizeDefault as (Int) }", "fileprivate static var sizeDefault: Int { return limit }",
    ] { #expect(expander.expansion.contains(text), "\(text) in \(expander.expansion)") }
  }

  /// The database may have a default value only if it is the same in each run of the program.
  @Test(arguments: [
    "-1", "60 * 60", "nil", #""a""#, #""\(1)""#, ".open", "State.open", "Model.State.open", "[1, 2]", #"["a": 1]"#,
    "[:]",
    "[String]()", "Set<Int>()", "Decimal(3)", ".init(3)", "Duration.seconds(5)", "Point(x: 0, y: -1.5)",
    "Date(timeIntervalSinceReferenceDate: 7)", "Foundation.Date(timeIntervalSince1970: 60 * 60)", "Date.distantPast",
    #"URL(string: "https://a.example")!"#, #"UUID(uuidString: "01234567-89AB-CDEF-0123-456789ABCDEF")!"#, "(1)",
    "true ? 1 : 2", "Data(repeating: 0, count: 3)",
  ]) func constantDefaultsAreThoseOfTheColumn(value: String) {
    let expander = Expander("@StoredModel struct Item { @MatchKey var id: Int; var value: Value = \(value) }")
    #expect(expander.expansion.contains("isConstant: true"))
  }

  @Test(arguments: [
    "Date()", "Date.now", ".now", "UUID()", "UUID().uuidString", "Int.random(in: 1...6)", ".random(in: 1...6)",
    "Date(timeIntervalSinceNow: 3600)", "Date(timeInterval: 60, since: .now)", "Date.now.addingTimeInterval(60)",
    "ProcessInfo.processInfo.globallyUniqueString", "Int(ProcessInfo.processInfo.systemUptime)", "Locale.current",
    "String(describing: UUID())", #""\(UUID())""#, "[UUID()]", "[1: Date()]", "makeName(3)", "time(nil)",
    "[1, 2].randomElement()!", "limit", "counter + 1", "true ? 1 : Int.random(in: 1...6)", "{ 1 }()",
    "Calendar.current.startOfDay(for: Date(timeIntervalSince1970: 0))",
  ]) func defaultsThatMayDifferAreNotThoseOfTheColumn(value: String) {
    let expander = Expander("@StoredModel struct Item { @MatchKey var id: Int; var value: Value = \(value) }")
    #expect(expander.expansion.contains("isConstant: false"))
  }

  @Test func columnsMayHaveTheNamesAndPrivateTypesOfTheModel() {
    let expander = Expander(
      """
      @StoredModel struct Item {
        private enum Kind: String, Codable { case a }
        @MatchKey var Item: Int
        var Status: Status
        private var kind: Kind
      }
      """)
    #expect(expander.diagnostics.isEmpty)
    for text in [
      "row.read(Swift.Array<Status>.Element.self, 1)", "private let kind = AnvilStore.StoredColumn<Item, Kind>",
      "return Self(Item: Item, Status: Status, kind: kind)",
    ] { #expect(expander.expansion.contains(text), "\(text) in \(expander.expansion)") }
  }

  @Test func valuesAsGenericParametersHaveNoRequirements() {
    let expander = Expander("@JSONCodable struct Grid<let width: Int, Value> { var values: [Value] }")
    #expect(expander.diagnostics.isEmpty && expander.expansion.contains("where Value: "))
    #expect(!expander.expansion.contains("width: AnvilJSON") && !expander.expansion.contains("width: Swift.Dec"))
  }

  /// The compiler does not give an extension the availability of its type.
  @Test(arguments: [
    "@JSONCodable struct A { var a: Int }", "@JSONCodable @JSONTagged(by: \"t\") enum A { case a(b: Int) }",
    "@JSONDecodable final class A { var a: Int; init() {} }",
    "@StoredModel @JSONCodable struct A { @MatchKey var a: Int }",
  ]) func extensionsAreAvailableWhereTheirTypesAre(model: String) {
    let expander = Expander(
      """
      @available(macOS 26, iOS 26, *) @available(*, deprecated, message: "old")
      enum Outer {
        @available(swift 6.4) \(model)
      }
      """)
    #expect(expander.diagnostics.isEmpty)
    let extensions = expander.expansion.split(separator: "\n").filter { $0.contains("extension Outer.A") }
    let attributes =
      #"@available(swift 6.4) @available(macOS 26, iOS 26, *) @available(*, deprecated, message: "old") nonisolated "#
    #expect(!extensions.isEmpty && extensions.allSatisfy { $0.hasPrefix(attributes) }, "\(expander.expansion)")
  }

  @Test func onlyCodedGenericParametersHaveRequirements() {
    for (source, types) in [
      ("struct A<T> { var a: Int; @CodableIgnored var b: T? = nil; func c(_ t: T) {} }", []),
      ("struct A<T, U> { var a: [String: U?] }", ["U"]),
      ("struct A<T> { var a: [T.B.C]?; var b: T.D }", ["T.B.C", "T.D"]),
      ("struct A<T> { var a: B.T; var b: Tx; var c: [T: Int] }", ["T"]), ("enum A<T> { case a(Int), b(x: T) }", ["T"]),
      ("struct A<T> { typealias L = [T]; var a: L }", ["T"]), ("struct A<T> { @Wrapper<T> var a }", ["T"]),
      ("struct A<T> { struct B { var t: T }; var a: [B]; var b: T.C }", ["T", "T.C"]),
    ] {
      let expander = Expander("@JSONEncodable \(source)")
      #expect(expander.diagnostics.isEmpty)
      let clause = types.map { "\($0): Swift.Encodable" }.joined(separator: ", ")
      let expected = types.isEmpty ? "Swift.Encodable {" : "Swift.Encodable where \(clause) {"
      #expect(expander.expansion.contains(expected), "\(source): \(expander.expansion)")
    }
  }

  /// The compiler expands the members and the extensions of a type in separate calls.
  @Test(arguments: names)
  func expansionsAreTheSameEachTimeAndHaveNoDiagnostics(_ name: String) throws {
    let source = try Self.source(name)
    let expander = Expander(source)
    #expect(expander.diagnostics.isEmpty)
    #expect(expander.expansion == Expander(source).expansion)
  }
}
