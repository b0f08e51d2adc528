#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The first part of a file that is being downloaded, beside the place where the whole file will be, and its record.
///
/// `NAME.anvilpart` has the bytes, and `NAME.anvilpart.json` says of how many of them it is certain that they are on the disk, and
/// what they belong to. Every call waits for the disk.
final class PartFile: Sendable {
  /// What the system refused.
  struct Failure: Error, CustomStringConvertible {
    enum Kind {
      /// Another download holds the file.
      case locked
      case other
    }

    let name: String
    let reason: String
    var kind = Kind.other

    var description: String { "the file \(name) cannot be written: \(reason)" }
  }

  private let target: URL
  private let part: URL
  private let recordFile: URL
  private let descriptor: Int32

  /// The part of what is to be at `target`; made where there is none. Nobody else has it open in this way.
  init(for target: URL) throws(Failure) {
    let name = target.lastPathComponent
    guard target.isFileURL, !name.isEmpty else { throw Failure(name: name, reason: "it is no file") }
    self.target = target
    let folder = target.deletingLastPathComponent()
    part = folder.appending(path: "\(name).anvilpart")
    recordFile = folder.appending(path: "\(name).anvilpart.json")
    if let status = Self.status(of: target), status.st_mode & S_IFMT != S_IFREG {
      throw Failure(name: name, reason: "there is something else than a regular file")
    }
    descriptor = try Self.open(part, of: name)
  }

  deinit {
    unlock()
    _ = close(descriptor)
  }

  /// Lets another have the part. Nothing may be done with it any more.
  func unlock() {
    // Closing would not be enough: a process that is being started may have a copy of the descriptor until it is another program.
    _ = flock(descriptor, LOCK_UN)
  }

  private static func open(_ part: URL, of name: String) throws(Failure) -> Int32 {
    while true {
      // Safety: the path is a NUL-terminated copy for the length of the call.
      let descriptor = unsafe openat(
        AT_FDCWD, part.path(percentEncoded: false), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o666)
      guard descriptor >= 0 else { throw failure(name, errno) }
      // A file system without locks is no reason not to download to it.
      if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
        _ = close(descriptor)
        throw Failure(name: name, reason: "another download writes it", kind: .locked)
      }
      var status = stat()
      // Safety: `status` is ours and fully written on success.
      guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        _ = close(descriptor)
        throw Failure(name: name, reason: "its part is no regular file")
      }
      // Between opening and locking another download may have ended, and given the file its name.
      if let named = Self.status(of: part), named.st_ino == status.st_ino, named.st_dev == status.st_dev {
        return descriptor
      }
      _ = close(descriptor)
    }
  }

  /// The record that an earlier download of `source` left; `nil` where there is none that can be trusted.
  func readRecord(source: String) -> (record: DownloadRecord, validator: StrongValidator)? {
    guard let status = Self.status(of: part), let size = Int(exactly: status.st_size), size > 0,
      let data = try? Data(contentsOf: recordFile)
    else { return nil }
    return DownloadRecord.read(data, source: source, size: size)
  }

  /// Writes `chunk` from `offset` on.
  func write(_ chunk: Data, at offset: Int) throws(Failure) {
    var written = 0
    while written < chunk.count {
      let rest = chunk.dropFirst(written)
      // Safety: the buffer is the chunk's own for the length of the call, which reads at most its count of bytes.
      let result = unsafe rest.withUnsafeBytes { bytes in
        unsafe pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(offset + written))
      }
      let code = errno
      if result > 0 {
        written += result
      } else if result == 0 || code != EINTR {
        throw failure(result == 0 ? ENOSPC : code)
      }
    }
  }

  /// Forgets what is there, the record first: it must never stand beside other bytes than it is about.
  func clear() throws(Failure) {
    try removeRecord()
    try check(ftruncate(descriptor, 0))
  }

  /// Has the disk keep what is there, and then says so in the record.
  func keep(_ record: DownloadRecord) throws(Failure) {
    try check(fsync(descriptor))
    do {
      try record.data?.write(to: recordFile, options: .atomic)
    } catch {
      throw failure(errno)
    }
  }

  /// Gives the file its name, in place of what has it. It has `count` bytes.
  func finish(count: Int) throws(Failure) {
    try check(ftruncate(descriptor, off_t(count)))
    try check(fsync(descriptor))
    // Safety: both paths are NUL-terminated copies for the length of the call.
    try check(unsafe rename(part.path(percentEncoded: false), target.path(percentEncoded: false)))
    // Beside no part a record means nothing.
    try? removeRecord()
  }

  /// Leaves what is there for a later download, which cannot go on with it without a record: then it is removed.
  func leave(_ record: DownloadRecord?) {
    do {
      if let record { return try keep(record) }
    } catch {
      // One from before still holds: the disk may be full.
      guard (try? Data(contentsOf: recordFile)) == nil else { return }
    }
    try? removeRecord()
    // Safety: the path is a NUL-terminated copy for the length of the call.
    _ = unsafe unlink(part.path(percentEncoded: false))
  }

  /// Removes the record and has the folder know it.
  private func removeRecord() throws(Failure) {
    // Safety: the paths are NUL-terminated copies for the length of the calls.
    let result = unsafe unlink(recordFile.path(percentEncoded: false))
    let code = errno
    if result != 0, code != ENOENT { throw failure(code) }
    let folder = unsafe openat(
      AT_FDCWD, target.deletingLastPathComponent().path(percentEncoded: false), O_RDONLY | O_CLOEXEC, 0)
    guard folder >= 0 else { return }
    _ = fsync(folder)
    _ = close(folder)
  }

  private func check(_ result: Int32) throws(Failure) {
    let code = errno
    if result != 0 { throw failure(code) }
  }

  private func failure(_ code: Int32) -> Failure {
    Self.failure(target.lastPathComponent, code)
  }

  private static func failure(_ name: String, _ code: Int32) -> Failure {
    // Safety: strerror returns a NUL-terminated string that is copied at once.
    Failure(name: name, reason: unsafe String(cString: strerror(code)))
  }

  private static func status(of url: URL) -> stat? {
    var status = stat()
    // Safety: the path is a NUL-terminated copy for the length of the call, `status` is ours and fully written on success.
    return unsafe stat(url.path(percentEncoded: false), &status) == 0 ? status : nil
  }
}
