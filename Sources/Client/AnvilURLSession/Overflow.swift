internal import AnvilClient
internal import Dispatch
internal import Foundation
internal import Synchronization

/// A buffer that accepts a body as fast as it arrives and delivers it as fast as it is read. The data in between is kept in a temporary
/// file.
///
/// The URLSession of swift-corelibs-foundation does not support backpressure. Suspending a task closes its connection; resuming it sends
/// the request again and appends the new body to the old one. The answer to `didReceive response` is not awaited. If a delegate blocks,
/// the data accumulates in memory. Blocking the call that adds to the delegate's queue stops every transfer of the process, because all
/// sessions share a serial queue.
final class Overflow: Sendable {
  /// The number of bytes that are read from the file at a time.
  fileprivate static let chunkSize = 64 << 10

  fileprivate struct State {
    /// `nil` after the body has ended.
    var writer: TransportBody.Writer?
    var file: TemporaryFile?
    /// The number of bytes in the file that have not been delivered.
    var waitingCount = 0
    /// The end of the body; `nil` while the transfer continues. It takes effect when all data in the file has been delivered.
    var end: Result<Void, TransportError>?
  }

  /// The queue that reads the file: a disk may be slow and must not block the thread of the reader.
  private let queue = DispatchQueue(label: "anvil.urlsession.overflow")
  private let state = Mutex(State())

  static func makeStream(
    onAbandon: @escaping @Sendable () -> Void
  ) -> (body: TransportBody, overflow: Overflow) {
    let overflow = Overflow()
    let (body, writer) = TransportBody.makeStream(
      onAbandon: onAbandon, onFlow: { if $0 == .resume { overflow.resume() } })
    overflow.state.withLock { $0.writer = writer }
    return (body, overflow)
  }

  /// Throws an error if the file cannot be written. The body has then ended with that error.
  func yield(_ chunk: Data) throws(TransportError) {
    try state.withLock { state throws(TransportError) in
      guard let writer = state.writer, state.end == nil else { return }
      guard state.waitingCount > 0 || writer.flow == .pause else { return writer.yield(chunk) }
      do {
        let file = try state.file ?? Self.makeFile()
        state.file = file
        try file.append(chunk)
        state.waitingCount += chunk.count
      } catch {
        throw state.fail(error)
      }
    }
  }

  private static func makeFile() throws -> TemporaryFile {
    let file = try TemporaryFile(named: "anvil-body")
    file.hide()
    return file
  }

  private func resume() {
    queue.async {
      while self.state.withLock({ $0.deliverNext() }) {}
    }
  }

  /// Ends the body after the stored data, with an error if the transfer failed.
  func finish(_ error: TransportError?) {
    state.withLock { state in
      guard state.end == nil else { return }
      state.end = error.map { .failure($0) } ?? .success(())
      if state.waitingCount == 0 { state.finish() }
    }
  }

  /// Ends the body now. Data in the file is discarded.
  func abort(_ error: TransportError) {
    state.withLock { state in
      state.end = .failure(error)
      state.finish()
    }
  }
}

extension Overflow.State {
  /// Delivers the next data from the file. Returns `false` if there is no data or if the reader has requested a pause.
  fileprivate mutating func deliverNext() -> Bool {
    guard let writer, waitingCount > 0, let file, writer.flow == .resume else { return false }
    do {
      let chunk = try file.read(upTo: min(Overflow.chunkSize, waitingCount))
      waitingCount -= chunk.count
      if waitingCount == 0 { try file.clear() }
      writer.yield(chunk)
    } catch {
      _ = fail(error)
      return false
    }
    if waitingCount == 0, end != nil { finish() }
    return true
  }

  fileprivate mutating func finish() {
    switch end {
    case .success: writer?.finish()
    case .failure(let error): writer?.finish(error)
    case nil: return
    }
    writer = nil
    file = nil
  }

  fileprivate mutating func fail(_ error: any Error) -> TransportError {
    let failure = TransportError(
      code: .other, phase: .body, reason: "unread data could not be stored in a temporary file", underlyingError: error)
    end = .failure(failure)
    finish()
    return failure
  }
}

/// A file that is only readable by its owner. It is appended to, read sequentially, and deleted with this object.
final class TemporaryFile: Sendable {
  struct Shortened: Error {}

  let url: URL
  private let writing: FileHandle
  private let reading: FileHandle
  private let written = Atomic(0)

  /// The number of bytes that were appended since the file was last empty.
  var count: Int { written.load(ordering: .relaxed) }

  /// - Parameter name: The prefix of the file's name.
  init(named name: String) throws {
    url = FileManager.default.temporaryDirectory.appending(path: "\(name)-\(UUID().uuidString)")
    guard
      FileManager.default.createFile(
        atPath: url.path(percentEncoded: false), contents: nil, attributes: [.posixPermissions: 0o600])
    else { throw CocoaError(.fileWriteUnknown) }
    writing = try FileHandle(forWritingTo: url)
    reading = try FileHandle(forReadingFrom: url)
  }

  /// Unlinks the file, so that it is deleted even if the process is killed. Open file handles remain valid.
  func hide() {
    try? FileManager.default.removeItem(at: url)
  }

  func append(_ chunk: Data) throws {
    try writing.write(contentsOf: chunk)
    written.add(chunk.count, ordering: .relaxed)
  }

  /// Returns the next bytes, at least one and at most `count`. The file must contain `count` more bytes.
  func read(upTo count: Int) throws -> Data {
    guard let chunk = try reading.read(upToCount: count), !chunk.isEmpty else { throw Shortened() }
    return chunk
  }

  func clear() throws {
    try writing.truncate(atOffset: 0)
    try reading.seek(toOffset: 0)
    written.store(0, ordering: .relaxed)
  }

  deinit {
    try? writing.close()
    try? reading.close()
    hide()
  }
}
