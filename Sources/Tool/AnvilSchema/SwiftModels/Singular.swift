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
    "pies": "pie",
    "lies": "lie", "dies": "die", "uses": "use", "caches": "cache", "selfies": "selfie", "zombies": "zombie",
    "calories": "calorie", "ids": "id", "ads": "ad", "ips": "ip", "tvs": "tv", "pcs": "pc", "gases": "gas",
    "lenses": "lens", "canvases": "canvas", "atlases": "atlas", "biases": "bias",
  ]

  /// Words without a singular, and singulars that look like plurals.
  private static let unchanged: Set<String> = [
    "alias", "always", "analytics", "as", "atlas", "aws", "bias", "canvas", "chaos", "cms", "css", "data",
    "dns", "economics", "equipment", "feedback", "fish", "gas", "gps", "graphics", "has", "headquarters", "https",
    "info",
    "information", "ios", "kubernetes", "lens", "macos", "mathematics", "means", "media", "metadata", "news",
    "os", "physics", "politics", "pos", "rss", "s", "series", "sheep", "sms", "software", "sos", "species",
    "statistics", "stats", "tls", "was", "yes",
  ]
}
