internal import Dispatch
internal import Foundation

/// Waits for the signals SIGINT and SIGTERM. While it exists, they do not end the process.
///
/// One can be made for each process: on Linux, Dispatch handles a signal only for the first source of a process.
///
/// SIGINT stays ignored if it was ignored before: a shell ignores it for a script's commands in the background. SIGTERM is always waited for.
final class TerminationSignals {
  /// The signals that are waited for.
  let numbers: [Int32]
  /// A stream with an element for each received signal. Only one task may read it.
  let signals: AsyncStream<Void>
  private let sources: [any DispatchSourceSignal]

  init(interruption: Int32 = SIGINT, termination: Int32 = SIGTERM) {
    let (signals, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    self.signals = signals
    // As an ignored signal, it is handled only by the source.
    _ = signal(termination, SIG_IGN)
    numbers = wasIgnored(beforeIgnoring: interruption) ? [termination] : [interruption, termination]
    sources = numbers.map { number in
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
