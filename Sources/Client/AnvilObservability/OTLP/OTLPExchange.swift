internal import AnvilClient
internal import AnvilHTTP
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// An exchange in progress. It is queued as a span at its end; metrics of the transfer may follow until the span is exported.
final class OTLPExchange: Sendable {
  private let pipeline: OTLPPipeline
  private let state: Mutex<OTLPSpan>

  /// Creates the exchange of the current task.
  init(start: Date, history: HTTP.History, pipeline: OTLPPipeline) {
    self.pipeline = pipeline
    state = Mutex(OTLPSpan(start: start, history: history, task: .current))
  }

  var span: OTLPSpan { state.withLock { $0 } }

  func observe(_ event: ExchangeEvent) {
    let isEnd = state.withLock { $0.add(event) }
    if isEnd { pipeline.add(self) }
  }
}
