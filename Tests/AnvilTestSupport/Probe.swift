#if os(Linux) || os(macOS)
package import Foundation

/// The programs that the build puts beside the tests.
package enum BuiltPrograms {
  private final class Marker {}

  /// The folder of the programs. On macOS a program of the toolchain runs the tests, which are in a bundle.
  package static var folder: URL? {
    #if os(macOS)
    Bundle(for: Marker.self).bundleURL.deletingLastPathComponent()
    #else
    Bundle.main.executableURL?.deletingLastPathComponent()
    #endif
  }
}

/// A program beside the tests, whose libraries and symbols are inspected.
package struct Probe: Sendable {
  /// The error for a command that failed.
  package struct Failure: Error {
    package let command: String
    package let status: Int32
  }

  private let url: URL

  /// Finds the program where the build puts it.
  package init(_ name: String) throws {
    guard let folder = BuiltPrograms.folder else { throw Failure(command: name, status: -1) }
    url = folder.appending(path: name)
  }

  /// Runs the program and returns what it writes.
  package func output() throws -> String { try Self.output(of: url.path(), []) }

  /// Returns the names of the dynamic libraries that the program loads, a line each.
  package func libraries() throws -> String { try Self.output(of: "/usr/bin/ldd", [url.path()]) }

  /// Returns whether the program contains a symbol of the Swift module.
  ///
  /// Mangled names have the module's name after its length.
  package func contains(module: String) throws -> Bool {
    try Data(contentsOf: url, options: .mappedIfSafe).range(of: Data("s\(module.utf8.count)\(module)".utf8)) != nil
  }

  /// Runs a program and returns what it writes to its standard output.
  package static func output(of program: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(command: program, status: process.terminationStatus) }
    return String(decoding: data, as: UTF8.self)
  }
}
#endif
