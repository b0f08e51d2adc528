internal import AnvilBase
package import AnvilHTTP
internal import Synchronization

/// A fetch with several callers, which continues while at least one of them is interested. Rule K10.
///
/// One caller receives the response as it arrives. All others receive `Shared`, which is created when the response is complete. If the
/// response cannot be shared, they have to fetch it themselves.
final class SharedFetch<Shared: Sendable>: Sendable {
  enum Ending: Sendable {
    /// The response, for this caller only.
    case response(TransportResponse)
    case shared(Shared)
    case failed(TransportError)
    /// There is no result to share, and the caller has to fetch it itself.
    case alone
  }

  private typealias Wait = CheckedContinuation<Ending, Never>

  private struct State {
    var waits: [Int: Wait] = [:]
    var lastID = 0
    /// The number of current and pending callers, including the reader of the response.
    var callerCount = 0
    /// A response whose reader has joined but not called ``wait(_:)`` yet.
    var response: TransportResponse?
    /// The result for callers that call ``wait(_:)`` later.
    var ending: Ending?
    var isClosed = false
    var isObsolete = false
    var isStarted = false
    var task: Task<Void, Never>?
  }

  let key: CacheKey
  let identity: FetchIdentity
  /// A Boolean value that indicates whether the fetch continues without interested callers.
  let isBackground: Bool
  private let state = Mutex(State())

  init(key: CacheKey, identity: FetchIdentity, isBackground: Bool) {
    self.key = key
    self.identity = identity
    self.isBackground = isBackground
  }

  /// Whether the target was changed after the fetch began. The response is then not stored.
  var isObsolete: Bool { state.withLock(\.isObsolete) }

  func makeObsolete() {
    state.withLock { $0.isObsolete = true }
  }

  /// Whether all callers were cancelled before the fetch began. The fetch then cannot be joined and never begins.
  var isAbandoned: Bool { state.withLock { $0.isClosed && !$0.isStarted } }

  var callerCount: Int { state.withLock(\.callerCount) }

  /// Registers a caller that will call ``wait(_:)``. Returns `false` when the fetch can no longer be joined.
  func join() -> Bool {
    state.withLock { state in
      guard !state.isClosed, !state.isObsolete else { return false }
      state.callerCount += 1
      return true
    }
  }

  /// Runs `fetch` in a new task. Only the first call has an effect.
  func start(_ fetch: @escaping @Sendable (SharedFetch) async -> Void) {
    state.withLock { state in
      guard !state.isStarted, state.callerCount > 0 || isBackground else { return }
      state.isStarted = true
      state.task = Task { await fetch(self) }
    }
  }

  /// Waits for the result of the fetch, which is started with `fetch` unless it has begun. Cancelling the task ends this wait, and also the
  /// fetch if no other caller is left.
  func wait(_ fetch: @escaping @Sendable (SharedFetch) async -> Void) async -> Ending {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    let ending = await withTaskCancellationHandler {
      await withCheckedContinuation { (wait: Wait) in
        let ending = state.withLock { state -> Ending? in
          if Task.isCancelled { return .failed(TransportError(code: .cancelled)) }
          if let response = state.response.take() { return .response(response) }
          if let ending = state.ending { return ending }
          state.waits[id] = wait
          return nil
        }
        if let ending {
          wait.resume(returning: ending)
        } else {
          start(fetch)
        }
      }
    } onCancel: {
      guard let wait = state.withLock({ $0.waits.removeValue(forKey: id) }) else { return }
      wait.resume(returning: .failed(TransportError(code: .cancelled)))
    }
    // The caller that received the response stays interested until its body is released.
    if case .response = ending { return ending }
    leave()
    return ending
  }

  /// Passes the response to the first waiting caller, or stores it for a pending one. Without callers, the response is released.
  func deliverToFirstCaller(_ response: TransportResponse) {
    let wait = state.withLock { state -> Wait? in
      guard let first = state.waits.keys.min() else {
        if state.callerCount > 0 { state.response = response }
        return nil
      }
      return state.waits.removeValue(forKey: first)
    }
    wait?.resume(returning: .response(response))
  }

  /// Ends all current and pending waits with `ending`. Only the first call has an effect.
  func end(_ ending: Ending) {
    let waits = state.withLock { state in
      state.isClosed = true
      state.ending = state.ending ?? ending
      defer { state.waits = [:] }
      return Array(state.waits.values)
    }
    for wait in waits { wait.resume(returning: ending) }
  }

