#if os(Linux) || os(macOS)
import AnvilTestSupport
import Testing

/// The libraries and symbols of a program that links only AnvilJSON. It loads FoundationEssentials, but no large
/// libraries, and does not contain the diagnosis.
@Suite struct LinkageTests {
  #if os(Linux)
  static let isLinux = true
  #else
  static let isLinux = false
  #endif

  @Test(.enabled(if: isLinux, "Foundation is part of the system here, and ldd is not"))
  func jsonAloneLoadsNeitherFoundationNorICU() throws {
    let probe = try Probe("AnvilJSONLinkageProbe")
    #expect(try probe.output() == "octocat octocat octocat true 19\n")
    let libraries = try probe.libraries()
    #expect(libraries.contains("libswiftCore.so"), "not what ldd says of a Swift program:\n\(libraries)")
    for library in ["libFoundation.so", "lib_FoundationICU", "libicu", "libFoundationNetworking", "libFoundationXML"] {
      #expect(!libraries.contains(library), "\(library) is loaded:\n\(libraries)")
    }
  }

  @Test func jsonAloneContainsNoDiagnosis() throws {
    let probe = try Probe("AnvilJSONLinkageProbe")
    #expect(try probe.contains(module: "AnvilJSON"))
    #expect(try !probe.contains(module: "AnvilDiagnosis"))
  }

  @Test(.enabled(if: isLinux && Compiler.canLink, "swiftc is not in the search path, or the tests use a sanitizer"))
  func aStaticLibraryContainsWhatThePathsOfTheCodersNeed() throws {
    let output = try Compiler.output(
      of: Self.coding, linkedStaticallyWith: ["AnvilJSON", "AnvilBase"],
      libraries: ["swiftSynchronization", "FoundationEssentials"])
    #expect(
      output == """
        \(Self.event)
        \(Self.event)
        [\(Self.event),null]
        2026-11-21 08:00:00 +0000 12345678901234567890.5 [1,2.50]
        [1,2.50] unexpected end at line 1, column 2 (byte 1) true

        """)
  }

  /// One value of each type that the coders write and read without its own code.
  private static let event = """
    {"amount":12345678901234567890.5,"at":"2026-11-21T08:00:00Z","bits":[true,false],"bytes":"AQI=",\
    "id":"E621E1F8-C36C-495A-93FC-0C247A3E6E5F","link":"https://example.org/a","list":["2026-11-21T08:00:00Z"],\
    "map":{"a":"2026-11-21T08:00:00Z"},"number":7,"payload":{"a":[1,2.50]},"payloads":[1.0,null],"ratio":0.5}
    """

  private static let coding = """
    import AnvilJSON
    import FoundationEssentials

    struct Event: Codable {
      var amount: Decimal, at: Date, bits: [Bool], bytes: Data, id: UUID, link: URL, list: [Date], map: [String: Date]
      var number: Int, payload: JSON, payloads: [JSON], ratio: Double
    }

    let text = #"\(event)"#
    let decoder = JSON.Decoder()
    decoder.dateDecodingStrategy = .iso8601
    let encoder = JSON.Encoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    func write(_ value: some Encodable) throws { print(String(decoding: try encoder.encode(value), as: UTF8.self)) }

    try write(decoder.decode(Event.self, from: Data(text.utf8)))
    try write(decoder.decode(JSON.self, from: Data(text.utf8)))
    try write(decoder.decode([JSON?].self, from: Data("[\\(text),null]".utf8)))
    let json = try JSON(parsing: text)
    let at: Date = try json => "at"
    let amount: Decimal = try json => "amount"
    let list: JSON = try json => "payload" => "a"
    print(at, amount, list)
    do { _ = try JSON(parsing: "{") } catch { print(list as Any, error as any Error, list as Any is AnyHashable) }
    """
}
#endif
