internal import AnvilBase
internal import Dispatch
internal import Synchronization

/// Reads a file in chunks of 64 KiB on a separate queue, so that no thread of the cooperative pool blocks on disk I/O.
final class FileChunks: ChunkProducer {
  private static let chunkSize = 64 << 10

  private let file: OpenFile
  private let queue = DispatchQueue(label: "anvil.http.body.file")

  init(_ url: URL) {
    file = OpenFile(url)
  }

  func next() async throws -> Data? {
    let file = file
    let chunk = await withCheckedContinuation { continuation in
      queue.async {
        continuation.resume(returning: Result { () throws(HTTP.BodyError) in try file.chunk(upTo: Self.chunkSize) })
      }
    }
    return try chunk.get()
  }

  /// `nil` for anything but a regular file, and for a file with content whose reported size is 0: Linux creates it on reading, as in `/proc`.
  static func length(of url: URL) -> Int? {
    guard let path = try? url.filePath else { return nil }
    var status = stat()
    // Safety: the path is a NUL-terminated copy that lives for the call. `status` is a local variable, fully written on success.
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    if status.st_size == 0, (try? OpenFile(url).chunk(upTo: 1)) != nil { return nil }
    return Int(exactly: status.st_size)
  }
}

/// A file that is opened at the first read and closed when the object is deallocated.
private final class OpenFile: Sendable {
  private let url: URL
  private let descriptor = Mutex<Int32?>(nil)

  init(_ url: URL) {
    self.url = url
  }

  deinit {
    if let descriptor = descriptor.withLock({ $0 }) { _ = close(descriptor) }
  }

  /// Returns up to `count` bytes, at least one; `nil` at the end of the file.
  func chunk(upTo count: Int) throws(HTTP.BodyError) -> Data? {
    let descriptor = try opened()
    var chunk = Data(count: count)
    while true {
      // Safety: the buffer belongs to the chunk and is held exclusively during the call, which writes at most its count of bytes.
      let result = unsafe chunk.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
      let code = errno
      if result > 0 { return result == count ? chunk : chunk.prefix(result) }
      if result == 0 { return nil }
      if code != EINTR { throw unreadable(code) }
    }
  }

  private func opened() throws(HTTP.BodyError) -> Int32 {
    let path: String
    do throws(UnusablePath) {
      path = try url.filePath
    } catch {
      throw .unreadableFile(name: url.lastPathComponent, reason: error.reason)
    }
    return try descriptor.withLock { descriptor throws(HTTP.BodyError) in
      if let descriptor { return descriptor }
      // Safety: the path is a NUL-terminated copy that lives for the call. Non-blocking, because opening a pipe without a writer
      // would block before the check for a regular file.
      let result = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard result >= 0 else { throw unreadable(errno) }
      var status = stat()
      // Safety: `status` is a local variable, fully written on success.
      guard unsafe fstat(result, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        _ = close(result)
        throw .unreadableFile(name: url.lastPathComponent, reason: "not a regular file")
      }
      descriptor = result
      return result
    }
  }

  private func unreadable(_ code: Int32) -> HTTP.BodyError {
    // Safety: strerror returns a NUL-terminated string, which is copied at once.
    .unreadableFile(name: url.lastPathComponent, reason: unsafe String(cString: strerror(code)))
  }
}
