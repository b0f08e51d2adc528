internal import AnvilHTTP

/// The commands that send one request: one for each method, with the same options.
enum RequestEntries {
  static let all = [
    entry("get", .get, "send a GET request and print the response's body, or a part of it"),
    entry("post", .post, "send a POST request"),
    entry("put", .put, "send a PUT request"),
    entry("patch", .patch, "send a PATCH request"),
    entry("delete", .delete, "send a DELETE request"),
    entry("head", .head, "send a HEAD request and print the response's head"),
  ]

  /// The options of all of them.
  static let options = groups.flatMap(\.options) + [.help]

  private static func entry(_ name: String, _ method: HTTP.Method, _ summary: String) -> CommandEntry {
    CommandEntry(
      name: name, operands: "URL", summary: summary, reference: name == "get" ? nil : "get",
      discussion: discussion, groups: groups, sections: sections, exitStatuses: exitStatuses
    ) { arguments, console throws(UsageError) in
      let credentials = try CredentialOptions(arguments, console: console)
      let options = try GetOptions(arguments, method: method, credentials: credentials)
      return await GetCommand(options: options, console: console).run()
    }
  }

  private static let discussion = [
    "Sends an HTTP request and prints the response's body to standard output: JSON indented on a terminal, the exact "
      + "bytes in a pipe or file. Redirects are followed with --follow only.",
    "With --into it stores an object, or an array of objects, as rows of a SQLite table and prints a summary to standard "
      + "error instead. Columns are created for the members, and get wider types if a value needs one; what an object "
      + "does not mention stays, null clears.",
  ]

  private static let groups = [
    OptionGroup("Request", [.method, .header, .json]),
    OptionGroup("Output", [.path, .include, .verbose, .curl, .har]),
    OptionGroup("Database", [.into, .entity, .key]),
    OptionGroup("Exchange", [.follow, .retries, .cookies, .timeout, .transport]),
    OptionGroup("Credentials", CommandOption.credentials),
  ]

  private static let sections = [
    HelpSection.credentials,
    HelpSection(
      title: "Paths",
      blocks: [
        .terms([
          ("owner.login", "a member of an object; the first where several have the key"),
          ("items[0].name", "an element of an array, counted from 0; items.0.name is the same"),
          ("[\"odd.key\"].id", "a key with dots, brackets or quotation marks"),
        ])
      ]),
  ]

  private static let exitStatuses = [
    ExitStatusHelp(.success, "success"), .transport,
    ExitStatusHelp(.status, "status: the response is a 3xx, 4xx or 5xx; its body goes to standard error"),
    ExitStatusHelp(
      .decoding, "decoding: the body is not JSON, has nothing at PATH, or the value there cannot be stored as rows"),
    ExitStatusHelp(.store, "store: the database cannot be opened or written, or its table is another"), .usage,
    .inputOutput,
  ]
}

/// The options of requests.
extension CommandOption {
  static let method = value("method", "X", "METHOD", "the request method, in place of the command's")
  static let json = value("json", nil, "BODY", "send BODY, which must be JSON, as application/json")
  static let path = value(
    "path", nil, "PATH",
    "print, or store, only the value at PATH of a JSON body; a string is printed without quotes, numbers digit for digit"
  )
  static let include = flag("include", "i", "print status and headers before the body")
  static let verbose = flag("verbose", "v", "print request and response heads to standard error; secrets as <redacted>")
  static let curl = flag("curl", nil, "print a curl command that sends the request, and send nothing")
  static let har = value(
    "har", nil, "FILE", completion: .files, "record the exchanges as an HTTP archive; secrets as <redacted>")
  static let into = value("into", nil, "FILE", completion: .files, "store in this database, which is created if needed")
  static let entity = value("entity", nil, "NAME", "the table's name; needed with --into")
  static let key = values(
    "key", nil, "NAME",
    "a member that identifies a row; may be repeated for keys of several members; without it each object is a new row")
  static let cookies = value(
    "cookies", nil, "FILE", completion: .files, "send the cookies of FILE, and keep in it those that are set")
  static let transport = value(
    "transport", nil, "NAME", completion: .choices(["curl", "urlsession"]),
    "what moves the bytes: curl, the default on Linux, or urlsession, elsewhere")
}
