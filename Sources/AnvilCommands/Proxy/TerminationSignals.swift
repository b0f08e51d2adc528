internal import Dispatch
internal import Foundation

/// Waits for signals that would end the process, by default SIGINT and SIGTERM. While it exists, they do not end the process.
///
/// A signal that is ignored stays ignored. For example, a shell ignores SIGINT for a script's commands in the background.
final class TerminationSignals {
  /// The signals that are waited for.
  let numbers: [Int32]
  /// A stream with an element for each received signal. Only one task may read it.
  let signals: AsyncStream<Void>
  private let sources: [any DispatchSourceSignal]

  init(of numbers: [Int32] = [SIGINT, SIGTERM]) {
    let (signals, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    self.signals = signals
    // As an ignored signal, it is handled only by the source.
    self.numbers = numbers.filter { !wasIgnored(beforeIgnoring: $0) }
    sources = self.numbers.map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { continuation.yield() }
      source.activate()
      return source
    }
  }

  deinit {
    for source in sources { source.cancel() }
    for number in numbers { _ = signal(number, SIG_DFL) }
  }

  /// Waits for the first signal, or until the task is cancelled.
  func wait() async {
    for await _ in signals { return }
  }
}
