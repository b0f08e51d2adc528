internal import AnvilBase
public import AnvilJSON

extension DecodingReport {
  /// A single action of a lenient type.
  public struct Entry: Sendable {
    /// The action that was taken.
    public let code: Code
    /// The path from the root of the decoded value, by coding keys. Keys longer than 200 bytes are cut.
    public let path: JSON.Path
    private let reason: Reason

    /// The reason for the action. It is formatted on request only, because most entries of a long report are never formatted.
    private enum Reason {
      case error(any Error)
      /// A description without values of the document. If there is a type, its name is appended to the description. `value` is the value
      /// that was replaced or converted.
      case words(String, type: Any.Type?, value: String?)
    }

    /// The error with which an element or a member failed to decode; `nil` if the action was not caused by an error.
    public var error: (any Error)? {
      if case .error(let error) = reason { error } else { nil }
    }

    /// Creates an entry for the value at `path` that was left out because of `error`.
    package init(_ code: Code, at path: JSON.Path, error: any Error) {
      self.code = code
      self.path = path.withShortKeys
      reason = .error(error)
    }

    /// Creates an entry for an action at `path`. The reason consists of `words` and the name of `type`. It contains no value of the
    /// document. `value` is the value that was replaced or converted.
    package init(
      _ code: Code, at path: JSON.Path, _ words: String, type: Any.Type? = nil, value: @autoclosure () -> String? = nil
    ) {
      self.code = code
      self.path = path.withShortKeys
      reason = .words(words, type: type, value: value().map { $0.shortened(to: 40) })
    }
  }
}

extension DecodingReport.Entry: CustomStringConvertible {
  /// The code, the path and the reason, safe to log: `lossy.skipped-element at people[3]: expected Int at people[3].id`.
  ///
  /// Keys are shown, values of the document are not.
  public var description: String { "\(code) at \(Self.place(path)): \(words)" }

  /// The description, followed by the value that was replaced or converted, or by the full text of the error.
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

  /// Returns a description of `error`, for a value at `path`, that contains only types and keys.
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
    case let error as RawRepresentableInitializationError: "not a case of \(error.type)" + place(error.path, in: path)
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

  /// Returns ` at ` and the path `inner`; an empty string if `inner` is `path` itself or the root.
  private static func place(_ inner: JSON.Path, in path: JSON.Path) -> String {
    let inner = inner.withShortKeys
    return inner == path || inner.isRoot ? "" : " at \(inner)"
  }
}

extension JSON.Path {
  /// This path with long keys cut. Each entry has its own copy of the keys in its path, and compares them with other entries. A long key in
  /// a thousand entries would be slow to compare and occupy a thousand times its size.
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
