/// The words of a key. `avatar_url`, `avatarUrl` and `Avatar-URL` all consist of `avatar` and `url`.
struct KeyWords {
  /// The words in lower case, with letters and digits only.
  var words: [String]

  /// Splits `key` into words: at characters other than letters and digits, before a capital after a small letter, and
  /// before the last of several capitals if a small letter follows.
  init(_ key: String) {
    words = []
    var word = ""
    let scalars = Array(key.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      guard Self.belongs(scalar, to: word) else {
        finish(&word)
        continue
      }
      if scalar.properties.isUppercase, let last = word.unicodeScalars.last {
        let isFollowedByALowercase = index + 1 < scalars.count && scalars[index + 1].properties.isLowercase
        if !last.properties.isUppercase || isFollowedByALowercase { finish(&word) }
      }
      word.unicodeScalars.append(scalar)
    }
    finish(&word)
    if words.isEmpty { words = Self.names(of: scalars) }
    // `+1` and `-1` are different words.
    if let first = scalars.first, let name = Self.signs[first], scalars.dropFirst().first?.properties.numericType != nil
    {
      words.insert(name, at: 0)
    }
  }

  /// The words with the last one in the singular.
  var singular: KeyWords {
    var singular = self
    // The singular of "user list" is "user".
    if words.count > 1, let last = words.last, ["list", "array"].contains(last) { singular.words.removeLast() }
    if let last = singular.words.last { singular.words[singular.words.count - 1] = Singular.form(of: last) }
    return singular
  }

  /// The words in lower camel case: `avatarURL`.
  var lowerCamel: String {
    guard let first = words.first else { return "" }
    return first + words.dropFirst().map(Self.capitalised).joined()
  }

  /// The words in upper camel case: `AvatarURL`.
  var upperCamel: String { words.map(Self.capitalised).joined() }

  private mutating func finish(_ word: inout String) {
    if !word.isEmpty { words.append(word.lowercased()) }
    word = ""
  }

  private static func belongs(_ scalar: Unicode.Scalar, to word: String) -> Bool {
    if scalar.isASCII { return scalar != "_" && scalar.properties.isXIDContinue }
    // Marks belong to the letter before them.
    return word.isEmpty ? scalar.properties.isXIDStart : scalar.properties.isXIDContinue
  }

  private static func names(of scalars: [Unicode.Scalar]) -> [String] {
    let names: [Unicode.Scalar: String] = [
      "+": "plus", "-": "minus", "*": "star", "@": "at", "#": "number", "$": "dollar", "%": "percent", "&": "and",
      "?": "question", "!": "exclamation", "/": "slash", ".": "dot", ":": "colon", "=": "equal", "_": "underscore",
      "<": "less", ">": "greater", "~": "tilde", "|": "bar",
    ]
    if scalars.isEmpty { return ["empty"] }
    let found = scalars.prefix(4).compactMap { names[$0] }
    return found.isEmpty ? ["member"] : found
  }

  private static let signs: [Unicode.Scalar: String] = ["+": "plus", "-": "minus"]

  private static func capitalised(_ word: String) -> String {
    if initialisms.contains(word) { return word.uppercased() }
    if word.last == "s", initialisms.contains(String(word.dropLast())) { return word.dropLast().uppercased() + "s" }
    return word.prefix(1).uppercased() + word.dropFirst()
  }

  /// Words that are written in capitals. Source: Swift API Design Guidelines, "Follow case conventions".
  private static let initialisms: Set<String> = [
    "api", "css", "csv", "cpu", "dns", "gif", "gps", "gpu", "html", "http", "https", "id", "io", "ip", "iso", "jpeg",
    "json", "jwt", "md5", "pdf", "png", "rgb", "sdk", "sha", "sku", "sms", "sql", "ssh", "ssl", "svg", "svn", "tcp",
    "tls",
    "ttl", "udp", "ui", "uri", "url", "usb", "utc", "uuid", "vat", "vpn", "xml", "yaml",
  ]
}
