extension Usage {
  static let pull = """
    Usage: anvil pull FILE [options]
           anvil pull status FILE [options]

    Keeps the listings of an API in a database. FILE describes them: the URL, the paths, the tables,
    the keys of the rows, the pagination. Each page is stored in one transaction with the position
    after it, so that a run that was interrupted continues where it stopped. Columns are created for
    what the rows have. A row that cannot be stored is skipped and reported.

    Prints a line for each listing when it ends: the pages, and the rows inserted, updated,
    unchanged, deleted and skipped. A listing that fails does not end the others. With status, prints
    the positions instead, and sends nothing.

    Options:
      --into FILE|URL       the database, in place of the one in FILE: a SQLite file, which is created
                            if needed, or postgres://…
      --workers N           pull up to N listings at the same time; 4 by default
      --lease SECONDS       share the partitions of the listings with other processes that pull FILE, on
                            other machines too: a partition is claimed for SECONDS, which is renewed
                            while it is pulled; others continue it when a process dies. They share
                            "rate_limit", and all wait when the server answers 429 to one of them
      --watch               run again every "interval" seconds of FILE, 60 by default, until SIGINT or
                            SIGTERM
      --fresh               forget the positions before: list everything again
      --schema              print the JSON Schema of FILE
      --user, -u NAME:PASSWORD
                            answer the server's challenge
      --bearer TOKEN        send a bearer token
      --user-file FILE      read NAME:PASSWORD from FILE, or from standard input for -
      --bearer-file FILE    read the token from FILE, or from standard input for -
      --netrc               take user and password from ~/.netrc, or the file that NETRC names
      --netrc-file FILE     take user and password from FILE, in the format of netrc
      --help, -h            print this text

    ANVIL_USER and ANVIL_BEARER count where no option names credentials. The smallest FILE:

      {"base_url": "https://api.example.com/v1", "into": "members.db",
       "listings": [{"name": "members", "path": "members", "table": "Member", "keys": ["id"]}]}

    Exit status, that of the first listing that failed:
      0   success; rows may have been skipped
      3   transport: no complete response came
      4   status: a response is a 3xx, 4xx or 5xx
      5   decoding: a page is not JSON, has no list, or its pagination or cursor is invalid
      6   store: the database cannot be opened or written, or another run was faster
      64  usage: the command line or FILE is wrong (EX_USAGE of sysexits.h)
      74  input: FILE could not be read (EX_IOERR)

    """
}
