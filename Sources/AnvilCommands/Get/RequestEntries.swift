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
      name: name, operands: "URL [NAME=TEXT|NAME:=JSON]...", summary: summary,
      reference: name == "get" ? nil : "get",
      discussion: discussion, groups: groups, sections: sections, exitStatuses: exitStatuses
    ) { arguments, console throws(UsageError) in
      let credentials = try CredentialOptions(arguments, console: console)
      let options = try GetOptions(arguments, method: method, credentials: credentials, console: console)
      return await GetCommand(options: options, console: console).run()
    }
  }

  private static let discussion = [
    "Sends an HTTP request and prints the response's body as it is received: the exact bytes in a pipe or file; on a "
      + "terminal, JSON indented and coloured, and the events or lines of a stream one by one. Binary data is not "
      + "written to a terminal. Redirects are followed with --follow only.",
    "A URL without a scheme is https, or http on the loopback interface; :8080/path is on localhost. The method is that "
      + "of the command; get sends a body with POST.",
    "With --into it stores an object, or an array of objects, as rows of a SQLite table and prints a summary to standard "
      + "error instead. Columns are created for the members, and get wider types if a value needs one; what an object "
      + "does not mention stays, null clears.",
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
          ("owner.login", "a member of an object; the first where several have the key"),
          ("items[0].name", "an element of an array, counted from 0; items.0.name is the same"),
          ("[\"odd.key\"].id", "a key with dots, brackets or quotation marks"),
          ("items[].name", "all elements of an array, or members of an object, that have the rest of the path"),
          ("$.items[?@.n > 1].name", "a JSONPath query (RFC 9535), with filters, slices and $..name"),
        ]),
        .paragraph(
          "A path with several values prints one per line, and none if it selects none; --into and --table take them as "
            + "an array. Queries are those of RFC 9535; the regular expressions of match and search are those of Swift."
        ),
      ]),
  ]

  private static let exitStatuses = [
    ExitStatusHelp(.success, "success"), .transport,
    ExitStatusHelp(.status, "status: the response is a 3xx, 4xx or 5xx; its body goes to standard error"),
    ExitStatusHelp(
      .decoding, "decoding: the body is not JSON, has nothing at PATH, or the value there cannot be stored as rows"),
    ExitStatusHelp(.store, "store: the database cannot be opened or written, or its table is another"), .usage,
    ExitStatusHelp(
      .inputOutput, "input or output: a file cannot be read or written, or the body is binary and the output a terminal"
    ),
  ]
}
