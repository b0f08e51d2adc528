import Foundation

/// Messages, as opposed to figures.
enum Console {
  /// Writes a line to standard error.
  static func note(_ message: String) {
    FileHandle.standardError.write(Data("anvil-bench: \(message)\n".utf8))
  }
}
