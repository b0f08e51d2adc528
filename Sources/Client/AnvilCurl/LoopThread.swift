internal import AnvilBase
internal import AnvilClient
internal import AnvilHTTP
internal import CCurl

/// The state and the work of a session's thread: connections, transfers and timers. Only that thread uses it.
final class LoopThread {
  /// The maximum number of times that commands which the thread posted to itself are processed before its sockets are served.
  private static let ownRounds = 64

  /// The time at the last reading of the clock.
  private(set) var now = monotonicNanoseconds()
  let configuration: CurlSession.Configuration
  private let loop: CurlLoop
  private let port: EventPort
  private var watches: SocketWatches
  private var pools: ConnectionPools
  private var handles: HandlePool
  private var transfers: [Transfer] = []
  private var deadlines = DeadlineHeap<Transfer>()
  private let limits: PhaseLimits
  /// The transfers that have undelivered data or results for their callers.
  private var dirty: [Transfer] = []
  /// The transfers of `dirty` that are being processed.
  private var settling: [Transfer] = []
  private var isFinishing = false
  private var hasLearned = false
  /// True if transfers have been started for which libcurl may choose idle connections.
  private var hasStarted = false
  /// The number of transfers that need the GOAWAY frames of their connections.
  private var notingTransferCount = 0
  let slabs = SlabPool()
  private var commands: [CurlLoop.Command] = []
  private var events: [EventPort.Event] = []

  init(_ loop: CurlLoop, _ configuration: CurlSession.Configuration, _ port: EventPort) {
    self.loop = loop
    self.configuration = configuration
    limits = PhaseLimits(configuration.timeouts)
    self.port = port
    watches = SocketWatches(port: port)
    pools = ConnectionPools(configuration: configuration, watches: watches)
    handles = HandlePool(configuration: configuration, watches: watches)
  }

  func run() {
    while true {
      serveCommands()
      expire()
      if hasStarted {
        // The last opportunity before libcurl chooses connections.
        watches.endIdleConnectionsWithInput(&events, unless: isHeldBack(on:))
        hasStarted = false
      }
      pools.serveTimers(now)
      settle()
      if isFinishing, transfers.isEmpty { break }
      wait()
      now = monotonicNanoseconds()
      // All idle connections are checked first, because serving an event may start transfers.
      for event in events { watches.endIfIdle(event.descriptor, unless: isHeldBack(on:)) }
      for event in events { pools.serve(event, watches) }
      settle()
    }
    loop.retire()
    handles.removeAll()
    pools.close()
  }

  private func wait() {
    var milliseconds: Int32 = 0
    if loop.fallAsleep() {
      let next = min(deadlines.earliest ?? .max, pools.nextTimer)
      if next == .max {
        milliseconds = -1
      } else if next > now {
        // Rounded up, because waking early would find nothing due and repeat the wait.
        milliseconds = Int32(min((next - now + 999_999) / 1_000_000, 60_000))
      }
    }
    port.wait(milliseconds: milliseconds, into: &events)
  }

  private func serveCommands() {
    now = monotonicNanoseconds()
    loop.take(&commands)
    serveTaken()
    for _ in 0..<Self.ownRounds {
      loop.takeOwn(&commands)
      guard !commands.isEmpty else { return }
      serveTaken()
    }
  }

  private func serveTaken() {
    for command in commands {
      switch command {
      case .start(let exchange): start(exchange)
      case .drop(let exchange): if let transfer = exchange.transfer { drop(transfer) }
      case .resume(let exchange): exchange.transfer?.resume()
      case .feed(let exchange): exchange.transfer?.feed()
      case .job(let job):
        // Safety: `take` hands out each job once, and this thread is that of `loop`.
        unsafe job.runSynchronously(on: loop.asUnownedTaskExecutor())
      case .finish: isFinishing = true
      case .stop:
        isFinishing = true
        for transfer in transfers {
          fail(transfer, TransportError(code: .cancelled, reason: "the session was shut down"))
        }
      }
    }
    commands.removeAll(keepingCapacity: true)
  }
}

