internal import Foundation

/// Starts the user's browser.
enum Browser {
  #if os(macOS)
  private static let opener = "open"
  #else
  private static let opener = "xdg-open"
  #endif

  /// Opens `url` in the user's browser with the system's program for it.
  ///
  /// - Parameter environment: The environment, whose `PATH` is searched for the program.
  /// - Returns: `true` if the program was found and started.
  static func open(_ url: URL, environment: [String: String]) -> Bool {
    let folders = environment["PATH"]?.split(separator: ":").map(String.init) ?? []
    let path = folders.map { "\($0)/\(opener)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    guard let path else { return false }
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = [url.absoluteString]
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    do {
      try process.run()
      return true
    } catch {
      return false
    }
  }
}
