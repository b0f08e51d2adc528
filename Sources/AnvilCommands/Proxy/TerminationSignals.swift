internal import Dispatch
internal import Foundation

/// Turns the signals that ask a process to end, SIGINT and SIGTERM, into the end of a wait, while it exists.
final class TerminationSignals {
  private static let numbers = [SIGINT, SIGTERM]

  private let sources: [any DispatchSourceSignal]
  private let signals: AsyncStream<Void>

  init() {
    let (signals, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    self.signals = signals
    sources = Self.numbers.map { number in
      // The source hears of the signal in the place of what would end the process.
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

  /// Waits for the first of the signals, or for the task's cancellation.
  func wait() async {
    for await _ in signals { return }
  }
}
