internal import AnvilBase
internal import AnvilHTTP
internal import Synchronization

/// Downloads a response to a file in one or more attempts, as ``DownloadMachine`` decides.
struct Download: Sendable {
  /// A closure that sends the request of one attempt and returns when the head of a successful response was received.
  typealias Send = @Sendable (HTTP.Request) async throws -> HTTP.Response

  struct State: Sendable {
    var machine: DownloadMachine
    var progress: DownloadProgress
  }

  enum Outcome: Sendable {
    case whole(HTTP.Response)
    /// The file may be complete; the next attempt confirms it.
    case unconfirmed
    case lost(any Error, isTransient: Bool)
  }

  let request: HTTP.Request
  let target: URL
  /// The options, whose settings include those that they inherit.
  let options: DownloadOptions
  /// The clock that measures delays.
  let clock: any Clock<Duration>
  let send: Send
  /// The identifier of the resource in the record.
  let source: String

  init(
    _ request: HTTP.Request, to target: URL, options: DownloadOptions, clock: any Clock<Duration>,
    send: @escaping Send
  ) {
    var request = request
    // All attempts have one key, so that the server recognizes them.
    if let key = request.headers.missingIdempotencyKey(by: options.settings) {
      request.headers.add(.idempotencyKey, key)
    }
    self.request = request
    self.target = target
    self.options = options
    self.clock = clock
    self.send = send
    source = DownloadRecord.source(of: request)
  }

  /// Runs the download and returns the last attempt's response, with the file as its body. The file is then unlocked.
  @concurrent
  func run() async throws -> HTTP.Response {
    try await EndingDownloads.shared.tracking(target) {
      let file: DownloadFile
      do throws(TransportError) {
        file = try await openFile()
      } catch {
        throw TransportFailure(error: error, request: request)
      }
      do {
        let response = try await run(into: file)
        await file.close()
        return response
      } catch {
        await file.close()
        throw error
      }
    }
  }

  /// Opens the file, after waiting for cancelled downloads that may still lock it.
  private func openFile() async throws(TransportError) -> DownloadFile {
    while true {
      // The list is read before the file is opened; a download that ends in between would otherwise be missed.
      let ending = EndingDownloads.shared.ends(of: target)
      // A cancelled download must not lock the file of the next one.
      guard !Task.isCancelled else { throw TransportError(code: .cancelled, reason: "before the file was opened") }
      do throws(TransportError) {
        return try await DownloadFile(for: target)
      } catch {
        guard error.isFileLocked, !ending.isEmpty else { throw error }
        for end in ending { _ = await end.result }
      }
    }
  }

  private func run(into file: DownloadFile) async throws -> HTTP.Response {
    let kept = await file.readRecord(source: source)
    var state = State(
      machine: DownloadMachine(request: request, options: options, kept: kept),
      progress: DownloadProgress(handler: options.progressHandler))
    do {
      var response = try await run(&state, into: file)
      do throws(TransportError) {
        try await file.finish(count: state.machine.count)
      } catch {
        throw TransportFailure(error: error, request: request, response: response)
      }
      response.body = .file(target, contentType: response.headers.contentType)
      response.body.ownDecodingFormat = options.settings.decodingFormat
      return response
    } catch {
      await file.leave(state.machine.record(source: source))
      throw error
    }
  }

  /// Repeats attempts until the file is complete.
  private func run(_ state: inout State, into file: DownloadFile) async throws -> HTTP.Response {
    while true {
      switch await attempt(&state, into: file) {
      case .whole(let response): return response
      case .unconfirmed: continue
      case .lost(let loss, let isTransient):
        guard case .wait(let delay) = state.machine.lose(isTransient: isTransient) else { throw loss }
        do {
          try await clock.sleep(for: delay.clampedForClocks)
        } catch {
          let cancelled = TransportError(code: .cancelled, reason: "while waiting to continue after \(loss)")
          throw TransportFailure(error: cancelled, request: request)
        }
      }
    }
  }
}

/// A single attempt.
extension Download {
  /// The number of bytes of one write.
  private static let writeSize = 1 << 18
  /// The number of bytes after which the file is flushed. It bounds the bytes that are downloaded again after the process is killed.
  static let keepInterval = 32 << 20

  private func attempt(_ state: inout State, into file: DownloadFile) async -> Outcome {
    let request = state.machine.request
    do {
      var response: HTTP.Response
      do {
        response = try await send(request)
      } catch {
        guard request.headers.contains(.range), let answer = error.asUnsatisfiedRange else { throw error }
        if state.machine.receiveUnsatisfied(answer) { return .unconfirmed }
        try await file.clear()
        return .lost(error, isTransient: true)
      }
      let limit: Int?
      switch state.machine.receive(response) {
      case .append(let count): limit = count
      case .restart(let count):
        limit = count
        try await file.clear()
        state.progress.last = nil
      case .discardAndRetry:
        // The connection is not kept until the next attempt.
        response.body = .empty
        try await file.clear()
        let error = TransportError(
          code: .truncatedResponse, reason: "the file on the server differs from the part received so far")
        return .lost(TransportFailure(error: error, request: request, response: response), isTransient: true)
      case .fail(let error):
        return .lost(TransportFailure(error: error, request: request, response: response), isTransient: false)
      }
      do {
        try await read(response.body, upTo: limit, into: file, &state)
        guard state.machine.finish(isPart: response.code == 206) else {
          throw TransportError(code: .truncatedResponse, phase: .body, reason: "only a part of the file was received")
        }
      } catch let error as TransportError {
        throw TransportFailure(error: error, request: request, response: response)
      }
      state.progress.advance(to: state.machine.count, of: state.machine.total)
      return .whole(response)
    } catch {
      let loss = (error as? TransportError).map { TransportFailure(error: $0, request: request) } ?? error
      return .lost(loss, isTransient: loss.mayBeTransient(among: options.statuses))
    }
  }

