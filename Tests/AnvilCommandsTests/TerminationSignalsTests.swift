import Foundation
import Testing

@testable import AnvilCommands

/// With signals that nothing else in the test process uses.
@Suite(.serialized, .timeLimit(.minutes(15))) struct TerminationSignalsTests {
  @Test func aSignalIsReceivedAndDoesNotEndTheProcess() async {
    let termination = TerminationSignals(of: [SIGUSR1])
    kill(getpid(), SIGUSR1)
    await termination.wait()
  }

  @Test func signalsHaveTheirDefaultEffectAgain() {
    _ = TerminationSignals(of: [SIGUSR2])
    #expect(unsafe unsafeBitCast(signal(SIGUSR2, SIG_DFL), to: Int.self) == unsafeBitCast(SIG_DFL, to: Int.self))
  }

  @Test func anIgnoredSignalStaysIgnored() {
    signal(SIGUSR2, SIG_IGN)
    defer { signal(SIGUSR2, SIG_DFL) }
    let termination = TerminationSignals(of: [SIGUSR1, SIGUSR2])
    #expect(termination.numbers == [SIGUSR1])
    kill(getpid(), SIGUSR2)
  }
}
