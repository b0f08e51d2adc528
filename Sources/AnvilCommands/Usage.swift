/// The help texts, as they are printed.
enum Usage {
  static let anvil = """
    Usage: anvil <command> [options]

    Commands:
      get URL         send an HTTP request and print the response's body, or one value of it
      check FILE|URL  show where JSON departs from a sample or a JSON Schema
      model FILE|URL  write Swift models that decode JSON like the samples
      har FILE        show an HTTP archive in a browser
      demo            see what Anvil does, against a server of its own
      proxy           forward HTTP requests on the loopback interface, with a cache
      pull FILE       keep the listings of an API in a database

    Options:
      --help, -h      print this text; after a command, that command's
      --version       print the version

    """

  static let get = """
    Usage: anvil get URL [options]

    Sends an HTTP request and prints the response's body to standard output: JSON indented on a
    terminal, the exact bytes in a pipe or file. Redirects are followed with --follow only.

    With --into it stores an object, or an array of objects, as rows of a SQLite table and prints
    what became of them to standard error instead. Columns are made for what the members hold, and
    get wider types when a value needs one; what an object does not mention stays, null clears.

    Options:
      --path PATH           print, or store, only the value at PATH of a JSON body; a string is
                            printed without quotes, numbers digit for digit
      --into FILE           store in this database, which is made when there is none
      --entity NAME         the table's name; needed with --into
      --key NAME            a member that tells rows apart; may be repeated for keys of several
                            members; without it each object is a new row
      --method, -X METHOD   request method; GET, or POST with --json, unless given
      --header, -H 'NAME: VALUE'
                            add a header, which no other server gets; may be repeated
      --json BODY           send BODY, which must be JSON, as application/json
      --follow, -L          follow redirects, at most 20; what --header adds, and credentials, do not
                            go to another server
      --user, -u NAME:PASSWORD
                            answer the server's challenge, by Digest where it can, else by Basic
      --bearer TOKEN        send a bearer token
      --user-file FILE      read NAME:PASSWORD from FILE, or from standard input for -
      --bearer-file FILE    read the token from FILE, or from standard input for -
      --netrc               take user and password from ~/.netrc, or the file that NETRC names
      --netrc-file FILE     take user and password from FILE, in the format of netrc
      --retries N           send again up to N times what may pass: 408, 425, 429, 5xx, a lost
                            connection; with pauses, and as Retry-After says
      --cookies FILE        send the cookies of FILE, and keep in it those that come
      --timeout SECONDS     give up after SECONDS, such as 2.5; 60 unless given
      --transport NAME      what moves the bytes: curl, the default on Linux, or urlsession, elsewhere
      --har FILE            record the exchanges as an HTTP archive; secrets as <redacted>
      --curl                print a curl command that sends the request, and send nothing
      --include, -i         print status and headers before the body
      --verbose, -v         print request and response heads to standard error; secrets as <redacted>
      --help, -h            print this text

    Credentials:
      Every user of a machine can read the arguments of its commands. Files, standard input, and the
      variables ANVIL_USER (NAME:PASSWORD) and ANVIL_BEARER, which count where no option names
      credentials, are private. Credentials go to the server of the URL and to no other.

    Paths:
      owner.login           a member of an object; the first where several have the key
      items[0].name         an element of an array, counted from 0; items.0.name is the same
      ["odd.key"].id        a key with dots, brackets or quotation marks

    Exit status:
      0   success
      3   transport: no complete response came
      4   status: the response is a 3xx, 4xx or 5xx; its body goes to standard error
      5   decoding: the body is not JSON, has nothing at PATH, or what is there cannot be rows
      6   store: the database cannot be opened or written, or its table is another
      64  usage: the command line is wrong (EX_USAGE of sysexits.h)
      74  output: standard output could not be written (EX_IOERR)

    """

  static let check = """
    Usage: anvil check FILE|URL --against FILE|URL [options]

    Shows every way in which a document departs from the shape of samples or from a JSON Schema: the
    path, what was expected and found, the line and what may help. What is wrong in the same way in
    several elements of an array is shown once. Documents are files, - for standard input, and http
    and https URLs, whose responses must be 2xx. What is wrong with the document goes to standard
    output, all else to standard error.

    A document departs from samples where a key that all of them have is missing, or a value is of
    another kind, or text is no date, UUID or URL where theirs is. Keys that no sample has are notes:
    they are shown last and count only with --strict.

    Options:
      --against FILE|URL    what the document should be like: a JSON Schema, or a sample; several
                            samples may be given and count as one; needed
      --schema              take it for a schema, whatever it looks like
      --sample              take it for a sample, whatever it looks like
      --strict              keys that no sample has are departures
      --lines               the document's file has one document a line, as .ndjson and .jsonl have
      --format FORMAT       text, unless given; line: one line for each departure, as compilers write
                            them; json: one object
      --redact              show no values of the document: … stands for strings and numbers
      --limit N             show at most N departures and N notes, up to 1000; 100 unless given
      --color WHEN          auto, unless given: on a terminal where NO_COLOR is not set; always; never
      --header, -H 'NAME: VALUE'
                            add a header to the request; may be repeated
      --user, -u NAME:PASSWORD
                            answer the server's challenge
      --bearer TOKEN        send a bearer token
      --user-file FILE      read NAME:PASSWORD from FILE, or from standard input for -
      --bearer-file FILE    read the token from FILE, or from standard input for -
      --netrc               take user and password from ~/.netrc, or the file that NETRC names
      --netrc-file FILE     take user and password from FILE, in the format of netrc
      --follow, -L          follow redirects, at most 20
      --retries N           send again up to N times what may pass
      --timeout SECONDS     give up on a request after SECONDS; 60 unless given
      --help, -h            print this text

    Headers, user and token go only to the server of the document or, where that is a file, of the
    first URL, and not where a redirect leads from there; users of a netrc file go to the servers that
    it names. ANVIL_USER and ANVIL_BEARER count where no option names credentials. A document that
    matches is worth a line on a terminal, an object with --format json, and else nothing.

    Exit status:
      0   the document matches
      1   it departs
      3   transport: no complete response came
      4   status: a response is a 3xx, 4xx or 5xx
      5   decoding: the document or what it is checked against is not JSON, the schema is wrong, or
          the check was given up before its end
      64  usage: the command line is wrong (EX_USAGE of sysexits.h)
      74  input or output: a file could not be read, or standard output not written (EX_IOERR)

    """

