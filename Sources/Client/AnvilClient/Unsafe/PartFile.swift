internal import AnvilBase

/// The partial file of a download and its record, next to the final location of the file.
///
/// `NAME.anvilpart` has the bytes. `NAME.anvilpart.json` records how many of them are certainly on the disk, and to which resource they
/// belong. A long `NAME` is shortened, so that the suffixes fit. Every call blocks until the disk operation is complete.
final class PartFile: Sendable {
  private static let suffix = ".anvilpart"
  private static let recordSuffix = "\(suffix).json"
  /// The maximum number of bytes of a file's name on common file systems.
  private static let nameLimit = 255

  private let target: URL
  private let part: URL
  private let recordFile: URL
  private let descriptor: Int32

  /// Opens the partial file for `target`, and creates it if it does not exist. The file is locked against other downloads.
  init(for target: URL) throws(FileFailure) {
    let name = target.lastPathComponent
    guard target.isFileURL, !name.isEmpty else {
      throw FileFailure(name: name, reason: "the target is not a file URL with a file name")
    }
    // The paths below differ from this one in their last component only.
    let path = try target.writablePath
    self.target = target
    let folder = target.deletingLastPathComponent()
    let base = Self.base(of: name)
    part = folder.appending(path: base + Self.suffix)
    recordFile = folder.appending(path: base + Self.recordSuffix)
    var status = stat()
    // Safety: the path is a NUL-terminated copy that lives for the length of the call; `status` is a local variable and is fully written on
    // success.
    if unsafe stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFREG else {
        throw FileFailure(name: name, reason: "something other than a regular file has this name")
      }
    } else if errno == ENAMETOOLONG {
      // The part has a shorter name, so that this would be noticed after the last byte.
      throw FileFailure(name: name, code: ENAMETOOLONG)
    }
    guard !target.hasDirectoryPath else { throw FileFailure(name: name, reason: "its URL is that of a folder") }
    descriptor = try Self.open(part, of: name)
  }

  /// Returns the name to which the suffixes are added: that of the file or, if that is too long, its beginning with a digest of all of it.
  private static func base(of name: String) -> String {
    let room = nameLimit - recordSuffix.utf8.count
    guard name.utf8.count > room else { return name }
    let digest = "~" + HashFunction.sha256.hexadecimal(of: Array(name.utf8)).prefix(32)
    var start = ""
    for scalar in name.unicodeScalars {
      guard start.utf8.count + UTF8.width(scalar) + digest.utf8.count <= room else { break }
      start.unicodeScalars.append(scalar)
    }
    return start + digest
  }

  deinit {
    unlock()
    _ = close(descriptor)
  }

  /// Unlocks the file for other downloads. The object must not be used afterwards.
  func unlock() {
    // Closing the file is not enough: a child process that is being started may have a copy of the descriptor until it executes its
    // program.
    _ = flock(descriptor, LOCK_UN)
  }

  private static func open(_ part: URL, of name: String) throws(FileFailure) -> Int32 {
    while true {
      // Safety: the path is a NUL-terminated copy that lives for the length of the call.
      let descriptor = unsafe openat(
        AT_FDCWD, part.path(percentEncoded: false), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o666)
      guard descriptor >= 0 else { throw FileFailure(name: name, code: errno) }
      // A file system without locks can still be used.
      if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
        _ = close(descriptor)
        throw FileFailure(name: name, reason: "another download is writing to it", isOfLock: true)
      }
      var status = stat()
      // Safety: `status` is a local variable and is fully written on success.
      guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        _ = close(descriptor)
        throw FileFailure(name: name, reason: "its part file is not a regular file")
      }
      // Between opening and locking, another download may have ended and renamed the file.
      if let named = Self.status(of: part), FileIdentity(named) == FileIdentity(status) { return descriptor }
      _ = close(descriptor)
    }
  }

  /// Returns the record that an earlier download of `source` left, if it is valid.
  func readRecord(source: String) -> (record: DownloadRecord, validator: StrongValidator)? {
    guard let status = Self.status(of: part), let size = Int(exactly: status.st_size), size > 0,
      let data = try? Data(contentsOf: recordFile)
    else { return nil }
    return DownloadRecord.read(data, source: source, size: size)
  }

  func write(_ chunk: Data, at offset: Int) throws(FileFailure) {
    let (_, code) = writeAll(chunk, to: descriptor, at: offset)
    if code != 0 { throw failure(code) }
  }

  /// Removes the record and then the content, so that the record never describes other bytes.
  func clear() throws(FileFailure) {
    try removeRecord()
    try check(ftruncate(descriptor, 0))
  }

  /// Flushes the content to the disk, and then writes the record.
  func keep(_ record: DownloadRecord) throws(FileFailure) {
    try checkPart(has: record.count)
    try check(flushToDisk(descriptor))
    do {
      try record.data?.write(to: recordFile, options: .atomic)
    } catch {
      throw failure(errno)
    }
  }

  /// Truncates the file to `count` bytes and renames it to its final name, replacing an existing file.
  func finish(count: Int) throws(FileFailure) {
    try checkPart(has: count)
    try check(ftruncate(descriptor, off_t(count)))
    try check(flushToDisk(descriptor))
    // Safety: both paths are NUL-terminated copies that live for the length of the call.
    try check(unsafe rename(part.path(percentEncoded: false), target.path(percentEncoded: false)))
    // Without a partial file the record has no meaning.
    try? removeRecord()
  }

  /// Keeps the content and the record for a later download. Without a record the content cannot be resumed and is removed.
  func leave(_ record: DownloadRecord?) {
    // A record would describe the bytes of the file that has replaced the part.
    guard ownStatus != nil else {
      try? removeRecord()
      return
    }
    do {
      if let record { return try keep(record) }
    } catch {
      // An earlier record is still valid. The disk may be full.
      guard (try? Data(contentsOf: recordFile)) == nil else { return }
    }
    try? removeRecord()
    // Safety: the path is a NUL-terminated copy that lives for the length of the call.
    _ = unsafe unlink(part.path(percentEncoded: false))
  }

  /// The status of the file that is written; `nil` if the name of the part no longer refers to it.
  private var ownStatus: stat? {
    var status = stat()
    // Safety: `status` is a local variable and is fully written on success.
    guard unsafe fstat(descriptor, &status) == 0, let named = Self.status(of: part) else { return nil }
    return FileIdentity(named) == FileIdentity(status) ? status : nil
  }

  /// Throws an error if another program has changed the part, so that it is not the file that was written.
  private func checkPart(has count: Int) throws(FileFailure) {
    guard let status = ownStatus, status.st_size >= off_t(count) else {
      throw FileFailure(name: target.lastPathComponent, reason: "its part file was replaced, shortened or removed")
    }
  }

  /// Removes the record and flushes the folder.
  private func removeRecord() throws(FileFailure) {
    // Safety: the paths are NUL-terminated copies that live for the length of the calls.
    let result = unsafe unlink(recordFile.path(percentEncoded: false))
    let code = errno
    if result != 0, code != ENOENT { throw failure(code) }
    let folder = unsafe openat(
      AT_FDCWD, target.deletingLastPathComponent().path(percentEncoded: false), O_RDONLY | O_CLOEXEC, 0)
    guard folder >= 0 else { return }
    _ = flushToDisk(folder)
    _ = close(folder)
  }

  private func check(_ result: Int32) throws(FileFailure) {
    let code = errno
    if result != 0 { throw failure(code) }
  }

  private func failure(_ code: Int32) -> FileFailure {
    FileFailure(name: target.lastPathComponent, code: code)
  }

  private static func status(of url: URL) -> stat? {
    var status = stat()
    // Safety: the path is a NUL-terminated copy that lives for the length of the call; `status` is a local variable and is fully written on
    // success.
    return unsafe stat(url.path(percentEncoded: false), &status) == 0 ? status : nil
  }
}
