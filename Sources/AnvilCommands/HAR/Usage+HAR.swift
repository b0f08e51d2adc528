extension Usage {
  static let har = """
    Usage: anvil har FILE [options]

    Shows an HTTP archive (HAR) in a browser: a waterfall, headers, bodies as trees with what is wrong
    at its place, the time of each phase, cache and retries. Archives come from anvil get --har, from
    anvil proxy --record, from HARRecorder, and from the developer tools of browsers. FILE is - for
    standard input.

    The page is one file that loads nothing. It contains the whole archive, with its secrets. Without
    --html and --follow it is written to the folder for temporary files, where only you can read it,
    and its name is printed.

    Options:
      --html OUT            write the page to OUT, or to standard output for -, and open nothing
      --follow              serve the page on the loopback interface and show what is recorded from
                            now on, until SIGINT or SIGTERM; FILE need not exist yet
      --port N              listen on port N of 127.0.0.1; a free one unless given; needs --follow
      --no-open             start no browser
      --against FILE        show where JSON bodies of 2xx responses depart from a sample or a JSON
                            Schema, as anvil check does; several samples may be given
      --url TEXT            only bodies of URLs that contain TEXT; needs --against
      --help, -h            print this text

    With --follow the first line on standard output is: listening on http://127.0.0.1:PORT/PATH/

    Exit status:
      0   success
      3   it could not listen: the port is taken, or not allowed
      5   decoding: FILE is no HTTP archive, or what --against names is no sample or schema
      64  usage: the command line is wrong (EX_USAGE of sysexits.h)
      74  input or output: a file could not be read or written (EX_IOERR)

    """
}
