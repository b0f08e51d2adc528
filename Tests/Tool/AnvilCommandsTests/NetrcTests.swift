import Testing

@testable import AnvilCommands

/// Reading netrc files.
struct NetrcTests {
  @Test(
    arguments: [
      ("machine h login a password b", "h", "a b"), ("machine h\n\tlogin a\n\tpassword b\n", "H", "a b"),
      ("machine h login a password b", "x.h", nil), ("machine h login a password b", "", nil),
      ("machine h login a password b machine g login c password d", "g", "c d"),
      ("machine h login a password b machine h login c password d", "h", "a b"),
      ("machine h login a password b default login c password d", "z", "c d"),
      ("default login c password d machine h login a password b", "h", "c d"),
      (#"machine h login "a b" password "c\"d\\e\tf#""#, "h", "a b c\"d\\e\tf#"),
      ("machine h login a password b#c", "h", "a b#c"), ("machine h login a password #c", "h", "a #c"),
      ("# machine h login x\nmachine h # the server\n login a password b", "h", "a b"),
      ("machine h account z login a password b", "h", "a b"), ("machine h password b", "h", " b"),
      ("macdef init\nmachine h login x password y\nbye\n\nmachine h login a password b", "h", "a b"),
      ("machine h login a password b\nmacdef m\nmachine g login x", "g", nil), ("", "h", nil), (" \n", "h", nil),
      ("\u{FEFF}machine h login ä password ü", "h", "ä ü"), ("machine h login a password b\r\n", "h", "a b"),
    ] as [(String, String, String?)])
  func entryIsFoundByHost(text: String, host: String, expected: String?) throws {
    #expect(try Netrc(text).entry(for: host).map { "\($0.login) \($0.password)" } == expected)
  }

  @Test(arguments: [
    ("machine", "line 1: machine has no value"), ("machine h\nlogin", "line 2: login has no value"),
    ("login a", "line 1: login appears before the first machine"), ("macdef", "line 1: macdef has no value"),
    (
      "machine h\nlogin a password t0p t0p",
      "line 2: expected machine, default, login, password, account or macdef"
    ),
    ("machine h password \"t0p", "line 1: a quotation mark is not closed"),
    ("macdef m\nx\n\nmachine h password \"t0p\n\"", "line 4: a quotation mark is not closed"),
  ])
  func malformedFilesAreReportedWithoutTheirContent(text: String, message: String) {
    let error = #expect(throws: Netrc.Malformed.self) { try Netrc(text) }
    #expect(error?.description == message)
  }
}
