internal import AnvilClient
internal import AnvilDiagnosis
internal import AnvilJSON
internal import Dispatch
internal import Foundation

struct OutputOptions: Sendable {
  enum Destination: Hashable, Sendable {
    case standardOutput
    /// Standard output, even for binary data.
    case standardOutputForced
    /// A file that is replaced when it is complete.
    case file(URL)
    case stream(URL)
  }

  enum Layout: Sendable {
    /// Indented on a terminal, and unchanged otherwise.
    case automatic
    case raw
    case path(JSONPath)
    /// A table of objects, at a path or of the whole body.
    case table(JSONPath?)
  }

  let destination: Destination
  let layout: Layout
  let resumes: Bool
  let includesHead: Bool
  let showsProgress: Bool
  let hasColors: Bool

  init(_ arguments: ArgumentParser, isHead: Bool, console: Console) throws(CommandError) {
    let path: JSONPath? = if let text = arguments.value(of: .path) { try JSONPath(text) } else { nil }
    destination =
      switch try arguments.file(of: .output) {
      case nil: .standardOutput
      case let name? where OutputFile.isStandardOutput(name): .standardOutputForced
      case let name? where OutputFile.isStream(name): .stream(URL(filePath: name))
      case let name?: .file(URL(filePath: name))
      }
    try arguments.exclude([.table, .raw])
    layout =
      if arguments.contains(.table) {
        .table(path)
      } else if let path {
        .path(path)
      } else {
        arguments.contains(.raw) ? .raw : .automatic
      }
    resumes = arguments.contains(.resume)
    includesHead = arguments.contains(.include) || isHead
    hasColors = try Colors(arguments.choice(of: .color), console).output == .ansi
    // The bar would be mixed with other output on the terminal.
    showsProgress =
      !arguments.contains(.noProgress) && console.errorIsTerminal && console.environment["TERM"] != "dumb"
    if isFile {
      for option in [CommandOption.path, .table, .raw, .into] { try arguments.exclude([.output, option]) }
    }
    if resumes, !isReplaced { throw CommandError("--continue needs --output with a file") }
    for option in [CommandOption.table, .raw] { try arguments.exclude([.into, option]) }
  }

  /// True if the destination is not standard output.
  private var isFile: Bool { ![.standardOutput, .standardOutputForced].contains(destination) }

  var isReplaced: Bool {
    if case .file = destination { true } else { false }
  }

  var path: JSONPath? {
    switch layout {
    case .path(let path): path
    case .table(let path): path
    case .automatic, .raw: nil
    }
  }
}

/// The colours of standard output and standard error. Source: <https://no-color.org>.
struct Colors: Sendable {
  enum Choice: String, CaseIterable {
    case auto, always, never
  }

  let output: JSON.Diagnosis.Style.Colors
  let error: JSON.Diagnosis.Style.Colors

  init(_ choice: Choice?, _ console: Console) {
    switch choice ?? .auto {
    case .always: (output, error) = (.ansi, .ansi)
    case .never: (output, error) = (.none, .none)
    case .auto:
      let isUnwanted = console.environment["NO_COLOR"].map { !$0.isEmpty } ?? false
      if isUnwanted || console.environment["TERM"] == "dumb" {
        (output, error) = (.none, .none)
      } else {
        output = console.outputIsTerminal ? .ansi : .none
        error = console.errorIsTerminal ? .ansi : .none
      }
    }
  }
}

/// An output file. A regular file is replaced when it is complete; pipes and devices, such as `>(…)`, are written directly.
enum OutputFile {
  /// Returns whether `name` is a pipe or device, or in `/dev` or `/proc`: a descriptor there may refer to a regular file.
  static func isStream(_ name: String) -> Bool {
    if name.hasPrefix("/dev/shm/") { return FileKind.isStream(name) }
    return name.hasPrefix("/dev/") || name.hasPrefix("/proc/") || FileKind.isStream(name)
  }

  static func isStandardOutput(_ name: String) -> Bool {
    ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].contains(name)
  }

  /// Writes `data` to a stream, or replaces a regular file with one that only its owner can read.
  static func write(_ data: Data, to file: URL) throws {
    guard isStream(file.path(percentEncoded: false)) else {
      try PrivateFile.write(data, to: file)
      return
    }
    let handle = try open(file)
    defer { try? handle.close() }
    try handle.write(contentsOf: data)
  }

  /// Returns a short reason why a file cannot be written, because Foundation's messages repeat its name. `name` is `nil` for a temporary
  /// file and for an output that is already open.
  static func words(for error: any Error, of name: String?) -> String {
    switch (error as? CocoaError)?.code {
    case .fileNoSuchFile: "its folder does not exist"
    case .fileWriteNoPermission: "permission denied"
    case .fileWriteOutOfSpace: "no space left on the device"
    case .fileWriteVolumeReadOnly: "the file system is read-only"
    default: name.map { DocumentSource.file($0).words(for: error) } ?? error.systemReason
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
