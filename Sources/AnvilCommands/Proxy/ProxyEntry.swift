extension CommandOption {
  static let cache = flag("cache", nil, "store responses and reuse them")
  static let cacheStore = value(
    "store", nil, "FILE", completion: .files,
    "keep them in this SQLite database, which is created if needed; in memory by default; needs --cache")
  static let port = value("port", nil, "N", "listen on port N of 127.0.0.1; a free one by default")
  static let recordFile = value(
    "record", nil, "FILE", completion: .files,
    "record the exchanges as an HTTP archive, which anvil serve answers from and anvil har --follow shows; secrets as "
      + "<redacted>; bodies are requested without compression")
  static let origin = value("origin", nil, "URL", "send every request to this server")
  static let logsExchanges = flag(
    "verbose", "v", "print a line about each exchange to standard error; secrets as <redacted>")
}

extension CommandEntry {
  static let proxy = CommandEntry(
    name: "proxy", operands: "", summary: "forward HTTP requests on the loopback interface, with a cache",
    discussion: [
      "Forwards HTTP requests that arrive at a port of the loopback interface: to the server that each names, as an "
        + "HTTP proxy, or all to one, as a reverse proxy. Redirects are passed on. Tunnels (CONNECT), and with them "
        + "https through the proxy, are refused; an https origin is not. Bodies of requests have at most 64 MiB, those "
        + "of responses any length.",
      "With --cache it answers from stored responses where RFC 9111 allows it, as the private cache of one user. What "
        + "cannot be forwarded is answered by 502, or 504 after a timeout, with a line that says why. It ends on "
        + "SIGINT and SIGTERM.",
      "The first line on standard output is the address: listening on http://127.0.0.1:PORT",
      TLSOptions.discussion + " The server's certificate is for localhost, 127.0.0.1 and ::1.",
    ],
    groups: [
      OptionGroup("Options", [.cache, .cacheStore, .port, .tls, .authorityFile, .origin, .recordFile, .logsExchanges])
    ],
    exitStatuses: [
      ExitStatusHelp(.success, "it was told to end"),
      ExitStatusHelp(.transport, "it could not listen: the port is taken, or not allowed"),
      ExitStatusHelp(.store, "store: the database cannot be opened, or is another program's"), .usage,
      ExitStatusHelp(.inputOutput, "output: the recording or the certificate cannot be written (EX_IOERR)"),
    ]
  ) { arguments, console throws(UsageError) in
    await ProxyCommand(options: try ProxyOptions(arguments), console: console).run()
  }
}
