import AnvilHTTP
import AnvilModel
import AnvilTesting
import Foundation
import Synchronization
import Testing

@testable import AnvilClient

/// No change of a request loses a property. The properties are found by reflection.
@Suite(.timeLimit(.minutes(15))) struct RequestPropertyTests {
  private let configured: Request<User, APIError>
  private let plain: Request<User, APIError>
  private let other: URL

  init() throws {
    plain = Request(url: try #require(URL(string: "https://api.example.com")))
    other = try #require(URL(string: "https://example.com/other"))
    var request = Request<User, APIError>(
      method: .put, url: try #require(URL(string: "https://api.example.com/users/1")),
      headers: [.accept: .applicationJSON], body: HTTP.Body("body"), cachePolicy: .returnCacheDataElseLoad, timeout: 7.5
    )
    request.responseDelivery = .streamed
    request.progressHandler = { _ in }
    request.eventHandler = { _ in }
    request.policy = .everythingSet
    request.maxRecoveryAttempts = 9
    request.recoveryAttemptCount = 2
    request.recoveryTransformer = { $0.response.map(TransportSuccess.init) }
    request.untyped.settings.encodingFormat = PropertyListEncoder()
    request.untyped.settings.decodingFormat = PropertyListDecoder()
    request.untyped.setTarget(.url(request.url), at: HTTP.Origin(other))
    request.untyped.lastFailure = TransportFailure(code: .noConnection, request: request.httpRequest)
    configured = request
  }

  @Test func theConfiguredRequestChangesEveryProperty() {
    let (plain, configured) = (StoredProperties(plain), StoredProperties(configured))
    #expect(configured.labels.count >= 17)
    // The defaults are shared by all requests that are created at the same time.
    #expect(configured.labels(sharedWith: plain) == ["defaults"])
  }

  @Test func mapKeepsEveryProperty() {
    let mapped = configured.map(\.login)
    #expect(StoredProperties(mapped).labels(differingFrom: StoredProperties(configured)) == [])
  }

  @Test func mapErrorKeepsEveryProperty() {
    let mapped = configured.mapError { AnyError($0) }
    #expect(StoredProperties(mapped).labels(differingFrom: StoredProperties(configured)) == [])
  }

  @Test func changesKeepEveryOtherProperty() {
    func changed(by request: Request<User, APIError>) -> [String] {
      StoredProperties(request).labels(differingFrom: StoredProperties(configured))
    }
    #expect(changed(by: configured.usingURL(other)) == ["isAtHome", "target"])
    #expect(changed(by: configured.usingBody(.empty)) == ["body"])
    #expect(changed(by: configured.usingHeaders(["A": "1"])) == ["headers"])
    #expect(changed(by: configured.addingHeaders(["A": "1"])) == ["headers"])
    #expect(configured.updatedForNextAttempt().map(changed(by:)) == ["recoveryAttemptCount"])
  }

  /// A mirror of a request contains only its untyped properties. `init(_:)`, which `map` and `mapError` use, copies the others: a reference
  /// to the untyped properties and three closures. If this test fails, it must copy the new property, too.
  @Test func aRequestConsistsOfItsUntypedPropertiesAndThreeClosures() {
    let (reference, closure) = (MemoryLayout<AnyObject>.size, MemoryLayout<() -> Void>.size)
    #expect(MemoryLayout<Request<User, APIError>>.size == reference + 3 * closure)
  }

  @Test func everyPropertyReachesTheTransport() {
    let plain = StoredProperties(TransportOptions(timeout: .seconds(60)))
    // The settings that the client makes itself.
    let own = ["deadline", "reportsOutcome", "connection", "followUps", "headHandler", "history"]
    let options = StoredProperties(configured.transportOptions)
    #expect(options.labels(sharedWith: plain).filter { !own.contains($0) } == [])
  }

  @Test func everyPropertyOfAGatewaysRequestReachesTheTransport() async throws {
    let asked = Mutex<[TransportOptions]>([])
    let session = OptionRecorder { options in asked.withLock { $0.append(options) } }
    let backend = BackendService(transportService: TransportService(session: session))
    let gateway = Gateway(baseURL: other, backend: backend)
    var request = gateway.request("users")
    request.cachePolicy = .returnCacheDataElseLoad
    request.timeout = 7.5
    request.progressHandler = { _ in }
    request.eventHandler = { _ in }
    request.policy = .everythingSet
    _ = try? await request.stream()
    let options = try #require(asked.withLock { $0.first })
    let plain = StoredProperties(TransportOptions(timeout: .seconds(60)))
    #expect(
      StoredProperties(options).labels(sharedWith: plain) == ["connection", "followUps", "headHandler", "history"])
  }

  @Test func everySettingIsInheritedUnlessItIsSet() {
    let set = configured.untyped.settings
    let inherited = RequestSettings().inheriting(from: set)
    #expect(StoredProperties(inherited).labels(differingFrom: StoredProperties(set)) == [])
    let own = set.inheriting(from: RequestSettings())
    #expect(StoredProperties(own).labels(differingFrom: StoredProperties(set)) == [])
  }

  @Test func ownSettingsTakePrecedence() {
    let calls = Log<String>()
    func settings(
      _ name: String, attempts: Int, _ encoding: any EncodingFormat, _ decoding: any DecodingFormat
    ) -> RequestSettings {
      var settings = RequestSettings()
      settings.cachePolicy = attempts == 1 ? .reloadIgnoringLocalCacheData : .returnCacheDataElseLoad
      settings.timeout = Double(attempts)
      settings.maxRecoveryAttempts = .some(attempts)
      settings.encodingFormat = encoding
      settings.decodingFormat = decoding
      settings.progressHandler = { _ in calls.note("progress of \(name)") }
      settings.eventHandler = { _ in calls.note("event of \(name)") }
      return settings
    }
    let own = settings("own", attempts: 1, PropertyListEncoder(), PropertyListDecoder())
    let base = settings("base", attempts: 2, JSONEncoder(), JSONDecoder())
    for (settings, attempts, name) in [(own.inheriting(from: base), 1, "own"), (base.inheriting(from: own), 2, "base")]
    {
      let cachePolicy: CachePolicy = attempts == 1 ? .reloadIgnoringLocalCacheData : .returnCacheDataElseLoad
      #expect(settings.cachePolicy == cachePolicy)
      #expect(settings.timeout == Double(attempts) && settings.maxRecoveryAttempts == .some(attempts))
      #expect((settings.encodingFormat is PropertyListEncoder) == (attempts == 1))
      #expect((settings.decodingFormat is PropertyListDecoder) == (attempts == 1))
      settings.progressHandler?(TransferProgress(direction: .received, byteCount: 1, totalByteCount: nil))
      settings.eventHandler?(.authenticating(scheme: "basic"))
      #expect(calls.entries.suffix(2) == ["progress of \(name)", "event of \(name)"])
    }
  }

  @Test func everyPropertyOfAPolicyIsInheritedUnlessItIsSet() {
    let (plain, set) = (StoredProperties(RequestPolicy().values), StoredProperties(RequestPolicy.everythingSet.values))
    #expect(set.labels(sharedWith: plain) == [])
    let inherited = StoredProperties(RequestPolicy().inheriting(from: .everythingSet).values)
    #expect(inherited.labels(differingFrom: set) == [])
    let own = StoredProperties(RequestPolicy.everythingSet.inheriting(from: RequestPolicy()).values)
    #expect(own.labels(differingFrom: set) == [])
  }

  @Test func aPolicysOwnPropertiesTakePrecedence() {
    var own = RequestPolicy()
    own.idempotency = .byMethod
    own.deadline = .seconds(9)
    own.maximumCollectedSize = 256 << 20
    own.sensitiveHeaders = ["B"]
    own.crossOriginHeaders = ["C"]
    own.redirects = .manual
    let policy = own.inheriting(from: .everythingSet)
    #expect(policy.idempotency == .byMethod && policy.deadline == .seconds(9))
    #expect(policy.maximumCollectedSize == 256 << 20)
    // A field that is sensitive in either policy is sensitive in the result.
    #expect(policy.sensitiveHeaders.isSuperset(of: ["B", "X-Tenant"]))
    #expect(policy.crossOriginHeaders == ["C", "X-Request-Source"])
    if case .manual = policy.redirects {} else { Issue.record("the redirects are inherited") }
  }
}

