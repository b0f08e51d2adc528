internal import Anvil
internal import AnvilHTTP
internal import Foundation

/// A file that stores cookies between runs, in the JSON of ``CookieJar`` or in Netscape's format.
///
/// An existing file keeps its format. A new file has Netscape's format if its name ends in `.txt`.
///
/// Source: curl's documentation, "HTTP Cookies"; the comment at the top of the files of Netscape and curl.
struct CookieFile: Sendable {
  private static let header = "# Netscape HTTP Cookie File\n# Cookies are here in the order in which they were set.\n\n"
  private static let httpOnlyMark = "#HttpOnly_"

  /// The error for a line that is not a cookie.
  struct Malformed: Error, CustomStringConvertible {
    let line: Int

    var description: String { "line \(line) is not a cookie: it does not have seven fields separated by tabs" }
  }

  /// The error for JSON in a pipe.
  struct UnreadableStream: Error, CustomStringConvertible {
    var description: String { "cookies from a pipe or device must have Netscape's format" }
  }

  let url: URL

  /// Adds the cookies of the file to `jar`. A missing file is treated as empty.
  ///
  /// - Throws: The errors of the system and of the JSON format, and ``Malformed``.
  func load(into jar: CookieJar) throws {
    guard FileManager.default.fileExists(atPath: url.path) else { return }
    let data = try InputFile.read(path)
    guard Self.isNetscape(data) else {
      guard !isStream else { throw UnreadableStream() }
      return try jar.load(from: url)
    }
    for cookie in try Self.cookies(in: String(decoding: data, as: UTF8.self)) { jar.set(cookie) }
  }

  /// Writes the cookies of `jar`. Session cookies are included, as in curl. Does nothing if the file is a pipe or device, because those are
  /// only read.
  ///
  /// - Throws: The errors of the system.
  func save(_ jar: CookieJar) throws {
    guard !isStream else { return }
    guard isNetscape else { return try jar.save(to: url, includesSessionCookies: true) }
    let lines = jar.cookies.map(Self.line)
    try PrivateFile.write(Data((Self.header + lines.joined()).utf8), to: url)
  }

  private var path: String { url.path(percentEncoded: false) }

  private var isStream: Bool { OutputFile.isStream(path) }

  private var isNetscape: Bool {
    (try? Data(contentsOf: url)).map(Self.isNetscape) ?? (url.pathExtension.lowercased() == "txt")
  }

  private static func isNetscape(_ data: Data) -> Bool {
    data.first { $0 > 0x20 } != UInt8(ascii: "{")
  }

  /// Returns the cookies in a text in Netscape's format. A cookie with the expiry 0 ends with the session.
  static func cookies(in text: String) throws(Malformed) -> [HTTP.Cookie] {
    var cookies: [HTTP.Cookie] = []
    // Bytes are compared, because a line end or tab may be part of a character together with what follows it.
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, rawLine) in lines.enumerated() {
      var line = rawLine.last == UInt8(ascii: "\r") ? rawLine.dropLast() : rawLine
      let isHTTPOnly = line.starts(with: httpOnlyMark.utf8)
      if isHTTPOnly { line = line.dropFirst(httpOnlyMark.utf8.count) }
      if line.allSatisfy({ $0 <= 0x20 }) || line.first == UInt8(ascii: "#") { continue }
      let fields = line.split(separator: UInt8(ascii: "\t"), maxSplits: 6, omittingEmptySubsequences: false)
        .map(Substring.init)
      guard fields.count >= 6, let expiry = Double(fields[4]), expiry.isFinite else { throw Malformed(line: index + 1) }
      cookies.append(
        HTTP.Cookie(
          name: String(fields[5]), value: fields.count > 6 ? String(fields[6]) : "",
          domain: String(Substring(fields[0].utf8.drop { $0 == UInt8(ascii: ".") })),
          isHostOnly: fields[1].uppercased() != "TRUE", path: String(fields[2]),
          expiry: expiry == 0 ? nil : Date(timeIntervalSince1970: clamped(expiry)),
          isSecure: fields[3].uppercased() == "TRUE",
          isHTTPOnly: isHTTPOnly))
    }
    return cookies
  }

  /// Returns `seconds`, limited to the years 1970 to 9999, because later dates have no common text form. A time before
  /// 1970 becomes 1, because 0 stands for the end of the session.
  private static func clamped(_ seconds: Double) -> Double {
    seconds == 0 ? 0 : max(1, min(seconds, 253_402_300_799))
  }

  /// Returns the line of `cookie`. Its fields are the domain, a flag for subdomains, the path, a flag for secure
  /// connections, the expiry, the name and the value.
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
