import Foundation
import Testing

/// What a program that links only AnvilJSON loads: FoundationEssentials, and none of what is large.
@Suite struct LinkageTests {
  /// Where the build puts the program that only has JSON to read: beside the tests.
  static let program = Bundle.main.executableURL?.deletingLastPathComponent().appending(path: "AnvilJSONLinkageProbe")

  #if os(Linux)
  static let isLinux = true
  #else
  static let isLinux = false
  #endif

  private func output(of program: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(program)")
    return String(decoding: data, as: UTF8.self)
  }

  @Test(.enabled(if: isLinux, "Foundation is part of the system here, and ldd is not"))
  func jsonAloneLoadsNeitherFoundationNorICU() throws {
    let program = try #require(Self.program?.path())
    #expect(try output(of: program, []) == "octocat octocat octocat true 19\n")
    let libraries = try output(of: "/usr/bin/ldd", [program])
    #expect(libraries.contains("libswiftCore.so"), "not what ldd says of a Swift program:\n\(libraries)")
    for library in ["libFoundation.so", "lib_FoundationICU", "libicu", "libFoundationNetworking", "libFoundationXML"] {
      #expect(!libraries.contains(library), "\(library) is loaded:\n\(libraries)")
    }
  }
}
