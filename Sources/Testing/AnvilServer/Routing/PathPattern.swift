/// The path pattern of a route, such as `/users/:id/repos` or `/files/*`.
struct PathPattern: Hashable {
  private enum Segment: Hashable {
    case literal(String)
    case parameter(String)
    case rest
  }

  private let segments: [Segment]

  /// Creates a pattern from any text. A `*` is special only as the last segment. A missing leading slash is added.
  init(_ pattern: String) {
    let parts = (pattern.hasPrefix("/") ? pattern.dropFirst() : pattern[...])
      .split(separator: "/", omittingEmptySubsequences: false)
    segments = parts.enumerated().map { index, part in
      if part == "*", index == parts.count - 1 { return .rest }
      return part.first == ":" ? .parameter(String(part.dropFirst())) : .literal(String(part))
    }
  }

  /// Returns the values of the parameters for a path of these decoded segments, or `nil` if the path does not match.
  ///
  /// A parameter matches one segment that is not empty. `*` matches the rest, which may be empty.
  func match(_ path: [String]) -> [String: String]? {
    guard segments.last == .rest ? path.count >= segments.count : path.count == segments.count else { return nil }
    var parameters: [String: String] = [:]
    for (segment, text) in zip(segments, path) {
      switch segment {
      case .literal(let literal): guard literal == text else { return nil }
      case .parameter(let name):
        guard !text.isEmpty else { return nil }
        parameters[name] = text
      case .rest: parameters["*"] = path[(segments.count - 1)...].joined(separator: "/")
      }
    }
    return parameters
  }
}
