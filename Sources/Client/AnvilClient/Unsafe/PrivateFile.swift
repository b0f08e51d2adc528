package import AnvilBase

/// Functions that replace a file atomically, or append to it. Only the owner can read a file that they create.
package enum PrivateFile {
  /// A file as it was after it was written.
  package struct Version: Hashable, Sendable {
    let file: FileIdentity
    let length: Int

    init?(_ descriptor: Int32) {
      var status = stat()
      // Safety: the call writes one `stat`, which `status` is.
      guard unsafe fstat(descriptor, &status) == 0 else { return nil }
      file = FileIdentity(status)
      length = Int(status.st_size)
    }
  }

  /// Writes `data` to a temporary file next to `target`, and then renames it to `target`.
  ///
  /// - Returns: The new file; `nil` if the system does not describe it.
  @discardableResult
  package static func write(_ data: Data, to target: URL) throws(FileFailure) -> Version? {
    let name = target.lastPathComponent
    let path = try target.writablePath
    // Without the name of the target, which may have the greatest length.
    let temporary = target.deletingLastPathComponent().appending(path: ".anvil-\(UInt64.random(in: 0 ... .max)).tmp")
      .path(percentEncoded: false)
    // Safety: the path is a NUL-terminated copy for the length of the call.
    let descriptor = unsafe openat(AT_FDCWD, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw FileFailure(name: name, code: errno) }
    var (_, code) = writeAll(data, to: descriptor)
    if code == 0, flushToDisk(descriptor) != 0 { code = errno }
    let version = Version(descriptor)
    if close(descriptor) != 0, code == 0 { code = errno }
    // Safety: both paths are NUL-terminated copies for the length of the call.
    if code == 0, unsafe rename(temporary, path) != 0 { code = errno }
    guard code != 0 else { return version }
    // Safety: as above.
    _ = unsafe unlink(temporary)
    throw FileFailure(name: name, code: code)
  }

  /// Appends `data` to `target`, which is created if it does not exist, as a whole or not at all. The permissions of an existing file are kept.
  package static func append(_ data: Data, to target: URL) throws(FileFailure) {
    let descriptor = try open(target, O_WRONLY | O_CREAT | O_APPEND)
    let length = Version(descriptor)?.length
    var (written, code) = writeAll(data, to: descriptor)
    // A part is removed, unless somebody else has written after it.
    if code != 0, let length, Version(descriptor)?.length == length + written {
      _ = ftruncate(descriptor, off_t(length))
    }
    if close(descriptor) != 0, code == 0 { code = errno }
    if code != 0 { throw FileFailure(name: target.lastPathComponent, code: code) }
  }

  /// Writes `data` in the place of `end`, the last bytes of `target`. If that fails, `end` is written again.
  ///
  /// - Parameter version: The file that this program has written.
  /// - Returns: The new version; `nil` if the file is another one, which is left as it is.
  package static func replaceEnd(
    _ end: Data, of target: URL, _ version: Version, with data: Data
  ) throws(FileFailure) -> Version? {
    guard let descriptor = try? open(target, O_WRONLY) else { return nil }
    defer { _ = close(descriptor) }
    guard Version(descriptor) == version else { return nil }
    let offset = version.length - end.count
    let (_, code) = writeAll(data, to: descriptor, at: offset)
    if code == 0 { return Version(descriptor) }
    if writeAll(end, to: descriptor, at: offset).code == 0 { _ = ftruncate(descriptor, off_t(version.length)) }
    throw FileFailure(name: target.lastPathComponent, code: code)
  }

  private static func open(_ target: URL, _ flags: Int32) throws(FileFailure) -> Int32 {
    let path = try target.writablePath
    // Safety: the path is a NUL-terminated copy for the length of the call.
    let descriptor = unsafe openat(AT_FDCWD, path, flags | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw FileFailure(name: target.lastPathComponent, code: errno) }
    return descriptor
  }
}

/// The reason why a file cannot be written.
package struct FileFailure: Error, CustomStringConvertible {
  let name: String
  let reason: String
  /// Whether another download has locked the file.
  var isOfLock = false

  package var description: String { "the file \(name) cannot be written: \(reason)" }
}

extension FileFailure {
  /// Creates the failure with the system's error number `code`.
  init(name: String, code: Int32) {
    // Safety: strerror returns a NUL-terminated string that is copied at once.
    self.init(name: name, reason: unsafe String(cString: strerror(code)))
  }
}

extension URL {
  /// The path of a file to be written.
  var writablePath: String {
    get throws(FileFailure) {
      do throws(UnusablePath) {
        return try filePath
      } catch {
        throw FileFailure(name: lastPathComponent, reason: error.reason)
      }
    }
  }
}

/// Writes all of `data`: at `offset`, or at the position of the descriptor. Returns the number of bytes that were written, and the error number
/// if that are not all, otherwise 0.
func writeAll(_ data: Data, to descriptor: Int32, at offset: Int? = nil) -> (count: Int, code: Int32) {
  var written = 0
  while written < data.count {
    let rest = data.dropFirst(written)
    // Safety: the buffer is the data's own for the length of the call, which reads at most its count of bytes.
    let result = unsafe rest.withUnsafeBytes { bytes in
      guard let offset else { return unsafe write(descriptor, bytes.baseAddress, bytes.count) }
      return unsafe pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(offset + written))
    }
    let code = errno
    if result > 0 {
      written += result
    } else if result == 0 || code != EINTR {
      return (written, result == 0 ? ENOSPC : code)
    }
  }
  return (written, 0)
}

/// Flushes a file to the disk. Returns 0, or -1 with the error in `errno`.
///
/// On Apple's platforms, `fsync` does not flush the memory of the disk itself, and `F_FULLFSYNC` is not supported by all file systems. Source:
/// fsync(2) and fcntl(2) of macOS.
func flushToDisk(_ descriptor: Int32) -> Int32 {
  #if canImport(Darwin)
  if fcntl(descriptor, F_FULLFSYNC) == 0 { return 0 }
  #endif
  return fsync(descriptor)
}
