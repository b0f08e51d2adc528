#if SwiftMetrics
internal import AnvilClient
internal import AnvilObservability
internal import AnvilStore
internal import AnvilSync
public import CoreMetrics
internal import Synchronization

extension PullObserver {
  /// An observer that counts the pages and rows of pulls with swift-metrics.
  ///
  /// | metric | dimensions | counted |
  /// | --- | --- | --- |
  /// | `anvil.pull.pages` | `anvil.pull` | stored pages |
  /// | `anvil.pull.rows` | `anvil.pull`, `anvil.row.change` | rows that were `inserted`, `updated`, `unchanged`, `deleted` or `skipped` |
  /// | `anvil.pull.runs` | `anvil.pull`, `error.type` | runs; a run without an error has no `error.type` |
  ///
  /// Everything is counted when a page is stored, so that the pages of a run that fails later are included.
  ///
  /// - Parameter factory: The backend. With `nil`, that of `MetricsSystem` when this function is called.
  public static func metrics(_ factory: (any MetricsFactory)? = nil) -> PullObserver {
    let factory = factory ?? MetricsSystem.factory
    return PullObserver(makeHandler: { pull in
      let run = MeasuredRun(pull: pull, factory: factory)
      return { run.add($0) }
    })
  }
}

/// The metrics of a run.
private final class MeasuredRun: Sendable {
  private let pull: String
  private let factory: any MetricsFactory
  /// The rows that were counted so far: reports contain everything since the start of the run.
  private let counted = Mutex<[String: Int]>([:])

  init(pull: String, factory: any MetricsFactory) {
    self.pull = pull
    self.factory = factory
  }

  func add(_ event: PullObserver.Event) {
    switch event {
    case .page(let report):
      count(.pullPages, by: 1)
      countRows(of: report)
    case .ended(let report):
      countRows(of: report)
      count(.pullRuns, by: 1)
    case .failed(let error): count(.pullRuns, (.errorType, ErrorSummary(ofRun: error).name), by: 1)
    }
  }

  private func countRows(of report: PullReport) {
    let totals = [
      ("inserted", report.counts.inserted), ("updated", report.counts.updated), ("unchanged", report.counts.unchanged),
      ("deleted", report.counts.deleted), ("skipped", report.skippedCount),
    ]
    for (change, total) in totals {
      let before = counted.withLock { $0.updateValue(total, forKey: change) } ?? 0
      count(.pullRows, (.rowChange, change), by: total - before)
    }
  }

  private func count(_ metric: ExchangeMetric, _ dimension: (ExchangeAttribute, String)? = nil, by amount: Int) {
    guard amount > 0 else { return }
    let dimensions = [(ExchangeAttribute.pull, pull)] + (dimension.map { [$0] } ?? [])
    Counter(label: metric.rawValue, dimensions: dimensions.map { ($0.rawValue, $1) }, factory: factory)
      .increment(by: amount)
  }
}
#endif