  /// Removes the interest of one caller. The fetch is cancelled when no caller remains, unless it runs in the background.
  func leave() {
    let (task, response) = state.withLock { state -> (Task<Void, Never>?, TransportResponse?) in
      state.callerCount -= 1
      guard state.callerCount <= 0, !isBackground else { return (nil, nil) }
      state.isClosed = true
      return (state.task.take(), state.response.take())
    }
    // The response is released outside the lock.
    _ = consume response
    task?.cancel()
  }
}

extension SharedFetch {
  /// Delivers a response to one caller as it arrives, and passes the body to `whole` when it is complete.
  ///
  /// A body of more than `limit` bytes is not shared. No body is shared if `isShared` is false: other callers then stop waiting.
  func deliver(
    _ response: TransportResponse, isShared: Bool, upTo limit: Int, whole: (Data) async -> Void
  ) async {
    let gate = BackPressureGate()
    // This function must not keep a reference to the body, so that it can be abandoned.
    let (passedOn, writer) = TransportBody.makeStream(
      onAbandon: {
        gate.end()
        self.leave()
      }, onFlow: { gate.set($0) })
    deliverToFirstCaller(
      TransportResponse(head: response.head, body: consume passedOn, outcomeHandlers: response.outcomeHandlers))
    if !isShared { end(.alone) }
    var collected: Data? = Data()
    do throws(TransportError) {
      for try await chunk in response.body {
        if let count = collected?.count, chunk.count > limit - count {
          collected = nil
          end(.alone)
          if isBackground { return }
        }
        collected?.append(chunk)
        writer.yield(chunk)
        if collected == nil { await gate.wait() }
      }
    } catch {
      writer.finish(error)
      return end(.failed(error))
    }
    defer { writer.finish() }
    guard let collected, response.head.announcedLength.map({ $0 == collected.count }) ?? true else { return }
    await whole(collected)
  }
}

/// The identity of a fetch. Fetches with the same identity can be shared.
enum FetchIdentity: Hashable {
  /// The same request with the same timeout. All fields are compared, because it is only known afterwards which of them the response
  /// varies by.
  case request(URL, HTTP.Headers, Duration?)
  /// The background revalidation of a cache entry.
  case confirmation(UUID)
  /// A fetch that is not shared.
  case own(UInt64)

  /// Creates the identity of a request. Fields that trace a single call are not compared.
  init(_ request: HTTP.Request, timeout: Duration?) {
    var headers = request.headers
    for key: HTTP.HeaderKey in [.traceparent, "tracestate"] where headers.contains(key) { headers.remove(key) }
    self = .request(request.url, headers, timeout)
  }
}

/// The fetches in progress, by identity.
final class SharedFetches<Shared: Sendable>: Sendable {
  private struct State {
    /// The latest fetch of each identity. If it can no longer be joined, a new fetch replaces it.
    var joinable: [FetchIdentity: SharedFetch<Shared>] = [:]
    var all: [ObjectIdentifier: SharedFetch<Shared>] = [:]
    var lastNumber: UInt64 = 0

    mutating func add(_ identity: FetchIdentity, _ key: CacheKey, isBackground: Bool = false) -> SharedFetch<Shared> {
      let fetch = SharedFetch<Shared>(key: key, identity: identity, isBackground: isBackground)
      joinable[identity] = fetch
      all[ObjectIdentifier(fetch)] = fetch
      return fetch
    }
  }

  private let state = Mutex(State())

  /// Joins the fetch in progress with the same identity, or creates one, and returns it. Without an identity, the new fetch cannot be
  /// joined by other callers.
  @inline(never)
  func joined(_ identity: FetchIdentity?, for key: CacheKey) -> SharedFetch<Shared> {
    state.withLock { state in
      if let identity, let known = state.joinable[identity], known.join() { return known }
      state.lastNumber += 1
      let fetch = state.add(identity ?? .own(state.lastNumber), key)
      _ = fetch.join()
      return fetch
    }
  }

  /// Returns a new fetch that continues without callers; `nil` if there is already one for the entry.
  func background(for entry: CacheEntry, _ key: CacheKey) -> SharedFetch<Shared>? {
    state.withLock { state in
      let identity = FetchIdentity.confirmation(entry.id)
      guard state.joinable[identity] == nil else { return nil }
      return state.add(identity, key, isBackground: true)
    }
  }

  func remove(_ fetch: SharedFetch<Shared>) {
    state.withLock { state in
      state.all[ObjectIdentifier(fetch)] = nil
      if state.joinable[fetch.identity] === fetch { state.joinable[fetch.identity] = nil }
    }
  }

  /// Prevents fetches in progress for a URL from being stored or joined, because the target has changed.
  func makeObsolete(_ key: CacheKey) {
    for fetch in state.withLock({ Array($0.all.values) }) where fetch.key == key { fetch.makeObsolete() }
  }

