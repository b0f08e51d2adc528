internal import Anvil
internal import AnvilHTTP
internal import AnvilObservability
internal import Foundation
internal import Synchronization

/// Records the exchanges of the proxy in a file, which is replaced while the proxy runs.
final class ProxyRecorder: Sendable {
  /// The minimum time between two versions of the file.
  private static let interval = Duration.milliseconds(300)

  private struct State {
    /// True if the file lacks some exchanges.
    var hasChanged = false
    var hasFailed = false
  }

  private let recorder: HARRecorder
  private let file: URL
  private let console: Console
  private let state = Mutex(State())

  init(file: URL, console: Console) {
    self.file = file
    self.console = console
    var limits = HARRecorder.Limits()
    // The limit is that of the server for requests, and also applies to archived responses.
    limits.bodyBytes = 64 << 20
    limits.totalBytes = 1 << 30
    limits.exchanges = 100_000
    recorder = HARRecorder(limits: limits)
  }

  /// The interceptor that records the requests.
  var interceptor: any Interceptor { recorder }

  /// Records that an exchange has begun or ended.
  func noteChange() {
    state.withLock { $0.hasChanged = true }
  }

  /// Writes an archive without exchanges, so that a file that cannot be written is reported before the first request.
  ///
  /// - Returns: `true` if the file was written.
  func begin() -> Bool { write() }

  /// Writes the file after each change, until the task is cancelled.
  func run() async {
    let clock = ContinuousClock()
    var pause = Self.interval
    while true {
      do {
        try await clock.sleep(for: pause)
      } catch {
        return
      }
      guard state.withLock({ $0.hasChanged }) else { continue }
      // The file of a long recording takes longer to write, and is written less often.
      pause = max(Self.interval, clock.measure { _ = write() } * 10)
    }
  }

  /// Writes the last version.
  ///
  /// - Returns: `true` if the file was written.
  func end() -> Bool { write() }

  private func write() -> Bool {
    state.withLock { $0.hasChanged = false }
    do {
      try recorder.write(to: file)
      state.withLock { $0.hasFailed = false }
      return true
    } catch {
      let isFirst = state.withLock { state in
        defer { (state.hasFailed, state.hasChanged) = (true, true) }
        return !state.hasFailed
      }
      if isFirst { console.fail("the recording: \(error)") }
      return false
    }
  }
}
