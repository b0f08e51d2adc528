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
}
#endif
