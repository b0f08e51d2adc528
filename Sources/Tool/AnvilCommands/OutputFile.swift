internal import AnvilClient
internal import Dispatch
internal import Foundation

/// A file that the command line names as an output.
///
/// Regular files are replaced when they are complete. Pipes and devices, such as `/dev/stderr` and the process
/// substitution `>(…)`, are written directly.
enum OutputFile {
  /// Returns `true` for a pipe or device. Also returns `true` for other names in `/dev` and `/proc`, such as that of a file descriptor that
  /// refers to a regular file.
  static func isStream(_ name: String) -> Bool {
    if name.hasPrefix("/dev/shm/") { return FileKind.isStream(name) }
    return name.hasPrefix("/dev/") || name.hasPrefix("/proc/") || FileKind.isStream(name)
  }

  static func isStandardOutput(_ name: String) -> Bool {
    ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].contains(name)
  }

  /// Writes `data` to a stream, or replaces a regular file with one that only its owner can read.
  static func write(_ data: Data, to file: URL) throws {
    guard isStream(file.path(percentEncoded: false)) else { return try PrivateFile.write(data, to: file) }
    let handle = try open(file)
    defer { try? handle.close() }
    try handle.write(contentsOf: data)
  }

  /// Returns a short reason why a file cannot be written. Foundation's messages are only used for other errors, because they repeat the
  /// name of the file.
  ///
  /// - Parameter name: The file; `nil` for a temporary one.
  static func words(for error: any Error, of name: String?) -> String {
    switch (error as? CocoaError)?.code {
    case .fileNoSuchFile: "its folder does not exist"
    case .fileWriteNoPermission: "permission denied"
    case .fileWriteOutOfSpace: "no space left on the device"
    case .fileWriteVolumeReadOnly: "the file system is read-only"
    default: name.map { DocumentReader.words(for: error, of: .file($0)) } ?? error.localizedDescription
    }
  }

  /// Opens a stream. Suspends until a named pipe has a reader.
  static func openStream(_ file: URL) async throws -> FileHandle {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue(label: "anvil.output.file").async {
        continuation.resume(with: Result { try open(file) })
      }
    }
  }

  private static func open(_ file: URL) throws -> FileHandle {
    let handle = try FileHandle(forWritingTo: file)
    // The descriptor of a redirection may lead to a regular file that has content. Pipes have no position.
    _ = try? handle.seekToEnd()
    return handle
  }
}
