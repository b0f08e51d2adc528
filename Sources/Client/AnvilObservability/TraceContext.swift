internal import AnvilBase
public import AnvilClient
public import AnvilHTTP

/// The trace that a request belongs to, and the span that sends it.
///
///     TraceContext.$current.withValue(TraceContext(parsing: incoming.headers)) { … }
///
/// Source: W3C Trace Context, level 1, §3.2, §3.3.
public struct TraceContext: Hashable, Sendable {
  /// The context of the requests that the current task sends; `nil` outside of a trace.
  @TaskLocal public static var current: TraceContext?

  /// The trace ID: 16 bytes, not all zero.
  public var traceID: UInt128
  /// The ID of the sending span: 8 bytes, not all zero.
  public var parentID: UInt64
  /// The trace flags. Bit 0 is set if the caller records the trace; the others are reserved, and zero.
  package var flags: UInt8
  /// The vendor-specific state, passed on unchanged. Empty if the request does not contain one.
  package var state: String

  /// Creates a context.
  package init(traceID: UInt128, parentID: UInt64, flags: UInt8 = 1, state: String = "") {
    self.traceID = traceID
    self.parentID = parentID
    self.flags = flags
    self.state = state
  }

  /// Creates the context of a new trace that is recorded.
  public init() {
    var generator = SystemRandomNumberGenerator()
    self.init(using: &generator)
  }

  init(using generator: inout some RandomNumberGenerator) {
    self.init(
      traceID: .random(in: 1 ... .max, using: &generator), parentID: .random(in: 1 ... .max, using: &generator))
  }

  /// Creates the context from the fields of an incoming request; `nil` if the context is missing, invalid or ambiguous.
  ///
  /// For a later version of `traceparent`, only the parts that level 1 defines are used.
  public init?(parsing headers: HTTP.Headers) {
    let lines = headers.values(for: .traceparent)
    guard lines.count == 1, let line = lines.first else { return nil }
    let parts = line.rawValue.trimmingBlanks.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count >= 4, let version = Self.number(parts[0], digits: 2), version != 0xFF,
      version > 0 || parts.count == 4,
      let trace = Self.number(parts[1], digits: 32), trace != 0,
      let parent = Self.number(parts[2], digits: 16), parent != 0, let flags = Self.number(parts[3], digits: 2)
    else { return nil }
    let state = headers.values(for: .tracestate).map(\.rawValue.trimmingBlanks).filter { !$0.isEmpty }.joined(
      separator: ",")
    self.init(
      traceID: trace, parentID: UInt64(truncatingIfNeeded: parent), flags: UInt8(truncatingIfNeeded: flags) & 1,
      state: state)
  }

  /// The value of the `traceparent` field.
  public var traceparent: HTTP.HeaderValue {
    HTTP.HeaderValue(
      rawValue: "00-\(traceIDText)-\(spanIDText)-\(flags.text(digits: 2, radix: 16))")
  }

  var traceIDText: String { traceID.text(digits: 32, radix: 16) }

  var spanIDText: String { parentID.text(digits: 16, radix: 16) }

  /// Returns a context of the same trace with a new span.
  func child(using generator: inout some RandomNumberGenerator) -> TraceContext {
    var child = self
    child.parentID = .random(in: 1 ... .max, using: &generator)
    return child
  }

  private static func number(_ text: Substring, digits: Int) -> UInt128? {
    let isValid =
      text.utf8.count == digits && text.utf8.allSatisfy { $0.isDigit || (0x61...0x66).contains($0) }
    return isValid ? UInt128(text, radix: 16) : nil
  }
}

/// An interceptor that sends each request as a span of its task's trace, in `traceparent` and, if there is any state, `tracestate`.
///
/// A request that already has a `traceparent` keeps it. Without a ``TraceContext/current`` no fields are sent, unless new traces are
/// enabled. After interceptors that repeat requests, each attempt is a separate span.
public struct TracingInterceptor: Interceptor {
  /// The behaviour outside of a trace.
  public enum Outside: Hashable, Sendable {
    /// No fields are sent.
    case nothing
    /// Each request begins a new trace.
    case newTrace
  }

  private let outside: Outside

  /// Creates an interceptor.
  public init(outside: Outside = .nothing) {
    self.outside = outside
  }

  /// Passes the request on with the fields of the trace.
  public func intercept(
    _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse {
    guard !request.headers.contains(.traceparent) else { return try await next.send(request, options: options) }
    var generator = SystemRandomNumberGenerator()
    guard let context = TraceContext.current?.child(using: &generator) ?? (outside == .newTrace ? TraceContext() : nil)
    else {
      return try await next.send(request, options: options)
    }
    var request = request
    request.headers[.traceparent] = context.traceparent
    if !context.state.isEmpty { request.headers[.tracestate] = HTTP.HeaderValue(rawValue: context.state) }
    return try await next.send(request, options: options)
  }
}