extension RequestPolicy {
  /// A policy with a value other than the default for every property.
  fileprivate static var everythingSet: RequestPolicy {
    var policy = RequestPolicy()
    policy.idempotency = .idempotent
    policy.reconnects = .always
    policy.deadline = .seconds(3000)
    policy.maximumCollectedSize = 1_000
    policy.sensitiveHeaders = ["X-Tenant"]
    policy.crossOriginHeaders = ["X-Request-Source"]
    policy.redirects = .error
    return policy
  }
}

/// A session that gives no responses and records the options of its requests.
private struct OptionRecorder: TransportSession {
  let record: @Sendable (TransportOptions) -> Void

  func send(_ request: HTTP.Request, options: TransportOptions) async throws(TransportError) -> TransportResponse {
    record(options)
    throw TransportError(code: .noConnection)
  }
}

/// The stored properties of a value that do not depend on the types of a request.
private struct StoredProperties {
  private let values: [String: Any]

  init(_ value: Any) {
    let children = Mirror(reflecting: value).children.compactMap { child in child.label.map { ($0, child.value) } }
    values = Dictionary(children) { $1 }
  }

  /// Creates the properties that do not depend on the request's types, with the settings one by one. The others are arguments of
  /// the only initialiser that changes types, and the request's own mirror shows no secrets.
  init<Response, Failure>(_ request: Request<Response, Failure>) {
    let properties = StoredProperties(request.untyped as Any).values.filter { $0.key != "_settings" }
    values = properties.merging(StoredProperties(request.untyped.settings as Any).values) { $1 }
  }

  var labels: [String] { values.keys.sorted() }

  func labels(sharedWith other: StoredProperties) -> [String] { labels.filter { isSame($0, in: other) } }

  func labels(differingFrom other: StoredProperties) -> [String] {
    Set(labels).union(other.labels).sorted().filter { !isSame($0, in: other) }
  }

  /// Functions are equal if both are set.
  private func isSame(_ label: String, in other: StoredProperties) -> Bool {
    guard let own = values[label], let others = other.values[label] else { return false }
    if let own = own as? any Equatable { return own.isSame(as: others) }
    return text(own) == text(others)
  }

  private func text(_ value: Any) -> String {
    var text = ""
    dump(value, to: &text)
    return text
  }
}

extension Equatable {
  fileprivate func isSame(as other: Any) -> Bool { self == other as? Self }
}
