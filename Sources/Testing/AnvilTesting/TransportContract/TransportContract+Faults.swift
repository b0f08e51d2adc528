internal import AnvilClient
internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A case for every fault of the loopback server.
extension TransportContract {
  /// The expected outcome of a fault.
  struct Expectation: Sendable {
    /// The expected error, of which the code and the phase are set; `nil` if the exchange succeeds.
    var error: TransportError?
    /// True if the head of the response is delivered, also if an error follows.
    var hasHead = true
  }

  static let faultCases: [Case] =
    LoopbackServer.Fault.all.map { name, fault in
      // The delays in the list of faults are made for people, so shorter ones are used here.
      switch fault {
      case .slowHead: faultCase(name, .slowHead(.milliseconds(100)))
      case .slowDrip: faultCase(name, .slowDrip(interval: .milliseconds(5), count: 20))
      case .neverAnswers: faultCase(name, fault, timeout: .milliseconds(350))
      default: faultCase(name, fault)
      }
    } + [
      faultCase("slow-head, slower than the timeout", .slowHead(.seconds(30)), timeout: .milliseconds(350)),
      faultCase(
        "slow-drip, slower than the timeout", .slowDrip(interval: .milliseconds(20), count: 1_000),
        timeout: .seconds(1)),
    ]

  /// Returns the expected outcome of `fault` with a time limit of `timeout`.
  static func expectation(of fault: LoopbackServer.Fault, timeout: Duration?) -> Expectation {
    func fails(_ code: TransportError.Code, _ phase: TransportError.Phase) -> Expectation {
      Expectation(error: TransportError(code: code, phase: phase), hasHead: phase == .body)
    }
    return switch fault {
    case .slowHead: timeout == nil ? Expectation() : fails(.timedOut, .firstByte)
    case .slowDrip: timeout == nil ? Expectation() : fails(.timedOut, .body)
    case .neverAnswers: fails(.timedOut, .firstByte)
    case .truncatedBody, .truncatedChunks, .resetInBody: fails(.truncatedResponse, .body)
    case .truncatedHead, .closeBeforeHead, .resetBeforeHead: fails(.connectionLost, .firstByte)
    case .badChunk, .conflictingLengths, .lengthAndChunked: fails(.malformedResponse, .body)
    case .notHTTP: fails(.malformedResponse, .firstByte)
    }
  }

  private static func faultCase(_ name: String, _ fault: LoopbackServer.Fault, timeout: Duration? = nil) -> Case {
    Case("fault \(name)", needs: [.faults]) { setting in
      let server = try setting.server(answering: .fault(fault))
      let request = setting.get(server)
      let expected = expectation(of: fault, timeout: timeout)
      let phase = expected.error?.phase ?? .firstByte
      // The fault as the session reports it, and as the layer above the session reports it.
      let outcome = await setting.exchange(request, timingOutIn: phase, after: timeout ?? .seconds(240))
      let failure = await setting.timedOut(in: phase, after: timeout ?? .seconds(240), error: \.?.error) {
        await setting.execute(request, $0).failure
      }
      try expect(outcome.error, is: expected.error)
      try expect(failure?.error, is: expected.error)
      try expect(outcome.head?.code, is: expected.hasHead ? 200 : nil)
      guard expected.error != nil else {
        return try expect(outcome.body.count, is: fault.wholeCount)
      }
      try expect(failure?.request, is: request)
      try expect(failure?.response?.code, is: expected.hasHead ? 200 : nil)
      if let timeout, expected.error?.code == .timedOut {
        try expect(outcome.error?.elapsed ?? .zero >= timeout, "\(String(describing: outcome.error?.elapsed))")
      }
      try await setting.expectUsable()
    }
  }
}

extension LoopbackServer.Fault {
  /// The length in bytes of a body that is delivered completely in spite of the fault; 0 for other faults.
  fileprivate var wholeCount: Int {
    switch self {
    case .slowHead: 4
    case .slowDrip(_, let count): count
    default: 0
    }
  }
}
