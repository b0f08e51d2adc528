#if os(Linux)
import AnvilTestSupport
import Testing

/// A program that links only Anvil contains no URLSession, no store and no exporters.
@Suite struct ClientLinkageTests {
  @Test func programWithOnlyTheClientContainsNoURLSession() throws {
    let probe = try Probe("AnvilLinkageProbe")
    #expect(try probe.output() == "GET user 1\n")
    let libraries = try probe.libraries()
    #expect(libraries.contains("libcurl"), "unexpected output of ldd for a program with a client:\n\(libraries)")
    for library in ["libFoundationNetworking", "libFoundationXML", "libsqlite3", "libpq"] {
      #expect(!libraries.contains(library), "\(library) is loaded:\n\(libraries)")
    }
    #expect(try probe.contains(module: "AnvilClient"))
    for module in ["AnvilURLSession", "AnvilObservability", "AnvilStore", "AnvilServer"] {
      #expect(try !probe.contains(module: module), "the program contains \(module)")
    }
  }

  @Test(
    .enabled(if: Compiler.isAvailable, "there is no swiftc in the search path"), arguments: ["Anvil", "AnvilStore"])
  func programsDoNotSeeTheNamesOfTheCLibrary(module: String) async throws {
    let program = """
      import \(module)
      struct stat { var size = 1 }
      func read(_ count: Int) -> Int { count }
      let pipe = stat().size + read(1)

      """
    #expect(try await Compiler.diagnostics(in: program, phase: "-typecheck") == [])
    let errors = try await Compiler.diagnostics(in: program + "print(getpid(), timeval())", phase: "-typecheck")
    #expect(errors.count == 2)
    #expect(errors.allSatisfy { $0.contains("cannot find") }, "\(errors)")
  }
}
#endif
