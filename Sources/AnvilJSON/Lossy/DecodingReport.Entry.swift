extension DecodingReport {
  /// One thing that was done.
  public struct Entry: Sendable {
    /// What was done.
    public let code: Code
    /// Where: the way from the root of what was decoded, by coding keys, of which what is beyond 200 bytes is cut.
    public let path: JSON.Path
    private let reason: Reason

    /// Why it was done; made into words only where they are asked for, since most entries of a long report are not.
    private enum Reason {
      case error(any Error)
      /// Words that show no value of the document, a type that ends them, and the value that it is about.
      case words(String, type: Any.Type?, value: String?)
    }

    /// Why an element or a member does not decode; `nil` for what is no error.
    public var error: (any Error)? {
      if case .error(let error) = reason { error } else { nil }
    }

    /// That the value at `path` was left out because of `error`.
    package init(_ code: Code, at path: JSON.Path, error: any Error) {
      self.code = code
      self.path = path.withShortKeys
      reason = .error(error)
    }

    /// That something was done at `path`, for the reason that `words`, and the name of `type` behind them, say without showing
    /// a value of the document; `value` is the one that it is about.
    package init(
      _ code: Code, at path: JSON.Path, _ words: String, type: Any.Type? = nil, value: @autoclosure () -> String? = nil
    ) {
      self.code = code
      self.path = path.withShortKeys
      reason = .words(words, type: type, value: value().map { String($0.prefix(40)) })
    }
  }
}

extension DecodingReport.Entry: CustomStringConvertible {
  /// The code, the place and the reason, safe to log: `lossy.skipped-element at people[3]: expected Int at people[3].id`.
  ///
  /// Keys are shown, values of the document are not.
  public var description: String { "\(code) at \(Self.place(path)): \(words)" }

  /// The same with the value it is about, or all that the error says of it.
  public var detailedDescription: String { detail.map { "\(description) (\($0))" } ?? description }

  private var words: String {
    switch reason {
    case .error(let error): Self.reason(of: error, at: path)
    case .words(let words, let type, _): words + (type.map(TypeName.of) ?? "")
    }
  }

  private var detail: String? {
    switch reason {
    case .error(let error): (error as? DecodingError)?.context.debugDescription ?? String(describing: error)
    case .words(_, _, let value): value?.quoted
    }
  }

  private static func place(_ path: JSON.Path) -> String { path.isRoot ? "the root" : path.description }

  /// What `error` says of a value at `path`, by types and keys alone.
  private static func reason(of error: any Error, at path: JSON.Path) -> String {
    switch error {
    case let error as DecodingError: reason(of: error, at: path)
    case let error as WrappedDecodingError:
      switch error.underlyingError {
      case let underlying as DecodingError: problem(underlying) + place(error.path, in: path)
      case let underlying: TypeName.of(type(of: underlying)) + place(error.path, in: path)
      }
    case let error as TypeMismatchError:
      "expected \(error.expected), found \(error.found)" + place(error.path, in: path)
    case let error as MissingKeyError: "missing \(error.key)" + place(error.path, in: path)
    case let error as RawRepresentableInitializationError: "no case of \(error.type)" + place(error.path, in: path)
    case let error as any JSONDecodingError: TypeName.of(type(of: error)) + place(error.path, in: path)
    default: TypeName.of(type(of: error))
    }
  }

  private static func reason(of error: DecodingError, at path: JSON.Path) -> String {
    problem(error) + place(JSON.Path(codingPath: error.context.codingPath), in: path)
  }

  private static func problem(_ error: DecodingError) -> String {
    switch error {
    case .typeMismatch(let type, _): "expected \(TypeName.of(type))"
    case .valueNotFound(let type, _): "expected \(TypeName.of(type)), found null"
    case .keyNotFound(let key, _): "missing \(JSON.Path(codingPath: [key]))"
    case .dataCorrupted: "invalid value"
    @unknown default: "not decodable"
    }
  }

  /// Where an error occurred, when that is deeper than what is left out.
  private static func place(_ inner: JSON.Path, in path: JSON.Path) -> String {
    let inner = inner.withShortKeys
    return inner == path || inner.isRoot ? "" : " at \(inner)"
  }
}

extension JSON.Path {
  /// This path with long keys cut: a thousand entries, each compared with others, would make a long key a thousand times as
  /// long.
  fileprivate var withShortKeys: JSON.Path {
    guard steps.contains(where: \.isLong) else { return self }
    return JSON.Path(
      steps: steps.map { step in
        guard step.isLong, case .key(let key) = step else { return step }
        return .key(String(decoding: key.utf8.prefix(JSON.Step.longestKey), as: UTF8.self) + "…")
      })
  }
}

extension JSON.Step {
  fileprivate static var longestKey: Int { 200 }

  fileprivate var isLong: Bool {
    if case .key(let key) = self { key.utf8.count > Self.longestKey } else { false }
  }
}
