import AnvilClient
import AnvilCurl
import AnvilHTTP
import AnvilTesting
import Foundation
import Testing

/// Trust in servers and client certificates, against nginx.
@Suite(.timeLimit(.minutes(15)), .enabled(if: Nginx.shared != nil, "ANVIL_NGINX_URL is not set: scripts/with-nginx"))
struct CurlTLSTests {
  typealias TLS = CurlSession.Configuration.TLS

  let nginx: Nginx

  init() throws {
    nginx = try #require(Nginx.shared)
  }

  /// Returns the outcome of one request to nginx, at the URL with the key `name`.
  private func outcome(
    at name: String = "URL", _ change: (inout TLS) -> Void = { _ in }
  ) async throws -> Outcome {
    let url = try #require(nginx[name].flatMap(URL.init(string:)))
    let session = CurlSession(configuration: configured(nginx.configuration) { change(&$0.tls) })
    return await session.get(url)
  }

  private func file(_ name: String) throws -> URL { URL(filePath: try #require(nginx[name])) }

  private func contents(_ name: String) throws -> Data { try Data(contentsOf: file(name)) }

  // MARK: Trust

  @Test func trustsAnAuthorityFromAFile() async throws {
    let outcome = try await outcome()
    #expect(outcome.text == "nginx\n", "\(outcome)")
    #expect(outcome.metrics?.secured != nil)
  }

  @Test func trustsAnAuthorityFromMemory() async throws {
    let authority = try contents("CA")
    #expect(try await outcome { $0.trust = .authorities(.pem(authority)) }.text == "nginx\n")
  }

  @Test func trustsAnyOfSeveralAuthorities() async throws {
    let authorities = try contents("OTHER_CA") + contents("CA")
    #expect(try await outcome { $0.trust = .authorities(.pem(authorities)) }.text == "nginx\n")
  }

  @Test func rejectsCertificatesThatTheSystemDoesNotTrust() async throws {
    let outcome = try await outcome { $0.trust = .system }
    #expect(outcome.error?.code == .tlsFailure)
    #expect(outcome.reason.contains("certificate"), "\(outcome.reason)")
  }

  @Test(arguments: [true, false]) func rejectsCertificatesOfAnotherAuthority(fromFile: Bool) async throws {
    let source: TLS.Source = fromFile ? .file(try file("OTHER_CA")) : .pem(try contents("OTHER_CA"))
    let outcome = try await outcome { $0.trust = .authorities(source) }
    #expect(outcome.error?.code == .tlsFailure)
  }

  @Test func reportsAMissingAuthorityFile() async throws {
    let outcome = try await outcome { $0.trust = .authorities(.file(URL(filePath: "/no/such/ca.pem"))) }
    #expect(outcome.error?.code == .tlsFailure)
    #expect(outcome.reason.contains("/no/such/ca.pem"), "\(outcome.reason)")
  }

  @Test(arguments: ["", "no certificate", "-----BEGIN CERTIFICATE-----\n"])
  func rejectsInvalidAuthorities(text: String) async throws {
    let outcome = try await outcome { $0.trust = .authorities(.pem(Data(text.utf8))) }
    #expect(outcome.error?.code == .tlsFailure)
  }

  @Test(arguments: ["EXPIRED_URL", "WRONG_HOST_URL", "SELF_SIGNED_URL", "UNKNOWN_CA_URL"])
  func acceptsAnyCertificateOnDemand(name: String) async throws {
    let outcome = try await outcome(at: name) { $0.trust = .anyCertificate }
    #expect(outcome.error == nil && outcome.metrics?.secured != nil, "\(outcome)")
  }

  @Test func pinsApplyToAnyCertificate() async throws {
    let other = try #require(TLS.PinnedKey(sha256: Data(repeating: 1, count: 32).base64EncodedString()))
    let outcome = try await outcome {
      $0.trust = .anyCertificate
      $0.pinnedKeys = [other]
    }
    #expect(outcome.error?.code == .tlsFailure)
  }

  @Test(arguments: ["EXPIRED_URL", "WRONG_HOST_URL", "SELF_SIGNED_URL", "UNKNOWN_CA_URL"])
  func rejectsInvalidCertificates(server: String) async throws {
    let outcome = try await outcome(at: server)
    #expect(outcome.error?.code == .tlsFailure)
    #expect(outcome.error?.phase == .tls, "\(outcome)")
    #expect(!outcome.reason.isEmpty)
  }

  // MARK: Pins

  @Test func acceptsAPinnedKey() async throws {
    let pin = try #require(nginx["PUBLIC_KEY_PIN"]).replacing("sha256//", with: "")
    let other = Data(repeating: 7, count: 32).base64EncodedString()
    let keys = try [other, pin].map { try #require(TLS.PinnedKey(sha256: $0)) }
    #expect(try await outcome { $0.pinnedKeys = keys }.text == "nginx\n")
  }

  @Test func rejectsAKeyThatIsNotPinned() async throws {
    let key = try #require(TLS.PinnedKey(sha256: Data(repeating: 7, count: 32).base64EncodedString()))
    let outcome = try await outcome { $0.pinnedKeys = [key] }
    #expect(outcome.error?.code == .tlsFailure)
    #expect(outcome.reason.contains("pinned"), "\(outcome.reason)")
  }

  @Test(arguments: ["", "abc", "====", String(repeating: "A", count: 44), "sha256//"])
  func invalidPinsAreNil(text: String) {
    #expect(TLS.PinnedKey(sha256: text) == nil)
  }

  // MARK: Versions

  @Test func usesTLS12IfAllowed() async throws {
    #expect(try await outcome(at: "TLS12_URL").text == "nginx\n")
  }

  @Test func rejectsAServerWithAnOldTLSVersion() async throws {
    #expect(try await outcome(at: "TLS12_URL") { $0.minimumVersion = .tls13 }.error?.code == .tlsFailure)
    #expect(try await outcome { $0.minimumVersion = .tls13 }.text == "nginx\n")
    #expect(try await outcome(at: "TLS11_URL").error?.code == .tlsFailure)
  }

  @Test(arguments: ["URL", "TLS12_URL"]) func connectsRepeatedly(server: String) async throws {
    let url = try #require(nginx[server].flatMap(URL.init(string:)))
    let session = CurlSession(configuration: configured(nginx.configuration) { $0.httpVersion = .http1 })
    for _ in 0..<20 {
      let outcome = await session.exchange(HTTP.Request(url: url, headers: ["Connection": "close"]))
      #expect(outcome.text == "nginx\n", "\(outcome)")
      #expect(outcome.metrics?.isConnectionReused == false)
    }
  }

  // MARK: Client certificates

  private func shown(_ certificate: TLS.ClientCertificate) async throws -> Outcome {
    try await outcome(at: "CLIENT_CERTIFICATE_URL") { $0.clientCertificate = certificate }
  }

  @Test func serversRejectAMissingClientCertificate() async throws {
    #expect(try await outcome(at: "CLIENT_CERTIFICATE_URL").head?.code == 400)
  }

  @Test func sendsAClientCertificateFromFiles() async throws {
    let certificate = TLS.ClientCertificate(
      certificate: .file(try file("CLIENT_CERTIFICATE")), key: .file(try file("CLIENT_KEY")))
    let outcome = try await shown(certificate)
    #expect(outcome.head?.headers["Client-Subject"]?.rawValue == "CN=Anvil Client", "\(outcome)")
  }

  @Test func sendsAClientCertificateFromMemory() async throws {
    let certificate = TLS.ClientCertificate(
      certificate: .pem(try contents("CLIENT_CERTIFICATE")), key: .pem(try contents("CLIENT_KEY")))
    #expect(try await shown(certificate).head?.code == 200)
  }

  @Test(arguments: [true, false]) func decryptsTheClientsKey(fromFile: Bool) async throws {
    let key: TLS.Source =
      fromFile ? .file(try file("CLIENT_KEY_ENCRYPTED")) : .pem(try contents("CLIENT_KEY_ENCRYPTED"))
    let certificate = TLS.ClientCertificate(
      certificate: .pem(try contents("CLIENT_CERTIFICATE")), key: key,
      keyPassword: nginx["CLIENT_KEY_PASSWORD"])
    #expect(try await shown(certificate).head?.code == 200)
  }

  @Test(arguments: ["wrong", "", nil]) func reportsAKeyThatCannotBeDecrypted(password: String?) async throws {
    let certificate = TLS.ClientCertificate(
      certificate: .pem(try contents("CLIENT_CERTIFICATE")), key: .pem(try contents("CLIENT_KEY_ENCRYPTED")),
      keyPassword: password)
    let outcome = try await shown(certificate)
    #expect(outcome.error?.code == .tlsFailure)
    #expect(outcome.reason.contains("private key"), "\(outcome.reason)")
  }

  @Test func reportsAMissingClientCertificate() async throws {
    let nowhere = TLS.Source.file(URL(filePath: "/no/such/client.pem"))
    let missing = TLS.ClientCertificate(certificate: nowhere, key: .file(try file("CLIENT_KEY")))
    let outcome = try await shown(missing)
    #expect(outcome.error?.code == .tlsFailure)
    #expect(outcome.reason.contains("certificate"), "\(outcome.reason)")
    let keyless = TLS.ClientCertificate(certificate: .file(try file("CLIENT_CERTIFICATE")), key: nowhere)
    #expect(try await shown(keyless).error?.code == .tlsFailure)
  }

  @Test func rejectsAKeyOfAnotherCertificate() async throws {
    let certificate = TLS.ClientCertificate(
      certificate: .pem(try contents("CA")), key: .pem(try contents("CLIENT_KEY")))
    #expect(try await shown(certificate).error?.code == .tlsFailure)
  }
}

/// Sources of certificates that fail before a connection is made.
@Suite(.timeLimit(.minutes(15))) struct CurlTLSSourceTests {
  /// The path of the URL would be that of a local file.
  @Test func certificatesAreReadFromFileURLsOnly() async throws {
    let server = try LoopbackServer()
    let url = try #require(URL(string: "https://example.com/etc/ca.pem"))
    let changes: [(inout CurlSession.Configuration.TLS) -> Void] = [
      { $0.trust = .authorities(.file(url)) },
      { $0.clientCertificate = .init(certificate: .pem(Data()), key: .file(url)) },
    ]
    for change in changes {
      let outcome = await CurlSession(configuration: configured { change(&$0.tls) }).get(server.url("/"))
      #expect(outcome.error?.code == .tlsFailure, "\(outcome)")
      #expect(outcome.reason == "the file ca.pem cannot be read: its URL is not a file URL")
    }
    #expect(server.requests.isEmpty)
  }
}
