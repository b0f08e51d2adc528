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

  /// The options that these commands share.
  static let options = groups.flatMap(\.options) + [.help]

  private static func entry(_ name: String, _ method: HTTP.Method, _ summary: String) -> CommandEntry {
    CommandEntry(
      name: name, operands: "URL [NAME==VALUE|NAME=TEXT|NAME:=JSON]...", operandCompletion: .attachedFiles,
      summary: summary,
      reference: name == "get" ? nil : "get",
      discussion: discussion, groups: groups, sections: sections, exitStatuses: exitStatuses
    ) { arguments, console throws(UsageError) in
      let credentials = try CredentialOptions(arguments, console: console)
      let options = try GetOptions(arguments, method: method, credentials: credentials, console: console)
      return await GetCommand(options: options, console: console).run()
    }
  }

  private static let discussion = [
    "Sends an HTTP request and prints the response's body as it is received. A pipe or file gets the exact bytes. On a "
      + "terminal, JSON is indented and coloured, events and lines of a stream are printed one by one, and binary data is "
      + "not printed. Redirects are followed only with --follow.",
    "A URL without a scheme is an https URL, or an http URL on the loopback interface; :8080/path is on localhost. The "
      + "command determines the method, also for a request with a body: get always sends a GET request, unless --method "
      + "names another method. NAME==VALUE is added to the query of the URL; NAME=TEXT and NAME:=JSON are members of a JSON "
      + "body.",
    "With --into, an object or an array of objects is stored as rows of a SQLite table, and a summary is printed to "
      + "standard error instead of the body. Columns are created for the members, and change to a wider type if a value "
      + "requires it. If a member is missing from an object, its stored value is kept; null clears it.",
  ]

  private static let groups = [
    OptionGroup("Request", [.method, .header] + CommandOption.requestBodies),
    OptionGroup("Output", CommandOption.outputs),
    OptionGroup("Database", [.into, .entity, .key]),
    OptionGroup("Exchange", CommandOption.exchange),
    OptionGroup("Connection", CommandOption.connection),
    OptionGroup("Credentials", CommandOption.credentials + [.basic]),
  ]

  private static let sections = [
    HelpSection.credentials,
    HelpSection(
      title: "Paths",
      blocks: [
        .terms([
          ("owner.login", "a member of an object; the first one if the key is repeated"),
          ("items[0].name", "an element of an array, counted from 0; items.0.name is the same"),
          ("[\"odd.key\"].id", "a key with dots, brackets or quotation marks"),
          ("items[].name", "the names of all elements of an array, or members of an object, that have one"),
          ("$.items[?@.n > 1].name", "a JSONPath query (RFC 9535), with filters, slices and $..name"),
        ]),
        .paragraph(
          "If a path selects several values, each is printed on a separate line; if it selects none, nothing is "
            + "printed. --into and --table treat the values as an array. Queries follow RFC 9535; the patterns of match and "
            + "search are those of RFC 9485 (I-Regexp)."
        ),
      ]),
  ]

  private static let exitStatuses = [
    ExitStatusHelp(.success, "success"), .transport,
    ExitStatusHelp(.status, "status: the response is a 3xx, 4xx or 5xx; its body is printed to standard error"),
    ExitStatusHelp(
      .decoding, "decoding: the body is not JSON, has no value at PATH, or the value cannot be stored as rows"),
    ExitStatusHelp(.store, "store: the database cannot be opened or written, or its table does not match"), .usage,
    ExitStatusHelp(
      .inputOutput,
      "input or output: a file cannot be read or written, or the body is binary and the output is a terminal"),
  ]
}
