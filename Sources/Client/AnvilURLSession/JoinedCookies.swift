internal import AnvilBase

/// Splits `Set-Cookie` values that were joined with commas.
enum JoinedCookies {
  /// Returns the separate values. A comma starts a new cookie if it is followed by a cookie name and `=` and is not inside quotation marks.
  /// The comma in an `Expires` date does not, because it is followed by a day and a month.
  static func parted(_ joined: String) -> [String] {
    var cookies: [String] = []
    for part in joined.split(separator: ",", omittingEmptySubsequences: false) {
      if let last = cookies.indices.last, isQuoted(cookies[last]) || !beginsCookie(part) {
        cookies[last] += "," + part
      } else {
        cookies.append(String(part))
      }
    }
    return cookies.map { $0.trimmingBlanks }
  }

  /// Returns whether `text` has an unclosed quotation mark.
  private static func isQuoted(_ text: String) -> Bool {
    !text.utf8.count { $0 == 0x22 }.isMultiple(of: 2)
  }

  private static func beginsCookie(_ part: Substring) -> Bool {
    let name = part.prefix { $0 != "=" && $0 != ";" }
    return name.endIndex != part.endIndex && part[name.endIndex] == "="
      && !name.isEmpty && !name.drop { $0 == " " }.contains(" ")
  }
}
