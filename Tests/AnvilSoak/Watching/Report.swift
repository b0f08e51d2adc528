import Foundation

/// Writes a line at once, which `print` does not where the output is a file.
func report(_ line: String) {
  FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}
