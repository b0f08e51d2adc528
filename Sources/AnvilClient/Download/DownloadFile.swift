internal import AnvilHTTP
internal import Dispatch

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A ``PartFile`` for tasks: its calls run on a queue of their own, so that no thread of the cooperative pool waits for a disk.
struct DownloadFile: Sendable {
  private let queue: DispatchQueue
  private let part: PartFile

  /// Opens the part of what is to be at `target`.
  init(for target: URL) async throws(TransportError) {
    let queue = DispatchQueue(label: "anvil.download.file")
    part = try await Self.run(on: queue) { () throws(PartFile.Failure) in try PartFile(for: target) }
    self.queue = queue
  }

  /// See ``PartFile/readRecord(source:)``.
  func readRecord(source: String) async -> (record: DownloadRecord, validator: StrongValidator)? {
    try? await run { part in part.readRecord(source: source) }
  }

  /// Writes `chunk` from `offset` on.
  func write(_ chunk: Data, at offset: Int) async throws(TransportError) {
    try await run { part throws(PartFile.Failure) in try part.write(chunk, at: offset) }
  }

  /// Forgets what is there.
  func clear() async throws(TransportError) {
    try await run { part throws(PartFile.Failure) in try part.clear() }
  }

  /// Has the disk keep what is there.
  func keep(_ record: DownloadRecord) async throws(TransportError) {
    try await run { part throws(PartFile.Failure) in try part.keep(record) }
  }

  /// Leaves what is there for a later download that can go on with it.
  func leave(_ record: DownloadRecord?) async {
    try? await run { part in part.leave(record) }
  }

  /// Gives the file its name.
  func finish(count: Int) async throws(TransportError) {
    try await run { part throws(PartFile.Failure) in try part.finish(count: count) }
  }

  /// Lets another download have the file. Nothing may be done with it any more.
  ///
  /// Tasks that have ended may hold on to it for a moment longer, so that its lock is not left to its last reference.
  func close() async {
    try? await run { part in part.unlock() }
  }

  private func run<Value: Sendable>(
    _ work: @escaping @Sendable (PartFile) throws(PartFile.Failure) -> Value
  ) async throws(TransportError) -> Value {
    try await Self.run(on: queue) { [part] () throws(PartFile.Failure) in try work(part) }
  }

  private static func run<Value: Sendable>(
    on queue: DispatchQueue, _ work: @escaping @Sendable () throws(PartFile.Failure) -> Value
  ) async throws(TransportError) -> Value {
    let result = await withCheckedContinuation {
      (continuation: CheckedContinuation<Result<Value, PartFile.Failure>, Never>) in
      queue.async { continuation.resume(returning: Result { () throws(PartFile.Failure) in try work() }) }
    }
    switch result {
    case .success(let value): return value
    case .failure(let failure):
      throw TransportError(code: .fileNotWritten, reason: failure.description, underlyingError: failure)
    }
  }
}
