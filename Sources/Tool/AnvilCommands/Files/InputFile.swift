internal import Foundation

/// A file that the command line names as an input.
enum InputFile {
  /// Reads the file `name`. A pipe or device, such as a process substitution or `/dev/stdin`, is read to its end, and can
  /// be read once only.
  ///
  /// - Throws: The errors of the system.
  static func read(_ name: String) throws -> Data {
    let url = URL(filePath: name)
    // Data(contentsOf:) refuses pipes on Linux.
    guard isStream(name) else { return try Data(contentsOf: url) }
    let handle = try FileHandle(forReadingFrom: url)
    defer { try? handle.close() }
    return try handle.readToEnd() ?? Data()
  }

  /// Checks that `name` is a file that can be read. A pipe or device is not opened, because it can be opened once only.
  ///
  /// - Throws: The errors of the system, also for a folder.
  static func check(_ name: String) throws {
    if isStream(name) { return }
    try FileHandle(forReadingFrom: URL(filePath: name)).close()
    if isFolder(name) { throw CocoaError(.fileReadUnknown) }
  }

  static func isFolder(_ name: String) -> Bool {
    let values = try? URL(filePath: name).resourceValues(forKeys: [.isDirectoryKey])
    return values?.isDirectory == true
  }

  /// Returns `true` for a pipe or device.
  static func isStream(_ name: String) -> Bool { FileKind.isStream(name) }
}
