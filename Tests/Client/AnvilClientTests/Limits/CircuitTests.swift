import Testing

@testable import AnvilClient

/// The transitions of a circuit, without a clock.
@Suite struct CircuitTests {
  private let limits = Circuit.Limits(failures: 3, pause: .seconds(30))

  private func opened(at time: Duration = .zero) -> Circuit {
    var circuit = Circuit()
    for _ in 0..<3 { #expect(report(.failure, to: &circuit, at: time)) }
    return circuit
  }

  /// Admits a request and reports its outcome. Returns `false` if the request was not admitted.
  private func report(_ report: Circuit.Report, to circuit: inout Circuit, at time: Duration) -> Bool {
    guard case .pass(let ticket) = circuit.admit(at: time) else { return false }
    circuit.report(report, ticket: ticket, at: time, limits)
    return true
  }

  @Test func r11_opensAfterConsecutiveFailures() {
    var circuit = Circuit()
    for _ in 0..<2 { #expect(report(.failure, to: &circuit, at: .zero)) }
    #expect(report(.success, to: &circuit, at: .zero))
    for _ in 0..<3 { #expect(report(.failure, to: &circuit, at: .seconds(1))) }
    #expect(circuit.admit(at: .seconds(2)) == .refuse(for: .seconds(29)))
    #expect(circuit.admit(at: .milliseconds(30_999)) == .refuse(for: .milliseconds(1)))
  }

  @Test func r11_clientErrorsDoNotCount() {
    var circuit = Circuit()
    for _ in 0..<100 { #expect(report(.clientError, to: &circuit, at: .zero)) }
    for _ in 0..<2 { #expect(report(.failure, to: &circuit, at: .zero)) }
    #expect(report(.clientError, to: &circuit, at: .zero))
    #expect(report(.nothing, to: &circuit, at: .zero))
    // The third failure in a row: the outcomes between them are not counted.
    #expect(report(.failure, to: &circuit, at: .zero))
    #expect(!report(.success, to: &circuit, at: .zero))
  }

  @Test func r11_oneProbeIsAllowedAfterThePause() throws {
    var circuit = opened()
    guard case .pass = circuit.admit(at: .seconds(30)) else {
      Issue.record("no probe")
      return
    }
    for second in [30, 31, 1_000] { #expect(circuit.admit(at: .seconds(second)) == .refuse(for: .zero)) }
  }

  @Test(arguments: [Circuit.Report.success, .clientError]) func r11_anAnsweredProbeCloses(answer: Circuit.Report) {
    var circuit = opened()
    #expect(report(answer, to: &circuit, at: .seconds(30)))
    #expect(circuit.retention(limits) == .until(.zero))
    for _ in 0..<2 { #expect(report(.failure, to: &circuit, at: .seconds(31))) }
    #expect(report(.success, to: &circuit, at: .seconds(31)))
  }

  @Test func r11_aFailedProbeOpensAgain() {
    var circuit = opened()
    #expect(report(.failure, to: &circuit, at: .seconds(40)))
    #expect(circuit.admit(at: .seconds(69)) == .refuse(for: .seconds(1)))
    #expect(report(.success, to: &circuit, at: .seconds(70)))
  }

  @Test func r11_afterACancelledProbeTheNextRequestIsTheProbe() {
    var circuit = opened()
    #expect(report(.nothing, to: &circuit, at: .seconds(40)))
    #expect(report(.success, to: &circuit, at: .seconds(40)))
    #expect(circuit.retention(limits) == .until(.zero))
  }

  /// The reported requests were sent before the circuit opened.
  @Test func r11_reportsFromBeforeTheOpeningAreIgnored() throws {
    var circuit = Circuit()
    let early = try ticket(of: circuit.admit(at: .zero))
    for _ in 0..<3 { #expect(report(.failure, to: &circuit, at: .zero)) }
    circuit.report(.success, ticket: early, at: .seconds(1), limits)
    #expect(circuit.admit(at: .seconds(1)) == .refuse(for: .seconds(29)))
    let probe = try ticket(of: circuit.admit(at: .seconds(30)))
    #expect(probe != early)
    circuit.report(.success, ticket: early, at: .seconds(31), limits)
    #expect(circuit.admit(at: .seconds(31)) == .refuse(for: .zero))
  }

  private func ticket(of admission: Circuit.Admission) throws -> Int {
    struct Refused: Error {}
    guard case .pass(let ticket) = admission else { throw Refused() }
    return ticket
  }

  @Test func r11_failuresAreForgottenAfterAPeriodWithoutRequests() {
    #expect(Circuit().retention(limits) == .until(.zero))
    var failing = Circuit()
    #expect(report(.failure, to: &failing, at: .seconds(5)))
    #expect(failing.retention(limits) == .until(.seconds(5 + 600)))
    #expect(failing.retention(Circuit.Limits(failures: 3, pause: .seconds(100))) == .until(.seconds(5 + 800)))
    #expect(failing.retention(Circuit.Limits(failures: 3, pause: .zero)) == .until(.seconds(5 + 600)))
    #expect(opened().retention(limits) == .until(.seconds(30 + 600)))
  }

  @Test func r11_aCircuitWithRequestsInProgressIsInUse() throws {
    var circuit = Circuit()
    let (first, second) = (try ticket(of: circuit.admit(at: .zero)), try ticket(of: circuit.admit(at: .zero)))
    circuit.report(.success, ticket: first, at: .zero, limits)
    #expect(circuit.retention(limits) == .inUse)
    circuit.report(.success, ticket: second, at: .zero, limits)
    #expect(circuit.retention(limits) == .until(.zero))
    circuit = opened()
    // The probe.
    let probe = try ticket(of: circuit.admit(at: .seconds(30)))
    #expect(circuit.retention(limits) == .inUse)
    circuit.report(.failure, ticket: probe, at: .seconds(31), limits)
    #expect(circuit.retention(limits) == .until(.seconds(61 + 600)))
  }
}
