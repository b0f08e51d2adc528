internal import Anvil
internal import AnvilBase
internal import AnvilHTTP
internal import Foundation

/// A file that stores cookies between runs, in the JSON of ``CookieJar`` or in Netscape's format, which a new file has if its name ends in
/// `.txt`. Source: curl's documentation, "HTTP Cookies"; the comment at the top of the files of Netscape and curl.
struct CookieFile: Sendable {
  private static let header = "# Netscape HTTP Cookie File\n# Cookies are here in the order in which they were set.\n\n"
  private static let httpOnlyMark = "#HttpOnly_"

  /// The error for a file that is not one of cookies.
  struct Malformed: Error, CustomStringConvertible {
    let description: String
  }

  struct Contents {
    var cookies: [HTTP.Cookie] = []
    /// The numbers of the lines that are not cookies. They are skipped, so that the cookies of other sites remain readable.
    var malformedLines: [Int] = []
  }

  let url: URL

  /// Adds the cookies of the file, if there is one, to `jar`, and returns the numbers of the lines that are not cookies.
  ///
  /// - Throws: The errors of the system, and ``Malformed`` for a file without a single cookie.
  func load(into jar: CookieJar) throws -> [Int] {
    guard FileManager.default.fileExists(atPath: url.path) else { return [] }
    let data = try InputFile.read(path)
    guard data.first(where: { $0 > .space }) != .openBrace else {
      guard !isStream else { throw Malformed(description: "cookies from a pipe or device must have Netscape's format") }
      do {
        try jar.load(from: url)
      } catch is DecodingError {
        throw Malformed(description: "the file contains JSON other than that of --cookies")
      }
      return []
    }
    let contents = Self.contents(of: String(decoding: data, as: UTF8.self))
    if contents.cookies.isEmpty, let line = contents.malformedLines.first {
      throw Malformed(description: "line \(line) is not a cookie: it does not have seven fields separated by tabs")
    }
    for cookie in contents.cookies { jar.set(cookie) }
    return contents.malformedLines
  }

  /// Writes the cookies of `jar`, with session cookies, as curl does. Pipes and devices are only read.
  func save(_ jar: CookieJar) throws {
    guard !isStream else { return }
    guard isNetscape else { return try jar.save(to: url, includesSessionCookies: true) }
    let lines = jar.cookies.map(Self.line)
    try PrivateFile.write(Data((Self.header + lines.joined()).utf8), to: url)
  }

  var path: String { url.path(percentEncoded: false) }

  private var isStream: Bool { OutputFile.isStream(path) }

  private var isNetscape: Bool {
    let first = (try? Data(contentsOf: url))?.first { $0 > .space }
    return first.map { $0 != .openBrace } ?? (url.pathExtension.lowercased() == "txt")
  }

  /// Returns the cookies in a text in Netscape's format. A cookie with the expiry 0 ends with the session.
  static func contents(of text: String) -> Contents {
    var contents = Contents()
    // Bytes are compared, because a line end or tab may be part of a character together with what follows it.
    let lines = text.utf8.split(separator: .lineFeed, omittingEmptySubsequences: false)
    for (index, rawLine) in lines.enumerated() {
      var line = rawLine.last == .carriageReturn ? rawLine.dropLast() : rawLine
      let isHTTPOnly = line.starts(with: httpOnlyMark.utf8)
      if isHTTPOnly { line = line.dropFirst(httpOnlyMark.utf8.count) }
      if line.allSatisfy({ $0 <= .space }) || line.first == .numberSign { continue }
      let fields = line.split(separator: .tab, maxSplits: 6, omittingEmptySubsequences: false)
        .map(Substring.init)
      guard fields.count >= 6, let expiry = Double(fields[4]), expiry.isFinite else {
        contents.malformedLines.append(index + 1)
        continue
      }
      contents.cookies.append(
        HTTP.Cookie(
          name: String(fields[5]), value: fields.count > 6 ? String(fields[6]) : "",
          domain: String(Substring(fields[0].utf8.drop { $0 == .period })),
          isHostOnly: fields[1].uppercased() != "TRUE", path: String(fields[2]),
          expiry: expiry == 0 ? nil : Date(timeIntervalSince1970: clamped(expiry)),
          isSecure: fields[3].uppercased() == "TRUE",
          isHTTPOnly: isHTTPOnly))
    }
    return contents
  }

  /// Limits a time to the years 1970 to 9999, because later ones have no common form. Before 1970 it is 1: 0 ends with the session.
  private static func clamped(_ seconds: Double) -> Double {
    seconds == 0 ? 0 : max(1, min(seconds, 253_402_300_799))
  }

  /// Returns a line: the domain, a flag for subdomains, the path, a flag for secure connections, the expiry, the name and the value.
  static func line(_ cookie: HTTP.Cookie) -> String {
    let fields = [
      (cookie.isHostOnly ? "" : ".") + cookie.domain, cookie.isHostOnly ? "FALSE" : "TRUE", cookie.path,
      cookie.isSecure ? "TRUE" : "FALSE",
      String(Int64(clamped((cookie.expiry?.timeIntervalSince1970 ?? 0).rounded(.up)))),
      cookie.name, cookie.value,
    ]
    return (cookie.isHTTPOnly ? httpOnlyMark : "") + fields.joined(separator: "\t") + "\n"
  }
}
