extension CommandOption {
  static let cache = flag("cache", nil, "store responses and reuse them")
  static let cacheStore = value(
    "store", nil, "FILE", completion: .files,
    "store responses in this SQLite database, which is created if needed; in memory by default; needs --cache")
  static let port = value("port", nil, "N", "listen on port N of 127.0.0.1; a free port by default")
  static let recordFile = value(
    "record", nil, "FILE", completion: .files,
    "record the exchanges as an HTTP archive for anvil serve and anvil har --follow, with secrets as <redacted>; bodies "
      + "are requested without compression")
  static let origin = value("origin", nil, "URL", "send every request to this server; a scheme is not needed: :8080")
  static let logsExchanges = flag(
    "verbose", "v", "print a line about each exchange to standard error, with secrets as <redacted>")
}

extension CommandEntry {
  static let proxy = CommandEntry(
    name: "proxy", operands: "", summary: "forward HTTP requests on the loopback interface, with a cache",
    discussion: [
      "Forwards HTTP requests from a port of the loopback interface, either to the server named in each request (HTTP "
        + "proxy) or all to one server (reverse proxy). CONNECT is refused, also with --tls, so clients cannot request "
        + "https URLs through the HTTP proxy; --origin can be an https URL. Redirects are not followed but passed on. "
        + "Request bodies have at most 64 MiB; response bodies have no limit. With --origin, requests whose Host is "
        + "neither of the loopback interface nor that of the server are rejected with 421. TRACE and OPTIONS with "
        + "Max-Forwards: 0 are answered by the proxy.",
      "With --cache, stored responses are reused where RFC 9111 allows it for the private cache of one user. A request "
        + "that cannot be forwarded is answered with 502, or with 504 after a timeout, and with the reason in one line. "
        + "The command ends on SIGINT and SIGTERM.",
      "The first line on standard output is the address: listening on http://127.0.0.1:PORT",
      TLSOptions.discussion + " The server's certificate is for localhost, 127.0.0.1 and ::1.",
    ],
    groups: [
      OptionGroup(
        "Options",
        [.cache, .cacheStore, .port, .tls, .authorityFile, .origin, .recordFile, .logsExchanges, .secretPath])
    ],
    exitStatuses: [
      ExitStatusHelp(.success, "the command was ended by SIGINT or SIGTERM"),
      ExitStatusHelp(.transport, "the command could not listen: the port is in use or not permitted"),
      ExitStatusHelp(.store, "store: the database cannot be opened, or belongs to another program"), .usage,
      ExitStatusHelp(.inputOutput, "output: the recording or the certificate cannot be written (EX_IOERR)"),
    ]
  ) { arguments, console throws(UsageError) in
    await ProxyCommand(options: try ProxyOptions(arguments), console: console).run()
  }
}
