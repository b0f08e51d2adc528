import AnvilBase
import AnvilHTTP
import AnvilTestSupport
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
      headers: [.accept: .applicationJSON], body: HTTP.Body("body"), cachePolicy: .maxStale, timeout: 7.5
    )
    request.responseDelivery = .streamed
    request.settings = .everythingSet
    request.acceptedStatuses = [.notModified]
    request.untyped.setTarget(.url(request.url), at: HTTP.Origin(other))
    configured = request.recovering { $1 }
  }

  @Test func theConfiguredRequestChangesEveryProperty() {
    let (plain, configured) = (StoredProperties(plain), StoredProperties(configured))
    #expect(configured.labels.count >= 23)
    #expect(configured.labels(sharedWith: plain) == [])
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
    #expect(changed(by: configured.usingHeaders(["B": "1"])) == ["headers"])
    #expect(changed(by: configured.addingHeaders(["B": "1"])) == ["headers"])
    #expect(changed(by: configured.recovering { $1 }) == ["recoveries"])
  }

  /// A mirror of a request contains only its untyped properties. `init(_:)`, which `map` and `mapError` use, copies the others: a reference
  /// to the untyped properties and three closures. If this test fails, it must copy the new property, too.
  @Test func aRequestConsistsOfItsUntypedPropertiesAndThreeClosures() {
    let (reference, closure) = (MemoryLayout<AnyObject>.size, MemoryLayout<() -> Void>.size)
    #expect(MemoryLayout<Request<User, APIError>>.size == reference + 3 * closure)
  }

  /// The settings of the transfer, and the properties of the options that the client sets itself.
  private func labels(of options: TransportOptions, sharedWith plain: TransportOptions) -> [String] {
    let own = [
      "box", "expiry", "reportsOutcome", "connection", "followUps", "headHandler", "history", "clock",
      "ownCookies", "proofs",
    ]
    let settings = StoredProperties(options.settings).labels(sharedWith: StoredProperties(plain.settings))
    let rest = StoredProperties(options).labels(sharedWith: StoredProperties(plain))
    return settings + rest.filter { !own.contains($0) }
  }

  @Test func everyPropertyReachesTheTransport() {
    #expect(labels(of: TransportOptions(configured.untyped), sharedWith: TransportOptions()) == [])
  }

  @Test func everySettingOfAGatewaysRequestReachesTheTransport() async throws {
    let asked = Mutex<[TransportOptions]>([])
    let session = OptionRecorder { options in asked.withLock { $0.append(options) } }
    let gateway = Gateway(baseURL: other, backend: BackendService(transportService: TransportService(session: session)))
    var request = gateway.request("users")
    request.settings = .everythingSet
    _ = try? await request.stream()
    let options = try #require(asked.withLock { $0.first })
    // Only a typed request accepts other statuses.
    #expect(labels(of: options, sharedWith: TransportOptions()) == ["acceptedStatuses"])
  }

  @Test func everySettingIsInheritedUnlessItIsSet() {
    let set = RequestSettings.everythingSet
    #expect(StoredProperties(set).labels(sharedWith: StoredProperties(RequestSettings())) == [])
    let inherited = RequestSettings().inheriting(from: set)
    #expect(StoredProperties(inherited).labels(differingFrom: StoredProperties(set)) == [])
    let own = set.inheriting(from: RequestSettings())
    #expect(StoredProperties(own).labels(differingFrom: StoredProperties(set)) == [])
  }

  @Test func ownSettingsTakePrecedence() {
    let calls = Log<String>()
    func settings(_ name: String) -> RequestSettings {
      let isOwn = name == "own"
      var settings = RequestSettings()
      settings.headers = isOwn ? ["A": "own", "B": "own"] : ["A": "base", "C": "base"]
      settings.timeout = .seconds(isOwn ? 1 : 2)
      settings.deadline = .seconds(isOwn ? 1 : 2)
      settings.idleTimeout = .seconds(isOwn ? 1 : 2)
      settings.sizeLimit = isOwn ? 1 : 2
      settings.idempotency = isOwn ? .byMethod : .idempotent
      settings.reconnects = isOwn ? .byMethod : .always
      settings.redirects = isOwn ? .manual : .error
      settings.insecureRedirects = isOwn ? .refused : .followed
      settings.sensitiveHeaders = isOwn ? ["A"] : ["C"]
      settings.crossOriginHeaders = isOwn ? ["B"] : ["D"]
      settings.cachePolicy = isOwn ? .reload : .maxStale
      settings.encodingFormat = isOwn ? PropertyListEncoder() : JSONEncoder()
      settings.decodingFormat = isOwn ? PropertyListDecoder() : JSONDecoder()
      settings.progressHandler = { _ in calls.note("progress of \(name)") }
      settings.eventHandler = { _ in calls.note("event of \(name)") }
      return settings
    }
    let settings = settings("own").inheriting(from: settings("base"))
    #expect(settings.headers == ["C": "base", "A": "own", "B": "own"])
    #expect(settings.timeout == .seconds(1) && settings.deadline == .seconds(1) && settings.sizeLimit == 1)
    #expect(settings.idleTimeout == .seconds(1))
    #expect(settings.idempotency == .byMethod && settings.reconnects == .byMethod)
    if case .manual = settings.redirects {} else { Issue.record("the redirects are inherited") }
    #expect(settings.insecureRedirects == .refused)
    // A field that is sensitive at one level is sensitive in the result.
    #expect(settings.sensitiveHeaders == ["A", "C"] && settings.crossOriginHeaders == ["B", "D"])
    #expect(settings.cachePolicy == .reload)
    #expect(settings.encodingFormat is PropertyListEncoder && settings.decodingFormat is PropertyListDecoder)
    settings.progressHandler?(TransferProgress(direction: .received, byteCount: 1, totalByteCount: nil))
    settings.eventHandler?(.authenticating(scheme: "basic"))
    #expect(calls.entries == ["progress of own", "event of own"])
  }

  /// A setting is one public declaration. It is stored, inherited and offered as a property in one file, and nowhere else.
  @Test func eachSettingIsDeclaredInOneFile() throws {
    let sources = Checkout.root.appending(path: "Sources/Client/AnvilClient")
    let names = Mirror(reflecting: RequestSettings()).children.compactMap(\.label)
    #expect(names.count >= 15)
    for folder in ["", "Request", "Gateway", "Transport", "Download"] {
      let folder = sources.appending(path: folder)
      let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      for file in files where file.pathExtension == "swift" && file.lastPathComponent != "RequestSettings.swift" {
        let text = try String(contentsOf: file, encoding: .utf8)
        // Other types have settings of the same name, such as the time limit of a download's options.
        let declared = names.filter { text.contains("public var \($0)") }
        #expect(declared == [], "\(file.lastPathComponent)")
      }
    }
    let text = try String(contentsOf: sources.appending(path: "Request/RequestSettings.swift"), encoding: .utf8)
    for name in names {
      #expect(text.ranges(of: "public var \(name):").count == 1, "\(name)")
    }
  }
}

extension RequestSettings {
  /// Settings with a value other than the default for every property.
  fileprivate static var everythingSet: RequestSettings {
    var settings = RequestSettings()
    settings.headers = ["A": "1"]
    settings.timeout = .seconds(7.5)
    settings.deadline = .seconds(3000)
    settings.idleTimeout = .seconds(30)
    settings.sizeLimit = 1_000
    settings.idempotency = .idempotent
    settings.reconnects = .always
    settings.redirects = .error
    settings.insecureRedirects = .followed
    settings.sensitiveHeaders = ["X-Tenant"]
    settings.crossOriginHeaders = ["X-Request-Source"]
    settings.cachePolicy = .maxStale
    settings.encodingFormat = PropertyListEncoder()
    settings.decodingFormat = PropertyListDecoder()
    settings.progressHandler = { _ in }
    settings.eventHandler = { _ in }
    return settings
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
    let properties = StoredProperties(request.untyped as Any).values.filter { $0.key != "settingsBox" }
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
