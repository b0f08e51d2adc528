internal import AnvilJSON

/// Creation of errors that carry problems.
extension CollectingSession {
  /// Returns the value that `read` reads as a `type` at `index`. An error that it throws is rethrown with the problem.
  @_semantics("optimize.sil.specialize.generic.never")
  func raising<Value>(
    _ type: Any.Type, at index: Int, for asker: Asker?, _ read: () throws -> Value
  ) throws -> Value {
    do {
      return try read()
    } catch {
      guard let error = error as? DecodingError else { throw error }
      throw raised(error, type, at: index, for: asker)
    }
  }

  /// Returns `error` with the problem that the value at `index` is not a `type`.
  func raised(
    _ error: DecodingError, _ type: Any.Type?, kinds: [JSON.Kind]? = nil, at index: Int, for asker: Asker?
  ) -> any Error {
    var problem = problem(at: .value(index), code(of: error, type, at: index))
    problem.asked = type
    problem.kinds = kinds
    problem.asker = asker
    if problem.code == .invalidValue { problem.reason = error.context.debugDescription }
    return error.carrying([problem])
  }

  private func code(of error: DecodingError, _ type: Any.Type?, at index: Int) -> JSON.Diagnosis.Code {
    if base.isNull(at: index) { return .unexpectedNull }
    guard case .dataCorrupted = error else { return .typeMismatch }
    return base.kind(at: index) == .number ? .numberOutOfRange : .invalidValue
  }

  /// Returns the error for the missing member `key` of the object at `object`.
  func missing(
    _ key: any CodingKey, _ type: Any.Type?, kinds: [JSON.Kind]? = nil, in object: Int, _ asker: Asker
  )
    -> any Error
  {
    var problem = problem(at: .member(object: object, key: key.stringValue), .missingKey)
    problem.asked = type
    problem.kinds = kinds
    problem.asker = asker
    return carrying(problem, base.missing(key, in: object))
  }

  /// Returns the error for the missing element number `position` of the array at `array`.
  func atEnd(_ type: Any.Type, kinds: [JSON.Kind]?, of array: Int, _ position: Int, _ asker: Asker?) -> any Error {
    var problem = problem(at: .element(array: array, position: position), .missingElement)
    problem.asked = kinds == nil ? type : nil
    problem.kinds = kinds
    problem.asker = asker
    return carrying(problem, base.atEnd(type, of: array, position))
  }

  /// Returns the error for a `place` for which no placeholder can be made.
  func unsubstitutable(at place: Problem.Place) -> any Error {
    var problem = problem(at: place, .invalidValue)
    problem.source = .placeholder
    return carrying(problem, base.corrupted("There is no placeholder.", at: place.index))
  }

  private func carrying(_ problem: Problem, _ error: any Error) -> any Error {
    (error as? DecodingError)?.carrying([problem]) ?? error
  }

  private func problem(at place: Problem.Place, _ code: JSON.Diagnosis.Code) -> Problem {
    Problem(
      place: place, code: code, enclosing: frames.map(\.index),
      influenced: frames.last { influence > $0.influence }?.index)
  }

  /// Returns the problem that `error` represents, which the model's own code threw when it decoded a `type` in `frame`.
  func refusal(_ error: any Error, of type: Any.Type, in frame: Frame, for asker: Asker?) -> Problem {
    let isUnknownCase = rawValueIsRefused(by: type, at: frame.index)
    var problem = problem(at: .value(frame.index), isUnknownCase ? .unknownCase : .invalidValue)
    problem.source = influence > frame.influence ? .modelWithPlaceholder : .model
    problem.asked = type
    problem.asker = asker
    guard !isUnknownCase else { return problem }
    if let context = (error as? DecodingError)?.context {
      problem.reason = context.debugDescription
      problem.shown = deepestValue(on: context.codingPath, in: frame.index)
    } else {
      problem.reason = "\(error)"
    }
    return problem
  }

  /// Returns `error` with a problem that names the enumeration `type`, the requested type, instead of its raw type.
  func naming(_ type: Any.Type, at index: Int, in error: any Error, _ problems: [Problem]) -> any Error {
    func rawType<T: RawRepresentable>(of type: T.Type) -> Any.Type { T.RawValue.self }
    guard let error = error as? DecodingError, problems.count == 1, var problem = problems.first,
      problem.place == .value(index), problem.source == .container,
      problem.code == .typeMismatch || problem.code == .unexpectedNull,
      let representable = type as? any RawRepresentable.Type, problem.asked == rawType(of: representable)
    else { return error }
    problem.asked = type
    return error.carrying([problem])
  }

  /// Returns true if the value at `index` has the raw type of `type` but is not one of its raw values.
  private func rawValueIsRefused(by type: Any.Type, at index: Int) -> Bool {
    func isRefused<T: RawRepresentable>(by type: T.Type) -> Bool {
      guard let raw = T.RawValue.self as? any CollectedScalar.Type,
        let value = try? base.decode(raw, at: index) as? T.RawValue
      else { return false }
      return T(rawValue: value) == nil
    }
    guard let type = type as? any RawRepresentable.Type else { return false }
    return isRefused(by: type)
  }

  /// Returns the last existing value on `path` if it lies inside the value at `index` and is not that value itself.
  private func deepestValue(on path: [any CodingKey], in index: Int) -> Int? {
    var value = base.root
    for key in path {
      guard let next = self.value(at: key, in: value) else { break }
      value = next
    }
    return value > index && value < base.index(after: index) ? value : nil
  }

  private func value(at key: any CodingKey, in container: Int) -> Int? {
    switch base.kind(at: container) {
    case .array: key.intValue.flatMap { base.element($0, ofArrayAt: container) }
    case .object: base.members(ofObjectAt: container).value(of: DecodingKey(stringValue: key.stringValue))
    default: nil
    }
  }
}
