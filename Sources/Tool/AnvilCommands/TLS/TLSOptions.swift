/// The TLS options of a command that listens.
struct TLSOptions: Sendable {
  /// The file for the certificate of the authority, or `nil` for a temporary one.
  let authorityPath: String?

  /// Creates the options from `arguments`. Returns `nil` without `--tls`.
  ///
  /// - Throws: ``UsageError`` for `--authority` without a name or without `--tls`, and for `--tls` on a platform other than Linux.
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
  /// The paragraph about TLS in the help of commands.
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
