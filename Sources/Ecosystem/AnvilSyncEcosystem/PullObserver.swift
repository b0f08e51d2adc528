internal import AnvilClient
public import AnvilStore
public import AnvilSync

/// An observer of the runs of pulls, such as a log or a recorder of metrics.
///
///     try await store.run(members, observers: [.log(logger), .metrics()])
public struct PullObserver: Sendable {
  /// An event of a run. A run ends with ``ended(_:)`` or ``failed(_:)``.
  @nonexhaustive
  public enum Event: Sendable {
    /// A page was stored. The report contains everything so far.
    case page(PullReport)
    /// The run has ended.
    case ended(PullReport)
    /// The run has failed, or was cancelled. Pages that were stored before stay stored.
    case failed(any Error)
  }

  private let makeHandler: @Sendable (_ pull: String) -> @Sendable (Event) -> Void

  /// Creates an observer.
  ///
  /// - Parameter observe: Receives the name of the pull and each event, on the thread that produces it.
  public init(_ observe: @escaping @Sendable (_ pull: String, _ event: Event) -> Void) {
    makeHandler = { pull in { event in observe(pull, event) } }
  }

  /// Creates an observer with a handler for each run.
  init(makeHandler: @escaping @Sendable (_ pull: String) -> @Sendable (Event) -> Void) {
    self.makeHandler = makeHandler
  }

  /// Returns the handler of the events of a run of `pull`.
  func handler(of pull: String) -> @Sendable (Event) -> Void { makeHandler(pull) }
}

extension Store {
  /// Runs a pull, notifies observers, and returns its report.
  ///
  /// - Parameters:
  ///   - pull: The pull.
  ///   - leases: The duration of leases by which several processes share the pull; `nil` if one process runs it.
  ///   - observers: The observers.
  /// - Throws: The errors of `run(_:leases:onPage:)`.
  @discardableResult
  public func run<Model>(
    _ pull: Pull<Model>, leases: Duration? = nil, observers: [PullObserver]
  ) async throws -> PullReport {
    let handlers = observers.map { $0.handler(of: pull.plan.name) }
    do {
      let report = try await run(pull, leases: leases) { report in for handle in handlers { handle(.page(report)) } }
      for handle in handlers { handle(.ended(report)) }
      return report
    } catch {
      for handle in handlers { handle(.failed(error)) }
      throw error
    }
  }
}

extension ErrorSummary {
  /// Creates the words for an error of a run.
  init(ofRun error: any Error) {
    self.init(error)
    switch error {
    case let error as PullError: (name, text) = (error.code.rawValue, "\(error)")
    case let error as StoreError: text = "\(error)"
    default: break
    }
  }
}
