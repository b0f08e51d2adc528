import Foundation
import Testing

@testable import AnvilCommands

/// With signals that nothing else in the test process uses, different ones in each test.
@Suite(.timeLimit(.minutes(15))) struct TerminationSignalsTests {
  @Test func signalsAreReceivedAndHaveTheirDefaultEffectAfterwards() async {
    let numbers = [SIGUSR1, SIGUSR2]
    await receive(numbers, TerminationSignals(interruptions: [SIGUSR1], termination: SIGUSR2))
    for number in numbers {
      #expect(unsafe unsafeBitCast(signal(number, SIG_DFL), to: Int.self) == unsafeBitCast(SIG_DFL, to: Int.self))
    }
  }

  /// Sends each signal until it is received: a signal is lost until its source is registered.
  private func receive(_ numbers: [Int32], _ termination: consuming TerminationSignals) async {
    // Without it, the last signal would end the process.
    defer { extendLifetime(termination) }
    for number in numbers {
      let sender = Task {
        while !Task.isCancelled {
          kill(getpid(), number)
          try? await Task.sleep(for: .milliseconds(10))
        }
      }
      await termination.wait()
      sender.cancel()
      await sender.value
    }
  }

  @Test func onlyAnIgnoredInterruptionStaysIgnored() {
    for number in [SIGVTALRM, SIGPROF] { signal(number, SIG_IGN) }
    let termination = TerminationSignals(interruptions: [SIGVTALRM], termination: SIGPROF)
    #expect(termination.numbers == [SIGPROF])
    kill(getpid(), SIGVTALRM)
  }
}
