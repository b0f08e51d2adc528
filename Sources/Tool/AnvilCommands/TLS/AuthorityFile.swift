internal import Foundation

/// The file with the certificate of an authority, for clients that must trust it.
struct AuthorityFile {
  let path: String
  private let isTemporary: Bool

  /// Creates the file with the text `certificate`. Every user may read the file, because it contains no key.
  ///
  /// - Parameter path: The file, which is replaced if it exists; `nil` for a temporary one.
  /// - Throws: The errors of writing, and ``NotRegular`` for a folder or a device.
  init(_ certificate: String, at path: String?) throws {
    isTemporary = path == nil
    let file: URL
    if let path {
      self.path = path
      // Replacing a device would turn it into a regular file.
      file = URL(filePath: path).resolvingSymlinksInPath()
      let type = try? FileManager.default.attributesOfItem(atPath: file.path(percentEncoded: false))[.type]
      if let type = type as? FileAttributeType, type != .typeRegular { throw NotRegular() }
    } else {
      // The name is short so that a command with it is readable on a terminal.
      let number = String(UInt32.random(in: .min ... .max), radix: 36)
      file = FileManager.default.temporaryDirectory.appending(path: "anvil-\(number).pem")
      self.path = file.path(percentEncoded: false)
    }
    try Data(certificate.utf8).write(to: file, options: isTemporary ? .withoutOverwriting : .atomic)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o644], ofItemAtPath: file.path(percentEncoded: false))
  }

  /// Removes the file if it is temporary.
  func remove() {
    if isTemporary { try? FileManager.default.removeItem(atPath: path) }
  }

  struct NotRegular: LocalizedError {
    var errorDescription: String? { "it exists and is not a regular file" }
  }
}
