internal import AnvilClient
internal import Dispatch
internal import Foundation
internal import Synchronization

/// Takes a body as fast as it comes and hands it on as fast as it is read; what is between waits in a temporary file.
///
/// The URLSession of swift-corelibs-foundation can be held back in no way: suspending a task closes its connection, and
/// resuming it sends the request again and appends the new body to the old; the answer to `didReceive response` is not
/// waited for; a delegate that blocks has the data pile up in memory; and whoever blocks the call that adds to the
/// delegate's queue stops every transfer of the process, as all sessions share one serial queue.
final class Overflow: Sendable {
  /// How much is read back at a time.
  fileprivate static let chunkSize = 65_536

  fileprivate struct State {
    /// `nil` once the body has ended.
    var writer: TransportBody.Writer?
    var file: TemporaryFile?
    /// How many bytes of the file have not been handed on.
    var waitingCount = 0
    /// How the body ends when they have been; `nil` as long as it goes on.
    var end: Result<Void, TransportError>?
  }

  /// Reads back what waits: a disk may be slow, and the reader's thread is not to wait for it.
  private let queue = DispatchQueue(label: "anvil.urlsession.overflow")
  private let state = Mutex(State())

  /// A body and what takes its chunks.
  static func makeStream(
    onAbandon: @escaping @Sendable () -> Void
  ) -> (body: TransportBody, overflow: Overflow) {
    let overflow = Overflow()
    let (body, writer) = TransportBody.makeStream(
      onAbandon: onAbandon, onFlow: { if $0 == .resume { overflow.resume() } })
    overflow.state.withLock { $0.writer = writer }
    return (body, overflow)
  }

  /// Takes a chunk, at once or to be handed on later.
  ///
  /// - Throws: what keeps the file from being written; the body has ended with that.
  func yield(_ chunk: Data) throws(TransportError) {
    let result = state.withLock { state -> Result<Void, TransportError> in
      guard let writer = state.writer, state.end == nil else { return .success(()) }
      if state.waitingCount == 0, writer.flow == .resume {
        writer.yield(chunk)
        return .success(())
      }
      do {
        let file = try state.file ?? Self.makeFile()
        state.file = file
        try file.append(chunk)
        state.waitingCount += chunk.count
        return .success(())
      } catch {
        return .failure(state.fail(error))
      }
    }
    try result.get()
  }

  private static func makeFile() throws -> TemporaryFile {
    let file = try TemporaryFile(named: "anvil-body")
    file.hide()
    return file
  }

  /// Goes on handing on, after the body has had enough.
  private func resume() {
    queue.async {
      while self.state.withLock({ $0.handOn() }) {}
    }
  }

  /// Ends the body after what waits, with the error that cut it short if there is one.
  func finish(_ error: TransportError?) {
    state.withLock { state in
      guard state.end == nil else { return }
      state.end = error.map { .failure($0) } ?? .success(())
      if state.waitingCount == 0 { state.finish() }
    }
  }

  /// Ends the body now; what waits in the file is dropped.
  func abort(_ error: TransportError) {
    state.withLock { state in
      state.end = .failure(error)
      state.finish()
    }
  }
}

extension Overflow.State {
  /// Hands on the next of what waits; `false` when there is nothing or the body has enough.
  fileprivate mutating func handOn() -> Bool {
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
      code: .other, phase: .body, reason: "no temporary file for what was not read yet", underlyingError: error)
    end = .failure(failure)
    finish()
    return failure
  }
}