  static let model = """
    Usage: anvil model FILE|URL... [options]

    Writes Swift models that decode JSON like the samples to standard output. Samples are files, -
    for standard input, and http and https URLs; redirects are followed. A text is one document, or
    has one a line. All documents count as one: a member that an object lacks, or has as null, is
    optional. Texts become dates, URLs, UUIDs or an enum where all of them are; objects whose keys are
    numbers or UUIDs become dictionaries. What no sample shows is JSON, or Unknown with codable.

    Options:
      --name NAME           the name of the outermost type, or of an array's elements; made of the
                            first sample's name unless given
      --path PATH           make models only of the value at PATH of each document
      --style STYLE         macro: types with @JSONCodable, unless given; codable: Codable types,
                            which need nothing of Anvil; mapping: types that decode themselves
                            from Anvil's JSON with => and =>?
      --keys KEYS           coding-keys: @CodingKey or CodingKeys where names differ from keys,
                            unless given; snake-case: @CodableNaming(.snakeCase), or names for a
                            decoder with .convertFromSnakeCase
      --access ACCESS       internal, unless given, or public
      --header, -H 'NAME: VALUE'
                            add a header to requests; may be repeated
      --user, -u NAME:PASSWORD
                            answer the servers' challenges; ANVIL_USER and ANVIL_BEARER count where
                            no option names credentials
      --bearer TOKEN        send a bearer token
      --user-file FILE      read NAME:PASSWORD from FILE, or from standard input for -
      --bearer-file FILE    read the token from FILE, or from standard input for -
      --netrc               take user and password from ~/.netrc, or the file that NETRC names
      --netrc-file FILE     take user and password from FILE, in the format of netrc
      --timeout SECONDS     give up on a request after SECONDS; 60 unless given
      --help, -h            print this text

    Exit status:
      0   success
      3   transport: no complete response came
      4   status: a response is a 3xx, 4xx or 5xx
      5   decoding: a sample is not JSON, or has nothing at PATH
      64  usage: the command line is wrong (EX_USAGE of sysexits.h)
      74  input or output: a file could not be read, or standard output not written (EX_IOERR)

    """

  static let demo = """
    Usage: anvil demo [options]

    Starts a GitHub-like API on the loopback interface and drives it through Anvil: typed models,
    an unwrapped root key, the caller's own errors, a recovery, a timeout, a decoding error. What
    it decodes last it keeps in a SQLite database, and the next run begins with it.

    Options:
      --json          print only a summary: requests, decoded, recovered, failedAsExpected, kept,
                      inserted, updated, unchanged, unexpected
      --store FILE    the database; demo.db in the folder anvil of the user's caches unless given
      --help, -h      print this text

    Exit status:
      0   every request ended as it should, failures on purpose included
      3   one did not, or the server could not start
      6   store: the database cannot be opened, or is another program's
      64  usage: the command line is wrong (EX_USAGE of sysexits.h)

    """

  static let proxy = """
    Usage: anvil proxy [options]

    Forwards HTTP requests that come on a port of the loopback interface: to the server that each
    names, as an HTTP proxy, or all to one, as a reverse proxy. Redirects are passed on. Tunnels
    (CONNECT), and with them https through the proxy, are refused; an https origin is not. Bodies of
    requests have at most 64 MiB, those of responses any length.

    With --cache it answers from stored responses where RFC 9111 allows it, as the private cache of
    one user. What cannot be forwarded is answered by 502, or 504 when the time was up, with a line
    that says why. It ends on SIGINT and SIGTERM.

    Options:
      --cache         store responses and reuse them
      --store FILE    keep them in this SQLite database, which is made when there is none; in memory
                      unless given; needs --cache
      --port N        listen on port N of 127.0.0.1; a free one unless given
      --origin URL    send every request to this server
      --verbose, -v   print a line about each exchange to standard error; secrets as <redacted>
      --help, -h      print this text

    The first line on standard output says where it listens: listening on http://127.0.0.1:PORT

    Exit status:
      0   it was told to end
      3   it could not listen: the port is taken, or not allowed
      6   store: the database cannot be opened, or is another program's
      64  usage: the command line is wrong (EX_USAGE of sysexits.h)

    """
}
