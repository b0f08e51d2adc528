/// The options for credentials, which all commands that send requests have.
extension CommandOption {
  static let user = value(
    "user", "u", "NAME:PASSWORD", "answer the server's challenge, by Digest if it offers it, otherwise by Basic")
  static let bearer = value("bearer", nil, "TOKEN", "send a bearer token")
  static let userFile = value(
    "user-file", nil, "FILE", completion: .files, "read NAME:PASSWORD from FILE, or from standard input for -")
  static let bearerFile = value(
    "bearer-file", nil, "FILE", completion: .files, "read the token from FILE, or from standard input for -")
  static let netrc = flag("netrc", nil, "take user and password from ~/.netrc, or the file that NETRC names")
  static let netrcFile = value(
    "netrc-file", nil, "FILE", completion: .files, "take user and password from FILE, in the format of netrc")

  /// The options for credentials. At most one of them may be given.
  static let credentials = [user, bearer, userFile, bearerFile, netrc, netrcFile]
}

/// The options of requests that several commands have.
extension CommandOption {
  static let header = values(
    "header", "H", "'NAME: VALUE'", "add a header, which is sent to no other server; may be repeated")
  static let follow = flag(
    "follow", "L", "follow redirects; headers of --header and credentials are not sent to another server")
  static let retries = value(
    "retries", nil, "N",
    "send again up to N times after a 408, 425, 429, 5xx or a lost connection, after pauses and as Retry-After says")
  static let timeout = value(
    "timeout", nil, "SECONDS", "give up on a request after SECONDS, such as 2.5; 60 by default")
}

extension HelpSection {
  static let credentials = HelpSection(
    title: "Credentials",
    blocks: [
      .paragraph(
        "Every user of a machine can read the arguments of its commands. Files, standard input, and the variables "
          + "ANVIL_USER (NAME:PASSWORD) and ANVIL_BEARER, which are used if no option names credentials, are private. "
          + "Credentials are sent to the server of the URL and to no other.")
    ])
}
