extension CommandOption {
  static let strictReplay = flag(
    "strict", nil, "use each exchange once, in order, for requests that are equal in method, path, query and body")
  static let latency = value(
    "latency", nil, "SECONDS", completion: .choices(["recorded"]),
    "wait SECONDS, such as 0.2, before each reply; recorded: as long as the exchange took")
  static let faults = value(
    "faults", nil, "LIST",
    "reply with faults: NAME, or NAME/N for every Nth request, separated by commas: "
      + "503/3,reset-in-body/10; the first that applies counts")
  static let recordedOrigin = value(
    "origin", nil, "URL", "answer only from exchanges whose URL begins with URL; from all by default")
}

extension CommandEntry {
  static let serve = CommandEntry(
    name: "serve", operands: "FILE", operandCompletion: .files,
    summary: "answer requests from a recording, with faults on demand",
    discussion: [
      "Answers HTTP requests that arrive at a port of the loopback interface from a recording: an HTTP archive (HAR) of "
        + "anvil proxy --record, anvil get --har or a browser, or a cassette of CassetteSession. The server of the "
        + "recorded URLs does not matter; redirects to it lead back to this one. FILE is - for standard input.",
      "By default a request is answered by the exchange with the same method, path and query items, whatever their "
        + "order; of several by the one with the same body, in order, and then again and again by the last. Secrets are "
        + "left out of the comparison as they are left out of recordings. A request that was not recorded is answered "
        + "by 404 and printed to standard error. It ends on SIGINT and SIGTERM.",
      "The first line on standard output is the address: listening on http://127.0.0.1:PORT",
      TLSOptions.discussion + " The server's certificate is for localhost, 127.0.0.1, ::1 and the recorded hosts.",
    ],
    groups: [
      OptionGroup(
        "Options", [.strictReplay, .latency, .faults, .recordedOrigin, .port, .tls, .authorityFile, .logsExchanges])
    ],
    sections: [
      HelpSection(
        title: "Faults",
        blocks: [.paragraph("A status from 400 to 599, or one of \(ServeFault.names.joined(separator: ", ")).")])
    ],
    exitStatuses: [
      ExitStatusHelp(.success, "it was told to end"),
      ExitStatusHelp(.departure, "with --strict: a request was not recorded, or an exchange not requested"),
      ExitStatusHelp(.transport, "it could not listen: the port is taken, or not allowed"),
      ExitStatusHelp(.decoding, "decoding: FILE is neither an HTTP archive nor a cassette"), .usage, .inputOutput,
    ]
  ) { arguments, console throws(UsageError) in
    await ServeCommand(options: try ServeOptions(arguments), console: console).run()
  }
}
