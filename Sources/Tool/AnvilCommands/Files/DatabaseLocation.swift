/// The database that `--into` or a configuration file names.
enum DatabaseLocation: Sendable {
  /// A SQLite file.
  case file(String)
  /// The URL of a PostgreSQL database.
  case server(String)

  /// Creates the location. Without the checks, the URL of an unsupported database would be used as the name of a file.
  ///
  /// - Parameters:
  ///   - text: The name of a file, or a URL.
  ///   - acceptsServers: False if the command stores only in files.
  /// - Throws: ``UsageError`` for the URL of an unsupported database.
  init(_ text: String, acceptsServers: Bool) throws(UsageError) {
    let supported = acceptsServers ? "postgres:// URLs and files" : "files"
    if acceptsServers, text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") {
      self = .server(text)
      return
    }
    let beginning = text.prefix { $0 != ":" }
    if ["postgres", "postgresql"].contains(beginning.lowercased()), beginning.endIndex < text.endIndex {
      guard acceptsServers, !text[beginning.endIndex...].hasPrefix("://") else {
        throw UsageError("the database has the scheme \(beginning): only \(supported) are supported")
      }
      throw UsageError("the database has no “//” after its scheme: write postgres://USER@HOST/DATABASE")
    }
    // After a slash, `://` is part of the name of a file.
    guard let end = text.firstRange(of: "://"), !text[..<end.lowerBound].contains("/") else {
      self = .file(text)
      return
    }
    let scheme = text[..<end.lowerBound]
    let isScheme =
      scheme.first?.isLetter == true && scheme.allSatisfy { $0.isLetter || $0.isNumber || "+-.:".contains($0) }
    let problem = isScheme ? "has the scheme \(scheme)" : "is a URL, but does not begin with a scheme"
    throw UsageError("the database \(problem): only \(supported) are supported")
  }
}

extension DatabaseLocation: CustomStringConvertible {
  /// The name of the file or the URL, without secrets.
  var description: String {
    switch self {
    case .file(let text), .server(let text): text.withoutURLSecrets
    }
  }
}
