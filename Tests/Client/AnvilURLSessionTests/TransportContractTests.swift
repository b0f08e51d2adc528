import AnvilTesting
import AnvilURLSession
import Testing

/// The contract of sessions, on URLSession.
@Suite(.serialized, .timeLimit(.minutes(15))) struct TransportContractTests {
  /// The features that URLSession does not support, with the reason.
  static let missing: [(need: TransportContract.Need, reason: String)] = [
    (.events, "URLSession tells of none, and on Linux trailers abort the process"),
    (.backPressure, "on Linux a server cannot be held back"),
    (.ipv6, "URLSession on Linux does not support IPv6 addresses in URLs"),
    (.brotli, "Foundation's libcurl need not know it"),
    (.zstandard, "Foundation's libcurl need not know it"),
    (.untrustedServers, "there are none beside the loopback server"),
  ]

  /// The excluded cases, with the reason.
  static let excluded: [(name: String, reason: String)] = [
    ("fault truncated-head", "Foundation on Linux aborts the process"),
    ("random bytes end in an error or a response", "Foundation on Linux aborts the process at some heads"),
    ("the body of a GET is sent", "URLSession sends none: refused by name"),
    (
      "a response streams while the request's body is still being sent",
      "Foundation takes no body that is still being made: it is read first"
    ),
    ("a stream of unknown length is sent in chunks", "it is read first, so that its length is known"),
    ("gzip with several members is decompressed", "Foundation's libcurl refuses what follows the first"),
    ("gzip that is cut off is reported as truncated", "Foundation does not notice"),
    ("gzip without its checksum is reported as truncated", "Foundation does not notice"),
    ("deflate that is cut off is reported as truncated", "Foundation does not notice"),
    ("gzip with a wrong checksum is reported as malformed", "an error all the same, of code other"),
    (
      "field lines with the same name stay separate and in order",
      "Foundation joins them, keeps no order, and refuses a field without a blank after its colon"
    ),
    ("values in UTF-8 and in Latin-1 are text", "Foundation on Linux refuses a head that is not UTF-8"),
    ("dot segments are sent unchanged", "Foundation's libcurl removes them"),
    (
      "unrequested bytes from a server are not the next response",
      "Foundation's libcurl uses a connection again on which bytes wait, and takes them for the response"
    ),
    ("a connection that was reset is replaced", "Foundation's libcurl sends again over a new connection"),
    ("a GET that goes unanswered is not sent again", "Foundation's libcurl sends again over a new connection"),
    ("a POST that goes unanswered is not sent again", "Foundation's libcurl means to send again, cannot, and waits"),
    ("a PUT that goes unanswered is not sent again", "Foundation's libcurl means to send again, cannot, and waits"),
  ]

  static let cases = TransportContract.cases.filter { contractCase in
    !missing.contains { contractCase.needs.contains($0.need) } && !excluded.contains { $0.name == contractCase.name }
  }

  @Test(arguments: cases) func holds(_ contractCase: TransportContract.Case) async throws {
    try await contractCase.run(on: URLTransportSession())
  }

  @Test func excludedCasesExist() {
    let names = Set(TransportContract.cases.map(\.name))
    for (name, _) in Self.excluded { #expect(names.contains(name), "no case is called \(name)") }
  }
}
