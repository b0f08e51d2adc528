internal import Anvil
internal import AnvilBase
internal import AnvilHTTP
internal import Foundation

/// Implements `anvil get --output FILE`: a download to a file, which is replaced when the download is complete.
struct FileDownload {
  /// The longest time without received data if the command line sets no limit.
  private static let idleTimeout = Duration.seconds(60)

  let options: GetOptions
  let console: Console

  /// Downloads the response to `file`. With `--continue`, an interrupted download is continued. Otherwise its file is
  /// removed.
  func run(
    _ service: TransportService, to file: URL, _ bar: ProgressBar?, _ eventHandler: TransferEvent.Handler?
  ) async -> Result<TransportSuccess, TransportFailure> {
    if !options.output.resumes { removeParts(of: file) }
    var download = DownloadOptions()
    download.idleTimeout = Self.idleTimeout
    // The limit of --retries does not count attempts that continue a download with new data.
    download.fruitlessAttemptLimit = options.output.resumes ? options.client.retries + 2 : options.client.retries + 1
    download.progressHandler = bar?.handler
    download.eventHandler = eventHandler
    download.sensitiveHeaders = options.sensitiveHeaders
    return await limited { [download] in await service.download(options.request, to: file, options: download) }
  }

  /// The event that ended a download.
  private enum Ending: Sendable {
    case result(Result<TransportSuccess, TransportFailure>)
    case timeout(Duration)
    case signal
  }

  /// Runs `work`, the download, and cancels it after `--timeout` or if the process receives a termination signal. The data received so far
  /// is kept.
  private func limited(
    _ work: @escaping @Sendable () async -> Result<TransportSuccess, TransportFailure>
  ) async -> Result<TransportSuccess, TransportFailure> {
    let termination = TerminationSignals()
    defer { withExtendedLifetime(termination) {} }
    let signals = termination.signals
    return await withTaskGroup(of: Ending.self) { group in
      group.addTask { .result(await work()) }
      group.addTask {
        for await _ in signals { break }
        return .signal
      }
      if let timeout = options.timeout {
        group.addTask {
          try? await Task.sleep(for: timeout)
          return .timeout(timeout)
        }
      }
      let first = await group.next()
      group.cancelAll()
      await group.waitForAll()
      let error: TransportError
      switch first {
      case .result(let result): return result
      case .timeout(let timeout):
        error = TransportError(code: .timedOut, elapsed: timeout, reason: "the download was not complete")
      case .signal, nil: error = TransportError(code: .cancelled, reason: "the download was interrupted by a signal")
      }
      return .failure(TransportFailure(error: error, request: options.request))
    }
  }

  /// The number of bytes of `file` that an interrupted download has kept.
  func keptSize(of file: URL) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: Self.part(of: file).path)
    return (attributes?[.size] as? NSNumber)?.intValue ?? 0
  }

  private func removeParts(of file: URL) {
    for part in [Self.part(of: file), Self.part(of: file).appendingPathExtension("json")] {
      try? FileManager.default.removeItem(at: part)
    }
  }

  private static func part(of file: URL) -> URL { file.appendingPathExtension("anvilpart") }
}
