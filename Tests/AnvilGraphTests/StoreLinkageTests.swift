#if os(Linux)
import AnvilTestSupport
import Testing

/// A program that links only AnvilStore and AnvilSQLite contains no HTTP.
@Suite struct StoreLinkageTests {
  @Test func programWithOnlyTheStoreContainsNoHTTP() throws {
    let probe = try Probe("AnvilStoreLinkageProbe")
    #expect(try probe.output() == "Ada Grace\n")
    let libraries = try probe.libraries()
    #expect(libraries.contains("libsqlite3"), "unexpected output of ldd for a program with a store:\n\(libraries)")
    for library in ["libcurl", "libFoundationNetworking", "libpq"] {
      #expect(!libraries.contains(library), "\(library) is loaded:\n\(libraries)")
    }
    #expect(try probe.contains(module: "AnvilStore"))
    for module in ["AnvilHTTP", "AnvilBodies", "AnvilClient", "AnvilSync", "AnvilDiagnosis"] {
      #expect(try !probe.contains(module: module), "the program contains \(module)")
    }
  }
}
#endif
