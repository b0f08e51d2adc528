extension CommandOption {
  static let database = value(
    "into", nil, "FILE|URL", completion: .files,
    "the database, instead of the one in FILE: a SQLite file, which is created if needed, or postgres://…")
  static let workers = value("workers", nil, "N", "pull up to N listings at the same time; 4 by default")
  static let lease = value(
    "lease", nil, "SECONDS",
    "share the partitions of the listings with other processes that pull FILE, also on other machines: a partition is "
      + "claimed for SECONDS, and the claim is renewed while the partition is pulled; if a process dies, others continue "
      + "it. The processes share \"rate_limit\", and all wait when the server answers 429 to one of them")
  static let watch = flag(
    "watch", nil,
    "run again after the \"interval\" of FILE, 60 seconds by default, until SIGINT or SIGTERM, or until a listing cannot be "
      + "pulled as FILE describes it; the exit status is that of the last run that was not interrupted")
  static let fresh = flag(
    "fresh", nil,
    "remove the stored positions first, so that everything is listed again; columns that the table has lost are added")
  static let pullSchema = flag("schema", nil, "print the JSON Schema of FILE")
}

extension CommandEntry {
  static let pull = CommandEntry(
    name: "pull", operands: "FILE", operandCompletion: .files,
    firstOperandCompletion: .choicesOrFiles(["status"]),
    summary: "keep a database up to date with the listings of an API",
    synopses: ["pull FILE [options]", "pull status FILE [options]"],
    discussion: [
      "Stores the listings of an API in a database and keeps them up to date. FILE describes the listings: the URL, the "
        + "paths, the tables, the keys of the rows, the pagination. Each page is stored in one transaction with the "
        + "position after it, so that an interrupted run continues where it stopped. Columns are created for the members "
        + "of the rows. A row that cannot be stored is skipped and reported.",
      "Prints a line for each listing when it ends: the pages, and the rows inserted, updated, unchanged, deleted and "
        + "skipped. On a terminal, each running listing has a line with the same numbers so far. A failed listing does "
        + "not end the others. With status, the stored positions are printed instead, and no request is sent.",
    ],
    groups: [
      OptionGroup("Options", [.database, .workers, .lease, .watch, .fresh, .pullSchema]),
      OptionGroup("Credentials", CommandOption.credentials + [.secretPath]),
    ],
    sections: [
      HelpSection(
        title: "Example",
        blocks: [
          .paragraph("ANVIL_USER and ANVIL_BEARER are used if no option names credentials. The smallest FILE:"),
          .verbatim([
            #"{"base_url": "https://api.example.com/v1", "into": "members.db","#,
            #" "listings": [{"name": "members", "path": "members","#,
            #"               "table": "Member", "keys": ["id"]}]}"#,
          ]),
        ])
    ],
    exitStatuses: [
      ExitStatusHelp(.success, "success; some rows may have been skipped"), .transport, .status,
      ExitStatusHelp(
        .decoding,
        "decoding: a page is not JSON, has no list, or its pagination or cursor is invalid; a page or a row does not fit a path "
          + "of FILE; or all rows of a listing were skipped"
      ),
      ExitStatusHelp(.store, "store: the database cannot be opened or written, or another run stored a page first"),
      ExitStatusHelp(.usage, "usage: the command line or FILE is invalid (EX_USAGE of sysexits.h)"),
      ExitStatusHelp(.inputOutput, "input: FILE cannot be read (EX_IOERR)"),
    ]
  ) { arguments, console throws(UsageError) in
    if arguments.contains(.pullSchema) {
      console.write(PullFileSchema.text + "\n")
      return .success
    }
    let credentials = try CredentialOptions(arguments, console: console)
    return await PullCommand(options: try PullOptions(arguments, credentials: credentials), console: console).run()
  }
}
