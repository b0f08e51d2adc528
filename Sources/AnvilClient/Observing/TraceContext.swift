public import AnvilHTTP

/// Which trace a request belongs to, and which step of it sends it.
///
///     TraceContext.$current.withValue(TraceContext(parsing: incoming.headers)) { … }
///
/// Source: W3C Trace Context, level 1, §3.2, §3.3.
public struct TraceContext: Hashable, Sendable {
  /// The context that requests of this task are sent in; `nil` where there is none.
  @TaskLocal public static var current: TraceContext?

  /// The trace: 16 bytes, not all zero.
  public var traceID: UInt128
  /// The step that sends: 8 bytes, not all zero.
  public var parentID: UInt64
  /// Bit 0: whether the caller records the trace.
  public var flags: UInt8
  /// What vendors add, passed on as it came; empty for nothing.
  public var state: String

  /// A context of these parts.
  public init(traceID: UInt128, parentID: UInt64, flags: UInt8 = 1, state: String = "") {
    self.traceID = traceID
    self.parentID = parentID
    self.flags = flags
    self.state = state
  }

  /// A new trace, recorded.
  public init() {
    var generator = SystemRandomNumberGenerator()
    self.init(using: &generator)
  }

  init(using generator: inout some RandomNumberGenerator) {
    self.init(
      traceID: .random(in: 1 ... .max, using: &generator), parentID: .random(in: 1 ... .max, using: &generator))
  }

  /// The context that the fields of a request that came say; `nil` for none, an invalid or an ambiguous one.
  ///
  /// Of a version that is not known the parts that are known count.
  public init?(parsing headers: HTTP.Headers) {
    let lines = headers.values(for: .traceparent)
    guard lines.count == 1, let line = lines.first else { return nil }
    let parts = line.rawValue.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count >= 4, let version = Self.number(parts[0], digits: 2), version != 0xFF,
      version > 0 || parts.count == 4,
      let trace = Self.number(parts[1], digits: 32), trace != 0,
      let parent = Self.number(parts[2], digits: 16), parent != 0, let flags = Self.number(parts[3], digits: 2)
    else { return nil }
    let state = headers.values(for: .tracestate).map(\.rawValue).filter { !$0.isEmpty }.joined(separator: ",")
    self.init(
      traceID: trace, parentID: UInt64(truncatingIfNeeded: parent), flags: UInt8(truncatingIfNeeded: flags),
      state: state)
  }

  /// The `traceparent` field's value.
  public var traceparent: HTTP.HeaderValue {
    HTTP.HeaderValue(
      rawValue: "00-\(Self.text(traceID, 32))-\(Self.text(UInt128(parentID), 16))-\(Self.text(UInt128(flags), 2))")
  }

  /// The next step of the same trace.
  func child(using generator: inout some RandomNumberGenerator) -> TraceContext {
    var child = self
    child.parentID = .random(in: 1 ... .max, using: &generator)
    return child
  }

  private static func number(_ text: Substring, digits: Int) -> UInt128? {
    let isValid =
      text.utf8.count == digits && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    return isValid ? UInt128(text, radix: 16) : nil
  }

  private static func text(_ number: UInt128, _ digits: Int) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}

/// Sends each request as a step of its task's trace: `traceparent`, and `tracestate` where there is one.
///
/// A request that has a `traceparent` of its own keeps it. Without a ``TraceContext/current`` nothing is sent, unless a trace is to be
/// begun. Behind interceptors that repeat requests, each attempt is a step of its own.
public struct TracingInterceptor: Interceptor {
  /// What happens outside of a trace.
  public enum Outside: Hashable, Sendable {
    /// Nothing is sent.
    case nothing
    /// Each request begins a trace.
    case newTrace
  }

  private let outside: Outside

  /// An interceptor that does `outside` of a trace as said.
  public init(outside: Outside = .nothing) {
    self.outside = outside
  }

  /// Passes the request on with the trace's fields.
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
