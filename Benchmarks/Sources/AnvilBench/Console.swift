import Foundation

/// What is said beside the figures.
enum Console {
  /// A line on standard error.
  static func note(_ message: String) {
    FileHandle.standardError.write(Data("anvil-bench: \(message)\n".utf8))
  }
}
