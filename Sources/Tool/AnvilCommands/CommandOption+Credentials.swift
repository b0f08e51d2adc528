internal import AnvilHTTP

extension CommandOption {
  static let user = value(
    "user", "u", "NAME:PASSWORD", "answer the server's challenge with Digest if it is offered, otherwise with Basic")
  static let bearer = value("bearer", nil, "TOKEN", "send a bearer token")
  static let userFile = value(
    "user-file", nil, "FILE", completion: .files, "read NAME:PASSWORD from FILE, or from standard input for -")
  static let bearerFile = value(
    "bearer-file", nil, "FILE", completion: .files, "read the token from FILE, or from standard input for -")
  static let netrc = flag("netrc", nil, "read user and password from ~/.netrc, or from the file that NETRC names")
  static let netrcFile = value(
    "netrc-file", nil, "FILE", completion: .files, "read user and password from FILE, in the format of netrc")

  /// The options for credentials. At most one of them may be given.
  static let credentials = [user, bearer, userFile, bearerFile, netrc, netrcFile]
}

extension CommandOption {
  static let header = values(
    "header", "H", "'NAME: VALUE'",
    "add a header field, which is not sent to another server after a redirect, except with the body that it describes; "
      + "'NAME:' removes a field that is sent by default, 'NAME;' sends an empty one; may be repeated")
  static let secretPath = values(
    "secret-path", nil, "PATTERN",
    "print and record the parts of URL paths that PATTERN has in braces as <redacted>, like other secrets: /bot{token}, or "
      + "hooks.example.com/services/*/{key}; may be repeated")
  static let follow = flag(
    "follow", "L", "follow redirects; --header fields and credentials are not sent to another server")
  static let retries = value(
    "retries", nil, "N",
    "repeat the request up to N times after a 408, 425, 429, 500, 502 to 504, 520 to 524, 529 or lost connection, with backoff or after Retry-After"
  )
  static let timeout = value(
    "timeout", nil, "SECONDS", "give up on a request after SECONDS, such as 2.5; 60 by default")
}

extension HelpSection {
  static let credentials = HelpSection(
    title: "Credentials",
    blocks: [
      .paragraph(
        "Other users of the machine can read the arguments of a command. To keep credentials private, use files, "
          + "standard input, or the variables ANVIL_USER (NAME:PASSWORD) and ANVIL_BEARER. The variables are used if "
          + "no option names credentials. Credentials are sent only to the server of the URL.")
    ])
}

extension HTTP.Redaction {
  /// Hides the secrets in paths that the command line describes, in the whole process.
  ///
  /// - Throws: ``CommandError`` for a pattern that hides nothing.
  static func hideSecretPaths(_ arguments: ArgumentParser) throws(CommandError) {
    var patterns: [SecretPath] = []
    for text in arguments.values(of: .secretPath) {
      guard text.contains(/\/.*\{[^\/]*\}/) else {
        throw CommandError(
          "--secret-path \(text.quotedExcerpt) is not a path with a secret in braces, such as /bot{token}")
      }
      patterns.append(SecretPath(text))
    }
    // Without the option, patterns of a program that contains the tool stay.
    if !patterns.isEmpty { secretPaths = patterns }
  }
}