/// The lifecycle of transfers.
extension LoopThread {
  private func start(_ exchange: Exchange) {
    guard !exchange.isOver else { return }
    guard !isFinishing else {
      return exchange.end(TransportError(code: .other, reason: "the session was shut down"))
    }
    do throws(TransportError) {
      let url = exchange.request.urlText
      let transfer = Transfer(exchange, url: url, kind: pools.kind(for: exchange, url), on: self)
      do throws(TransportError) {
        try send(transfer)
      } catch {
        transfer.endUpload()
        throw error
      }
      exchange.transfer = transfer
      readStreamLogs(with: transfer)
      transfer.place = transfers.count
      transfers.append(transfer)
      deadlines.set(transfer.nextDeadline(at: now, limits), for: transfer)
    } catch {
      exchange.end(exchange.request.headSizeError ?? error)
    }
  }

  private func send(_ transfer: Transfer) throws(TransportError) {
    let handle = try handles.take(for: transfer)
    try pools[transfer.kind].add(handle)
    hasStarted = hasStarted || transfer.kind == .exclusive
    handle.transfer = transfer
    transfer.handle = handle
  }

  /// Sends the request of an ended transfer again if the server has certainly not processed it. Returns `false` if it is not sent again.
  ///
  /// libcurl does this itself if the connection was used before, or has streams that the server still processes. Otherwise 7.88.1 reports
  /// an error.
  private func sendAgain(_ transfer: Transfer) -> Bool {
    guard transfer.beginAgain() else { return false }
    do throws(TransportError) {
      try send(transfer)
    } catch {
      transfer.failure = error
      return false
    }
    if notingTransferCount > 0 { transfer.handle?.readLog() }
    return true
  }

  /// Makes libcurl log the GOAWAY frames of the transfer's connection, if a transfer needs them. libcurl may log a frame for any of the
  /// transfers on the connection, so those that do not need it themselves are included.
  private func readStreamLogs(with transfer: Transfer) {
    if transfer.needsStreamNotes {
      noteStreams(of: transfer)
    } else if transfer.kind == .multiplexed, notingTransferCount > 0 {
      transfer.handle?.readLog()
    }
  }

  func noteStreams(of transfer: Transfer) {
    guard !transfer.isNotingStreams else { return }
    if notingTransferCount == 0 {
      for other in transfers where other.kind == .multiplexed { other.handle?.readLog() }
    }
    notingTransferCount += 1
    transfer.isNotingStreams = true
    transfer.handle?.readLog()
  }

  func noteLastStream(_ last: UInt32, on connection: StreamLog.Connection) {
    for transfer in transfers where transfer.kind == .multiplexed { transfer.noteLastStream(last, on: connection) }
  }

  /// Schedules the delivery of the transfer's data to its caller, after all ready events were served.
  func markDirty(_ transfer: Transfer) {
    guard !transfer.isDirty else { return }
    transfer.isDirty = true
    dirty.append(transfer)
  }

  /// The first head from a host may show that the host does not support HTTP/2.
  func noteHead(of transfer: Transfer) {
    guard transfer.kind == .multiplexed, let handle = transfer.handle else { return }
    guard !handle.usedHTTP2 else {
      if transfer.beginInputSearch() { deadlines.set(transfer.nextDeadline(at: now, limits), for: transfer) }
      return
    }
    // Later requests use the other pool, where input on an idle connection is detected.
    handle.forbidReuse()
    if pools.learn(from: transfer) { hasLearned = true }
  }

  /// If their host turned out not to support HTTP/2, they would wait for one of the few shared connections.
  private func moveWaiting() {
    guard hasLearned else { return }
    hasLearned = false
    for transfer in transfers where transfer.isWaiting && transfer.kind == .multiplexed {
      guard let handle = transfer.handle, pools.kind(for: transfer.exchange, transfer.url) == .exclusive else {
        continue
      }
      pools[.multiplexed].remove(handle)
      transfer.kind = .exclusive
      do throws(TransportError) {
        try handle.settings.applyVersion(to: handle, kind: .exclusive)
        try pools[.exclusive].add(handle)
        hasStarted = true
      } catch {
        transfer.failure = error
        markDirty(transfer)
      }
    }
  }

  /// Ends the completed transfers, and passes the received data of other transfers to their callers.
  private func settle() {
    moveWaiting()
    while let (handle, ended) = pools.nextDone() {
      guard let transfer = handle.transfer else { continue }
      let result = transfer.resultOfResponse(ended)
      release(transfer, result: result)
      if sendAgain(transfer) { continue }
      if transfer.complete(result) { forget(transfer) }
    }
    guard !dirty.isEmpty else { return }
    swap(&dirty, &settling)
    defer { settling.removeAll(keepingCapacity: true) }
    for transfer in settling {
      transfer.isDirty = false
      guard transfer.place != nil else { continue }
      guard !transfer.isAnsweredEarly else {
        endEarly(transfer)
        continue
      }
      transfer.flush()
      if let failure = transfer.failure { fail(transfer, failure) }
      if transfer.isDrained { forget(transfer) }
    }
  }

