import Synchronization

public protocol ServiceContextKey: Sendable {
  associatedtype Value: Sendable
}

public struct ServiceContext: Sendable {
  @TaskLocal public static var current: ServiceContext?

  public static var topLevel: ServiceContext { ServiceContext() }

  private var values: [ObjectIdentifier: any Sendable] = [:]

  public subscript<Key: ServiceContextKey>(key: Key.Type) -> Key.Value? {
    get { values[ObjectIdentifier(key)] as? Key.Value }
    set { values[ObjectIdentifier(key)] = newValue }
  }

  public static func withValue<T>(
    _ value: ServiceContext?, isolation: isolated (any Actor)? = #isolation, operation: () async throws -> T
  ) async rethrows -> T {
    try await $current.withValue(value, operation: operation)
  }
}

public protocol Extractor: Sendable {
  associatedtype Carrier: Sendable
  func extract(key: String, from carrier: Carrier) -> String?
}

public protocol Injector: Sendable {
  associatedtype Carrier: Sendable
  func inject(_ value: String, forKey key: String, into carrier: inout Carrier)
}

public protocol Instrument: Sendable {
  func extract<Carrier, Extract: Extractor>(
    _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract)
  where Extract.Carrier == Carrier
  func inject<Carrier, Inject: Injector>(_ context: ServiceContext, into carrier: inout Carrier, using injector: Inject)
  where Inject.Carrier == Carrier
}

public enum SpanKind: Sendable {
  case server, client, producer, consumer, `internal`
}

public struct SpanStatus: Equatable, Sendable {
  public enum Code: Sendable {
    case ok, error
  }

  public let code: Code
  public let message: String?

  public init(code: Code, message: String? = nil) {
    self.code = code
    self.message = message
  }
}

public enum SpanAttribute: Equatable, Sendable {
  case int64(Int64)
  case bool(Bool)
  case string(String)
}

public struct SpanAttributes: Equatable, Sendable, ExpressibleByDictionaryLiteral {
  private var values: [String: SpanAttribute]

  public init(dictionaryLiteral elements: (String, SpanAttribute)...) {
    values = Dictionary(elements) { $1 }
  }

  public func get(_ name: String) -> SpanAttribute? { values[name] }
  public mutating func set(_ name: String, value: SpanAttribute?) { values[name] = value }
  public func forEach(_ body: (String, SpanAttribute) -> Void) { for (name, value) in values { body(name, value) } }
}

public struct SpanEvent: Equatable, Sendable {
  public let name: String
}

public struct SpanLink: Sendable {
  public let context: ServiceContext
  public let attributes: SpanAttributes
}

public protocol TracerInstant: Comparable, Hashable, Sendable {
  var nanosecondsSinceEpoch: UInt64 { get }
}

public struct DefaultTracerClock {
  public struct Timestamp: TracerInstant {
    public let nanosecondsSinceEpoch: UInt64

    public static func < (lhs: Timestamp, rhs: Timestamp) -> Bool {
      lhs.nanosecondsSinceEpoch < rhs.nanosecondsSinceEpoch
    }
  }

  /// The stub has no time.
  public static var now: Timestamp { Timestamp(nanosecondsSinceEpoch: 0) }
}

public protocol Span: Sendable {
  var context: ServiceContext { get }
  var operationName: String { get nonmutating set }
  var attributes: SpanAttributes { get nonmutating set }
  var isRecording: Bool { get }
  func setStatus(_ status: SpanStatus)
  func addEvent(_ event: SpanEvent)
  func recordError<Instant: TracerInstant>(
    _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant)
  func addLink(_ link: SpanLink)
  func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant)
}

extension Span {
  public func end() { end(at: DefaultTracerClock.now) }

  public func updateAttributes(_ update: (inout SpanAttributes) -> Void) {
    var attributes = self.attributes
    update(&attributes)
    self.attributes = attributes
  }
}

public protocol Tracer: Instrument {
  associatedtype Span: Tracing.Span

  func startSpan<Instant: TracerInstant>(
    _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
    at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
  ) -> Span
  func forceFlush()
}

extension Tracer {
  public func startSpan(
    _ operationName: String, context: @autoclosure () -> ServiceContext = .current ?? .topLevel,
    ofKind kind: SpanKind = .internal, at instant: @autoclosure () -> some TracerInstant = DefaultTracerClock.now,
    function: String = #function, file fileID: String = #fileID, line: UInt = #line
  ) -> Span {
    startSpan(
      operationName, context: context(), ofKind: kind, at: instant(), function: function, file: fileID, line: line)
  }
}

public enum InstrumentationSystem {
  private static let bootstrapped = Mutex<(any Tracer)?>(nil)

  public static func bootstrap(_ tracer: any Tracer) { bootstrapped.withLock { $0 = tracer } }

  public static var tracer: any Tracer {
    guard let tracer = bootstrapped.withLock({ $0 }) else {
      fatalError("the stub of swift-distributed-tracing has no tracer")
    }
    return tracer
  }
}
