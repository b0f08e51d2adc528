import AnvilClient
import AnvilHTTP
import AnvilObservability
import AnvilTesting
import Foundation
import Testing

/// Source: W3C Trace Context.
struct TracingTests {
  private static let field: HTTP.HeaderValue = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

  private func sent(
    _ interceptor: TracingInterceptor, in context: TraceContext?, headers: HTTP.Headers = [:]
  ) async throws -> HTTP.Headers {
    let world = try World(interceptors: [interceptor])
    world.session.on(.get, world.url, .json("{}"))
    await TraceContext.$current.withValue(context) {
      _ = await world.backend.outcome(Request<HTTP.Response, TransportFailure>(url: world.url, headers: headers))
    }
    return try #require(world.session.requests.first).headers
  }

  @Test func aTraceContextIsParsedAndWritten() throws {
    let context = try #require(TraceContext(parsing: [.traceparent: Self.field, .tracestate: "a=1"]))
    #expect(context.traceID == 0x4bf9_2f35_77b3_4da6_a3ce_929d_0e0e_4736)
    #expect(context.parentID == 0x00f0_67aa_0ba9_02b7)
    #expect(context.flags == 1 && context.state == "a=1")
    #expect(context.traceparent == Self.field)
    // Some servers leave blanks around a value.
    let blanks = HTTP.HeaderValue(rawValue: " \(Self.field.rawValue)\t")
    #expect(TraceContext(parsing: [.traceparent: blanks, .tracestate: " a=1 "]) == context)
  }

  @Test(arguments: [
    "", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
    "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
    "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
    "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
    "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-x",
    "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01", "00-+bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
  ])
  func invalidFieldsAreIgnored(text: String) {
    #expect(TraceContext(parsing: [.traceparent: HTTP.HeaderValue(rawValue: text)]) == nil)
  }

  @Test func reservedFlagsAreNotPassedOn() throws {
    let field: HTTP.HeaderValue = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-ff"
    #expect(try #require(TraceContext(parsing: [.traceparent: field])).traceparent == Self.field)
  }

  @Test func laterVersionsAreParsedLeniently() {
    let field: HTTP.HeaderValue = "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00-more"
    #expect(TraceContext(parsing: [.traceparent: field])?.flags == 0)
  }

  @Test func aRepeatedFieldIsIgnored() {
    var headers: HTTP.Headers = [.traceparent: Self.field]
    headers.add(.traceparent, Self.field)
    #expect(TraceContext(parsing: headers) == nil)
  }

  @Test func requestsAreChildrenOfTheTasksTraceContext() async throws {
    let context = TraceContext(traceID: 7, parentID: 8, flags: 1, state: "a=1,b=2")
    let headers = try await sent(TracingInterceptor(), in: context)
    let step = try #require(TraceContext(parsing: headers))
    #expect(step.traceID == 7 && step.parentID != 8 && step.state == "a=1,b=2")
  }

  @Test func outsideOfATraceNothingIsSentByDefault() async throws {
    #expect(try await !sent(TracingInterceptor(), in: nil).contains(.traceparent))
    #expect(try await TraceContext(parsing: sent(TracingInterceptor(outside: .newTrace), in: nil)) != nil)
  }

  @Test func anExistingTraceparentIsKept() async throws {
    let headers = try await sent(TracingInterceptor(), in: TraceContext(), headers: [.traceparent: Self.field])
    #expect(headers.values(for: .traceparent) == [Self.field])
  }
}