  /// Ends a transfer whose response is complete while its request is still being sent. Its connection cannot be reused, because the server
  /// would read the next request as a part of this one.
  private func endEarly(_ transfer: Transfer) {
    release(transfer, result: nil)
    transfer.endUpload()
    if transfer.complete(CURLE_OK) { forget(transfer) }
  }

  /// Returns `true` if a paused transfer may use the socket. This includes paused transfers whose socket is unknown.
  private func isHeldBack(on descriptor: Int32) -> Bool {
    transfers.contains { transfer in
      guard transfer.kind == .exclusive, transfer.inflow.isLibcurlPaused, let handle = transfer.handle else {
        return false
      }
      return handle.parked.map { $0.descriptor == descriptor } ?? true
    }
  }

  private func expire() {
    while let transfer = deadlines.due(at: now) {
      if let phase = transfer.expired(at: now, limits) {
        fail(transfer, TransportError(code: .timedOut, phase: phase, elapsed: transfer.elapsed(now)))
      } else {
        transfer.searchInput(at: now)
        // The deadline is later than now; otherwise it would immediately be due again.
        deadlines.set(transfer.nextDeadline(at: now, limits).map { max($0, now &+ 1_000_000) }, for: transfer)
      }
    }
  }

  /// The caller can still read the data that was received before.
  @inline(never)
  private func fail(_ transfer: Transfer, _ error: TransportError) {
    transfer.flush()
    release(transfer, result: nil)
    transfer.reportMetrics()
    transfer.exchange.end(error)
    forget(transfer)
  }

  private func drop(_ transfer: Transfer) {
    release(transfer, result: nil)
    transfer.reportMetrics()
    transfer.exchange.end(TransportError(code: .cancelled))
    forget(transfer)
  }

  /// - Parameter result: The result with which libcurl ended the transfer; `nil` if libcurl did not end it.
  private func release(_ transfer: Transfer, result: CURLcode?) {
    guard let handle = transfer.handle else { return }
    transfer.noteEnd(of: handle, result)
    if result == nil { transfer.discardPausedData() }
    if result == nil, transfer.kind == .multiplexed { handle.endConnectionWithTransfer() }
    pools[transfer.kind].remove(handle)
    if result == CURLE_OK { handle.markIdle() }
    transfer.handle = nil
    handle.transfer = nil
    let hasTrailers = transfer.exchange.request.body.trailers != nil
    if result == CURLE_OK, transfer.attempt.number <= 1, !hasTrailers { handles.give(handle) }
  }

  private func forget(_ transfer: Transfer) {
    deadlines.remove(transfer)
    if transfer.isNotingStreams { notingTransferCount -= 1 }
    transfer.isNotingStreams = false
    transfer.exchange.transfer = nil
    transfer.endUpload()
    guard let place = transfer.place else { return }
    transfer.place = nil
    let last = transfers.removeLast()
    guard last !== transfer else { return }
    transfers[place] = last
    last.place = place
  }
}

/// A pool of libcurl handles for reuse. Creating a handle for each request would add 9 to 15 % to the cost of a request.
struct HandlePool {
  private static let capacity = 256

  private let settings: SessionSettings
  private let watches: SocketWatches
  private var free: [EasyHandle] = []

  init(configuration: CurlSession.Configuration, watches: SocketWatches) {
    settings = SessionSettings(configuration: configuration)
    self.watches = watches
  }

  mutating func take(for transfer: Transfer) throws(TransportError) -> EasyHandle {
    let handle = if let free = free.popLast() { free } else { try EasyHandle(settings: settings, watches: watches) }
    try handle.prepare(for: transfer)
    return handle
  }

  /// Takes back the handle of a transfer that succeeded at the first attempt. Handles of other transfers are not reused. libcurl counts
  /// failures in a handle and finally gives up, and it keeps buffers whose size cannot be changed. Version 7.88.1 was observed to keep the
  /// state of a request's trailers, too, and to write the next body before its buffer.
  mutating func give(_ handle: EasyHandle) {
    if free.count < Self.capacity { free.append(handle) }
  }

  mutating func removeAll() {
    free.removeAll()
  }
}