  /// If the body is cut short, the bytes received so far are written as well.
  private func read(
    _ body: HTTP.Body, upTo limit: Int?, into file: DownloadFile, _ state: inout State
  ) async throws {
    var writer = Writer(file: file, keptCount: state.machine.count)
    var room = limit ?? .max
    var chunks = body.makeAsyncIterator()
    state.progress.advance(to: state.machine.count, of: state.machine.total)
    do {
      while let chunk = try await chunks.next() {
        guard chunk.count <= room else {
          writer.pending = Data()
          state.machine.discardReceivedBytes()
          throw TransportError(
            code: .malformedResponse, phase: .body, reason: "more bytes were received than announced")
        }
        room -= chunk.count
        // Large chunks are written without a copy: the peak of a download of 300 MB by the command line, 41 → 39 MB.
        if writer.pending.isEmpty { writer.pending = chunk } else { writer.pending.append(chunk) }
        state.progress.advance(to: state.machine.count + writer.pending.count, of: state.machine.total)
        if writer.pending.count >= Self.writeSize { try await writer.flush(&state.machine) }
        if state.machine.count - writer.keptCount >= Self.keepInterval,
          let record = state.machine.record(source: source)
        {
          try await file.keep(record)
          writer.keptCount = state.machine.count
        }
      }
    } catch {
      try await writer.flush(&state.machine)
      throw error
    }
    try await writer.flush(&state.machine)
  }

  /// Collects bytes for larger writes.
  private struct Writer {
    let file: DownloadFile
    var keptCount: Int
    var pending = Data()

    mutating func flush(_ machine: inout DownloadMachine) async throws {
      let chunk = pending
      guard !chunk.isEmpty else { return }
      pending = Data()
      try await file.write(chunk, at: machine.count)
      machine.add(chunk.count)
    }
  }
}

extension TransportError {
  fileprivate var isFileLocked: Bool { (underlyingError as? FileFailure)?.isOfLock == true }
}

extension Error {
  /// The response of status 416, if the error has one.
  fileprivate var asUnsatisfiedRange: HTTP.Response? {
    guard let response = (self as? any TransportFailureRepresentable)?.failureResponse, response.code == 416 else {
      return nil
    }
    return response
  }
}

/// Reports the progress of a file across several transfers.
struct DownloadProgress: Sendable {
  let handler: TransferProgress.Handler?
  /// The last report. A report after `nil` starts again from a lower count.
  fileprivate var last: TransferProgress?

  /// Reports `count` bytes of `total`, unless that equals the last report. The count never decreases.
  mutating func advance(to count: Int, of total: Int?) {
    guard let handler else { return }
    let next = TransferProgress(
      direction: .received, byteCount: max(count, last?.byteCount ?? 0), totalByteCount: total)
    guard next != last else { return }
    last = next
    handler(next)
  }
}

/// The downloads of this process that were cancelled and may not have released their files yet.
///
/// A promise is settled as soon as it is cancelled, so the caller may continue before the download has ended. The next download to the same
/// file waits for these downloads, so that it does not fail because of them.
final class EndingDownloads: Sendable {
  static let shared = EndingDownloads()

  /// Promises that are settled when the downloads end, by the paths of their files.
  private let ends = Mutex<[String: [ObjectIdentifier: Promise<Void>]]>([:])

  func ends(of target: URL) -> [Promise<Void>] {
    let path = target.trackedPath
    return ends.withLock { $0[path].map { Array($0.values) } ?? [] }
  }

  /// Runs `work`, which downloads to `target`. If the task is cancelled, the download is in the list until `work` has ended.
  func tracking<Value: Sendable>(_ target: URL, _ work: () async throws -> Value) async throws -> Value {
    let path = target.trackedPath
    let end = PromiseState()
    defer {
      ends.withLock {
        $0[path]?[ObjectIdentifier(end)] = nil
        if $0[path]?.isEmpty == true { $0[path] = nil }
      }
      end.settle(SettledOutcome(value: ()))
    }
    return try await withTaskCancellationHandler(operation: work) {
      let promise = Promise<Void>(state: end)
      ends.withLock { $0[path, default: [:]][ObjectIdentifier(end)] = promise }
    }
  }
}

extension URL {
  /// The path with the symbolic links in its folders resolved, so that all paths to the file give the same result.
  fileprivate var trackedPath: String {
    deletingLastPathComponent().resolvingSymlinksInPath().appendingPathComponent(lastPathComponent).path
  }
}
