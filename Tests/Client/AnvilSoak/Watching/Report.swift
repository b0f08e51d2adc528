import Foundation

/// Writes a line immediately. `print` buffers if the output is a file.
func report(_ line: String) {
  FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}
