import AnvilCommands
import AnvilTesting
import Testing

/// The version, and the errors of invalid command lines.
@Suite(.timeLimit(.minutes(15)))
struct UsageTests {
  @Test func versionIsOneLine() async {
    #expect(await anvil("--version") == Outcome(status: 0, output: "anvil \(AnvilCommand.version)\n", error: ""))
  }

  @Test(arguments: [
    ([], "a command is missing"),
    (["fetch"], #"unknown command "fetch""#),
    (["demo"], #"unknown command "demo""#),
    (["gte"], #"unknown command "gte"; did you mean "get"?"#),
    (["comp"], #"unknown command "comp"; did you mean "completions"?"#),
    (["--json"], #"unknown option "--json""#),
  ])
  func invalidCommandIsReported(arguments: [String], message: String) async {
    let outcome = await anvil(arguments: arguments)
    #expect(outcome == Outcome(status: 64, output: "", error: "anvil: \(message)\nTry 'anvil --help'.\n"))
  }

  @Test(arguments: [
    (["--pretty"], #"unknown option "--pretty""#),
    (["8080"], #"unexpected argument "8080""#),
    (["--cache=1"], "--cache takes no value"),
    (["--port"], "--port needs a value"),
    (["--port", "http"], #"--port "http" is not a number from 0 to 65535"#),
    (["--port", "65536"], #"--port "65536" is not a number from 0 to 65535"#),
    (["--port", "+1"], #"--port "+1" is not a number from 0 to 65535"#),
    (["--port="], #"--port "" is not a number from 0 to 65535"#),
    (["--cache", "--store="], "--store needs the name of a file"),
    (["--store", "a.db"], "--store needs --cache"),
    (["--record="], "--record needs the name of a file"),
    (["--authority", "a.pem"], "--authority needs --tls"),
    (["--tls", "--authority="], "--authority needs the name of a file"),
    (
      ["--origin", "ftp://a"],
      #"--origin "ftp://a": the URL is not an absolute http or https URL with a host, or its port is greater than 65535"#
    ),
    (["--origin", "http://a/?b"], #"--origin "http://a/?<redacted>" is not a URL without query and fragment"#),
  ])
  func optionsOfProxyAreChecked(arguments: [String], message: String) async {
    let outcome = await anvil(arguments: ["proxy"] + arguments)
    #expect(outcome == Outcome(status: 64, output: "", error: "anvil: \(message)\nTry 'anvil proxy --help'.\n"))
  }

  @Test(arguments: [
    ([], "a file is missing"),
    (["a.har", "b.har"], #"unexpected argument "b.har" after "a.har""#),
    (["http://a/?b=c"], #""http://a/?b=<redacted>" is a URL; anvil har reads files"#),
    (["-", "--against", "-"], "standard input can be read only once"),
    (["-", "--follow"], "--follow needs a file, not standard input"),
    (["a.har", "--html", "a", "--follow"], "--html and --follow cannot be used together"),
    (["a.har", "--html="], "--html needs the name of a file"),
    (["a.har", "--port", "1"], "--port needs --follow"),
    (["a.har", "--url", "x"], "--url needs --against"),
  ])
  func optionsOfHARAreChecked(arguments: [String], message: String) async {
    let outcome = await anvil(arguments: ["har"] + arguments)
    #expect(outcome == Outcome(status: 64, output: "", error: "anvil: \(message)\nTry 'anvil har --help'.\n"))
  }

  @Test(arguments: [
    ([], "a file is missing"),
    (["http://a"], #""http://a" is a URL; anvil serve reads files"#),
    (["a.har", "--authority", "a.pem"], "--authority needs --tls"),
    (["a.har", "--tls", "--authority="], "--authority needs the name of a file"),
    (["a.har", "--latency", "slow"], #"--latency "slow" is neither a number of seconds up to 3600 nor recorded"#),
    (
      ["a.har", "--faults", "503/2,reset"],
      #"--faults "reset" is neither a status from 400 to 599 nor the name of a fault"#
    ),
    (
      ["a.har", "--faults", "trunkated-body"],
      #"--faults "trunkated-body" is neither a status from 400 to 599 nor the name of a fault; did you mean "truncated-body"?"#
    ),
    (
      ["a.har", "--faults", "0503"], #"--faults "0503" is neither a status from 400 to 599 nor the name of a fault"#
    ),
    (["a.har", "--faults", "503/0"], #"--faults "503/0": "0" is not a number above 0"#),
  ])
  func optionsOfServeAreChecked(arguments: [String], message: String) async {
    let outcome = await anvil(arguments: ["serve"] + arguments)
    #expect(outcome == Outcome(status: 64, output: "", error: "anvil: \(message)\nTry 'anvil serve --help'.\n"))
  }

  /// `URL` is replaced by the server's URL.
  @Test(arguments: [
    ("", "the URL is missing"),
    ("-i", "the URL is missing"),
    ("URL more", #"unexpected argument "more" after the URL"#),
    (
      "mailto:ada",
      #""mailto:ada": the URL is not an absolute http or https URL with a host, or its port is greater than 65535"#
    ),
    (
      "file:///etc",
      #""file:///etc": the URL is not an absolute http or https URL with a host, or its port is greater than 65535"#
    ),
    (
      ":99999/",
      #"":99999/": the URL is not an absolute http or https URL with a host, or its port is greater than 65535"#
    ),
    ("URL --pth a", #"unknown option "--pth"; did you mean "--path"?"#),
    ("URL -iy", #"unknown option "-y""#),
    ("URL --path", "--path needs a value"),
    ("URL -X", "-X needs a value"),
    ("URL --include=yes", "--include takes no value"),
    ("URL --json 1 --json 2", "--json is given twice"),
    ("URL --timeout soon", #"--timeout "soon" is not a number of seconds above 0"#),
    ("URL --timeout 0", #"--timeout "0" is not a number of seconds above 0"#),
    ("URL --timeout nan", #"--timeout "nan" is not a number of seconds above 0"#),
    ("URL --timeout 1e300", #"--timeout "1e300" is not a number of seconds above 0"#),
    ("URL --transport carrier", #"--transport "carrier" is neither curl nor urlsession"#),
    ("URL --retries 101", #"--retries "101" is not a number from 0 to 100"#),
    ("URL --retries -1", #"--retries "-1" is not a number from 0 to 100"#),
    ("URL -u a:t0p --bearer t0p", "--user and --bearer cannot be used together"),
    ("URL --bearer t0p€", "--bearer: the token is empty or contains a character other than visible ASCII"),
    ("URL --cookies=", "--cookies needs the name of a file"),
    ("URL --har=", "--har needs the name of a file"),
    ("URL --transport=", #"--transport "" is neither curl nor urlsession"#),
    ("URL --transport CURL", #"--transport "CURL" is neither curl nor urlsession"#),
    (
      "URL --json {a}",
      "--json is not JSON: expected a key in quotation marks, found 'a' at line 1, column 2 (byte 1)"
    ),
    ("URL --json=", "--json is not JSON: unexpected end at line 1, column 1 (byte 0)"),
    ("URL --header Accept", #"--header "Accept" is not 'Name: value'"#),
    ("URL --header Bad\u{A0}secret", #"--header "Bad …" is not 'Name: value'"#),
    ("URL --header (x):1", #"the header name "…" is not an HTTP token"#),
    ("URL --method G/T", #"the method "G…" is not an HTTP token"#),
    ("URL --path a..b", #"--path "a..b": expected a key at character 3"#),
    ("URL --path a.", #"--path "a.": expected a key at character 3"#),
    ("URL --path a[", #"--path "a[": expected an index or a key in quotation marks at character 3"#),
    ("URL --path a[-1]", #"--path "a[-1]": expected an index or a key in quotation marks at character 3"#),
    ("URL --path a[0", #"--path "a[0": expected "]" at character 4"#),
    ("URL --path a[0]b", #"--path "a[0]b": expected "." or "[" at character 5"#),
    (#"URL --path ["a]"#, #"--path "["a]": expected a key in quotation marks at character 2"#),
    ("URL --into a.db", "--into needs --entity: the name of the table"),
    ("URL --into a.db --entity=", "--entity needs a name"),
    ("URL --into= --entity T", "--into needs the name of a file"),
    ("URL --into a.db --entity T --key=", "--key needs a name"),
    ("URL --into a.db --entity T --key a --key a", #"--key "a" is given twice"#),
    ("URL --into a.db --entity T --key a --key A", #"--key "A" is given twice"#),
    (
      "URL --into a.db --entity Anvil_x",
      #"--entity "Anvil_x": names that begin with anvil_ are reserved"#
    ),
    (
      "URL --into a.db --entity sqlite_master",
      #"--entity "sqlite_master": names that begin with sqlite_ are reserved"#
    ),
    ("URL --entity T", "--entity needs --into"),
    ("URL --key a", "--key needs --into or --cert"),
    (#"URL --path a"b"#, #"--path "a"b": expected "." or "[" at character 2"#),
  ])
  func argumentsOfGetAreChecked(line: String, message: String) async throws {
    let server = try LoopbackServer()
    let words = line.split(separator: " ").map { $0 == "URL" ? server.argument() : String($0) }
    let outcome = await anvil(arguments: ["get"] + words)
    #expect(outcome == Outcome(status: 64, output: "", error: "anvil: \(message)\nTry 'anvil get --help'.\n"))
    #expect(server.requests.isEmpty)
  }
}
