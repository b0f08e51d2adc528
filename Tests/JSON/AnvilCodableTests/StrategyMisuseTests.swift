#if os(Linux) || os(macOS)
import AnvilTestSupport
import Testing

/// Strategies of another type than their property.
@Suite(.enabled(if: Compiler.isAvailable, "swiftc is not in the search path"), .timeLimit(.minutes(15)))
struct StrategyMisuseTests {
  @Test(arguments: [
    "@JSONCodable struct A { @CodableBy(.iso8601) var at: Int }",
    "@JSONCodable struct A { @CodableBy(.iso8601) var at: Int? }",
    "@JSONCodable struct A { @CodableBy(.iso8601) var at: Int?? }",
    "@JSONCodable struct A { @CodableBy(.iso8601) var at: [Int] }",
    "@JSONCodable struct A { @CodableBy(.iso8601) @CodableDefault(3) var at: Int }",
    #"@JSONCodable struct A { @CodingKey("a", "b") @CodableBy(.iso8601) var at: Int }"#,
    "@JSONCodable final class A { @CodableBy(.iso8601) var at: Int = 3 }",
  ])
  func errorsNameBothTypes(model: String) async throws {
    let errors = try await Compiler.diagnostics(
      in: "import AnvilCodable\nimport AnvilJSON\nimport Foundation\n\(model)", phase: "-typecheck",
      macros: ["AnvilMacros"])
    #expect(errors.contains { $0.contains("Int") && $0.contains("Date") }, "\(errors)")
    #expect(!errors.contains { $0.contains("failed to produce diagnostic") }, "\(errors)")
  }
}
#endif
