/// An error of decoding with what is known where it is raised.
///
/// Raising is no report: models try one type and then another. A problem is one when its error has come out of the
/// root.
struct Problem {
  /// What in the document a problem is about, and what a placeholder takes the place of.
  enum Place: Hashable {
    /// The value at an index of the tape.
    case value(Int)
    /// The member that the object at an index does not have, by its key as the model knows it.
    case member(object: Int, key: String)
    /// The element behind the end of the array at an index.
    case element(array: Int, position: Int)

    /// The index of the value, or of the container that has not got it.
    var index: Int {
      switch self {
      case .value(let index), .member(let index, _), .element(let index, _): index
      }
    }
  }

  /// Whose error it is.
  enum Source {
    /// A container's: the place is known.
    case container
    /// The model's own code, in which nothing but the document had a say.
    case model
    /// The model's own code after it was given a placeholder: about that, perhaps.
    case modelWithPlaceholder
    /// There is no placeholder for a place that is known to be bad.
    case placeholder
  }

  let place: Place
  var source = Source.container
  let code: JSON.Diagnosis.Code
  /// What was asked for; `nil` for a container without a type, and where any value would do.
  var asked: Any.Type?
  /// The kinds that would have done, where they do not follow from ``asked``.
  var kinds: [JSON.Kind]?
  var asker: Asker?
  /// The value that a fault shows, where it is another than that of ``place``.
  var shown: Int?
  var reason: String?
  /// The indices of the values that were being decoded, outermost first.
  let enclosing: [Int]
  /// The innermost of ``enclosing`` in which a placeholder was given out before, to whatever may have decided on what
  /// is asked for.
  let influenced: Int?
}

/// The model that asks for a value, and the key of the property that it is for.
struct Asker {
  let model: Any.Type?
  let key: (any CodingKey)?

  /// The property's name in Swift.
  var property: String? {
    guard let key else { return nil }
    func name(of key: some CodingKey) -> String { EnumShape.caseName(of: key) ?? key.stringValue }
    return name(of: key)
  }
}

/// What the errors of the collecting containers carry beneath them: whoever catches one and throws it again later has
/// still thrown this.
final class RaisedProblems: Error {
  let problems: [Problem]

  init(_ problems: [Problem]) { self.problems = problems }

  /// The problems that `error` carries; `nil` for an error that no collecting container has made.
  static func carried(by error: any Error) -> [Problem]? {
    ((error as? DecodingError)?.context.underlyingError as? RaisedProblems)?.problems
  }
}

extension RaisedProblems: @unchecked Sendable {
  // `Error` asks for it. The problems never change: places and texts, metatypes, and coding keys, which decoders and models
  // hand about as values. They are read by the decoding that made them, on its thread; whoever keeps the error that carries
  // them, a model that caught it, has no way to them, for the type is not public.
}

extension DecodingError {
  /// The same error, carrying `problems`.
  func carrying(_ problems: [Problem]) -> DecodingError {
    func carrying(_ context: Context) -> Context {
      Context(
        codingPath: context.codingPath, debugDescription: context.debugDescription,
        underlyingError: RaisedProblems(problems))
    }
    return switch self {
    case .typeMismatch(let type, let context): .typeMismatch(type, carrying(context))
    case .valueNotFound(let type, let context): .valueNotFound(type, carrying(context))
    case .keyNotFound(let key, let context): .keyNotFound(key, carrying(context))
    case .dataCorrupted(let context): .dataCorrupted(carrying(context))
    @unknown default: self
    }
  }
}
