/// The options with which a command listens with TLS.
struct TLSOptions: Sendable {
  /// The file for the certificate of the authority, or `nil` for a temporary one.
  let authorityPath: String?

  /// Creates the options from `arguments`. Returns `nil` without `--tls`.
  ///
  /// - Throws: ``UsageError`` for options that cannot be used, or not together.
  init?(_ arguments: ArgumentParser) throws(UsageError) {
    authorityPath = arguments.value(of: .authorityFile)
    if authorityPath == "" { throw UsageError("--authority needs the name of a file") }
    guard arguments.contains(.tls) else {
      if authorityPath != nil { throw UsageError("--authority needs --tls") }
      return nil
    }
    #if !os(Linux)
    throw UsageError("--tls is available only on Linux")
    #endif
  }
}

extension TLSOptions {
  /// The paragraph of help.
  static let discussion =
    "With --tls (only on Linux) the address begins with https. The second line names a file with the certificate to trust: "
    + "that of an authority that is made for each run, and whose key is never in a file."
}

extension CommandOption {
  static let tls = flag(
    "tls", nil,
    "listen with TLS 1.2 and 1.3, with a certificate of an authority that exists only while the command runs")
  static let authorityFile = value(
    "authority", nil, "FILE", completion: .files,
    "write the certificate of the authority to FILE (PEM); to a temporary file by default; needs --tls")
}
