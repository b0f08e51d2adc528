import AnvilClient
import AnvilHTTP
import AnvilTestSupport
import AnvilTesting
import Foundation
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(15))) struct BackPressureTests {
  /// The flow changes that a body requested from its writer.
  final class Asked: Sendable {
    let flows = Mutex<[TransportBody.Flow]>([])
    var all: [TransportBody.Flow] { flows.withLock { $0 } }
    func makeStream() -> (body: TransportBody, writer: TransportBody.Writer) {
      TransportBody.makeStream(onFlow: { flow in self.flows.withLock { $0.append(flow) } })
    }
  }

  /// Endless chunks of 64 KiB, counted as they are made.
  final class Endless: Sequence, Sendable {
    let made = Mutex(0)
    var count: Int { made.withLock { $0 } }

    func makeIterator() -> AnyIterator<Data> {
      AnyIterator {
        self.made.withLock { $0 += 1 }
        return Data(count: 65_536)
      }
    }
  }

  private let quarter = Data(count: 1 << 18)

  private func request() throws -> HTTP.Request {
    HTTP.Request(url: try #require(URL(string: "https://api.example.com/export")))
  }

  // MARK: Flow requests of a body

  @Test func pausesAtAMebibyteAndResumesAtAQuarter() async throws {
    let asked = Asked()
    let (body, writer) = asked.makeStream()
    for _ in 0..<3 { writer.yield(quarter) }
    writer.yield(quarter.dropLast())
    #expect(asked.all.isEmpty && writer.flow == .resume)
    writer.yield(Data(count: 1))
    #expect(asked.all == [.pause] && writer.flow == .pause)
    writer.yield(quarter)
    #expect(asked.all == [.pause])
    var chunks = body.makeAsyncIterator()
    for _ in 0..<3 { _ = try await chunks.next() }
    #expect(asked.all == [.pause])
    _ = try await chunks.next()
    _ = try await chunks.next()
    #expect(asked.all == [.pause, .resume] && writer.flow == .resume)
    _ = try await chunks.next()
    #expect(asked.all == [.pause, .resume])
  }

  @Test func oneLargeChunkPauses() async throws {
    let asked = Asked()
    let (body, writer) = asked.makeStream()
    writer.yield(Data(count: 5 << 20))
    #expect(asked.all == [.pause])
    var chunks = body.makeAsyncIterator()
    #expect(try await chunks.next()?.count == 5 << 20)
    #expect(asked.all == [.pause, .resume])
  }

  @Test func aFastReaderCausesNoPause() async throws {
    let asked = Asked()
    let (body, writer) = asked.makeStream()
    var chunks = body.makeAsyncIterator()
    for _ in 0..<100 {
      writer.yield(quarter)
      #expect(try await chunks.next() == quarter)
    }
    #expect(asked.all.isEmpty)
  }

  @Test func aFinishedBodyRequestsNoResume() async throws {
    let asked = Asked()
    let (body, writer) = asked.makeStream()
    for _ in 0..<4 { writer.yield(quarter) }
    writer.finish()
    #expect(writer.flow == .pause)
    var count = 0
    for try await chunk in body { count += chunk.count }
    #expect(count == 1 << 20)
    #expect(asked.all == [.pause])
  }

  @Test func anAbandonedBodyCallsNoFlowHandler() async throws {
    let asked = Asked()
    var stream: (body: TransportBody, writer: TransportBody.Writer)? = asked.makeStream()
    let writer = try #require(stream?.writer)
    writer.yield(quarter)
    stream = nil
    #expect(writer.flow == .pause && asked.all.isEmpty)
  }

  @Test func pausesAndResumesAlternate() async throws {
    let asked = Asked()
    let (body, writer) = asked.makeStream()
    let writing = Task {
      for _ in 0..<5000 { writer.yield(Data(count: 16_384)) }
      writer.finish()
    }
    var count = 0
    for try await chunk in body { count += chunk.count }
    await writing.value
    #expect(count == 5000 * 16_384)
    for (index, flow) in asked.all.enumerated() { #expect(flow == (index.isMultiple(of: 2) ? .pause : .resume)) }
  }

  @Test func theFlowHandlerMayWriteToTheBody() async throws {
    let writer = Mutex<TransportBody.Writer?>(nil)
    let left = Mutex(400)
    let fill: @Sendable () -> Void = {
      guard let writer = writer.withLock({ $0 }) else { return }
      while writer.flow == .resume {
        let isLast = left.withLock { left in
          left -= 1
          return left == 0
        }
        writer.yield(Data(count: 65_536))
        if isLast { return writer.finish() }
      }
    }
    let (body, end) = TransportBody.makeStream(onFlow: { if $0 == .resume { fill() } })
    writer.withLock { $0 = end }
    fill()
    var count = 0
    for try await chunk in body { count += chunk.count }
    #expect(count == 400 * 65_536)
  }

  // MARK: The stub

  private func streamed(
    _ endless: Endless, options: TransportOptions = TransportOptions(responseDelivery: .streamed)
  ) async throws -> HTTP.Body {
    let session = StubSession()
    let request = try request()
    session.on(.get, request.url, .chunks(endless))
    return try await TransportService(session: session).execute(request, options: options).get().body
  }

  @Test func theStubSessionAppliesBackpressure() async throws {
    let endless = Endless()
    var chunks = try await streamed(endless).makeAsyncIterator()
    #expect(endless.count == 16)
    for _ in 0..<11 { _ = try await chunks.next() }
    #expect(endless.count == 16)
    _ = try await chunks.next()
    #expect(endless.count == 28)
    for _ in 0..<1000 { _ = try await chunks.next() }
    #expect((1012...1028).contains(endless.count))
  }

  @Test func stubEndsWithTheErrorAfterAllChunks() async throws {
    let session = StubSession()
    let request = try request()
    let error = TransportError(code: .truncatedResponse, phase: .body)
    session.on(.get, request.url, .chunks(Endless().prefix(100), error: error))
    let body = try await TransportService(session: session).execute(
      request, options: TransportOptions(responseDelivery: .streamed)
    ).get().body
    var count = 0
    await #expect(throws: error) {
      for try await chunk in body { count += chunk.count }
    }
    #expect(count == 100 * 65_536)
  }

  @Test func theDeadlineAppliesToASlowReader() async throws {
    // On a busy machine, the deadline may expire before the head is received.
    var (head, options) = (HTTP.Body?.none, TransportOptions(responseDelivery: .streamed))
    var deadline = Duration.milliseconds(100)
    while head == nil {
      options.deadline = deadline
      head = try? await streamed(Endless(), options: options)
      deadline *= 4
    }
    let body = try #require(head)
    let error = await #expect(throws: TransportError.self) {
      for try await _ in body { try await Task.sleep(for: .milliseconds(5)) }
    }
    #expect(error?.code == .timedOut && error?.phase == .body)
  }

  @Test func readerIsCancelledWhileTheStubWaits() async throws {
    let endless = Endless()
    let body = try await streamed(endless)
    let reading = Task {
      await waitForCancellation()
      for try await _ in body {}
    }
    reading.cancel()
    await #expect(throws: TransportError(code: .cancelled)) { try await reading.value }
    #expect(endless.count == 16)
  }
}
