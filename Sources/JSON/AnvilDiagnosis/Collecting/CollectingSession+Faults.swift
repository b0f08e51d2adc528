internal import AnvilJSON

/// Creation of errors that carry faults.
extension CollectingSession {
  /// Returns the result of `read`. A `DecodingError` is rethrown with the fault that the value at `index` is not a valid `type`. Other
  /// errors are rethrown as they are.
  @_semantics("optimize.sil.specialize.generic.never")
  func raising<Value>(
    _ type: Any.Type, at index: Int, for property: ModelProperty?, _ read: () throws -> Value
  ) throws -> Value {
    do {
      return try read()
    } catch {
      guard let error = error as? DecodingError else { throw error }
      throw raised(error, type, at: index, for: property)
    }
  }

  /// Returns `error` with the fault that the value at `index` is not a `type`.
  func raised(
    _ error: DecodingError, _ type: Any.Type?, kinds: [JSON.Kind]? = nil, at index: Int, for property: ModelProperty?
  ) -> any Error {
    var fault = fault(at: .value(index), code(of: error, type, at: index))
    fault.requestedType = type
    fault.kinds = kinds
    fault.property = property
    if fault.code == .invalidValue { fault.reason = error.context.debugDescription }
    return error.carrying([fault])
  }

  private func code(of error: DecodingError, _ type: Any.Type?, at index: Int) -> JSON.Diagnosis.Code {
    if base.isNull(at: index) { return .unexpectedNull }
    guard case .dataCorrupted = error else { return .typeMismatch }
    return base.kind(at: index) == .number ? .numberOutOfRange : .invalidValue
  }

  /// Returns the error for the missing member or element at `slot`, which was requested as a value of `type`.
  func missing(_ slot: RaisedFault.Slot, _ type: Any.Type, for property: ModelProperty?) -> any Error {
    var fault = fault(at: slot, .missingElement)
    // Containers request these types. They are not types of the model.
    if type == [String: Any].self {
      fault.kinds = [.object]
    } else if type == [Any].self {
      fault.kinds = [.array]
    } else if type == Never?.self || type == (any Swift.Decoder).self {
      fault.kinds = []
    } else {
      fault.requestedType = type
    }
    fault.property = property
    switch slot {
    case .element(let array, let position): return carrying(fault, base.atEnd(type, of: array, position))
    case .value(let object), .member(let object, _):
      fault.code = .missingKey
      let key = property?.key ?? DecodingKey(stringValue: "")
      return carrying(fault, base.missing(key, in: object))
    }
  }

  /// Returns the error for a wrong or missing value at `slot` for which no placeholder can be made.
  func unsubstitutable(at slot: RaisedFault.Slot) -> any Error {
    var fault = fault(at: slot, .invalidValue)
    fault.source = .placeholder
    return carrying(fault, base.corrupted("There is no placeholder.", at: slot.index))
  }

  private func carrying(_ fault: RaisedFault, _ error: any Error) -> any Error {
    (error as? DecodingError)?.carrying([fault]) ?? error
  }

  private func fault(at slot: RaisedFault.Slot, _ code: JSON.Diagnosis.Code) -> RaisedFault {
    RaisedFault(
      slot: slot, code: code, enclosing: frames.map(\.index),
      influenced: frames.last { influence > $0.influence }?.index)
  }

  /// Returns the fault for `error`, which the model's own code threw when it decoded the value of `frame` as a `type`.
  func refusal(_ error: any Error, of type: Any.Type, in frame: Frame, for property: ModelProperty?) -> RaisedFault {
    let isUnknownCase = rawValueIsRefused(by: type, at: frame.index)
    var fault = fault(at: .value(frame.index), isUnknownCase ? .unknownCase : .invalidValue)
    fault.source = influence > frame.influence ? .modelWithPlaceholder : .model
    fault.requestedType = type
    fault.property = property
    guard !isUnknownCase else { return fault }
    if let context = (error as? DecodingError)?.context {
      fault.reason = context.debugDescription
      fault.shown = deepestValue(on: context.codingPath, in: frame.index)
      if let error = error as? DecodingError, isAboutCases(error) { fault.unknownCase = error }
    } else {
      fault.reason = "\(error)"
    }
    return fault
  }

  private func isAboutCases(_ error: DecodingError) -> Bool {
    UnknownCase.cases(of: error) != nil || error.context.debugDescription.hasPrefix("Invalid number of keys found")
  }

  /// Returns `error` with the fault that the value at `index`, which has been decoded, was refused by the code that converts it.
  func refused(_ error: any Error, at index: Int, for property: ModelProperty?) -> any Error {
    var fault = fault(at: .value(index), .invalidValue)
    fault.kinds = []
    fault.property = property
    fault.reason = (error as? DecodingError)?.context.debugDescription ?? "\(error)"
    return carrying(fault, error is DecodingError ? error : base.corrupted("\(error)", at: index))
  }

  /// Returns `error` with the enumeration `type` as the requested type of its fault, if that was the raw type of `type`. Other errors are
  /// returned unchanged.
  func naming(_ type: Any.Type, at index: Int, in error: any Error, _ faults: [RaisedFault]) -> any Error {
    func rawType<T: RawRepresentable>(of type: T.Type) -> Any.Type { T.RawValue.self }
    guard let error = error as? DecodingError, faults.count == 1, var fault = faults.first,
      fault.slot == .value(index), fault.source == .container,
      fault.code == .typeMismatch || fault.code == .unexpectedNull,
      let representable = type as? any RawRepresentable.Type, fault.requestedType == rawType(of: representable)
    else { return error }
    fault.requestedType = type
    return error.carrying([fault])
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
