/// The words of a key. `avatar_url`, `avatarUrl` and `Avatar-URL` all consist of `avatar` and `url`.
struct KeyWords {
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
    "tls", "ttl", "udp", "ui", "uri", "url", "usb", "utc", "uuid", "vat", "vpn", "xml", "yaml",
  ]
}

/// The singular of English nouns that are common in keys.
enum Singular {
  /// Returns the singular of `word`, which must be in lower case. Returns `word` itself if it is not a plural.
  static func form(of word: String) -> String {
    if unchanged.contains(word) { return word }
    if let form = irregular[word] { return form }
    for (ending, form) in compounds where word.hasSuffix(ending) { return word.dropLast(ending.count) + form }
    for (ending, replacement) in endings where word.hasSuffix(ending) && word.count > ending.count {
      return word.dropLast(ending.count) + replacement
    }
    return word
  }

  /// Endings and their replacements. The first match is used.
  private static let endings: [(String, String)] = [
    ("ss", "ss"), ("is", "is"), ("us", "us"), ("ies", "y"), ("sses", "ss"), ("shes", "sh"), ("xes", "x"), ("oes", "o"),
    ("ouses", "ouse"), ("auses", "ause"), ("uses", "us"), ("tches", "tch"), ("rches", "rch"), ("nches", "nch"),
    ("aches", "ache"), ("ches", "ch"), ("s", ""),
  ]

  /// Words at the end of compound words: `salespeople`, `grandchildren`.
  private static let compounds: [(String, String)] = [
    ("people", "person"), ("children", "child"), ("women", "woman"), ("statuses", "status"), ("aliases", "alias"),
    ("movies", "movie"), ("cookies", "cookie"), ("indices", "index"), ("vertices", "vertex"), ("matrices", "matrix"),
    ("appendices", "appendix"), ("analyses", "analysis"), ("hypotheses", "hypothesis"), ("quizzes", "quiz"),
    ("shelves", "shelf"), ("selves", "self"),
  ]

  private static let irregular = [
    "men": "man", "feet": "foot", "teeth": "tooth", "geese": "goose", "mice": "mouse", "oxen": "ox", "axes": "axis",
    "crises": "crisis", "theses": "thesis", "bases": "base", "criteria": "criterion", "phenomena": "phenomenon",
    "leaves": "leaf", "wolves": "wolf", "lives": "life", "knives": "knife", "halves": "half", "wives": "wife",
    "thieves": "thief", "calves": "calf", "loaves": "loaf", "shoes": "shoe", "toes": "toe", "ties": "tie",
    "pies": "pie", "lies": "lie", "dies": "die", "uses": "use", "caches": "cache", "selfies": "selfie",
    "zombies": "zombie", "calories": "calorie", "ids": "id", "ads": "ad", "ips": "ip", "tvs": "tv", "pcs": "pc",
    "gases": "gas", "lenses": "lens", "canvases": "canvas", "atlases": "atlas", "biases": "bias",
  ]

  /// Words without a singular, and singulars that look like plurals.
  private static let unchanged: Set<String> = [
    "alias", "always", "analytics", "as", "atlas", "aws", "bias", "canvas", "chaos", "cms", "css", "data", "dns",
    "economics", "equipment", "feedback", "fish", "gas", "gps", "graphics", "has", "headquarters", "https", "info",
    "information", "ios", "kubernetes", "lens", "macos", "mathematics", "means", "media", "metadata", "news", "os",
    "physics", "politics", "pos", "rss", "s", "series", "sheep", "sms", "software", "sos", "species", "statistics",
    "stats", "tls", "was", "yes",
  ]
}
