internal import AnvilClient
internal import AnvilHTTP
internal import AnvilServer
internal import Foundation

struct Listener {
  enum Use {
    case server
    case proxy
  }

  let server: LoopbackServer
  private let authority: AuthorityFile?

  /// Starts the server, on any port for 0. With TLS, the certificate is for `hosts` and the loopback interface, and that of its authority
  /// is written to a file.
  init(port: UInt16, tls: TLSOptions?, hosts: [String] = []) throws(CommandError) {
    do {
      #if os(Linux)
      if let tls {
        let certificates = try CertificateAuthority()
        server = try LoopbackServer(address: .ipv4, port: port, security: try certificates.security(for: hosts))
        authority = try AuthorityFile(certificates.certificate, at: tls.authorityPath)
        return
      }
      #endif
      server = try LoopbackServer(port: port)
      authority = nil
    } catch let error as LoopbackServer.StartError {
      throw CommandError("cannot listen on port \(port): \(error)", status: .transport)
    } catch {
      #if os(Linux)
      if error is OpenSSLError {
        throw CommandError("the certificate cannot be created: \(error)", status: .transport)
      }
      #endif
      let file = tls?.authorityPath ?? FileManager.default.temporaryDirectory.path(percentEncoded: false)
      throw CommandError(
        "\(file) cannot be written: \(OutputFile.words(for: error, of: tls?.authorityPath))", status: .inputOutput)
    }
  }

  /// Prints the address. With TLS, also prints the name of the certificate file that clients must trust, and an example.
  func announce(on console: Console, for use: Use) {
    console.write("listening on \(server.url.absoluteString)\n")
    guard let file = authority?.path.quotedForShell else { return }
    let url = "https://localhost:\(server.port)"
    let example =
      switch use {
      case .server: "curl --cacert \(file) \(url)/"
      case .proxy: "curl -x \(url) --proxy-cacert \(file) http://example.com/"
      }
    console.write("trust \(file), for example:\n")
    console.write("\(example)\n")
  }

  /// Stops the server, waits until all of its threads have ended, and removes the file of the authority if it is temporary.
  func stopped() async {
    await server.stopped()
    authority?.remove()
  }
}

extension LoopbackServer.Request {
  /// Returns whether `Host` is a name of the loopback interface or one of `hosts`, in lower case and without brackets.
  ///
  /// Requests for other hosts must be rejected: a page of another site could otherwise read the responses, under a host name that it makes
  /// resolve to the loopback interface.
  func isForLoopback(or hosts: [String]) -> Bool {
    guard let field = headers[.host]?.rawValue, let url = URL(string: "http://\(field)"), url.user == nil,
      url.path().isEmpty, let host = HTTP.Origin(url)?.host
    else { return false }
    return ["127.0.0.1", "localhost", "::1"].contains(host) || hosts.contains(host)
  }
}

extension LoopbackServer.Reply {
  static let unknownHost = LoopbackServer.Reply.text(
    "anvil: unknown host\n", status: .clientError(.misdirectedRequest))
}

/// The file with the certificate of an authority, for clients that must trust it.
struct AuthorityFile {
  let path: String
  private let isTemporary: Bool

  /// Creates the file `path`, or a temporary one, with the text `certificate`. Every user may read it, because it contains no key.
  ///
  /// - Throws: The errors of writing, and ``NotRegular`` for a folder or a device.
  init(_ certificate: String, at path: String?) throws {
    isTemporary = path == nil
    let file: URL
    if let path {
      self.path = path
      // Replacing a device would turn it into a regular file.
      file = URL(filePath: path).resolvingSymlinksInPath()
      let type = try? FileManager.default.attributesOfItem(atPath: file.path(percentEncoded: false))[.type]
      if let type = type as? FileAttributeType, type != .typeRegular { throw NotRegular() }
    } else {
      // The name is short so that a command with it is readable on a terminal.
      let number = String(UInt32.random(in: .min ... .max), radix: 36)
      file = FileManager.default.temporaryDirectory.appending(path: "anvil-\(number).pem")
      self.path = file.path(percentEncoded: false)
    }
    try Data(certificate.utf8).write(to: file, options: isTemporary ? .withoutOverwriting : .atomic)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o644], ofItemAtPath: file.path(percentEncoded: false))
  }

  func remove() {
    if isTemporary { try? FileManager.default.removeItem(atPath: path) }
  }

  struct NotRegular: LocalizedError {
    var errorDescription: String? { "it exists and is not a regular file" }
  }
}

struct TLSOptions: Sendable {
  /// The file for the certificate of the authority, or `nil` for a temporary one.
  let authorityPath: String?

  /// Returns `nil` without `--tls`.
  init?(_ arguments: ArgumentParser) throws(CommandError) {
    authorityPath = try arguments.file(of: .authorityFile)
    guard arguments.contains(.tls) else {
      if authorityPath != nil { throw CommandError("--authority needs --tls") }
      return nil
    }
    #if !os(Linux)
    throw CommandError("--tls is available only on Linux")
    #endif
  }
}

extension TLSOptions {
  static let discussion =
    "With --tls (only on Linux) the address begins with https. The second line names the file with the certificate that "
    + "clients must trust: the certificate of an authority that is created for each run. The private key of the "
    + "authority is never written to a file."
}

extension CommandOption {
  static let tls = flag(
    "tls", nil,
    "listen with TLS 1.2 or 1.3, with a certificate from an authority that is created for each run")
  static let authorityFile = value(
    "authority", nil, "FILE", completion: .files,
    "write the certificate of the authority to FILE (PEM); to a temporary file by default; needs --tls")
}