  /// The number of callers of the fetches in progress. A background fetch counts as one.
  var callerCount: Int {
    state.withLock { Array($0.all.values) }.reduce(0) { $0 + ($1.isBackground ? 1 : $1.callerCount) }
  }
}

/// Lets identical GET requests that are in progress at the same time share one exchange: ``ClientConfiguration/sharesIdenticalRequests``.
///
/// It comes after interceptors that add credentials, and before ``CacheInterceptor`` and those that repeat requests.
package struct SharingInterceptor: Interceptor {
  /// The response for all callers except the first.
  private struct SharedResponse: Sendable {
    let head: HTTP.Response
    let body: Data
  }

  /// The default maximum number of bytes of a shared body.
  package static let defaultBodyLimit = 8 << 20

  private let fetches = SharedFetches<SharedResponse>()
  private let maximumBodyLength: Int

  /// - Parameter maximumBodyLength: the maximum number of bytes of a shared body. For a longer one, each caller except the first starts
  ///   a separate exchange.
  package init(maximumBodyLength: Int = Self.defaultBodyLimit) {
    self.maximumBodyLength = maximumBodyLength
  }

  var callerCount: Int { fetches.callerCount }

  /// Sends `request`, or waits for the response to an identical request.
  package func intercept(
    _ request: HTTP.Request, options: TransportOptions, next: any TransportSession
  ) async throws(TransportError) -> TransportResponse {
    guard let key = CacheKey(request.url) else { return try await next.send(request, options: options) }
    guard request.method.isSafe else {
      fetches.makeObsolete(key)
      // Exchanges that began while the target was being changed are not shared either.
      defer { fetches.makeObsolete(key) }
      return try await next.send(request, options: options)
    }
    guard isShareable(request, options) else {
      return try await next.send(request, options: options)
    }
    let fetch = fetches.joined(FetchIdentity(request, timeout: options.timeout), for: key)
    let ending = await fetch.wait { await run($0, request, options, next) }
    if fetch.isAbandoned { fetches.remove(fetch) }
    switch ending {
    case .response(let response): return response
    case .shared(let response):
      var head = response.head
      head.request = request
      return TransportResponse(head, body: response.body)
    case .failed(let error):
      throw error.orTimedOut(by: options.expiry, in: .firstByte)
    case .alone: return try await next.send(request, options: options)
    }
  }

  private func isShareable(_ request: HTTP.Request, _ options: TransportOptions) -> Bool {
    request.method == .get && request.body.isEmpty && options.responseDelivery == .collected
      && (options.cachePolicy ?? .standard) == .standard
      && options.idempotency != .notIdempotent
      && !request.headers.contains(.cacheControl) && !request.headers.contains(.pragma)
  }

  private func run(
    _ fetch: SharedFetch<SharedResponse>, _ request: HTTP.Request, _ options: TransportOptions,
    _ next: any TransportSession
  ) async {
    // Each caller's deadline ends only that caller's wait.
    var options = options
    options.expiry = nil
    do throws(TransportError) {
      let response = try await next.send(request, options: options)
      let head = response.head
      let isShared = !head.headers.contains(.setCookie)
      await fetch.deliver(response, isShared: isShared, upTo: maximumBodyLength) { body in
        fetch.end(.shared(SharedResponse(head: head, body: body)))
      }
    } catch {
      fetch.end(.failed(error))
    }
    // Ends all remaining waits if the exchange produced no result to share.
    fetch.end(.alone)
    fetches.remove(fetch)
  }
}

/// A gate that suspends the writer of a body while its reader requests a pause.
package final class BackPressureGate: Sendable {
  private struct State {
    var flow = TransportBody.Flow.resume
    var isEnded = false
    var waiting: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  package init() {}

  package func set(_ flow: TransportBody.Flow) {
    let waiting = state.withLock { state in
      state.flow = flow
      return flow == .resume ? state.waiting.take() : nil
    }
    waiting?.resume()
  }

  /// Opens the gate permanently because the body was released. A `pause` may still arrive and has no effect.
  package func end() {
    let waiting = state.withLock { state in
      state.isEnded = true
      return state.waiting.take()
    }
    waiting?.resume()
  }

  /// Suspends while the reader requests a pause. Returns immediately once the body was released.
  package func wait() async {
    await withCheckedContinuation { waiting in
      let isOpen = state.withLock { state in
        guard state.flow == .pause, !state.isEnded else { return true }
        state.waiting = waiting
        return false
      }
      if isOpen { waiting.resume() }
    }
  }
}
