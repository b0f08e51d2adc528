internal import AnvilHTTP
internal import Dispatch

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// An asynchronous ``PartFile``. Its calls run on a separate queue, so that they do not block threads of the cooperative pool.
struct DownloadFile: Sendable {
  private let queue: DispatchQueue
  private let part: PartFile

  /// Opens the partial file for `target`.
  init(for target: URL) async throws(TransportError) {
    let queue = DispatchQueue(label: "anvil.download.file")
    part = try await Self.run(on: queue) { () throws(PartFile.Failure) in try PartFile(for: target) }
    self.queue = queue
  }

  /// See ``PartFile/readRecord(source:)``.
  func readRecord(source: String) async -> (record: DownloadRecord, validator: StrongValidator)? {
    try? await run { part in part.readRecord(source: source) }
  }

  /// Writes `chunk` at `offset`.
  func write(_ chunk: Data, at offset: Int) async throws(TransportError) {
    try await run { part throws(PartFile.Failure) in try part.write(chunk, at: offset) }
  }

  /// Removes the content and the record.
  func clear() async throws(TransportError) {
    try await run { part throws(PartFile.Failure) in try part.clear() }
  }

  /// Flushes the content to the disk and writes the record.
  func keep(_ record: DownloadRecord) async throws(TransportError) {
    try await run { part throws(PartFile.Failure) in try part.keep(record) }
  }

  /// Keeps the content and the record for a later download. Without a record, removes the content.
  func leave(_ record: DownloadRecord?) async {
    try? await run { part in part.leave(record) }
  }

  /// Renames the file to its final name.
  func finish(count: Int) async throws(TransportError) {
    try await run { part throws(PartFile.Failure) in try part.finish(count: count) }
  }

  /// Unlocks the file for other downloads. The object must not be used afterwards.
  ///
  /// The lock is released explicitly, because tasks that have ended may retain the object for a moment longer.
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
