import Logging
import Synchronization
import Tracing

/// A handler that prints the message of each entry and the number of its attempt. A program would use a handler of a library.
struct PrintingLog: LogHandler {
  let label: String
  var logLevel = Logger.Level.info
  var metadata: Logger.Metadata = [:]

  init(label: String) {
    self.label = label
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    // The number of the attempt, which only a call with retries has.
    let attempt = event.metadata?["attempt"].map { ", attempt \($0)" } ?? ""
    print("\(label): \(event.level.rawValue): \(event.message)\(attempt)")
  }
}

/// A tracer that prints its spans when they end, with numbers instead of random identifiers. A program would use a tracer of a library.
final class PrintingTracer: Tracer {
  private enum Number: ServiceContextKey {
    typealias Value = Int
  }

  final class PrintingSpan: Tracing.Span {
    private struct State {
      var name: String
      var attributes: SpanAttributes = [:]
      var status: SpanStatus?
    }

    let context: ServiceContext
    private let parent: Int?
    private let state: Mutex<State>

    init(_ name: String, number: Int, in context: ServiceContext) {
      var own = context
      own[Number.self] = number
      self.context = own
      parent = context[Number.self]
      state = Mutex(State(name: name))
    }

    var operationName: String {
      get { state.withLock(\.name) }
      set { state.withLock { $0.name = newValue } }
    }
    var attributes: SpanAttributes {
      get { state.withLock(\.attributes) }
      set { state.withLock { $0.attributes = newValue } }
    }
    var isRecording: Bool { true }
    func setStatus(_ status: SpanStatus) { state.withLock { $0.status = status } }
    func addEvent(_ event: SpanEvent) {}
    func addLink(_ link: SpanLink) {}
    func recordError<Instant: TracerInstant>(
      _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
    ) {}

    func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
      let state = state.withLock { $0 }
      let number = context[Number.self] ?? 0
      let failed = state.status?.code == .error ? ", failed" : ""
      print("span \(number) of \(parent ?? 0): \(state.name)\(failed)")
    }
  }

  private let last = Atomic(0)

  /// Returns the context of a new trace.
  func newTrace() -> ServiceContext {
    var context = ServiceContext.topLevel
    context[Number.self] = next()
    return context
  }

  func startSpan<Instant: TracerInstant>(
    _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
    at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
  ) -> PrintingSpan {
    PrintingSpan(operationName, number: next(), in: context())
  }

  func forceFlush() {}

  func extract<Carrier, Extract: Extractor>(
    _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
  ) where Extract.Carrier == Carrier {}

  func inject<Carrier, Inject: Injector>(
    _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
  ) where Inject.Carrier == Carrier {
    if let number = context[Number.self] { injector.inject("span-\(number)", forKey: "traceparent", into: &carrier) }
  }

  private func next() -> Int { last.wrappingAdd(1, ordering: .relaxed).newValue }
}

/// Counts the attempts.
final class Attempts: Sendable {
  private let count = Atomic(0)

  func isFirst() -> Bool { count.wrappingAdd(1, ordering: .relaxed).oldValue == 0 }
}
