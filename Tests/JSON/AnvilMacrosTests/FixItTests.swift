import AnvilTestSupport
import Foundation
import SwiftDiagnostics
import SwiftSyntax
import Testing

@testable import AnvilMacroExpansion

/// The corrections that the macros offer. The corrected sources expand without errors, and compile.
@Suite struct FixItTests {
  struct Correction: Sendable, CustomTestStringConvertible {
    let source: String
    let message: String
    let corrected: String

    var testDescription: String { message }
  }

  static let corrections = [
    Correction(
      source: "@JSONCodable\nclass A {\n  var a: Int\n  init(a: Int) { self.a = a }\n}",
      message: "make the class final",
      corrected: "@JSONCodable\nfinal class A {\n  var a: Int\n  init(a: Int) { self.a = a }\n}"),
    Correction(
      source: "@JSONCodable\npublic class A {\n  let a: Int\n}", message: "make the class final",
      corrected: "@JSONCodable\npublic final class A {\n  let a: Int\n}"),
    Correction(
      source: "@JSONCodable struct A {\n  var a = 1\n}", message: "add the type Int",
      corrected: "@JSONCodable struct A {\n  var a: Int = 1\n}"),
    Correction(
      source: "@JSONCodable struct A {\n  var a=\"x\"  // a name\n}", message: "add the type String",
      corrected: "@JSONCodable struct A {\n  var a: String = \"x\"  // a name\n}"),
    Correction(
      source: "@JSONCodable struct A {\n  let a /* x */ = -1.5\n}", message: "add the type Double",
      corrected: "@JSONCodable struct A {\n  let a: Double /* x */ = -1.5\n}"),
    Correction(
      source: "@JSONCodable struct A {\n  @CodableDefault var a = true\n}", message: "add the type Bool",
      corrected: "@JSONCodable struct A {\n  @CodableDefault var a: Bool = true\n}"),
    Correction(
      source: "@JSONCodable final class A {\n  lazy var a: Int = 1\n  init() {}\n}", message: "ignore the property",
      corrected: "@JSONCodable final class A {\n  @CodableIgnored lazy var a: Int = 1\n  init() {}\n}"),
    Correction(
      source: "@JSONCodable @JSONTagged\nenum A: String { case a }", message: "remove @JSONTagged",
      corrected: "@JSONCodable\nenum A: String { case a }"),
    Correction(
      source: "@JSONDecodable @JSONEncodable\nstruct A { var a: Int }", message: "use only @JSONCodable",
      corrected: "@JSONCodable\nstruct A { var a: Int }"),
    Correction(
      source: "@JSONCodable\n@JSONEncodable\npublic struct A { var a: Int }", message: "use only @JSONCodable",
      corrected: "@JSONCodable\npublic struct A { var a: Int }"),
    Correction(
      source: "struct A {\n  @JSONCodable private struct B { var b: Int }\n}", message: "make the type fileprivate",
      corrected: "struct A {\n  @JSONCodable fileprivate struct B { var b: Int }\n}"),
    Correction(
      source: "@JSONCodable struct A {\n  @CodableRest var other: JSON  // the rest\n}",
      message: "write [String: JSON]",
      corrected: "@JSONCodable struct A {\n  @CodableRest var other: [String: JSON]  // the rest\n}"),
    Correction(
      source: "@JSONCodable struct A {\n  @CodableRest var other: [String: Int]?\n}",
      message: "write [String: Int]",
      corrected: "@JSONCodable struct A {\n  @CodableRest var other: [String: Int]\n}"),
  ]

  private static func corrected(_ correction: Correction) throws -> String {
    let expander = Expander(correction.source)
    let fixIts = expander.diagnostics.flatMap(\.fixIts)
    #expect(fixIts.map(\.message.message) == [correction.message])
    return expander.applying(fixIts)
  }

  @Test(arguments: corrections)
  func correctedSourcesHaveNoErrors(_ correction: Correction) throws {
    let corrected = try Self.corrected(correction)
    #expect(corrected == correction.corrected)
    let expander = Expander(corrected)
    #expect(expander.diagnostics.map(expander.description) == [])
  }

  #if os(Linux)
  /// Compiles all of them in a single run, which takes a second.
  @Test(.enabled(if: Compiler.isAvailable))
  func correctedSourcesCompile() async throws {
    let types = try Self.corrections.enumerated().map { index, correction in
      "public enum Scope\(index) {\n\(try Self.corrected(correction))\n}"
    }
    let program = "public import AnvilCodable\n" + types.joined(separator: "\n")
    #expect(try await Compiler.diagnostics(in: program, phase: "-typecheck", macros: ["AnvilMacros"]) == [])
  }

  /// The compiler reports the macro's errors at the same lines.
  @Test(.enabled(if: Compiler.isAvailable))
  func theCompilerReportsErrorsOfMacros() async throws {
    let program = "import AnvilCodable\n@JSONCodable\nclass A {\n  var a = 1\n}"
    let errors = try await Compiler.diagnostics(in: program, phase: "-typecheck", macros: ["AnvilMacros"])
    #expect(
      errors.contains { $0.contains("a class with generated coding must be final") && Compiler.line(of: $0) == 3 })
    #expect(
      errors.contains {
        $0.contains("a macro cannot infer types: write the type of a") && Compiler.line(of: $0) == 4
      })
  }
  #endif
}
