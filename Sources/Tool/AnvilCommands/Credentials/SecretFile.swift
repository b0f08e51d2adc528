internal import Foundation

/// A file that contains a secret, named on the command line.
struct SecretFile: CustomStringConvertible {
  /// The maximum size of the file in bytes, which is more than any credential needs.
  private static let sizeLimit = 1 << 20

  let description: String
  /// The whole text.
  let text: String

  /// The text without the final line end that editors add.
  var line: String {
    String(text.hasSuffix("\r\n") || text.hasSuffix("\n") ? text.dropLast() : text[...])
  }

  /// Reads the file `name`, or standard input for `-`. Prints a warning if other users can read the file.
  ///
  /// - Throws: ``UsageError`` if the file cannot be read or is not text.
  init(_ name: String, of option: String, _ console: Console) throws(UsageError) {
    guard !name.isEmpty else { throw UsageError("\(option) needs the name of a file") }
    description = name == "-" ? "\(option) -" : "\(option) \"\(name.withoutURLSecrets)\""
    let data: Data
    do {
      if name == "-" {
        data = try console.readInput()
      } else {
        let handle = try FileHandle(forReadingFrom: URL(filePath: name))
        defer { try? handle.close() }
        data = try handle.read(upToCount: Self.sizeLimit + 1) ?? Data()
      }
    } catch {
      let reason = DocumentReader.words(for: error, of: .file(name))
      throw UsageError("\(description) cannot be read: \(reason)", status: .inputOutput)
    }
    guard data.count <= Self.sizeLimit, let text = String(bytes: data, encoding: .utf8) else {
      throw UsageError("\(description) is not a file with credentials: it must be text in UTF-8 of at most 1 MiB")
    }
    self.text = text
    if name != "-", Self.isReadableByOthers(name) {
      console.fail("\(description) can be read by other users: chmod 600 prevents that")
    }
  }

  private static func isReadableByOthers(_ name: String) -> Bool {
    let path = URL(filePath: name).resolvingSymlinksInPath().path
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    guard attributes?[.type] as? FileAttributeType == .typeRegular else { return false }
    return (attributes?[.posixPermissions] as? Int).map { $0 & 0o077 != 0 } ?? false
  }
}
