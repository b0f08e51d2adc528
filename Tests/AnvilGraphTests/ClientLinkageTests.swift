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
}
#endif
