import Foundation
import Testing

@testable import AnvilCommands

/// With signals that nothing else in the test process uses, different ones in each test.
@Suite(.timeLimit(.minutes(15))) struct TerminationSignalsTests {
  @Test func eachSignalIsReceivedAndDoesNotEndTheProcess() async {
    let termination = TerminationSignals(interruption: SIGUSR1, termination: SIGUSR2)
    defer { withExtendedLifetime(termination) {} }
    for number in [SIGUSR1, SIGUSR2] {
      // A signal is lost until the source is registered.
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

  @Test func signalsHaveTheirDefaultEffectAgain() {
    _ = TerminationSignals(interruption: SIGXCPU, termination: SIGXFSZ)
    for number in [SIGXCPU, SIGXFSZ] {
      #expect(unsafe unsafeBitCast(signal(number, SIG_DFL), to: Int.self) == unsafeBitCast(SIG_DFL, to: Int.self))
    }
  }

  @Test func onlyAnIgnoredInterruptionStaysIgnored() {
    for number in [SIGVTALRM, SIGPROF] { signal(number, SIG_IGN) }
    let termination = TerminationSignals(interruption: SIGVTALRM, termination: SIGPROF)
    #expect(termination.numbers == [SIGPROF])
    kill(getpid(), SIGVTALRM)
  }
}
