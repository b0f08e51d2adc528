internal import Dispatch
internal import Foundation

/// Waits for the signals SIGINT and SIGTERM. While it exists, they do not end the process.
final class TerminationSignals {
  private static let numbers = [SIGINT, SIGTERM]

  private let sources: [any DispatchSourceSignal]
  /// A stream with an element for each received signal. Only one task may read it.
  let signals: AsyncStream<Void>

  init() {
    let (signals, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    self.signals = signals
    sources = Self.numbers.map { number in
      // The signal is ignored, so that only the source handles it.
      _ = signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { continuation.yield() }
      source.activate()
      return source
    }
  }

  deinit {
    for source in sources { source.cancel() }
    for number in Self.numbers { _ = signal(number, SIG_DFL) }
  }

  /// Waits for the first signal, or until the task is cancelled.
  func wait() async {
    for await _ in signals { return }
  }
}
